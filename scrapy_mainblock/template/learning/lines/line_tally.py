"""Counts on how many pages of a cluster a line of text occurs: anywhere, and at each place.

Learning keeps thousands of lines for every cluster, of every site of a run at once, so they
determine the memory it uses. Here they are numbers in sorted arrays: 16 bytes a line, where
dictionaries took 190. `line_counts` has the loops over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.template.learning.lines.line_counts import Counts
from scrapy_mainblock.template.learning.lines.page_lines import (
    HASH_BITS,
    HASH_MASK,
    Ints,
    Longs,
    PageLines,
)

MOST_LINES = 2000
MOST_REPEATED = 500
"""Limits per cluster: beyond `MOST_LINES` the rarer half of the lines is forgotten, and beyond
`MOST_REPEATED` no more repeated lines are kept as text."""
_MOST_PLACES = 1 << 20
"""Limit per cluster, so that the number of a place and the hash of a line have 63 bits."""


class StandingLines(NamedTuple):
    """The lines at each place, in the order of the places."""

    places: Sequence[str]
    numbers: npt.NDArray[np.int64]
    """For each line, the index of its place."""
    keys: Longs
    """For each line, its hash."""
    pages: Ints
    """For each line, on how many pages it was seen at that place."""


class LineTally:
    """The lines of a cluster's pages, by the hash of each."""

    def __init__(self) -> None:
        self.repeated: dict[int, str] = {}
        """The text of the lines that were seen on more than one page, by hash."""
        self._pages = Counts()
        self._standing = Counts()
        self._numbers: dict[str, int] = {}

    def add(self, chains: list[str], page: PageLines) -> None:
        """Count one more page, given its places and their lines."""
        self._standing.add(page.numbered(chains, self._numbers, _MOST_PLACES))
        for at in self._pages.add(page.distinct, page.order):
            if len(self.repeated) < MOST_REPEATED:
                line = page.first[at]
                self.repeated[int(page.distinct[at])] = page.text(line)
        if len(self._standing) > MOST_LINES:
            self.thin()

    @property
    def keys(self) -> Longs:
        """The hash of each line, in the order of the lines' numbers."""
        return self._pages.keys

    def lines_of(self, keys: Longs) -> tuple[npt.NDArray[np.intp], Ints]:
        """Return for some known lines, by their hashes, the numbers of the lines and their pages.

        The same line has the same number at each of its places.
        """
        lines = self._pages.indexes_of(keys)
        return lines, self._pages.counts[lines]

    def standing(self) -> StandingLines:
        """Return each line at each place."""
        keys = self._standing.keys
        return StandingLines(
            list(self._numbers), keys >> HASH_BITS, keys & HASH_MASK, self._standing.counts
        )

    def __len__(self) -> int:
        """Return the number of entries kept, which determines the memory used."""
        return len(self._pages) + len(self._standing) + len(self.repeated)

    def thin(self) -> None:
        """Forget half of the lines.

        A line of a single page counts as one that does not recur, whether it is forgotten or not.
        """
        standing = self._standing
        _, pages = self.lines_of(standing.keys & HASH_MASK)
        # Keep the half that was seen on most pages, the latest of equals.
        order = np.lexsort((-standing.since, -pages))
        standing.keep(np.sort(order[: len(order) // 2]))
        kept = np.unique(standing.keys & HASH_MASK)
        self._pages.keep(np.flatnonzero(np.isin(self._pages.keys, kept)))
        there = set(kept.tolist())
        self.repeated = {key: line for key, line in self.repeated.items() if key in there}
        self._renumber()

    def _renumber(self) -> None:
        """Forget the places that have no lines left."""
        old = self._standing.keys >> HASH_BITS
        used = np.unique(old)
        names = list(self._numbers)
        self._numbers = {names[number]: new for new, number in enumerate(used.tolist())}
        new = np.searchsorted(used, old)
        # The places stay in order, and so do the keys.
        self._standing.keys = new << HASH_BITS | self._standing.keys & HASH_MASK


_K = TypeVar("_K")
_T = TypeVar("_T")


def without_rare(entries: dict[_K, _T], counts: Mapping[_K, int]) -> dict[_K, _T]:
    """Return half of the entries: those that were seen on most pages, the latest of equals."""
    latest_first = list(reversed(entries))
    kept = set(sorted(latest_first, key=lambda key: -counts[key])[: len(entries) // 2])
    return {key: value for key, value in entries.items() if key in kept}
