"""What the pages of a cluster say of their places, page by page and together.

One very short article under long comments says little; twenty articles say where the comments are.
What recurs at one place word for word, page after page, is template wherever it stands.
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
"""Characters of a line that may be template: longer ones are hardly ever repeated."""
MOST_PLACES = 2000
MOST_INLINE = 200
"""Kept of a cluster; when full, what was seen once makes room."""
MOST_INLINE_TEXTS = 3
"""Different texts of an inline element that may be template: an advert, and the one before it."""
LEAST_INLINE = 8
"""Characters of an inline text that may be template: a shorter one is a unit or a drop cap."""
REPEATED_PAGES = 3
"""A line, or an inline text, is template when it stands on so many pages, at the least."""
UNSURE = 0.5
"""Mean log odds from which on a place is surely content."""
SURELY_NOISE = 2.5
"""A place whose mean log odds are below minus this is surely noise. (From 1 to 2.5 the manuals' F1
is the same within .0003 with rules from all pages, and the steadier the higher with rules from a
few.)"""
SUREST = 0.95
"""Each page's probability of a place is taken for at most this, and for at least 1 less this, so
that one page cannot outvote many."""


class PlaceSeen(NamedTuple):
    """What one page says of one of its places."""

    likely: float
    """How likely content, on average over the place's characters."""
    length: int
    """Characters."""
    lines: tuple[str, ...]
    """The different texts of its segments in order, long ones by their beginning."""
    behind: float = 1.0
    """How far behind the headline it is, on average over its segments, in shares of the page's."""
    linked: int = 0
    """Characters in links."""


PlacesSeen = Mapping[str, PlaceSeen]
NOTHING_SEEN: PlacesSeen = {}


def places_seen(page: Outline, probability: Sequence[float], headline: int = 0) -> PlacesSeen:
    """What a page's segments say of their places, once a model has judged them.

    `headline` is the segment behind which what the page is about begins.
    """
    rows, texts, chains = page.rows, page.texts, page.chains
    at_place: dict[str, list[int]] = {}
    # As lists: an item of a memory view takes ten times as long.
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
"""The different texts of the named inline elements of a page, by their step (``span.promo``)."""
NO_INLINE_SEEN: InlineSeen = {}


def inline_seen(page: Outline, probability: Sequence[float]) -> InlineSeen:
    """What stands inside the lines of content in elements that have a name of their own."""
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
    """The pages that have a place, and what they say of it together."""

    pages: int = 0
    odds: float = 0.0
    """The sum of the logarithms of the odds that it is content."""
    length: int = 0
    lines: int = 0
    """How often a line stood there."""
    behind: float = 0.0
    """The sum of how far behind the headlines it was."""
    linked: int = 0

    def is_sure(self) -> bool:
        """Whether the pages say clearly that it is content."""
        return self.odds >= UNSURE * self.pages

    def is_surely_noise(self) -> bool:
        """Whether hardly any page can imagine that it is content."""
        return self.odds <= -SURELY_NOISE * self.pages

    def plus(self, other: Tally) -> Tally:
        """Both together."""
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
    """What the pages of a cluster say together."""

    pages: int = 0
    places: dict[str, Tally] = field(default_factory=dict)
    lines: LineTally = field(default_factory=LineTally)
    inline: dict[str, Counter[str]] = field(default_factory=dict)
    """On how many pages a named inline element had a text."""
    sample: Sample = field(default_factory=Sample)
    """The latest pages."""
    content: Set[str] | None = field(default=None, compare=False, repr=False)
    """The places that are content (`content_places`), as soon as somebody has asked."""

    def add(self, seen: PlacesSeen, inline: InlineSeen = NO_INLINE_SEEN) -> None:
        """One more page."""
        self.pages += 1
        self.content = None
        self.sample.add(
            sample_page({chain: (at.likely, at.length, at.linked) for chain, at in seen.items()})
        )
        places = self.places
        for chain, (likely, length, lines, behind, linked) in seen.items():
            tally = places.get(chain)
            if tally is None:
                # The same names on every page and in every cluster are kept once.
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
                if len(counts) <= MOST_INLINE_TEXTS:  # else it is none that repeats itself
                    counts.update(list(texts)[: MOST_INLINE_TEXTS + 1])

    def repeated_inline(self) -> list[str]:
        """The named inline elements that say the same on page after page: adverts in a sentence."""
        return sorted(
            step
            for step, counts in self.inline.items()
            if len(counts) <= MOST_INLINE_TEXTS
            and counts.total() >= REPEATED_PAGES * len(counts)
            and min(counts.values()) > 1
        )

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        inline = sum(len(texts) for texts in self.inline.values())
        return len(self.places) + len(self.lines) + inline + self.sample.size

    def thin(self) -> None:
        """Half of it, of which most pages have spoken, will do."""
        self.content = None
        self._forget_rare_places()
        self.lines.thin()
        self.sample.thin()

    def _forget_rare_places(self) -> None:
        self.places = without_rare(self.places, {c: t.pages for c, t in self.places.items()})
