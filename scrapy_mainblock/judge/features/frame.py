"""The counts for each segment and block of a page, from which all its features are computed."""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.judge.features.names import bits_of_class, bits_of_id
from scrapy_mainblock.judge.features.vocabulary import (
    CLASS,
    DIGIT,
    ENDS,
    FIRST_FAR,
    FIRST_FULL_WIDTH,
    MARK,
    MARK_SHIFT,
    MARKS,
    OTHER,
    PAUSE,
    SPACE,
    STOP,
    TAG_BITS,
    UPPER,
    WIDE,
    character_kinds,
    full_width_kinds,
)
from scrapy_mainblock.outline.buffers.arrays import doubles, ints, view
from scrapy_mainblock.outline.buffers.hashing import Numbers, extended
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.layout import START
from scrapy_mainblock.outline.rows import Rows

LONGEST_DATED = 300
"""Maximum characters of a segment that is searched for a date and for a copyright notice."""


class Frame:
    """The arrays from which all features of a page are computed.

    For each segment: its characters (`sizes`), its characters other than spaces (`chars`), those in
    and outside of links, its words, its characters of each kind, whether its last character ends a
    sentence, whether it contains a date or a copyright notice, and how often its text occurs on the
    page. For each block: what its class and id mean, how many blocks with the same parent are like
    it, and the tags around it.
    """

    def __init__(self, page: Rows, folded: Folded, hashes: Any) -> None:
        """Read all segments and blocks; `hashes` are the hashes of the texts."""
        self.page, self.folded, self.hashes = page, folded, view(hashes)
        self.n, self.m = page.segment_count, page.block_count
        self.kinds, self.full_width = character_kinds(), full_width_kinds()
        self._make_rows(self.n, self.m)
        self._read_texts()
        self._read_blocks()

    def _make_rows(self, n: int, m: int) -> None:
        room = doubles(15 * n)
        self.sizes, self.chars = room[:n], room[n : 2 * n]
        self.words, self.link = room[2 * n : 3 * n], room[3 * n : 4 * n]
        self.plain, self.pauses = room[4 * n : 5 * n], room[5 * n : 6 * n]
        self.stops, self.upper = room[6 * n : 7 * n], room[7 * n : 8 * n]
        self.digit, self.wide = room[8 * n : 9 * n], room[9 * n : 10 * n]
        self.ends, self.dated = room[10 * n : 11 * n], room[11 * n : 12 * n]
        self.copyright, self.repeated = room[12 * n : 13 * n], room[13 * n : 14 * n]
        self.links = room[14 * n :]
        blocks = ints(4 * m)
        self.tag, self.kind = blocks[:m], blocks[m : 2 * m]
        self.alike, self.tags_around = blocks[2 * m : 3 * m], blocks[3 * m :]
        self.names = flags(m)
        self.pictures = 0
        self.marks = ints(len(MARKS))
        for group in range(len(MARKS)):
            self.marks[group] = 0

    # ---- segments ------------------------------------------------------------------------------

    def _read_texts(self) -> None:
        page, folded = self.page, self.folded
        texts = Numbers(self.n)
        count_of, number_of = ints(self.n + 1), ints(self.n + 1)
        for segment in range(self.n):
            count_of[segment] = 0
        for segment in range(self.n):
            start, end = folded.starts[segment], folded.starts[segment + 1]
            self._count(segment, start, end)
            link = page.segment_link_chars[segment]
            chars = self.chars[segment]
            self.link[segment] = link if link < chars else chars
            self.plain[segment] = chars - self.link[segment]
            self.links[segment] = page.segment_links[segment]
            number = texts.number(self.hashes[segment])
            number_of[segment] = number
            count_of[number] += 1
        for segment in range(self.n):
            self.repeated[segment] = count_of[number_of[segment]]

    def _count(self, segment: int, start: int, end: int) -> None:
        """Count the characters of a segment by class."""
        octets, kinds = self.folded.octets, self.kinds
        size = wide = upper = digit = pauses = stops = spaces = 0
        code = about = 0
        may_be_dated = may_be_copyright = False
        at = start
        while at < end:
            code = octets[at]
            if code < 0x80:
                if code == 0x28:  # (
                    may_be_copyright = True
                elif code | 0x20 == 0x67 and at > start and octets[at - 1] | 0x20 == 0x69:
                    may_be_copyright = True  # "ig", as in "rights"
                at += 1
            elif code < 0xE0:
                code = (code & 0x1F) << 6 | octets[at + 1] & 0x3F
                at += 2
                may_be_copyright = may_be_copyright or code == 0xA9
            elif code < 0xF0:
                code = (code & 0x0F) << 12 | (octets[at + 1] & 0x3F) << 6 | octets[at + 2] & 0x3F
                at += 3
                may_be_copyright = may_be_copyright or code == COPYRIGHT_IN_CHINESE
            else:
                code = (code & 0x07) << 18 | (octets[at + 1] & 0x3F) << 12
                code |= (octets[at + 2] & 0x3F) << 6 | octets[at + 3] & 0x3F
                at += 4
            size += 1
            if code < FIRST_FAR:
                about = kinds[code]
            else:
                about = WIDE if code < FIRST_FULL_WIDTH else self.full_width[code & 0xFF]
            if about == OTHER:
                continue
            if about & MARK:
                self.marks[(about >> MARK_SHIFT) - 1] += 1
            kind = about & CLASS
            if kind == SPACE:
                spaces += 1
            elif kind == WIDE:
                wide += 1
            elif kind == UPPER:
                upper += 1
            elif kind == DIGIT:
                digit += 1
            elif kind == PAUSE:
                pauses += 1
            elif kind == STOP:
                stops += 1
        self.sizes[segment] = size
        chars = size - spaces if size > spaces else 1
        self.chars[segment] = chars
        self.words[segment] = spaces + 1 + wide
        self.wide[segment], self.upper[segment], self.digit[segment] = wide, upper, digit
        self.pauses[segment], self.stops[segment] = pauses, stops
        self.ends[segment] = about & ENDS != 0
        if size <= LONGEST_DATED:
            may_be_dated = digit > 0 or wide > 0
            self.dated[segment] = may_be_dated and has_date(octets, start, end)
            self.copyright[segment] = may_be_copyright and has_copyright(octets, start, end)

    # ---- blocks --------------------------------------------------------------------------------

    def _read_blocks(self) -> None:
        page = self.page
        kinds, places = Numbers(self.m), Numbers(self.m)
        count_of, place_of = ints(self.m + 1), ints(self.m + 1)
        meaning = flags(self.m)
        known = 0  # kinds whose meaning was looked up
        for block in range(self.m):
            count_of[block] = 0
        for block in range(self.m):
            element, parent = page.block_element[block], page.block_parent[block]
            tag = page.tag[element]
            self.tag[block] = tag
            self.pictures += page.block_images[block]
            self.tags_around[block] = TAG_BITS[tag]
            if parent >= 0:
                self.tags_around[block] |= self.tags_around[parent]
            start, end = page.class_at[element], page.class_end[element]
            kind = kinds.number(extended(START ^ tag, page.source, start, end))
            self.kind[block] = kind
            if kind == known:
                meaning[kind] = bits_of_class(page.source, start, end)
                known += 1
            self.names[block] = meaning[kind]
            if page.id_at[element] < page.id_end[element]:
                self.names[block] |= bits_of_id(
                    page.source, start, end, page.id_at[element], page.id_end[element]
                )
            place_of[block] = places.number((parent + 1) << 32 | kind)
            count_of[place_of[block]] += 1
        for block in range(self.m):
            self.alike[block] = count_of[place_of[block]]


