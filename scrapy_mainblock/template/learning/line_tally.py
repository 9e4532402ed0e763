"""Counts on how many pages of a cluster a line of text occurs: anywhere, and at each place.

Learning keeps thousands of lines for every cluster, of every site of a run at once, so they
determine the memory it uses. Here they are numbers in sorted arrays: 16 bytes a line, where
dictionaries took 190, and counting a page takes no longer.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

TELLING = 24
"""Characters from which a line is so specific that it is the same wherever it occurs; two places
may well have the same word."""
MOST_LINES = 2000
MOST_REPEATED = 500
"""Limits per cluster: beyond `MOST_LINES` the rarer half of the lines is forgotten, and beyond
`MOST_REPEATED` no more repeated lines are kept as text."""

# A line at a place is one number: the place's number in the upper bits, the line's hash below.
_HASH_BITS, _PLACE_BITS = 43, 20
_HASH_MASK = (1 << _HASH_BITS) - 1
_MOST_PLACES = 1 << _PLACE_BITS

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


class LineTally:
    """The lines of a cluster's pages, by the hash of each."""

    def __init__(self) -> None:
        self.repeated: dict[int, str] = {}
        """The text of the lines that were seen on more than one page, by hash."""
        self._pages = Counts()
        self._standing = Counts()
        self._numbers: dict[str, int] = {}

    def add(self, page: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Count one more page: its places, each with its distinct lines."""
        standing, on_page = self._keys_of(page)
        self._standing.add(standing)
        for key in self._pages.add(np.fromiter(on_page, np.int64, len(on_page))):
            if len(self.repeated) < MOST_REPEATED:
                self.repeated[key] = on_page[key]
        if len(self._standing) > MOST_LINES:
            self.thin()

    def _keys_of(self, page: Iterable[tuple[str, Sequence[str]]]) -> tuple[Longs, dict[int, str]]:
        """Return the keys of a page's lines at their places, and its lines by their hash."""
        on_page: dict[int, str] = {}
        standing: list[int] = []
        for place, lines in page:
            number = self._numbers.setdefault(sys.intern(place), len(self._numbers))
            if number >= _MOST_PLACES:
                break
            for line in lines:
                # A long line is the same wherever it occurs, a short one only at its place.
                key = _hash(line) if len(line) >= TELLING else _hash((place, line))
                on_page[key] = line
                standing.append(number << _HASH_BITS | key)
        return np.array(standing, dtype=np.int64), on_page

    def pages(self) -> dict[int, int]:
        """Return on how many pages each line was seen, by the line's hash."""
        return dict(zip(self._pages.keys.tolist(), self._pages.counts.tolist(), strict=True))

    def standing(self) -> Iterator[tuple[str, int, int]]:
        """Yield each line at each place: the place, the line's hash, its number of pages there."""
        names = list(self._numbers)
        numbers = (self._standing.keys >> _HASH_BITS).tolist()
        keys = (self._standing.keys & _HASH_MASK).tolist()
        for number, key, pages in zip(numbers, keys, self._standing.counts.tolist(), strict=True):
            yield names[number], key, pages

    def __len__(self) -> int:
        """Return the number of entries kept, which determines the memory used."""
        return len(self._pages) + len(self._standing) + len(self.repeated)

    def thin(self) -> None:
        """Forget half of the lines.

        A line of a single page counts as one that does not recur, whether it is forgotten or not.
        """
        standing = self._standing
        pages = self._pages.of(standing.keys & _HASH_MASK)
        # Keep the half that was seen on most pages, the latest of equals.
        order = np.lexsort((-standing.since, -pages))
        standing.keep(np.sort(order[: len(order) // 2]))
        kept = np.unique(standing.keys & _HASH_MASK)
        self._pages.keep(np.flatnonzero(np.isin(self._pages.keys, kept)))
        there = set(kept.tolist())
        self.repeated = {key: line for key, line in self.repeated.items() if key in there}
        self._renumber()

    def _renumber(self) -> None:
        """Forget the places that have no lines left."""
        old = self._standing.keys >> _HASH_BITS
        used = np.unique(old)
        names = list(self._numbers)
        self._numbers = {names[number]: new for new, number in enumerate(used.tolist())}
        new = np.searchsorted(used, old)
        # The places stay in order, and so do the keys.
        self._standing.keys = new << _HASH_BITS | self._standing.keys & _HASH_MASK


class Counts:
    """A sorted array of numbers, with how often each was added, and when it was first added."""

    def __init__(self) -> None:
        self.keys: Longs = np.zeros(0, dtype=np.int64)
        self.counts: Ints = np.zeros(0, dtype=np.int32)
        self.since: Ints = np.zeros(0, dtype=np.int32)
        self._added = 0

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, added: Longs) -> list[int]:
        """Count distinct numbers; return those that were now counted for the second time."""
        places = np.searchsorted(self.keys, added)
        known = np.zeros(len(added), dtype=bool)
        inside = places < len(self.keys)
        known[inside] = self.keys[places[inside]] == added[inside]
        self.counts[places[known]] += 1
        twice: list[int] = added[known][self.counts[places[known]] == 2].tolist()
        fresh = np.flatnonzero(~known)
        if len(fresh):
            order = fresh[np.argsort(added[fresh], kind="stable")]
            self.keys = np.insert(self.keys, places[order], added[order])
            self.counts = np.insert(self.counts, places[order], 1)
            self.since = np.insert(self.since, places[order], self._added + order)
        self._added += len(added)
        return twice

    def of(self, keys: Longs) -> Ints:
        """Return how often each of some numbers was added; all of them must have been added."""
        return self.counts[np.searchsorted(self.keys, keys)]

    def keep(self, places: npt.NDArray[np.intp]) -> None:
        """Forget all numbers except those at the given positions, which are in order."""
        self.keys, self.counts = self.keys[places], self.counts[places]
        self.since = self.since[places]


def _hash(line: Hashable) -> int:
    return hash(line) & _HASH_MASK


_K = TypeVar("_K")
_T = TypeVar("_T")


def without_rare(entries: dict[_K, _T], counts: Mapping[_K, int]) -> dict[_K, _T]:
    """Return half of the entries: those that were seen on most pages, the latest of equals."""
    latest_first = list(reversed(entries))
    kept = set(sorted(latest_first, key=lambda key: -counts[key])[: len(entries) // 2])
    return {key: value for key, value in entries.items() if key in kept}
