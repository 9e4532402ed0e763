"""What to try where a page went wrong: the commands that pin, drop or keep a part of it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import UNDER, step_of
from scrapy_mainblock.outline.selectors import path_of
from scrapy_mainblock.recipe.decide import decide
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.parts import PagePart
from scrapy_mainblock.template.corrections import (
    StillDroppedError,
    with_block,
    with_drop,
    with_keep,
    with_selection,
    with_template,
)
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template
from scrapy_mainblock.template.selection import is_named

DOUBTFUL = 0.5
"""A decision that is less likely right than wrong is said to be doubtful."""
MOST_OF_CONTENT = 0.9
"""The block to pin holds this share of what is kept: with all of it, one stray line (a caption
beside the article) makes the block the body."""


MOST_TRIED = 3
"""Places that a change is tried at: not each can be kept (the headline, a line of the template)."""
MUCH_OUTSIDE = 0.3
"""So much of what looks like content outside of the rule's block, and the block may be wrong."""


class Advice(NamedTuple):
    """Something to try: in words, and as a command."""

    what: str
    command: str


class Target(NamedTuple):
    """Where a command would write."""

    site: str
    rules: str
    """What stands behind --rules."""

    def command(self, action: str, *words: str) -> str:
        """A command line of `mainblock rules`, quoted for a shell."""
        line = ["mainblock", "rules", action, self.site, *words, "--rules", self.rules]
        return " ".join(shlex.quote(word) for word in line)


def is_doubtful(decision: Decision) -> bool:
    """Whether something seems to have gone wrong."""
    return decision.method == "none" or decision.probability < DOUBTFUL or bool(decision.reason)


def advice_of(inspected: Inspected, target: Target) -> list[Advice]:
    """What to try, the likeliest to help first: each was tried on the page, and does what it says.

    The last keeps the rule as it is, and changes nothing on this page.
    """
    page, decision = inspected.page, inspected.decision
    template = template_of(inspected)
    if decision.method != "rule" or template is None:
        return _pin_content(inspected, decision, target)
    found: list[Advice] = []
    below = below_block(page, decision)
    if _share_outside(page, inspected.alone, below) > MUCH_OUTSIDE:
        found += _pin_content(inspected, inspected.alone, target)
    lost = [one for one in inspected.parts if not one.kept and one.segment in below]
    found += _first(_keep(inspected, template, target, one) for one in _largest(page, lost))
    doubted = [
        one
        for one in inspected.parts
        if one.kept and one.probability is not None and one.probability < DOUBTFUL
    ]
    found += _first(_drop(inspected, template, target, one) for one in _largest(page, doubted))
    if not template.pinned:
        keeping = "keep this rule as it is, whatever later pages teach"
        found.append(Advice(keeping, target.command("pin", "--cluster", template.cluster)))
    return found


def _first(tries: Iterable[Advice | None]) -> list[Advice]:
    """The first that does what it says."""
    return list(islice(filter(None, tries), 1))


def template_of(inspected: Inspected) -> Template | None:
    """The template that a page was read by, or that missed on it."""
    if inspected.rules is None or inspected.decision.cluster is None:
        return None
    named = (one for one in inspected.rules.templates if one.cluster == inspected.decision.cluster)
    return next(named, None)


def _after(inspected: Inspected, template: Template) -> Decision:
    """What would be decided with a template."""
    rules = with_template(inspected.rules or SiteRules(""), template)
    return decide(inspected.reading, rules).decision


def _keep(
    inspected: Inspected, template: Template, target: Target, lost: PagePart
) -> Advice | None:
    """Keep the place of a part, or else what dropped it."""
    decision = inspected.decision
    for selector in (
        selector_of(inspected.page, decision, lost),
        decision.dropped_by(lost.segment),
    ):
        if not selector:
            continue
        try:
            selection = with_keep(template.rule.selection, selector)
        except StillDroppedError:
            continue
        after = _after(inspected, with_selection(template, selection))
        if after.method == "rule" and after.kept[lost.segment]:
            what = f"keep {selector}, with the longest part that is left out of the main block"
            command = target.command("keep", selector, "--cluster", template.cluster)
            return Advice(what, command)
    return None


def _drop(
    inspected: Inspected, template: Template, target: Target, doubted: PagePart
) -> Advice | None:
    """Drop the place of a part."""
    selector = selector_of(inspected.page, inspected.decision, doubted)
    if not selector:
        return None
    selection = with_drop(template.rule.selection, selector)
    after = _after(inspected, with_selection(template, selection))
    if after.method != "rule" or after.kept[doubted.segment]:
        return None
    what = f"drop {selector}, which looks least like content"
    return Advice(what, target.command("drop", selector, "--cluster", template.cluster))