def flags(count: int) -> memoryview[int]:
    """Return an array of `count` 32-bit numbers, all 0."""
    return memoryview(bytearray(4 * count or 4)).cast("I")


COPYRIGHT_IN_CHINESE = 0x7248
"""The first character of the Chinese word for copyright."""


def is_digit(octets: bytes, at: int, end: int) -> bool:
    """Return whether there is a digit at a position."""
    return at < end and 0x30 <= octets[at] <= 0x39


def is_word(octets: bytes, at: int, start: int, end: int) -> bool:
    """Return whether the character that a byte belongs to is a letter, a digit or an underscore.

    Outside of ASCII, all characters count as letters except the blocks of punctuation and symbols.
    """
    if at < start or at >= end:
        return False
    octet = octets[at]
    if octet < 0x80:
        return octet == 0x5F or 0x30 <= octet <= 0x39 or 0x61 <= octet | 0x20 <= 0x7A
    while at > start and 0x80 <= octets[at] < 0xC0:
        at -= 1
    first = octets[at]
    if first == 0xC2 or first == 0xE2:  # Latin-1 symbols; dashes, quotes, arrows
        return False
    if first == 0xE3:  # CJK punctuation
        return octets[at + 1] != 0x80
    if first == 0xEF:  # full-width forms
        return octets[at + 1] > 0xBD or octets[at + 2] >= 0x90
    return True


