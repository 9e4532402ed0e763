"""The segments of a page for the reports: whether each was kept, why, and what it looks like.

The Decision names the rule or model that dropped a segment. A person also wants to know what the
segment looks like from outside: a link block [Wang14], comments, text before or after the content.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from scrapy_mainblock.judge import decision as reasons
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks

_COMMENTS = re.compile(r"comment|disqus|replies|respond|discuss|评论|留言", re.IGNORECASE)
_UNEXPLAINED = frozenset({reasons.OUTSIDE, reasons.UNLIKELY, reasons.UNLIKELY_PLACE})
"""Reasons that name what dropped a part, but do not say what the part is."""


@dataclass(frozen=True)
class PagePart:
    """One segment of a page, and whether and why it was kept."""

    segment: int
    kept: bool
    place: str
    probability: float | None
    """Probability that it is content, judged from the page alone; None if no model ran."""
    reason: str
    looks_like: str
    """What it seems to be, judged by its position; empty if `reason` already explains it."""
    links: int
    """Number of links in the link block around it, 0 if it is outside of any link block."""

    @property
    def why(self) -> str:
        """The reason, followed by what the part looks like."""
        return f"{self.reason}; {self.looks_like}" if self.looks_like else self.reason


def parts_of(
    page: Outline, decision: Decision, likely: Sequence[float] | None = None
) -> list[PagePart]:
    """Describe each segment of a page; `likely` holds the probabilities from the page alone."""
    kept = [segment for segment, one in enumerate(decision.kept) if one]
    first, last = (kept[0], kept[-1]) if kept else (-1, -1)
    around = links_around(page)
    found = []
    for segment, part in enumerate(decision.parts):
        looks = ""
        if not part.kept and decision.why[segment] in _UNEXPLAINED:
            looks = _looks_like(part.place, around[segment], segment, first, last)
        probability = None if likely is None else likely[segment]
        found.append(
            PagePart(
                segment, part.kept, part.place, probability, part.reason, looks, around[segment]
            )
        )
    return found


def _looks_like(place: str, links: int, segment: int, first: int, last: int) -> str:
    if links:
        return f"in a block of {links} links"
    if _COMMENTS.search(place):
        return "comments, judging by its class or id"
    if first < 0:
        return ""
    if segment < first:
        return "before the content"
    return "after the content" if segment > last else "within the content"


def links_around(page: Outline) -> list[int]:
    """Return for each segment the number of links in its logical link block [Wang14], or 0."""
    blocks = link_blocks(page).blocks
    starts = [block.start for block in blocks]
    found = []
    for segment in range(page.rows.segment_count):
        start, end = page.rows.source_of(segment)
        at = bisect_right(starts, start) - 1
        inside = at >= 0 and end <= blocks[at].end
        found.append(blocks[at].links if inside else 0)
    return found


@dataclass(frozen=True)
class Run:
    """Adjacent parts at one place that were all kept, or all dropped, for the same reason."""

    parts: Sequence[PagePart]

    @property
    def kept(self) -> bool:
        """Whether the parts are content."""
        return self.parts[0].kept

    @property
    def place(self) -> str:
        """The place that all parts share."""
        return self.parts[0].place

    @property
    def why(self) -> str:
        """Why the parts are kept or dropped."""
        return self.parts[0].why

    @property
    def probability(self) -> float | None:
        """The mean probability of the parts, None if the models did not run."""
        known = [part.probability for part in self.parts if part.probability is not None]
        return sum(known) / len(known) if known else None


def runs_of(parts: Sequence[PagePart]) -> Iterator[Run]:
    """Yield runs of adjacent parts that differ only in their text."""
    for _, group in groupby(parts, key=lambda one: (one.kept, one.place, one.why)):
        yield Run(tuple(group))


def steps_of(place: str) -> list[str]:
    """Return the steps of a place, from the body down; an empty list for the body itself."""
    return place.split(UNDER) if place else []
