"""Tests by their bytes whether lines may hold a day, begin like a byline, or be a bare name.

Hardly any of the lines near a headline is one of these, and reading a line takes several regular
expressions. So the UTF-8 bytes of each line are tested first, and only lines that pass are decoded.
In doubt a test passes the line: `values.dates` and `values.names` decide.
"""

from __future__ import annotations

from scrapy_mainblock.fields.sources.marks import (
    ANYTHING,
    BYLINE,
    BYLINES,
    DAY,
    MAY_BE_DIGIT,
    MAY_BE_SIGN,
    MONTH_BEGINS,
    NAME,
    PAIRS,
    SPACE,
    WORD_END,
)
from scrapy_mainblock.outline.html.characters import LOWER

_FAR, _MOST_OF_SIGNS = 31, 3
"""Maximum number of characters between two numbers of a day (twice as many if a letter may be
written as two characters), and the maximum if one of them is a sign."""
_THREE_LETTERS = (1 << 15) - 1
"""The bits of the last three letters, of which each has five."""
CHINESE, KOREAN, GENERAL_SIGNS, LATIN_SIGNS = 0xE3, 0xED, 0xE2, 0xC2
"""First bytes of letters that no month contains (a range from the first to the last), and of most
signs."""
ONE, TWO, A_CAPITAL, Z_CAPITAL, LAST_ASCII = 0x31, 0x32, 0x41, 0x5A, 0x7F
APOSTROPHE, HYPHEN, STOP, SLASH, COLON, UNDERSCORE = 0x27, 0x2D, 0x2E, 0x2F, 0x3A, 0x5F
A, B = 0x61, 0x62
FULL_WIDTH, FULL_WIDTH_DIGIT, FULL_WIDTH_NINE = 0xEFBC, 0x90, 0x99
LEAST_WORDS, MOST_WORDS = 2, 4
"""Number of words of a name that stands alone."""


def marks(octets: bytes, start: int, end: int) -> int:
    """Return the marks of a line with single spaces between its words."""
    found = 0
    if may_hold_digit(octets, start, end) and may_hold_day(octets, start, end):
        found |= DAY
    if may_be_byline(octets, start, end):
        found |= BYLINE
    if may_be_name(octets, start, end):
        found |= NAME
    return found


def may_hold_digit(octets: bytes, start: int, end: int) -> bool:
    """Return whether the line may have a digit of any script; most lines have none."""
    for at in range(start, end):
        octet = octets[at]
        if octet <= LAST_ASCII:
            if 0x30 <= octet <= 0x39:
                return True
        elif octet >= 0xC0:
            second = octets[at + 1] if at + 1 < end else 0
            if PAIRS[(octet - 0x80) << 6 | second & 0x3F] & MAY_BE_DIGIT:
                return True
    return False


def may_hold_day(  # noqa: C901, PLR0911, PLR0912 - one loop over octets
    octets: bytes, start: int, end: int
) -> bool:
    """Return whether the line has a year and another number, separated as in a day.

    The text between them is a sign, one Chinese character, or any text in which a month begins
    before the second number. Any word outside of ASCII may be a month.
    """
    before = size = gap = first_before = first = letters = code = chinese = 0
    has_month = has_sign = has_letter = is_wide = False
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
            is_near = before > 0 and gap <= (2 * _FAR if is_wide else _FAR) and chinese < 2
            if is_near and (has_month or chinese == 1 or (has_sign and gap <= _MOST_OF_SIGNS)):
                if size == 4:
                    if before <= 2 and ONE <= first <= TWO:
                        return True
                elif size <= 2 and before == 4:
                    if ONE <= first_before <= TWO:
                        return True
                elif size == 2 and before <= 2 and (has_sign or (has_letter and has_month)):
                    return True
            before, first_before, size, gap, chinese, letters = size, first, 0, 0, 0, 0
            has_sign = has_letter = is_wide = False
        if octet <= LAST_ASCII:
            gap += 1
            octet |= 0x20
            if 0x61 <= octet <= 0x7A:
                has_letter = True
                letters += 1
                code = (code << 5 | octet - 0x61) & _THREE_LETTERS
                if letters >= 3 and MONTH_BEGINS[code]:
                    has_month = True
            else:
                letters = 0
                if octet == HYPHEN or octet == STOP or octet == SLASH:
                    has_sign = True
        elif octet >= 0xC0:
            gap += 1
            letters = 0
            has_letter = is_wide = True
            second = octets[at + 1] if at + 1 < end else 0
            if CHINESE <= octet <= KOREAN:
                chinese += 1
            elif octet != GENERAL_SIGNS and octet != LATIN_SIGNS:
                has_month = True
            if PAIRS[(octet - 0x80) << 6 | second & 0x3F] & MAY_BE_DIGIT:
                if octet << 8 | second != FULL_WIDTH:
                    return True
                if at + 2 < end and FULL_WIDTH_DIGIT <= octets[at + 2] <= FULL_WIDTH_NINE:
                    return True
    return False


def may_be_byline(octets: bytes, start: int, end: int) -> bool:
    """Return whether the line begins like a byline; signs may come first."""
    at = start
    while at < end:
        octet = octets[at]
        words = BYLINES[LOWER[octet]]
        if words is not None and _begins_with_any(octets, at, end, words):
            return True
        if octet <= LAST_ASCII:
            if _is_of_word(octet):
                return False
            at += 1
        else:
            second = octets[at + 1] if at + 1 < end else 0
            if octet >= 0xC0 and not PAIRS[(octet - 0x80) << 6 | second & 0x3F] & MAY_BE_SIGN:
                return False
            at += 4 if octet >= 0xF0 else 3 if octet >= 0xE0 else 2 if octet >= 0xC0 else 1
    return False


def _begins_with_any(octets: bytes, at: int, end: int, words: list[tuple[bytes, int]]) -> bool:
    """Return whether one of some words that begin a byline stands at an offset."""
    for word, follows in words:
        if _begins(octets, at, end, word, follows):
            return True
    return False


def _begins(octets: bytes, at: int, end: int, word: bytes, follows: int) -> bool:
    """Return whether a word may stand at an offset, with what has to follow it.

    In doubt, that is if a letter outside of ASCII stands where the word has one of ASCII, it may.
    """
    for place in range(len(word)):
        if at + place >= end:
            return False
        octet, wanted = octets[at + place], word[place]
        if LOWER[octet] != wanted:
            return octet > LAST_ASCII and wanted <= LAST_ASCII
    if follows == ANYTHING:
        return True
    at += len(word)
    octet = octets[at] if at < end else 0
    if follows == WORD_END:
        return not _is_of_word(octet)
    if octet == SPACE and at + 1 < end:
        octet = octets[at + 1]
    octet = LOWER[octet]
    return octet == B or octet == COLON or octet == A or octet > LAST_ASCII


def _is_of_word(octet: int) -> bool:
    """Return whether a byte is a letter, a digit or an underscore of ASCII."""
    return 0x61 <= LOWER[octet] <= 0x7A or 0x30 <= octet <= 0x39 or octet == UNDERSCORE


def may_be_name(octets: bytes, start: int, end: int) -> bool:
    """Return whether the line is a few capitalized words, of letters and the signs of names."""
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
