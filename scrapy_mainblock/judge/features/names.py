"""Looks up which groups of words (`NAME_GROUPS`) occur in the class and the id of an element."""

from __future__ import annotations

from scrapy_mainblock.judge.features.name_groups import (
    AT_BEGINNING,
    AT_END,
    CHECKED_BITS,
    CHECKED_FROM,
    CHECKED_LENGTH,
    CHECKED_WHERE,
    CLASS_OF,
    IS_WORD,
    LETTER_BITS,
    LONGEST_NAME,
    NEXT,
    NO_VERB,
    PLAIN,
    SIGNATURE,
)


def bits_of_class(source: bytes, start: int, end: int) -> int:
    """Return the groups of the class at a position in the source, with one bit for each group."""
    return bits_of(source, start, min(end, start + LONGEST_NAME))


def bits_of_id(source: bytes, class_at: int, class_end: int, start: int, end: int) -> int:
    """Return the groups of an id; the class of the same element counts toward `LONGEST_NAME`.

    The bit `SIGNATURE` is left out, because it is for the class alone.
    """
    end = min(end, start + LONGEST_NAME - min(class_end - class_at, LONGEST_NAME))
    return bits_of(source, start, end) & ~SIGNATURE & 0xFFFFFFFF


def bits_of(source: bytes, start: int, end: int) -> int:
    """Return the groups of the words in a part of the source."""
    row = found = 0
    for at in range(start, end):
        row = NEXT[row + CLASS_OF[source[at]]]
        state = row >> LETTER_BITS
        found |= PLAIN[state]
        if CHECKED_FROM[state] < CHECKED_FROM[state + 1]:
            for number in range(CHECKED_FROM[state], CHECKED_FROM[state + 1]):
                if is_valid_at(source, start, end, at + 1, number):
                    found |= CHECKED_BITS[number]
    return found


def is_valid_at(source: bytes, start: int, end: int, behind: int, number: int) -> bool:
    """Return whether a word that ends before `behind` counts at its position: see `NAME_GROUPS`."""
    where = CHECKED_WHERE[number]
    begins = behind - CHECKED_LENGTH[number]
    if where & AT_BEGINNING and begins > start and IS_WORD[source[begins - 1]]:
        return False
    if where & AT_END and behind < end and IS_WORD[source[behind]]:
        return False
    if where & NO_VERB and behind < end:
        first = source[behind] | 0x20
        second = source[behind + 1] if behind + 1 < end else 0x20
        if first == 0x65 and second | 0x20 == 0x64:  # ed
            return False
        if first == 0x73 and not IS_WORD[second]:  # s
            return False
    return True
