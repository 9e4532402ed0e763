"""The parts of a page with what became of each, and where each stands in the page as a whole.

The Decision says by which rule or model a part was left out. What a person wants to know besides is
what it looks like from outside: a link block [Wang14], comments, what stands before or behind.
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
"""Reasons that say who dropped a part, not what the part is."""


@dataclass(frozen=True)
class PagePart:
    """One segment of a page, and what became of it."""

    segment: int
    kept: bool
    place: str
    probability: float | None
    """How likely it is content by the page alone; None where no model ran."""
    reason: str
    looks_like: str
    """What it is by where it stands, empty where the reason says enough."""
    links: int
    """How many links the link block around it has, 0 where it is in none."""

    @property
    def why(self) -> str:
        """The reason, and what the part looks like."""
        return f"{self.reason}; {self.looks_like}" if self.looks_like else self.reason


def parts_of(
    page: Outline, decision: Decision, likely: Sequence[float] | None = None
) -> list[PagePart]:
    """Describe each segment of a page; `likely` is how likely each is content by itself."""
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
        return "comments, by its name"
    if first < 0:
        return ""
    if segment < first:
        return "before the content"
    return "behind the content" if segment > last else "within the content"


def links_around(page: Outline) -> list[int]:
    """For each segment how many links its logical link block has [Wang14], 0 outside of them."""
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
    """Neighbours at one place that met the same fate for the same reason."""

    parts: Sequence[PagePart]

    @property
    def kept(self) -> bool:
        """Whether they are content."""
        return self.parts[0].kept

    @property
    def place(self) -> str:
        """Where all of them stand."""
        return self.parts[0].place

    @property
    def why(self) -> str:
        """Why they are kept or dropped."""
        return self.parts[0].why

    @property
    def probability(self) -> float | None:
        """The mean of their probabilities, None where the models did not run."""
        known = [part.probability for part in self.parts if part.probability is not None]
        return sum(known) / len(known) if known else None


def runs_of(parts: Sequence[PagePart]) -> Iterator[Run]:
    """Put neighbours together that differ in nothing but their text."""
    for _, group in groupby(parts, key=lambda one: (one.kept, one.place, one.why)):
        yield Run(tuple(group))


def steps_of(place: str) -> list[str]:
    """The steps of a place, from the body down; none for the body itself."""
    return place.split(UNDER) if place else []
