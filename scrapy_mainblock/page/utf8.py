"""Whether octets are UTF-8, without decoding them.

The automaton is Bjoern Hoehrmann's (2009), with whole words of ASCII passed over at once.
"""

from __future__ import annotations

from array import array

ACCEPT, REJECT = 0, 1
WORD = 8
NO_ASCII = 0x8080808080808080
"""The highest bit of each octet of a word."""


_BEGINNINGS = (
    (0x00, 0), (0x80, 1), (0x90, 2), (0xA0, 3), (0xC0, 4), (0xC2, 5), (0xE0, 6), (0xE1, 10),
    (0xED, 7), (0xEE, 10), (0xF0, 8), (0xF1, 11), (0xF4, 9), (0xF5, 4),
)  # fmt: skip
"""The first octet of each range, and the class of the range: which sequences it may begin."""


def _class_of(octet: int) -> int:
    return max((first, kind) for first, kind in _BEGINNINGS if first <= octet)[1]


CLASSES = 12
CLASS_OF = bytes(map(_class_of, range(256)))
# States: 2 one more octet, 3 two more, 4 three more; 5 two, the first from A0; 6 two, the first up
# to 9F; 7 three, the first from 90; 8 three, the first up to 8F.
_AFTER = {
    0: {0: 0, 5: 2, 6: 5, 7: 6, 8: 7, 9: 8, 10: 3, 11: 4},
    2: {1: 0, 2: 0, 3: 0},
    3: {1: 2, 2: 2, 3: 2},
    4: {1: 3, 2: 3, 3: 3},
    5: {3: 2},
    6: {1: 2, 2: 2},
    7: {2: 3, 3: 3},
    8: {1: 3},
}
NEXT = array(
    "i",
    [_AFTER.get(state, {}).get(kind, REJECT) for state in range(9) for kind in range(CLASSES)],
)


def is_utf8(octets: bytes) -> bool:
    """Whether some octets are UTF-8."""
    size = len(octets)
    words = memoryview(octets)[: size // WORD * WORD].cast("Q")
    at = state = 0
    while at < size:
        if state == ACCEPT and not at & 7 and at + WORD <= size:
            place = at >> 3
            count = size >> 3
            while place < count and not words[place] & NO_ASCII:
                place += 1
            at = place << 3
            if at >= size:
                break
        state = NEXT[state * CLASSES + CLASS_OF[octets[at]]]
        if state == REJECT:
            return False
        at += 1
    return state == ACCEPT
