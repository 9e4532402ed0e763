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
        more = more_octets(octet)
        if not more or at + more >= size:
            return False
        second = octets[at + 1]
        # No second way to write a character, no surrogate, nothing behind the last character.
        least = 0xA0 if octet == 0xE0 else 0x90 if octet == 0xF0 else 0x80
        most = 0x9F if octet == 0xED else 0x8F if octet == 0xF4 else 0xBF
        if second < least or second > most:
            return False
        for place in range(at + 2, at + more + 1):
            if octets[place] & 0xC0 != 0x80:
                return False
        at += more + 1
    return True


def more_octets(octet: int) -> int:
    """How many octets follow the first one of a character, 0 where it is none."""
    if octet < 0xC2 or octet > 0xF4:
        return 0
    return 1 if octet < 0xE0 else 2 if octet < 0xF0 else 3