def has_date(octets: bytes, start: int, end: int) -> bool:
    r"""Return whether a text contains a time, a year, or a phrase such as "3 hours ago".

    ``\d{1,2}[:.]\d\d | \b(19|20)\d\d\b | \d (hour|minute|day)s? ago | 年 | 月``
    """
    for at in range(start, end):
        octet = octets[at]
        if octet >= 0xE5:  # 年, 月
            if starts_with(octets, at, end, b"\xe5\xb9\xb4"):
                return True
            if starts_with(octets, at, end, b"\xe6\x9c\x88"):
                return True
        if octet > 0x39 or octet < 0x30:
            continue
        if at + 3 < end and (octets[at + 1] == 0x3A or octets[at + 1] == 0x2E):
            if is_digit(octets, at + 2, end) and is_digit(octets, at + 3, end):
                return True
        if is_digit(octets, at + 2, end) and is_digit(octets, at + 3, end):
            is_year = (octet == 0x31 and octets[at + 1] == 0x39) or (
                octet == 0x32 and octets[at + 1] == 0x30
            )
            if is_year and not is_word(octets, at - 1, start, end):
                if not is_word(octets, at + 4, start, end):
                    return True
        if at + 8 < end and octets[at + 1] == 0x20 and is_ago(octets, at + 2, end):
            return True
    return False


def is_ago(octets: bytes, at: int, end: int) -> bool:
    """Return whether a phrase such as ``hours ago`` stands at a position."""
    for unit in UNITS:
        if starts_with(octets, at, end, unit):
            at += len(unit)
            if at < end and octets[at] == 0x73:  # s
                at += 1
            return starts_with(octets, at, end, b" ago")
    return False


UNITS = (b"hour", b"minute", b"day")


def has_copyright(octets: bytes, start: int, end: int) -> bool:
    """Return whether a text contains a copyright notice."""
    for at in range(start, end):
        octet = octets[at]
        if octet == 0x28 or octet == 0x41 or octet == 0x61:  # ( A a
            word = b"(c)" if octet == 0x28 else b"all rights"
        elif octet == 0x43 or octet == 0x63:  # C c
            word = b"copyright"
        elif octet == 0xC2:
            word = b"\xc2\xa9"
        elif octet == 0xE7:
            word = b"\xe7\x89\x88\xe6\x9d\x83"
        else:
            continue
        if starts_with_letters(octets, at, end, word):
            return True
    return False


def starts_with(octets: bytes, at: int, end: int, word: bytes) -> bool:
    """Return whether `word` stands at a position."""
    if at + len(word) > end:
        return False
    for place in range(len(word)):
        if octets[at + place] != word[place]:
            return False
    return True


def starts_with_letters(octets: bytes, at: int, end: int, word: bytes) -> bool:
    """Return whether a word, given in lower case, stands at a position in upper or lower case."""
    if at + len(word) > end:
        return False
    for place in range(len(word)):
        octet = octets[at + place]
        if 0x41 <= octet <= 0x5A:
            octet |= 0x20
        if octet != word[place]:
            return False
    return True
