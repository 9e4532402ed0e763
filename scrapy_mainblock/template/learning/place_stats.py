"""The evidence that the pages of a cluster give about their places, page by page and together.

One very short article with long comments says little; twenty articles show where the comments are.
Text that recurs word for word at one place, page after page, belongs to the template.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.outline.html.tags import BLOCK, FLAGS
from scrapy_mainblock.outline.layout import OPEN
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import step_of
from scrapy_mainblock.template.learning.line_tally import LineTally, without_rare
from scrapy_mainblock.template.learning.sample import Sample, sample_page
from scrapy_mainblock.template.selection import is_named

LONGEST_LINE = 160
"""Maximum characters of a line that may be template text: longer lines are hardly ever repeated."""
MOST_PLACES = 2000
MOST_INLINE = 200
"""Limits per cluster: beyond `MOST_PLACES` the rarer half of the places is forgotten, and beyond
`MOST_INLINE` new inline elements are ignored."""
MOST_INLINE_TEXTS = 3
"""Maximum number of distinct texts of an inline element that may be template text: an ad, and the
one before it."""
LEAST_INLINE = 8
"""Minimum characters of an inline template text; a shorter one is a unit or a drop cap."""
REPEATED_PAGES = 3
"""Minimum number of pages on which a line or an inline text must occur to be template text."""
UNSURE = 0.5
"""Minimum mean log odds from which a place is surely content."""
SURELY_NOISE = 2.5
"""A place whose mean log odds are below minus this is surely noise. (From 1 to 2.5, the F1 of the
manuals is the same within .0003 with rules from all pages; with rules from a few pages it is
steadier with higher values.)"""
SUREST = 0.95
"""Each page's probability of a place is clipped to at most this, and to at least 1 minus this, so
that one page cannot outvote many."""


class PlaceSeen(NamedTuple):
    """The evidence from one page about one of its places."""

    likely: float
    """The probability that it is content, averaged over the place's characters."""
    length: int
    """Characters."""
    lines: tuple[str, ...]
    """The distinct texts of its segments in order; long ones are cut off."""
    behind: float = 1.0
    """The mean distance of its segments behind the headline, as a share of the page's segments."""
    linked: int = 0
    """Characters in links."""


PlacesSeen = Mapping[str, PlaceSeen]
NOTHING_SEEN: PlacesSeen = {}


def places_seen(page: Outline, probability: Sequence[float], headline: int = 0) -> PlacesSeen:
    """Return a page's evidence about its places, given the probability of each segment.

    `headline` is the segment at which the content begins; distances are measured from it.
    """
    rows, texts, chains = page.rows, page.texts, page.chains
    at_place: dict[str, list[int]] = {}
    # As lists, because indexing a memory view takes ten times as long.
    for segment, block in enumerate(np.asarray(rows.segment_block).tolist()):
        at_place.setdefault(chains[block], []).append(segment)
    linked = np.asarray(rows.segment_link_chars).tolist()
    lengths = list(map(len, texts))
    content = [likely * length for likely, length in zip(probability, lengths, strict=True)]
    seen = {}
    for chain, segments in at_place.items():
        length = sum([lengths[segment] for segment in segments])
        likely = sum([content[segment] for segment in segments])
        lines = tuple(dict.fromkeys([texts[segment][:LONGEST_LINE] for segment in segments]))
        behind = (sum(segments) - headline * len(segments)) / (len(segments) * len(texts))
        in_links = sum([linked[segment] for segment in segments])
        seen[chain] = PlaceSeen(likely / length, length, lines, behind, in_links)
    return seen


InlineSeen = Mapping[str, frozenset[str]]
"""The distinct texts of the named inline elements of a page, by their step (``span.promo``)."""
NO_INLINE_SEEN: InlineSeen = {}


def inline_seen(page: Outline, probability: Sequence[float]) -> InlineSeen:
    """Return the texts of the named inline elements within the lines that are likely content."""
    rows, texts = page.rows, page.texts
    tape, tag = rows.tape, rows.tag
    seen: dict[str, set[str]] = {}
    for segment, likely in enumerate(probability):
        if likely < LIKELY:
            continue
        start, end = rows.segment_at[segment], rows.segment_to[segment]
        while tape[start - 1] & 3 == OPEN and not FLAGS[tag[tape[start - 1] >> 2]] & BLOCK:
            start -= 1
        for place in range(start, end):
            event = tape[place]
            element = event >> 2
            if event & 3 == OPEN and (rows.id_at[element] or rows.class_at[element]):
                step = step_of(rows, element)
                if is_named(step):
                    text = " ".join("".join(rows.texts_in(place, rows.tape_end[element])).split())
                    if LEAST_INLINE <= len(text) <= LONGEST_LINE and text in texts[segment]:
                        seen.setdefault(step, set()).add(text)
    return {step: frozenset(found) for step, found in seen.items()}


