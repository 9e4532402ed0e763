"""The lines of a page by place, as numbers: hashed once for all tallies that count the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.buffers.arrays import hashes, ints, view
from scrapy_mainblock.outline.buffers.hashing import Numbers, mixed, of_words

TELLING = 24
"""Characters from which a line is so specific that it is the same wherever it occurs; two places
may well have the same word."""
HASH_BITS = 43
"""A line at a place is one number: the place's number in the upper bits, the line's hash below."""
HASH_MASK = (1 << HASH_BITS) - 1

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


class PageLines:
    """The distinct lines at each place of a page.

    Line `n` is ``octets[starts[n]:stops[n]]``, in UTF-8, and its hash is ``keys[n]``: a long line
    is the same anywhere, a short one at its place. The lines of a place end at its number in
    `ends`. `first` has the first of the lines with the same hash, which are in `distinct`; these
    are in ascending order by `order`.
    """

    def __init__(
        self,
        places: memoryview[int],
        octets: bytes,
        starts: memoryview[int],
        stops: memoryview[int],
        ends: memoryview[int],
    ) -> None:
        """Take the lines of a page's places, given by the hashes of their chains.

        Lines that a place has already are left out. The arrays are then this object's own, and
        changed.
        """
        self.octets = octets
        self._texts: dict[int, str] = {}
        self.starts, self.stops, self.ends = starts, stops, ends
        self.keys = hashes(len(starts))
        count = self._hash(places)
        first, distinct = np.empty(count, np.int32), np.empty(count, np.int64)
        once = self._find_distinct(count, view(first), view(distinct))
        self.first: Ints = first[:once]
        self.distinct: Longs = distinct[:once]
        self.order = self.distinct.argsort()

    def _hash(self, places: memoryview[int]) -> int:
        """Hash the lines, move the distinct ones of each place together, and return their count."""
        octets, starts, stops, keys = self.octets, self.starts, self.stops, self.keys
        seen = Numbers(len(starts))
        at = count = 0
        mask, telling = HASH_MASK, TELLING
        for number in range(len(places)):
            end = self.ends[number]
            while at < end:
                start, stop = starts[at], stops[at]
                key = of_words(octets, start, stop)
                is_telling = characters(octets, start, stop) >= telling
                key = mixed(key) if is_telling else mixed(key ^ places[number])
                if seen.number(key ^ number) == count:
                    starts[count], stops[count], keys[count] = start, stop, key & mask
                    count += 1
                at += 1
            self.ends[number] = count
        return count

    def _find_distinct(self, count: int, first: memoryview[int], distinct: memoryview[int]) -> int:
        """Write the index of the first line with each hash, and the hash; return how many."""
        numbers = Numbers(count)
        once = 0
        for at in range(count):
            if numbers.number(self.keys[at]) == once:
                first[once], distinct[once] = at, self.keys[at]
                once += 1
        return once

    def text(self, line: int) -> str:
        """Return a line as text, the same string for all tallies."""
        text = self._texts.get(line)
        if text is None:
            octets = self.octets[self.starts[line] : self.stops[line]]
            text = self._texts[line] = octets.decode("utf-8", "surrogatepass")
        return text

    def texts(self, place: int) -> list[str]:
        """Return the lines of a place."""
        first = self.ends[place - 1] if place else 0
        return [self.text(line) for line in range(first, self.ends[place])]

    def numbered(self, chains: list[str], known: dict[str, int], most: int) -> Longs:
        """Return the keys of the lines at their places, given the chains of the places.

        A place that is not among the `known` ones gets the next number; after `most` places, the
        lines of the others are left out.
        """
        places = min(len(chains), most - len(known))
        found = np.empty(self.ends[places - 1] if places > 0 else 0, np.int64)
        self._number(chains, known, places, view(found))
        return found

    def _number(
        self, chains: list[str], known: dict[str, int], places: int, found: memoryview[int]
    ) -> None:
        at, bits = 0, HASH_BITS
        for place in range(places):
            number = known.get(chains[place])
            if number is None:
                number = known[chains[place]] = len(known)
            upper = number
            upper <<= bits  # in two steps: in C, the number itself has only 32 bits
            while at < self.ends[place]:
                found[at] = upper | self.keys[at]
                at += 1


def lines_of(places: memoryview[int], lines: Sequence[Sequence[str]]) -> PageLines:
    """Return the lines of a page, given as text: those of each of its places."""
    encoded = [line.encode("utf-8", "surrogatepass") for line in chain.from_iterable(lines)]
    stops = _numbers(accumulate(map(len, encoded)))
    starts = _numbers([0, *stops[: len(stops) - 1]] if len(stops) else ())
    return PageLines(
        places, b"".join(encoded), starts, stops, _numbers(accumulate(map(len, lines)))
    )


def _numbers(numbers: Iterable[int]) -> memoryview[int]:
    listed = list(numbers)
    found = ints(len(listed))
    for at, number in enumerate(listed):
        found[at] = number
    return found


def characters(octets: bytes, start: int, end: int) -> int:
    """Return how many characters a slice of UTF-8 has."""
    count = 0
    for at in range(start, end):
        count += octets[at] & 0xC0 != 0x80
    return count


def cut_off(octets: bytes, start: int, end: int, most: int) -> int:
    """Return where a slice of UTF-8 ends if it is cut off after `most` characters."""
    if end - start <= most:
        return end
    for at in range(start, end):
        if octets[at] & 0xC0 != 0x80:
            if not most:
                return at
            most -= 1
    return end
