"""Loops over sorted arrays that count lines by their hash."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.template.learning.lines.page_lines import Ints, Longs

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
        twice: list[int] = []
        self._add(view(added), view(added.argsort() if order is None else order), twice)
        self.added += len(added)
        return sorted(twice)

    def _add(self, added: memoryview[int], order: memoryview[int], twice: list[int]) -> None:
        """Count the numbers that are known, and insert the others.

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
        if new:
            self._insert(added, order, keys, counts, new)

    def _insert(
        self,
        added: memoryview[int],
        order: memoryview[int],
        keys: memoryview[int],
        counts: memoryview[int],
        new: int,
    ) -> None:
        """Insert the `new` numbers that are not among the `keys`."""
        since, size = view(self.since), len(keys)
        room = size + new
        self.keys, self.counts = np.empty(room, np.int64), np.empty(room, np.int32)
        self.since = np.empty(room, np.int32)
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
