"""The structure of a cluster: the places of its first page, as a compact set.

A run keeps one for every template of all its sites. In a sorted array a place takes 8 bytes, where
a frozenset of integers took 90.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Set

import numpy as np

from scrapy_mainblock.outline.buffers.hashing import Numbers


class Structure(Set[int]):
    """The hashes of places, as an immutable set that equals any set of the same hashes."""

    __slots__ = ("_places",)

    def __init__(self, places: Iterable[int] = ()) -> None:
        self._places = array("Q", sorted(set(places)))

    @classmethod
    def of_page(cls, places: memoryview[int]) -> Structure:
        """Return the structure of a page, given the hashes of its places, each once."""
        found = cls()
        in_order = np.sort(np.asarray(places))
        found._places.frombytes(in_order.tobytes())
        return found

    @classmethod
    def of(cls, places: Set[int]) -> Structure:
        """Return a set of places as a structure."""
        return places if isinstance(places, Structure) else cls(places)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and position(self._places, place) >= 0

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __hash__(self) -> int:
        return self._hash()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self._places)})"

    def shared_with(self, others: Set[int]) -> int:
        """Return how many of the places are in another set, too."""
        if isinstance(others, Structure):
            return shared_in_order(self._places, others._places)
        return shared(self._places, others)

    def count_of(self, others: memoryview[int] | array[int]) -> int:
        """Return how many numbers of an array are places of this structure."""
        return count_of(self._places, others)

    def table(self) -> Numbers:
        """Return the places as a table for lookups by compiled code."""
        return table_of(self._places)


def position(places: memoryview[int] | array[int], place: int) -> int:
    """Return the index of a place in a sorted array, or -1.

    Without a branch on what is found: half of these would be predicted wrong, and the processor
    can search for several places at once.
    """
    size = len(places)
    if not size:
        return -1
    at = 0
    while size > 1:
        half = size >> 1
        at += half * (places[at + half] <= place)
        size -= half
    return at if places[at] == place else -1


def shared(places: memoryview[int] | array[int], others: Set[int]) -> int:
    """Return how many integers of a set are in a sorted array."""
    count = 0
    for place in others:
        if position(places, place) >= 0:
            count += 1
    return count


def shared_in_order(
    places: memoryview[int] | array[int], others: memoryview[int] | array[int]
) -> int:
    """Return how many integers two sorted arrays share."""
    at = count = 0
    for number in range(len(others)):
        other = others[number]
        while at < len(places) and places[at] < other:
            at += 1
        count += at < len(places) and places[at] == other
    return count


def count_of(places: memoryview[int] | array[int], others: memoryview[int] | array[int]) -> int:
    """Return how many integers of an array are in a sorted array."""
    count = 0
    for at in range(len(others)):
        if position(places, others[at]) >= 0:
            count += 1
    return count


def table_of(places: memoryview[int] | array[int]) -> Numbers:
    """Return the table of a sorted array's integers."""
    found = Numbers(len(places))
    for at in range(len(places)):
        found.put(places[at], 1)
    return found
