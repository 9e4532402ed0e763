"""Which lines may hold a day, begin like a byline, or be a bare name: by their octets.

Of the lines near a headline hardly one is any of these, and each costs several expressions to be
read. So a line is looked at in UTF-8 first, and only what passes is decoded. What is said here errs
on the side of "may": `values.dates` and `values.names` decide.
"""

from __future__ import annotations

from scrapy_mainblock.fields.sources.marks import (
    ASCII_BEGINS,
    BYLINE,
    DAY,
    MAY_BE_DIGIT,
    MAY_BEGIN,
    NAME,
    PAIRS,
    SPACE,
)
from scrapy_mainblock.outline.layout import BEGINNINGS

_FAR = 62
"""Characters between two numbers of a day at most: twice `dates.FAR`, as letters may be written in
two characters each."""
ONE, TWO, A_CAPITAL, Z_CAPITAL, LAST_ASCII = 0x31, 0x32, 0x41, 0x5A, 0x7F
APOSTROPHE, HYPHEN, STOP, SLASH, UNDERSCORE = 0x27, 0x2D, 0x2E, 0x2F, 0x5F
FULL_WIDTH, FULL_WIDTH_DIGIT, FULL_WIDTH_NINE = 0xEFBC, 0x90, 0x99
LEAST_WORDS, MOST_WORDS = 2, 4
"""Words of a name that stands alone."""


def marks(octets: bytes, start: int, end: int) -> int:
    """The marks of a line, which has single spaces between its words."""
    found = 0
    if may_hold_day(octets, start, end):
        found |= DAY
    if may_be_byline(octets, start, end):
        found |= BYLINE
    if may_be_name(octets, start, end):
        found |= NAME
    return found


def may_hold_day(octets: bytes, start: int, end: int) -> bool:
    """Whether two numbers near each other have the digits of a day and a year, or one of both."""
    before = size = gap = first_before = first = 0
    has_sign = False
    for at in range(start, end + 1):
        octet = octets[at] if at < end else 0
        if 0x30 <= octet <= 0x39:
            if size == 0:
                first = octet
            size += 1
            continue
        if size > 0:
            if size >= 8:
                return True
            if 0 < before and gap <= _FAR:
                if size == 4:
                    if before <= 2 and ONE <= first <= TWO:
                        return True
                elif size <= 2 and before == 4:
                    if ONE <= first_before <= TWO:
                        return True
                elif size == 2 and before <= 2 and has_sign:
                    return True
            before, first_before, size, gap, has_sign = size, first, 0, 0, False
        if octet > LAST_ASCII:
            if octet >= 0xC0:
                gap += 1
                has_sign = True
                second = octets[at + 1] if at + 1 < end else 0
                if PAIRS[(octet - 0x80) << 6 | second & 0x3F] & MAY_BE_DIGIT:
                    if octet << 8 | second != FULL_WIDTH:
                        return True
                    if at + 2 < end and FULL_WIDTH_DIGIT <= octets[at + 2] <= FULL_WIDTH_NINE:
                        return True
        else:
            gap += 1
            if octet == HYPHEN or octet == STOP or octet == SLASH or octet >= A_CAPITAL:
                has_sign = True
    return False


def may_be_byline(octets: bytes, start: int, end: int) -> bool:
    """Whether a line begins like a word that says that a name follows; signs may stand before."""
    for at in range(start, end - 1):
        octet, second = octets[at], octets[at + 1]
        if octet > LAST_ASCII:
            return PAIRS[(octet - 0x80) << 6 | second & 0x3F] & MAY_BEGIN != 0
        octet |= 0x20
        if 0x61 <= octet <= 0x7A:
            third = octets[at + 2] if at + 2 < end else SPACE
            if second > LAST_ASCII or third > LAST_ASCII:
                return True
            second = second | 0x20 if 0x61 <= second | 0x20 <= 0x7A else SPACE
            third = third | 0x20 if second != SPACE and 0x61 <= third | 0x20 <= 0x7A else SPACE
            return ASCII_BEGINS[(octet << 6 ^ second << 3 ^ third) & BEGINNINGS - 1] != 0
        if 0x30 <= octets[at] <= 0x39 or octets[at] == UNDERSCORE:
            return False
    return False


def may_be_name(octets: bytes, start: int, end: int) -> bool:
    """Whether a line is a few words in capitals, of letters and what stands in names."""
    words, is_first = 0, True
    for at in range(start, end):
        octet = octets[at]
        if is_first:
            if not (A_CAPITAL <= octet <= Z_CAPITAL or octet > LAST_ASCII):
                return False
            words += 1
            if words > MOST_WORDS:
                return False
            is_first = False
        elif octet == SPACE:
            is_first = True
        elif octet <= LAST_ASCII and not 0x61 <= octet | 0x20 <= 0x7A:
            if octet != STOP and octet != HYPHEN and octet != APOSTROPHE:
                return False
    return words >= LEAST_WORDS
