"""Sums over the pages that have a place, and the loops over the places of a page."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.outline.buffers.arrays import doubles, filled, hashes, ints
from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.outline.places import ROOT, Places
from scrapy_mainblock.template.learning.lines.page_lines import PageLines, lines_of

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

    def __init__(self, chain: str = ROOT) -> None:
        self.chain = chain
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
    """What one page says about its places, as numbers that any number of tallies can add.

    The values of each place are those of `PlaceSeen`; its lines are in `lines`. A place is known by
    the hash of its chain: most are known to the cluster already, and their chains need not be made.
    """

    def __init__(
        self,
        hashes: memoryview[int],
        lines: PageLines,
        places: Places | None,
        blocks: memoryview[int],
    ) -> None:
        """Make room for the numbers; the caller writes them, then calls `weigh`.

        Without `places`, the caller writes the chains, too. Otherwise they are made on request:
        each place is that of one of the `blocks`.
        """
        self.hashes, self.lines = hashes, lines
        self.chains: list[Any] = [None] * len(hashes)
        self._places, self._blocks = places, blocks
        self._make_rows()

    def _make_rows(self) -> None:
        count = len(self.chains)
        numbers, others = doubles(3 * count), filled(2 * count, 0)
        self.likely, self.odds = numbers[:count], numbers[count : 2 * count]
        self.behind = numbers[2 * count :]
        self.length, self.linked = others[:count], others[count:]

    def chain(self, at: int) -> str:
        """Return the chain of a place."""
        chain: str | None = self.chains[at]
        if chain is None:
            assert self._places is not None
            # Interned, because the same names occur on every page and in every cluster.
            chain = self.chains[at] = sys.intern(self._places.chain(self._blocks[at]))
        return chain

    def all_chains(self) -> list[str]:
        """Return the chains of all places."""
        return [self.chain(at) for at in range(len(self.chains))]

    def weigh(self) -> None:
        """Compute the log odds of all places."""
        for at in range(len(self.chains)):
            self.odds[at] = log_odds(self.likely[at])

    def add_to(self, tallies: dict[int, Tally]) -> None:
        """Add the page to the tallies of its places; all chains of the page are known then."""
        before = 0
        for at in range(len(self.chains)):
            tally = tallies.get(self.hashes[at])
            if tally is None:
                tally = tallies[self.hashes[at]] = Tally(self.chain(at))
            elif self.chains[at] is None:
                self.chains[at] = tally.chain
            tally.pages += 1
            tally.odds += self.odds[at]
            tally.length += self.length[at]
            tally.lines += self.lines.ends[at] - before
            before = self.lines.ends[at]
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
                chains.append(self.chain(at))
                texts[count] = plain << 1 | (self.likely[at] >= LIKELY)
                count += 1
        return chains, found[:count]


def places_of(seen: Mapping[str, PlaceSeen]) -> PagePlaces:
    """Return what a page says about its places, given as `PlaceSeen`."""
    of_chains = hashes(len(seen))
    for at, chain in enumerate(seen):
        of_chains[at] = hash_of(chain.encode("utf-8", "surrogatepass"))
    lines = lines_of(of_chains, [place.lines for place in seen.values()])
    found = PagePlaces(of_chains, lines, None, ints(0))
    for at, (chain, place) in enumerate(seen.items()):
        found.chains[at] = sys.intern(chain)
        found.likely[at], found.behind[at] = place.likely, place.behind
        found.length[at], found.linked[at] = place.length, place.linked
    found.weigh()
    return found


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
