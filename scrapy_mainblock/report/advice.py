"""Advice for a page that was extracted badly: commands that pin, drop or keep a part of it.

Each command is first tried on the page, and is only proposed if it has the effect that it claims.
"""

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
"""A decision with a probability below this (more likely wrong than right) is doubtful."""
MOST_OF_CONTENT = 0.9
"""The block to pin holds at least this share of the kept characters. If it had to hold all of them,
one stray line (a caption beside the article) would make the body the block to pin."""


MOST_TRIED = 3
"""Number of places at which to try a change: some cannot be kept (a headline, a template line)."""
MUCH_OUTSIDE = 0.3
"""The rule's block may be wrong if it misses more than this share of the likely content."""


class Advice(NamedTuple):
    """A proposal, in words and as a command."""

    what: str
    command: str


class Target(NamedTuple):
    """The site and the rules that a proposed command would change."""

    site: str
    rules: str
    """The value of `--rules`."""

    def command(self, action: str, *words: str) -> str:
        """Return a command line of `mainblock rules`, quoted for a shell."""
        line = ["mainblock", "rules", action, self.site, *words, "--rules", self.rules]
        return " ".join(shlex.quote(word) for word in line)


def is_doubtful(decision: Decision) -> bool:
    """Return whether the decision may be wrong."""
    return decision.method == "none" or decision.probability < DOUBTFUL or bool(decision.reason)


def advice_of(inspected: Inspected, target: Target) -> list[Advice]:
    """Return proposals that were tried on the page and work, the most promising first.

    The last one pins the present rule, unless it is pinned already, and does not change this page.
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
        keeping = "pin this rule so that later learning does not change it"
        found.append(Advice(keeping, target.command("pin", "--cluster", template.cluster)))
    return found


def _first(tries: Iterable[Advice | None]) -> list[Advice]:
    """Return the first proposal that works, as a list of at most one."""
    return list(islice(filter(None, tries), 1))


def template_of(inspected: Inspected) -> Template | None:
    """Return the template that the page was matched to, even if its rule missed, or None."""
    if inspected.rules is None or inspected.decision.cluster is None:
        return None
    named = (one for one in inspected.rules.templates if one.cluster == inspected.decision.cluster)
    return next(named, None)


def _after(inspected: Inspected, template: Template) -> Decision:
    """Return the decision on the page with another template."""
    rules = with_template(inspected.rules or SiteRules(""), template)
    return decide(inspected.reading, rules).decision


def _keep(
    inspected: Inspected, template: Template, target: Target, lost: PagePart
) -> Advice | None:
    """Propose to keep the place of a part, otherwise to keep what the dropping selector matches."""
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
            what = f"keep {selector}, a large part dropped from the main block"
            command = target.command("keep", selector, "--cluster", template.cluster)
            return Advice(what, command)
    return None


def _drop(
    inspected: Inspected, template: Template, target: Target, doubted: PagePart
) -> Advice | None:
    """Propose to drop the place of a part."""
    selector = selector_of(inspected.page, inspected.decision, doubted)
    if not selector:
        return None
    selection = with_drop(template.rule.selection, selector)
    after = _after(inspected, with_selection(template, selection))
    if after.method != "rule" or after.kept[doubted.segment]:
        return None
    what = f"drop {selector}, which does not look like content"
    return Advice(what, target.command("drop", selector, "--cluster", template.cluster))


def _pin_content(inspected: Inspected, decision: Decision, target: Target) -> list[Advice]:
    """Propose to pin the block that holds the content of a page."""
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
    """Return the pages that a pinned block applies to, in words."""
    if template is not None:
        return "this cluster"
    learned = len(inspected.rules.templates) if inspected.rules is not None else 0
    instead = f", in place of its {learned} other rules" if learned > 1 else ""
    return f"the whole site{instead}"


def rule_of(words: tuple[str, ...]) -> Rule:
    """Return the rule for an option of `rules pin` and its value (see `selector_words`)."""
    option, value = words
    if option == "--id":
        return Rule(id=value)
    return Rule(classes=(value,)) if option == "--class" else Rule(path=value)


def _share_outside(page: Outline, alone: Decision, below: range) -> float:
    """Return the share of what the page alone would keep that is outside of the rule's block."""
    inside = outside = 0
    for segment, kept in enumerate(alone.kept):
        if kept and segment in below:
            inside += page.rows.segment_chars[segment]
        elif kept:
            outside += page.rows.segment_chars[segment]
    return outside / (inside + outside) if outside else 0.0


def below_block(page: Outline, decision: Decision) -> range:
    """Return the segments under the decision's main block."""
    rows = page.rows
    block = rows.block_of[decision.root]
    if block < 0:
        return range(rows.segment_count)
    return range(rows.block_first[block], rows.block_end[block])


def _largest(page: Outline, parts: list[PagePart]) -> list[PagePart]:
    """Return the first part of each of the `MOST_TRIED` places with the most characters."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.place] += page.rows.segment_chars[part.segment]
    return [
        next(part for part in parts if part.place == place)
        for place, _ in sizes.most_common(MOST_TRIED)
    ]


def selector_of(page: Outline, decision: Decision, part: PagePart) -> str:
    """Return the selector of a part's place in its page's rule, or "" for the main block itself.

    Also return "" for a place outside of the rule's block, since nothing there is ever kept.
    """
    place = place_in_rule(page, decision, part.place)
    last = place.rpartition(UNDER)[2]
    return last if is_named(last) else place


def place_in_rule(page: Outline, decision: Decision, place: str) -> str:
    """Return a place relative to the rule's block, or "" if the place is not below that block."""
    block = page.rows.block_of[decision.root]
    around = page.chains[block] if block >= 0 else ""
    if not around:
        return place
    return place[len(around) + len(UNDER) :] if place.startswith(around + UNDER) else ""


def block_of_content(page: Outline, decision: Decision) -> int | None:
    """Return the smallest block's element with most of the kept text; None if nothing is kept."""
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
    """Return the option of `rules pin` for an element (id, class, otherwise path) and its value."""
    step = step_of(page.rows, element)
    if is_named(step):
        if "#" in step:
            return "--id", step.partition("#")[2]
        return "--class", step.partition(".")[2]
    return "--path", path_of(page.rows, element)


def name_of(page: Outline, element: int) -> str:
    """Return a short name of an element: ``div.entry``, or its path if it has no id or class."""
    step = step_of(page.rows, element)
    return step if is_named(step) else path_of(page.rows, element)
