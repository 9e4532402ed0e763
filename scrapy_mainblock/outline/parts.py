"""Searches bytes for several parts of words at once."""

from __future__ import annotations

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
        self.holding: list[list[tuple[bytes, int]]] = [[]]
        """The parts that hold a group, each with the group's offset, by the group's number."""
        for part in parts:
            for at in range(self.step):
                group = (part[at] << 6 ^ part[at + 1] << 3 ^ part[at + 2]) & BEGINNINGS - 1
                if not groups[group]:
                    groups[group] = min(len(self.holding), _MOST_NUMBERS)
                    self.holding.append([])
                self.holding[groups[group]].append((part, at))
        self.groups = bytes(groups)
        """A table of the hashed groups that each part begins with: the number of each, or 0."""

    def is_in(self, octets: bytes, start: int, end: int) -> bool:
        """Return whether one of the parts occurs in a slice of some bytes."""
        groups, letters, step = self.groups, self.letters, self.step
        at = start + step - 1
        while at + SHORTEST <= end:
            group = (
                letters[octets[at]] << 6 ^ letters[octets[at + 1]] << 3 ^ letters[octets[at + 2]]
            )
            number = groups[group & BEGINNINGS - 1]
            if number and self._holds_any(octets, at, end, number):
                return True
            at += step
        return False

    def are_in(self, octets: bytes) -> bool:
        """Return whether one of the parts occurs in some bytes."""
        return self.is_in(octets, 0, len(octets))

    def _holds_any(self, octets: bytes, at: int, end: int, number: int) -> bool:
        """Return whether a part around the group with a number stands at an offset."""
        for part, before in self.holding[number]:
            if self._stands_at(octets, at - before, end, part):
                return True
        return False

    def _stands_at(self, octets: bytes, at: int, end: int, part: bytes) -> bool:
        """Return whether a part stands at an offset of some bytes and ends before `end`."""
        length = len(part)
        if at + length > end:
            return False
        for place in range(length):
            if self.letters[octets[at + place]] != part[place]:
                return False
        return True