def _pin_content(inspected: Inspected, decision: Decision, target: Target) -> list[Advice]:
    """Pin the block that holds the content of a page."""
    page, template = inspected.page, template_of(inspected)
    block = block_of_content(page, decision)
    if block is None:
        return []
    for words in (selector_words(page, block), ("--path", path_of(page.rows, block))):
        rule = rule_of(words)
        if template is None:
            after = _after(inspected, Template(SITE_CLUSTER, rule, frozenset(), pinned=True))
        else:
            after = _after(inspected, with_block(template, rule))
        if after.method == "rule" and after.root == block:
            what = f"make {name_of(page, block)} the main block of {_whose(inspected, template)}"
            cluster = ("--cluster", template.cluster) if template else ()
            return [Advice(what, target.command("pin", *words, *cluster))]
    return []


def _whose(inspected: Inspected, template: Template | None) -> str:
    """The pages that a pinned block is for."""
    if template is not None:
        return "this cluster"
    learnt = len(inspected.rules.templates) if inspected.rules is not None else 0
    instead = f", in place of its {learnt} other rules" if learnt > 1 else ""
    return f"the whole site{instead}"


def rule_of(words: tuple[str, ...]) -> Rule:
    """The rule that options of `rules pin` mean."""
    option, value = words
    if option == "--id":
        return Rule(id=value)
    return Rule(classes=(value,)) if option == "--class" else Rule(path=value)


def _share_outside(page: Outline, alone: Decision, below: range) -> float:
    """The share of what the page alone would keep that is not under the rule's block."""
    inside = outside = 0
    for segment, kept in enumerate(alone.kept):
        if kept and segment in below:
            inside += page.rows.segment_chars[segment]
        elif kept:
            outside += page.rows.segment_chars[segment]
    return outside / (inside + outside) if outside else 0.0


def below_block(page: Outline, decision: Decision) -> range:
    """The segments under the element that a rule has found."""
    rows = page.rows
    block = rows.block_of[decision.root]
    if block < 0:
        return range(rows.segment_count)
    return range(rows.block_first[block], rows.block_end[block])


def _largest(page: Outline, parts: list[PagePart]) -> list[PagePart]:
    """Of each of the places with most characters the first part."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.place] += page.rows.segment_chars[part.segment]
    return [
        next(part for part in parts if part.place == place)
        for place, _ in sizes.most_common(MOST_TRIED)
    ]


def selector_of(page: Outline, decision: Decision, part: PagePart) -> str:
    """The selector that means a part's place in the rule of its page; empty for the block itself.

    A place outside of the rule's block has none: nothing there is ever kept.
    """
    place = place_in_rule(page, decision, part.place)
    last = place.rpartition(UNDER)[2]
    return last if is_named(last) else place


def place_in_rule(page: Outline, decision: Decision, place: str) -> str:
    """A place from the rule's block down, as the rule names it; empty for what is not below it."""
    block = page.rows.block_of[decision.root]
    around = page.chains[block] if block >= 0 else ""
    if not around:
        return place
    return place[len(around) + len(UNDER) :] if place.startswith(around + UNDER) else ""


def block_of_content(page: Outline, decision: Decision) -> int | None:
    """The smallest block that holds most of what is kept; None where nothing is kept."""
    rows = page.rows
    sizes = [
        chars if kept else 0
        for kept, chars in zip(decision.kept, list(rows.segment_chars), strict=False)
    ]
    total = sum(sizes)
    if not total:
        return None
    before = [0]
    for size in sizes:
        before.append(before[-1] + size)
    best, smallest = None, rows.segment_count + 1
    for block in range(rows.block_count):
        first, end = rows.block_first[block], rows.block_end[block]
        if before[end] - before[first] >= MOST_OF_CONTENT * total and end - first <= smallest:
            best, smallest = block, end - first
    return None if best is None else rows.block_element[best]


def selector_words(page: Outline, element: int) -> tuple[str, ...]:
    """The options of `rules pin` that mean an element: its id, its class, else its path."""
    step = step_of(page.rows, element)
    if is_named(step):
        if "#" in step:
            return "--id", step.partition("#")[2]
        return "--class", step.partition(".")[2]
    return "--path", path_of(page.rows, element)


def name_of(page: Outline, element: int) -> str:
    """An element in a word: ``div.entry``, or its path where it has no name."""
    step = step_of(page.rows, element)
    return step if is_named(step) else path_of(page.rows, element)
