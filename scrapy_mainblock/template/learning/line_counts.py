"""Loops over the lines of a page, and over sorted arrays that count lines by their hash."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.buffers.hashing import Numbers

TELLING = 24
"""Characters from which a line is so specific that it is the same wherever it occurs; two places
may well have the same word."""
HASH_BITS = 43
"""A line at a place is one number: the place's number in the upper bits, the line's hash below."""
HASH_MASK = (1 << HASH_BITS) - 1

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


def keys_of(
    places: list[str], ends: memoryview[int] | array[int], lines: list[str], keys: array[int]
) -> None:
    """Write the hash of each line: a long one is the same anywhere, a short one at its place.

    `ends` are the ends of the places' lines.
    """
    telling, mask = TELLING, HASH_MASK
    at = 0
    for number in range(len(places)):
        place = places[number]
        while at < ends[number]:
            line = lines[at]
            key = hash(line) if len(line) >= telling else hash((place, line))
            keys[at] = key & mask
            at += 1


def find_distinct(keys: memoryview[int] | array[int], found: memoryview[int] | Ints) -> int:
    """Write the index of the first occurrence of each key; return how many there are."""
    numbers = Numbers(len(keys))
    count = 0
    for at in range(len(keys)):
        if numbers.number(keys[at]) == count:
            found[count] = at
            count += 1
    return count


def at_places(
    numbers: memoryview[int] | array[int],
    ends: memoryview[int] | array[int],
    keys: memoryview[int] | array[int],
    found: memoryview[int] | Longs,
) -> None:
    """Write the number of each line at its place; `ends` are the ends of the places' lines."""
    at, bits = 0, HASH_BITS
    for place in range(len(numbers)):
        upper = numbers[place]
        upper <<= bits  # in two steps: in C, the number itself has only 32 bits
        while at < ends[place]:
            found[at] = upper | keys[at]
            at += 1


_NO_KEYS: Longs = np.zeros(0, np.int64)
_NO_COUNTS: Ints = np.zeros(0, np.int32)


class Counts:
    """A sorted array of numbers, with how often each was added, and when it was first added."""

    def __init__(self) -> None:
        self.keys: Longs = _NO_KEYS
        self.counts: Ints = _NO_COUNTS
        self.since: Ints = _NO_COUNTS
        self.added = 0

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, added: Longs, order: npt.NDArray[np.intp] | None = None) -> list[int]:
        """Count distinct numbers; return the indexes of those now counted for the second time.

        `order` are the indexes that sort the numbers, if they are known.
        """
        numbers, in_order = view(added), view(added.argsort() if order is None else order)
        twice: list[int] = []
        new = self._count_known(numbers, in_order, twice)
        if new:
            self._insert(numbers, in_order, new)
        self.added += len(added)
        return sorted(twice)

    def _count_known(self, added: memoryview[int], order: memoryview[int], twice: list[int]) -> int:
        """Count the numbers that are known, and return how many are not.

        The indexes of those counted for the second time are added to `twice`.
        """
        keys, counts, size = view(self.keys), view(self.counts), len(self.keys)
        at = new = 0
        for number in range(len(order)):
            key = added[order[number]]
            while at < size and keys[at] < key:
                at += 1
            if at < size and keys[at] == key:
                counts[at] += 1
                if counts[at] == 2:
                    twice.append(order[number])
            else:
                new += 1
        return new

    def _insert(self, added: memoryview[int], order: memoryview[int], new: int) -> None:
        """Insert the `new` numbers that are not known."""
        keys, counts, since = view(self.keys), view(self.counts), view(self.since)
        size = len(self.keys)
        self.keys = np.empty(size + new, np.int64)
        self.counts = np.empty(size + new, np.int32)
        self.since = np.empty(size + new, np.int32)
        to_keys, to_counts, to_since = view(self.keys), view(self.counts), view(self.since)
        at = end = 0
        for number in range(len(order)):
            key = added[order[number]]
            while at < size and keys[at] < key:
                to_keys[end], to_counts[end], to_since[end] = keys[at], counts[at], since[at]
                at += 1
                end += 1
            if at == size or keys[at] != key:
                to_keys[end], to_counts[end] = key, 1
                to_since[end] = self.added + order[number]
                end += 1
        to_keys[end:], to_counts[end:], to_since[end:] = keys[at:], counts[at:], since[at:]

    def indexes_of(self, keys: Longs) -> npt.NDArray[np.intp]:
        """Return where each of some numbers is counted; all of them must have been added."""
        return np.searchsorted(self.keys, keys)

    def keep(self, places: npt.NDArray[np.intp]) -> None:
        """Forget all numbers except those at the given positions, which are in order."""
        self.keys, self.counts = self.keys[places], self.counts[places]
        self.since = self.since[places]
