"""Validation of UTF-8 without decoding it.

Follows the table of well-formed byte sequences in the Unicode standard (3-7), a word (8 bytes) at a
time. In a word of characters of one to three bytes, as in Greek, Russian or Chinese, those bytes
that continue a character must be the ones that the first bytes ask for; a few operations on the
whole word show whether they are. Characters of four bytes and the few three-byte ones with further
conditions are checked one by one.
"""

from __future__ import annotations

import sys

WORD = 8
HIGHEST = 0x8080808080808080
"""The highest bit of each byte of a word, which no ASCII byte has set."""
LOWER_SEVEN = 0x7F7F7F7F7F7F7F7F
"""Added to bytes below 0x20, it sets the highest bit of those that are not 0."""
WHOLE_WORD = 0xFFFFFFFFFFFFFFFF
TWO_BITS = 0x1E1E1E1E1E1E1E1E
"""The bits that tell C2 to DF from C0 and C1, which would spell ASCII in two bytes."""
THREE_BITS = 0x0F0F0F0F0F0F0F0F
"""The bits that tell E1 to EF from E0. Behind E0 and ED not every byte is allowed."""
ED_BITS = 0x0D0D0D0D0D0D0D0D
AT_ONCE = 4
"""Words that are tried together for ASCII: most of a page is markup, even if its text is not."""
IS_LITTLE_ENDIAN = sys.byteorder == "little"


def is_utf8(octets: bytes) -> bool:
    """Return whether some bytes are valid UTF-8."""
    size = len(octets)
    words = memoryview(octets)[: size // WORD * WORD].cast("Q")
    place, count, due, tried = 0, size >> 3, 0, 0
    while place < count:
        if place >= tried and not due:
            place = behind_ascii(words, place, count)
            tried = place + AT_ONCE
            if place == count:
                break
        word = words[place]
        high = word & HIGHEST
        first = high & word << 1
        three = first & word << 2
        if not IS_LITTLE_ENDIAN or is_special(word, first, three):
            at = next_word(octets, behind_due(octets, place << 3, due, size), size)
            if at < 0:
                return False
            if at == size:
                return True
            place, due = at >> 3, 0
            continue
        if (first << 8 | three << 16) & WHOLE_WORD | due != high ^ first:
            return False
        due = first >> 56 | three >> 48
        place += 1
    at = behind_due(octets, count << 3, due, size)
    while 0 <= at < size:
        at = next_word(octets, at, size)
    return at == size


def behind_ascii(words: memoryview[int], place: int, count: int) -> int:
    """Return the place of the first words, `AT_ONCE` together, that are not all ASCII."""
    while place + AT_ONCE <= count:
        some = words[place] | words[place + 1] | words[place + 2] | words[place + 3]
        if some & HIGHEST:
            break
        place += AT_ONCE
    return place


def is_special(word: int, first: int, three: int) -> bool:
    """Return whether a word has a character that is not checked with the whole word.

    `first` and `three` have the highest bit set of each byte that begins a character of several
    bytes, and of three or four.
    """
    may_be_overlong = first & ~three & ~((word & TWO_BITS) + LOWER_SEVEN)
    low = word & THREE_BITS
    is_e0_or_ed = three & ~(low + LOWER_SEVEN & (low ^ ED_BITS) + LOWER_SEVEN)
    return (three & word << 3 | may_be_overlong | is_e0_or_ed) != 0


def behind_due(octets: bytes, at: int, due: int, size: int) -> int:
    """Return the position behind the bytes that an unfinished character needs, or -1.

    `due` has the highest bit set of each of them: none, one or two.
    """
    while due:
        if at >= size or octets[at] & 0xC0 != 0x80:
            return -1
        due >>= 8
        at += 1
    return at


def next_word(octets: bytes, at: int, size: int) -> int:
    """Return where the next word begins at the beginning of a character, or the end; else -1."""
    while 0 <= at < size:
        length = 1 if octets[at] < 0x80 else length_at(octets, at, size)
        if not length:
            return -1
        at += length
        if not at & 7:
            break
    return at


def length_at(octets: bytes, at: int, size: int) -> int:
    """Return the byte length of the non-ASCII character at an offset, or 0 if it is malformed."""
    first = octets[at]
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if first < 0xC2 or first > 0xF4 or at + length > size:
        return 0
    second = octets[at + 1]
    is_whole = second & 0xC0 == 0x80
    if length > 2:
        is_whole = is_whole and octets[at + 2] & 0xC0 == 0x80
        # Reject overlong forms, surrogates, and code points above U+10FFFF.
        if first == 0xE0:
            is_whole = is_whole and second >= 0xA0
        elif first == 0xED:
            is_whole = is_whole and second < 0xA0
        elif first >= 0xF0:
            is_whole = is_whole and octets[at + 3] & 0xC0 == 0x80
            is_whole = is_whole and not (first == 0xF0 and second < 0x90)
            is_whole = is_whole and not (first == 0xF4 and second > 0x8F)
    return length if is_whole else 0
