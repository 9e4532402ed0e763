"""The marks of lines, and the lookup tables for testing their bytes in `line_marks`."""

from __future__ import annotations

from scrapy_mainblock.fields.values.months import MONTHS
from scrapy_mainblock.fields.values.names import BEGINNINGS_OF_BYLINES
from scrapy_mainblock.outline.layout import BEGINNINGS

DAY, BYLINE, NAME = 1, 2, 4
"""Flags: what a line may be."""
CLOSE = 7
"""How many segments below the headline a bare name counts as the author's."""
SPACE = 0x20
"""Stands for every character after a word that is not a letter."""
MAY_BEGIN, MAY_BE_DIGIT = 1, 2
"""Flags: a character outside of ASCII may be the first of a byline, or a digit."""


def _table_of_ascii() -> bytes:
    found = bytearray(BEGINNINGS)
    for word in BEGINNINGS_OF_BYLINES.split(","):
        if word.isascii():
            first, second, third = [*map(ord, word), SPACE, SPACE][:3]
            found[(first << 6 ^ second << 3 ^ third) & BEGINNINGS - 1] = 1
    return bytes(found)


def _table_of_pairs() -> bytes:
    """Return flags of the characters outside of ASCII, by first byte and six bits of the second.

    Letters of Greek, Cyrillic, Arabic, Chinese and Korean begin a byline only if one of its words
    begins with them. All other characters may begin one, since signs may come before it.
    """
    found = bytearray([MAY_BEGIN]) * (128 * 64)

    def place(lead: int, second: int) -> int:
        return (lead - 0x80) << 6 | (second & 0x3F)

    letters = [(0xCE, 0x91, 0xA1), (0xCE, 0xA3, 0xBF), (0xCF, 0x80, 0xB5)]
    letters += [(0xD0, 0x80, 0xBF), (0xD1, 0x80, 0xBF), (0xD8, 0xA1, 0xBA), (0xD9, 0x81, 0x8A)]
    letters += [(0xE4, 0xB8, 0xBF), *((lead, 0x80, 0xBF) for lead in range(0xE5, 0xEA))]
    letters += [(0xEA, 0xB0, 0xBF), (0xEB, 0x80, 0xBF), (0xEC, 0x80, 0xBF)]
    for lead, first, last in letters:
        for second in range(first, last + 1):
            found[place(lead, second)] = 0
    for word in BEGINNINGS_OF_BYLINES.split(","):
        for octets in (word[0].encode(), word[0].upper().encode()):
            if len(octets) > 1:
                found[place(octets[0], octets[1])] |= MAY_BEGIN
    digits = [(0xD9, 0xA0, 0xA9), (0xDB, 0xB0, 0xB9), (0xDF, 0x80, 0x89), (0xE0, 0x80, 0xBF)]
    digits += [(0xE1, 0x80, 0xB1), (0xEA, 0x80, 0xAF), (0xEF, 0xBC, 0xBC), (0xF0, 0x80, 0xBF)]
    for lead, first, last in digits:
        for second in range(first, last + 1):
            found[place(lead, second)] |= MAY_BE_DIGIT
    return bytes(found)


def _table_of_months() -> bytes:
    """Return a table of the first three letters of months in ASCII, as numbers in base 26."""
    found = bytearray(26**3)
    for month in MONTHS:
        if month[:3].isascii() and month[:3].isalpha():
            first, second, third = (ord(letter) - ord("a") for letter in month[:3])
            found[(first * 26 + second) * 26 + third] = 1
    return bytes(found)


MONTH_BEGINS = _table_of_months()
ASCII_BEGINS = _table_of_ascii()
PAIRS = _table_of_pairs()
