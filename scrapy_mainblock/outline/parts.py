"""Searches bytes for several parts of words at once."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.html.characters import LOWER
from scrapy_mainblock.outline.layout import BEGINNINGS, SHORTEST

_LONGEST_STEP = 4
"""Maximum distance of the examined groups: with longer steps, more groups of each word are looked
for, and more of those in the text are not of a word."""
_EACH = bytes(range(256))
_MOST_NUMBERS = 255
"""Greatest number of a group in a table of bytes; further groups share it."""


class Parts:
    """Parts of words (three bytes or longer) that are searched for together.

    Not every byte is examined: a part of five bytes contains three groups of three bytes, one of
    which begins at every third offset.
    """

    def __init__(self, *parts: bytes, ignores_case: bool = False) -> None:
        """Store the parts; with `ignores_case`, they are in lower case."""
        self.letters = LOWER if ignores_case else _EACH
        self.step = max(min(min(map(len, parts)) - SHORTEST + 1, _LONGEST_STEP), 1)
        groups = bytearray(BEGINNINGS)
        holding: list[list[tuple[int, int]]] = [[]]
        """The parts that hold a group, each with the group's offset, by the group's number."""
        for which, part in enumerate(parts):
            for at in range(self.step):
                group = (part[at] << 6 ^ part[at + 1] << 3 ^ part[at + 2]) & BEGINNINGS - 1
                if not groups[group]:
                    groups[group] = min(len(holding), _MOST_NUMBERS)
                    holding.append([])
                holding[groups[group]].append((which, at))
        self.groups = bytes(groups)
        """A table of the hashed groups that each part begins with: the number of each, or 0."""
        self.text = b"".join(parts)
        """All parts; each one is a range of it."""
        self.first = ints(len(holding) + 1)
        """Where the entries of each group begin in the next arrays."""
        count = sum(map(len, holding))
        self.begin, self.end, self.before = ints(count), ints(count), ints(count)
        """For each part that holds a group, its range in the text, and the group's offset in it."""
        begins = [sum(map(len, parts[:which])) for which in range(len(parts) + 1)]
        at = 0
        for number, entries in enumerate(holding):
            self.first[number] = at
            for which, before in entries:
                self.begin[at], self.end[at] = begins[which], begins[which + 1]
                self.before[at] = before
                at += 1
        self.first[len(holding)] = at

    def is_in(self, octets: bytes, start: int, end: int) -> bool:
        """Return whether one of the parts occurs in a slice of some bytes."""
        return self.find(octets, start, end) >= 0

    def find(self, octets: bytes, start: int, end: int) -> int:
        """Return where the first of the parts begins that occur in a slice of some bytes, or -1."""
        groups, letters, step = self.groups, self.letters, self.step
        at = start + step - 1
        while at + SHORTEST <= end:
            group = (
                letters[octets[at]] << 6 ^ letters[octets[at + 1]] << 3 ^ letters[octets[at + 2]]
            )
            number = groups[group & BEGINNINGS - 1]
            if number:
                found = self._begin_of(octets, at, end, number)
                if found >= 0:
                    return found
            at += step
        return -1

    def are_in(self, octets: bytes) -> bool:
        """Return whether one of the parts occurs in some bytes."""
        return self.is_in(octets, 0, len(octets))

    def _begin_of(self, octets: bytes, at: int, end: int, number: int) -> int:
        """Return where a part begins around the group with a number at an offset, or -1."""
        for entry in range(self.first[number], self.first[number + 1]):
            begin = at - self.before[entry]
            if self._stands_at(octets, begin, end, entry):
                return begin
        return -1

    def _stands_at(self, octets: bytes, at: int, end: int, entry: int) -> bool:
        """Return whether the part of an entry stands at an offset and ends before `end`."""
        begin, behind = self.begin[entry], self.end[entry]
        if at + behind - begin > end:
            return False
        text, letters = self.text, self.letters
        for place in range(behind - begin):
            if letters[octets[at + place]] != text[begin + place]:
                return False
        return True