@dataclass(slots=True)
class Tally:
    """The pages that have a place, and their evidence about it, summed up."""

    pages: int = 0
    odds: float = 0.0
    """The sum of the log odds that it is content."""
    length: int = 0
    lines: int = 0
    """The number of its distinct lines on each page, summed up over the pages."""
    behind: float = 0.0
    """The sum of its distances behind the headline."""
    linked: int = 0

    def is_sure(self) -> bool:
        """Return whether the pages say clearly that it is content."""
        return self.odds >= UNSURE * self.pages

    def is_surely_noise(self) -> bool:
        """Return whether the pages say very clearly that it is not content."""
        return self.odds <= -SURELY_NOISE * self.pages

    def plus(self, other: Tally) -> Tally:
        """Return the sum of both tallies."""
        return Tally(
            self.pages + other.pages,
            self.odds + other.odds,
            self.length + other.length,
            self.lines + other.lines,
            self.behind + other.behind,
            self.linked + other.linked,
        )


_MOST_ODDS, _LEAST_ODDS = (math.log(one / (1 - one)) for one in (SUREST, 1 - SUREST))


def _log_odds(probability: float) -> float:
    if probability >= SUREST:
        return _MOST_ODDS
    if probability <= 1 - SUREST:
        return _LEAST_ODDS
    return math.log(probability / (1 - probability))


@dataclass
class PlaceEvidence:
    """The evidence from all pages of a cluster together."""

    pages: int = 0
    places: dict[str, Tally] = field(default_factory=dict)
    lines: LineTally = field(default_factory=LineTally)
    inline: dict[str, Counter[str]] = field(default_factory=dict)
    """For each named inline element, on how many pages it had each text."""
    sample: Sample = field(default_factory=Sample)
    """The latest pages."""
    content: Set[str] | None = field(default=None, compare=False, repr=False)
    """The places that are content, cached by `content_places`."""

    def add(self, seen: PlacesSeen, inline: InlineSeen = NO_INLINE_SEEN) -> None:
        """Count one more page."""
        self.pages += 1
        self.content = None
        self.sample.add(
            sample_page({chain: (at.likely, at.length, at.linked) for chain, at in seen.items()})
        )
        places = self.places
        for chain, (likely, length, lines, behind, linked) in seen.items():
            tally = places.get(chain)
            if tally is None:
                # Interned, because the same names occur on every page and in every cluster.
                tally = places[sys.intern(chain)] = Tally()
            tally.pages += 1
            tally.odds += _log_odds(likely)
            tally.length += length
            tally.lines += len(lines)
            tally.behind += behind
            tally.linked += linked
        self.lines.add([(chain, place.lines) for chain, place in seen.items()])
        self._count_inline(inline)
        if len(self.places) > MOST_PLACES:
            self._forget_rare_places()

    def _count_inline(self, seen: InlineSeen) -> None:
        for step, texts in seen.items():
            if step in self.inline or len(self.inline) < MOST_INLINE:
                counts = self.inline.setdefault(step, Counter())
                if len(counts) <= MOST_INLINE_TEXTS:  # else its text does not repeat
                    counts.update(sorted(texts)[: MOST_INLINE_TEXTS + 1])

    def repeated_inline(self) -> list[str]:
        """Return the named inline elements with the same text on many pages: ads in a sentence."""
        return sorted(
            step
            for step, counts in self.inline.items()
            if len(counts) <= MOST_INLINE_TEXTS
            and counts.total() >= REPEATED_PAGES * len(counts)
            and min(counts.values()) > 1
        )

    @property
    def size(self) -> int:
        """The number of entries kept, which determines the memory used."""
        inline = sum(len(texts) for texts in self.inline.values())
        return len(self.places) + len(self.lines) + inline + self.sample.size

    def thin(self) -> None:
        """Forget the rarer half of the places and lines, and the older half of the sample."""
        self.content = None
        self._forget_rare_places()
        self.lines.thin()
        self.sample.thin()

    def _forget_rare_places(self) -> None:
        self.places = without_rare(self.places, {c: t.pages for c, t in self.places.items()})
