"""How similar each segment is to the page's title, and which segment is the headline itself."""

from __future__ import annotations

from array import array

from scrapy_mainblock.judge.features.vocabulary import IS_TITLE, TAG_IS
from scrapy_mainblock.outline.buffers.octets import is_ascii
from scrapy_mainblock.outline.folding import Folded, Folder
from scrapy_mainblock.outline.layout import BEGINNINGS
from scrapy_mainblock.outline.rows import Rows

CASELESS, CASELESS_END = 0xE3, 0xEA
"""Characters whose first byte is in this range, U+3000 to U+9FFF, are Chinese and Japanese, and
have no upper case."""
DASH, DASH_NEXT = 0xE2, 0x80
"""The first bytes of dashes, quotes and other signs, which have none either."""
FINAL_SIGMA = 0x3A3
"""A letter whose small form depends on what stands around it."""
SMALL = array(
    "i",
    [
        ord(small) if len(small := chr(code).lower()) == 1 and code != FINAL_SIGMA else -1
        for code in range(0x800)
    ],
)
"""The small letter of each character of one or two bytes; -1 if it is not a letter of its own."""
LEAST_LIKENESS = 0.5
"""A text with less than half of the title is not the headline."""
IS_HEADING_BONUS = 0.3
ABOUT = 2
"""Maximum difference in length between forms of one text, such as upper and lower case."""
LONGER_TIMES, LONGER_BY = 2, 20
"""A text longer than `LONGER_TIMES` times the title plus `LONGER_BY` is not the title."""


class Title:
    """A page's title, with single spaces and in lower case."""

    def __init__(self, title: str) -> None:
        self.text = " ".join(title.split()).lower()
        self.octets = self.text.encode("utf-8", "replace")
        self.is_ascii = self.text.isascii()
        self.length = len(self.text)
        self.begins = beginnings(self.text)
        self.first = ord(self.text[0]) if self.text else -1
        self.second = ord(self.text[1]) if len(self.text) > 1 else -1

    def likeness(self, octets: bytes, start: int, end: int, size: int) -> float:
        """Return how similar a text with `size` characters is to the title, from 0 to 1.

        It is 0 unless one contains the other, else the shorter length divided by the longer one.
        """
        if size > LONGER_TIMES * self.length + LONGER_BY:
            return 0.0
        if size > self.length:
            if not self._may_be_in(octets, start, end):
                return 0.0
        elif not self._may_hold(octets, start, end):
            return 0.0
        if self.is_ascii and is_ascii(octets, start, end):
            length = end - start
            is_part = self._shares(octets, start, end)
        else:
            text = octets[start:end].decode()
            lowered, length = text.lower(), len(text)
            is_part = lowered in self.text or self.text in lowered
        if not is_part:
            return 0.0
        return min(self.length, length) / max(self.length, length, 1)

    def _shares(self, octets: bytes, start: int, end: int) -> bool:
        """Return whether a text is a part of the title, or contains it; both are ASCII."""
        size, own = end - start, len(self.octets)
        if size <= own:
            for at in range(own - size + 1):
                if begins_alike(octets, start, self.octets, at, size):
                    return True
            return False
        for at in range(start, end - own + 1):
            if begins_alike(octets, at, self.octets, 0, own):
                return True
        return False

    def _may_hold(self, octets: bytes, start: int, end: int) -> bool:
        """Return whether a text may be a part of the title, by the text's first two letters."""
        first = letter_at(octets, start, end)
        second = letter_at(octets, start + width(octets, start, end), end)
        if first < 0 or second < 0:
            return True
        return self.begins[(first << 3 ^ second) & BEGINNINGS - 1] != 0

    def _may_be_in(self, octets: bytes, start: int, end: int) -> bool:
        """Return whether the title may be a part of a text, by the title's first two letters."""
        if self.second < 0:
            return True
        before, at = -1, start
        while at < end:
            letter = letter_at(octets, at, end)
            if letter < 0 or (letter == self.second and before == self.first):
                return True
            before = letter
            at += width(octets, at, end)
        return False


def letter_at(octets: bytes, at: int, end: int) -> int:
    """Return the character at a position, as a small letter; -1 if that takes a closer look."""
    if at >= end:
        return -1
    first = octets[at]
    if first < 0x80:
        return lower(first)
    if first < 0xE0:
        return SMALL[(first & 0x1F) << 6 | octets[at + 1] & 0x3F]
    is_punctuation = first == DASH and octets[at + 1] == DASH_NEXT
    if is_punctuation or CASELESS <= first < CASELESS_END:
        return (first & 0x0F) << 12 | (octets[at + 1] & 0x3F) << 6 | octets[at + 2] & 0x3F
    return -1


def width(octets: bytes, at: int, end: int) -> int:
    """Return how many bytes a character has."""
    if at >= end or octets[at] < 0x80:
        return 1
    return 2 if octets[at] < 0xE0 else 3 if octets[at] < 0xF0 else 4


def lower(octet: int) -> int:
    """Return an ASCII letter in lower case, and any other byte unchanged."""
    return octet | 0x20 if 0x41 <= octet <= 0x5A else octet


def begins_alike(octets: bytes, at: int, title: bytes, place: int, size: int) -> bool:
    """Return whether `size` bytes of a text equal those of a title, which is in lower case."""
    for more in range(size):
        if lower(octets[at + more]) != title[place + more]:
            return False
    return True


def beginnings(title: str) -> bytes:
    """Return a hash table of the pairs of letters with which a part of the title may begin."""
    found = bytearray(BEGINNINGS)
    for at in range(len(title) - 1):
        found[(ord(title[at]) << 3 ^ ord(title[at + 1])) & BEGINNINGS - 1] = 1
    return bytes(found)


def headline_position(folded: Folded | None, rows: Rows, title: str, first: int, end: int) -> int:
    """Return the segment from `first` to `end` that shows the page's headline, or -1.

    `folded` are the texts of all segments. If it is None, only those texts are folded that are
    about as long as the title.
    """
    wanted = Title(title)
    if not wanted.length:
        return -1
    folder = Folder(rows, 0)
    best, found = LEAST_LIKENESS, -1
    for segment in range(first, end):
        tag = rows.tag[rows.block_element[rows.segment_block[segment]]]
        bonus = IS_HEADING_BONUS if TAG_IS[tag] & IS_TITLE else 0.0
        size = rows.segment_length[segment]
        # By their length alone, most segments cannot beat the best one so far.
        if min(size, wanted.length) + ABOUT < (best - bonus) * max(size, wanted.length):
            continue
        if folded is None:
            if size > LONGER_TIMES * wanted.length + LONGER_BY:
                continue
            text = folder.line(segment)
            likeness = wanted.likeness(text, 0, len(text), size)
        else:
            start, behind = folded.starts[segment], folded.starts[segment + 1]
            likeness = wanted.likeness(folded.octets, start, behind, size)
        if likeness > 0 and likeness + bonus > best:
            best, found = likeness + bonus, segment
    return found
