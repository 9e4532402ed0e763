"""Letters of a text, and how often each of some words stands in it: one pass over it for each."""

from __future__ import annotations

from collections.abc import Mapping

from scrapy_mainblock.outline.arrays import filled

FIRST_BEHIND_ASCII = "\x80"


def letters_by(text: str, kinds: bytes, most: int) -> list[int]:
    """How many letters a text has, and how many characters of each kind, from 1 to `most`.

    `kinds` has that of each sixteen characters next to each other, 0 for none.
    """
    counts = filled(most + 1, 0)
    letters, known = 0, len(kinds)
    for letter in text:
        if letter.isalpha():
            letters += 1
        block = ord(letter) >> 4
        if block < known:
            counts[kinds[block]] += 1
    counts[0] = letters
    return [counts[kind] for kind in range(most + 1)]


def counts_of(text: str, known: Mapping[str, object], longest: int) -> dict[str, int]:
    r"""How often each known word stands in a text, in the order in which they are met.

    A word is all letters that stand next to each other, as ``[^\\W\\d_]+`` finds them; most words
    of a text are longer than the `longest` that is known, and are passed over.
    """
    found: dict[str, int] = {}
    start, size = -1, len(text)
    for at in range(size + 1):
        is_letter = False
        if at < size:
            letter = text[at]
            if letter < FIRST_BEHIND_ASCII:  # what is numeric is looked up in a long table
                is_letter = letter.isalpha()
            else:
                is_letter = letter.isalpha() or (letter.isalnum() and not letter.isdecimal())
        if is_letter:
            if start < 0:
                start = at
        elif start >= 0:
            if at - start <= longest:
                word = text[start:at]
                if word in known:
                    found[word] = found.get(word, 0) + 1
            start = -1
    return found
