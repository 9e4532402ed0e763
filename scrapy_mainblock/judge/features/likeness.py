"""How like the page's title each segment is, and which segment is the headline itself."""

from __future__ import annotations

from scrapy_mainblock.judge.features.vocabulary import IS_TITLE, TAG_IS
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.rows import Rows

LEAST_LIKENESS = 0.5
"""Less than half of the title is not the title."""
IS_HEADING_BONUS = 0.3
LONGER_TIMES, LONGER_BY = 2, 20
"""A text that is longer than the title by more than this is none."""
BEGINNINGS = 1024


class Title:
    """A page's title, folded and in small letters."""

    def __init__(self, title: str) -> None:
        self.text = " ".join(title.split()).lower()
        self.octets = self.text.encode("utf-8", "replace")
        self.length = len(self.text)
        self.begins = beginnings(self.octets)

    def likeness(self, folded: Folded, segment: int, size: int) -> float:
        """How like the title a text of so many characters is: the share that both have."""
        if size > LONGER_TIMES * self.length + LONGER_BY:
            return 0.0
        start, end = folded.starts[segment], folded.starts[segment + 1]
        if size > self.length:
            if not self._may_be_in(folded.octets, start, end):
                return 0.0
        elif not self._may_hold(folded.octets, start, end):
            return 0.0
        text = folded.text(segment)
        lowered = text.lower()
        if lowered not in self.text and self.text not in lowered:
            return 0.0
        return min(self.length, len(text)) / max(self.length, len(text), 1)

    def _may_hold(self, octets: bytes, start: int, end: int) -> bool:
        """Whether a text may be a part of the title: by its first two characters, in ASCII."""
        if end - start < 2 or octets[start] >= 0x80 or octets[start + 1] >= 0x80:
            return True
        first, second = lower(octets[start]), lower(octets[start + 1])
        return self.begins[(first << 3 ^ second) % BEGINNINGS] != 0

    def _may_be_in(self, octets: bytes, start: int, end: int) -> bool:
        """Whether the title may be a part of a text: by its first two characters, in ASCII."""
        title = self.octets
        if len(title) < 2 or title[0] >= 0x80 or title[1] >= 0x80:
            return True
        first, second = title[0], title[1]
        for at in range(start, end - 1):
            if lower(octets[at]) == first and lower(octets[at + 1]) == second:
                return True
        return False


def lower(octet: int) -> int:
    """An ASCII letter in lower case; any other octet as it is."""
    return octet | 0x20 if 0x41 <= octet <= 0x5A else octet


def beginnings(title: bytes) -> bytes:
    """A table of what a text that is a part of a title may begin with: pairs of octets, hashed."""
    found = bytearray(BEGINNINGS)
    for at in range(len(title) - 1):
        found[(title[at] << 3 ^ title[at + 1]) % BEGINNINGS] = 1
    return bytes(found)


def headline_position(folded: Folded, rows: Rows, title: str, first: int, end: int) -> int:
    """Find the page's own headline among the segments from `first` to `end`; -1 for none."""
    wanted = Title(title)
    if not wanted.length:
        return -1
    best, found = LEAST_LIKENESS, -1
    for segment in range(first, end):
        likeness = wanted.likeness(folded, segment, rows.segment_length[segment])
        if likeness > 0:
            tag = rows.tag[rows.block_element[rows.segment_block[segment]]]
            if TAG_IS[tag] & IS_TITLE:
                likeness += IS_HEADING_BONUS
            if likeness > best:
                best, found = likeness, segment
    return found
