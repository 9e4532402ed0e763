"""The marks of lines, and the lookup tables for testing their bytes in `line_marks`."""

from __future__ import annotations

from itertools import product

from scrapy_mainblock.fields.values.months import MONTHS
from scrapy_mainblock.fields.values.names import (
    OTHER_BEGINNINGS,
    WHOLE_WORDS,
    WORDS_BEFORE_BY,
)

DAY, BYLINE, NAME = 1, 2, 4
"""Flags: what a line may be."""
SAYS_CHANGE, NAMED_CHANGE = 8, 16
"""Further flags of a line with a day: its words may say that the page was changed, or the names of
the elements around it may."""
CLOSE = 7
"""How many segments below the headline a bare name counts as the author's."""
SPACE = 0x20
"""Stands for every character after a word that is not a letter."""
MAY_BE_SIGN, MAY_BE_DIGIT = 1, 2
"""Flags: a character outside of ASCII may be a sign, or a digit."""
ANYTHING, WORD_END, BY_OR_COLON = range(3)
"""What has to follow a word that begins a byline."""
_LIKE_ASCII = "ſıİ\u212a"
"""Letters outside of ASCII that a regular expression without case takes for letters of ASCII."""


def _beginnings_of_bylines() -> list[list[tuple[bytes, int]] | None]:
    """Return the words that begin a byline, by their first byte in lower case."""
    found: list[list[tuple[bytes, int]] | None] = [None] * 256
    for words, follows in (
        (OTHER_BEGINNINGS, ANYTHING),
        (WHOLE_WORDS, WORD_END),
        (WORDS_BEFORE_BY, BY_OR_COLON),
        (",".join(_LIKE_ASCII), ANYTHING),
    ):
        for word in words.split(","):
            for letters in product(*map(_in_any_case, word)):
                octets = "".join(letters).encode()
                if len(octets) == 1:
                    continue  # the letter of ASCII itself, as ``s`` for ``ſ``, begins no byline
                if (of_first := found[octets[0]]) is None:
                    of_first = found[octets[0]] = []
                of_first.append((octets, follows))
    return found


def _in_any_case(letter: str) -> set[str]:
    """Return the forms of a letter that are compared as they are: one in ASCII, else all."""
    if letter.isascii():
        return {letter}
    upper = letter.upper()
    return {letter, upper, upper.lower()} if len(upper) == 1 else {letter}


def _table_of_pairs() -> bytes:
    """Return flags of the characters outside of ASCII, by first byte and six bits of the second.

    All but the letters of Greek, Cyrillic, Arabic, Chinese and Korean may be signs.
    """
    found = bytearray([MAY_BE_SIGN]) * (128 * 64)

    def place(lead: int, second: int) -> int:
        return (lead - 0x80) << 6 | (second & 0x3F)

    letters = [(0xCE, 0x91, 0xA1), (0xCE, 0xA3, 0xBF), (0xCF, 0x80, 0xB5)]
    letters += [(0xD0, 0x80, 0xBF), (0xD1, 0x80, 0xBF), (0xD8, 0xA1, 0xBA), (0xD9, 0x81, 0x8A)]
    letters += [(0xE4, 0xB8, 0xBF), *((lead, 0x80, 0xBF) for lead in range(0xE5, 0xEA))]
    letters += [(0xEA, 0xB0, 0xBF), (0xEB, 0x80, 0xBF), (0xEC, 0x80, 0xBF)]
    for lead, first, last in letters:
        for second in range(first, last + 1):
            found[place(lead, second)] = 0
    digits = [(0xD9, 0xA0, 0xA9), (0xDB, 0xB0, 0xB9), (0xDF, 0x80, 0x89), (0xE0, 0x80, 0xBF)]
    digits += [(0xE1, 0x80, 0xB1), (0xEA, 0x80, 0xAF), (0xEF, 0xBC, 0xBC), (0xF0, 0x80, 0xBF)]
    for lead, first, last in digits:
        for second in range(first, last + 1):
            found[place(lead, second)] |= MAY_BE_DIGIT
    return bytes(found)


def _table_of_months() -> bytes:
    """Return a table of the first three letters of months in ASCII, with five bits for each."""
    found = bytearray(32**3)
    for month in MONTHS:
        if month[:3].isascii() and month[:3].isalpha():
            first, second, third = (ord(letter) - ord("a") for letter in month[:3])
            found[first << 10 | second << 5 | third] = 1
    return bytes(found)


MONTH_BEGINS = _table_of_months()
BYLINES = _beginnings_of_bylines()
PAIRS = _table_of_pairs()
