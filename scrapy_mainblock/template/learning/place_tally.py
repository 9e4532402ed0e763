"""Sums over the pages that have a place, and the loops over the places of a page."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.outline.buffers.arrays import doubles, hashes, ints

if TYPE_CHECKING:
    from scrapy_mainblock.template.learning.place_stats import PlaceSeen

UNSURE = 0.5
"""Minimum mean log odds from which a place is surely content."""
SURELY_NOISE = 2.5
"""A place whose mean log odds are below minus this is surely noise. (From 1 to 2.5, the F1 of the
manuals is the same within .0003 with rules from all pages; with rules from a few pages it is
steadier with higher values.)"""
SUREST = 0.95
"""Each page's probability of a place is clipped to at most this, and to at least 1 minus this, so
that one page cannot outvote many."""
MOST_ODDS, LEAST_ODDS = (math.log(one / (1 - one)) for one in (SUREST, 1 - SUREST))


class Tally:
    """The pages that have a place, and their evidence about it, summed up.

    `odds` is the sum of the log odds that it is content, `lines` the number of its distinct lines
    on each page, `behind` its distances behind the headline, `linked` its characters in links.
    """

    def __init__(self) -> None:
        self.pages = self.length = self.lines = self.linked = 0
        self.odds = self.behind = 0.0

    def is_sure(self) -> bool:
        """Return whether the pages say clearly that it is content."""
        return self.odds >= UNSURE * self.pages

    def is_surely_noise(self) -> bool:
        """Return whether the pages say very clearly that it is not content."""
        return self.odds <= -SURELY_NOISE * self.pages

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.pages += other.pages
        self.odds += other.odds
        self.length += other.length
        self.lines += other.lines
        self.behind += other.behind
        self.linked += other.linked


class PagePlaces:
    """What one page says about its places, as numbers that any number of tallies can add."""

    def __init__(self, seen: Mapping[str, PlaceSeen]) -> None:
        count = len(seen)
        # Interned, because the same names occur on every page and in every cluster.
        self.chains = [sys.intern(chain) for chain in seen]
        self.odds, self.behind = doubles(count), doubles(count)
        self.length, self.lines, self.linked = ints(count), ints(count), ints(count)
        self.is_likely = bytearray(count)
        self._read(seen)

    def _read(self, seen: Mapping[str, PlaceSeen]) -> None:
        for at, (likely, length, lines, behind, linked) in enumerate(seen.values()):
            self.odds[at], self.behind[at] = log_odds(likely), behind
            self.length[at], self.lines[at], self.linked[at] = length, len(lines), linked
            self.is_likely[at] = likely >= LIKELY

    def add_to(self, tallies: dict[str, Tally]) -> None:
        """Add the page to the tallies of its places."""
        for at in range(len(self.chains)):
            tally = tallies.get(self.chains[at])
            if tally is None:
                tally = tallies[self.chains[at]] = Tally()
            tally.pages += 1
            tally.odds += self.odds[at]
            tally.length += self.length[at]
            tally.lines += self.lines[at]
            tally.behind += self.behind[at]
            tally.linked += self.linked[at]

    def texts(self) -> tuple[list[str], array[int]]:
        """Return the places with text outside of links.

        With each, return twice the number of these characters, and 1 more if the page alone takes
        most of the text for content.
        """
        chains, found = [], array("Q", bytes(8 * len(self.chains)))
        texts, count = memoryview(found), 0
        for at in range(len(self.chains)):
            plain = self.length[at] - self.linked[at]
            if plain > 0:
                chains.append(self.chains[at])
                texts[count] = plain << 1 | self.is_likely[at]
                count += 1
        return chains, found[:count]


def log_odds(probability: float) -> float:
    """Return the log odds of a probability, clipped."""
    if probability >= SUREST:
        return MOST_ODDS
    if probability <= 1 - SUREST:
        return LEAST_ODDS
    return math.log(probability / (1 - probability))


def text_by_kind(
    chains: tuple[str, ...], texts: memoryview[int] | array[int], kinds: dict[str, int], count: int
) -> list[int]:
    """Return a page's text (see `PagePlaces.texts`) by the kind of its place, of `count` kinds.

    The second half of the list counts only what the page alone takes for content.
    """
    found = hashes(2 * count)
    for kind in range(2 * count):
        found[kind] = 0
    for at in range(len(chains)):
        kind = kinds[chains[at]]
        found[kind] += texts[at] >> 1
        if texts[at] & 1:
            found[count + kind] += texts[at] >> 1
    return [found[kind] for kind in range(2 * count)]
