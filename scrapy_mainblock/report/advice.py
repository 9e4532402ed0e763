"""What to try where a page went wrong: the commands that pin, drop or keep a part of it."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import NamedTuple

from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import UNDER, step_of
from scrapy_mainblock.outline.selectors import path_of
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.parts import PagePart
from scrapy_mainblock.template.selection import is_named

DOUBTFUL = 0.5
"""A decision that is less likely right than wrong is said to be doubtful."""
MOST_OF_CONTENT = 0.9
"""The block to pin holds this share of what is kept: with all of it, one stray line (a caption
beside the article) makes the block the body."""


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
    """What to try, the likeliest to help first."""
    page, decision = inspected.page, inspected.decision
    cluster = ("--cluster", decision.cluster) if decision.cluster else ()
    if decision.method != "rule":
        return _pin_content(page, decision, target, cluster)
    found: list[Advice] = []
    below = below_block(page, decision)
    if _share_outside(page, inspected.alone, below) > MUCH_OUTSIDE:
        found += _pin_content(page, inspected.alone, target, cluster)
    lost = _largest(page, [one for one in inspected.parts if not one.kept and one.segment in below])
    if lost is not None and (selector := selector_of(page, decision, lost)):
        what = f"keep {selector}, the longest that is left out of the main block"
        found.append(Advice(what, target.command("keep", selector, *cluster)))
    doubted = _largest(
        page,
        [
            one
            for one in inspected.parts
            if one.kept and one.probability is not None and one.probability < DOUBTFUL
        ],
    )
    if doubted is not None and (selector := selector_of(page, decision, doubted)):
        what = f"drop {selector}, which looks least like content"
        found.append(Advice(what, target.command("drop", selector, *cluster)))
    keeping = "keep this rule as it is, whatever later pages teach"
    found.append(Advice(keeping, target.command("pin", *cluster)))
    return found


def _pin_content(
    page: Outline, decision: Decision, target: Target, cluster: tuple[str, ...]
) -> list[Advice]:
    """Pin the block that holds the content of a page."""
    block = block_of_content(page, decision)
    if block is None:
        return []
    whom = "this cluster" if cluster else "the whole site"
    what = f"make {name_of(page, block)} the main block of {whom}"
    return [Advice(what, target.command("pin", *selector_words(page, block), *cluster))]


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


def _largest(page: Outline, parts: list[PagePart]) -> PagePart | None:
    """Of the place with most characters the first part."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.place] += page.rows.segment_chars[part.segment]
    if not sizes:
        return None
    place = sizes.most_common(1)[0][0]
    return next(part for part in parts if part.place == place)


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
