"""Letters of a text by their script, and its small words by their language: a pass for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrapy_mainblock.outline.buffers.arrays import filled, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.layout import EVERYTHING, FACTOR, START

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


class SmallWords:
    """The small words of some languages, each worth something to the languages that have it."""

    def __init__(self, words: Mapping[str, Sequence[tuple[int, int]]], languages: int) -> None:
        """By word: the number of each language that has it, and what it is worth to that."""
        self.languages = languages
        self.longest = max(map(len, words))
        self.numbers = Numbers(len(words))
        pairs = [pair for known in words.values() for pair in known]
        self.first = ints(len(words) + 1)
        self.language, self.worth = ints(len(pairs)), ints(len(pairs))
        at = 0
        for number, (word, known) in enumerate(words.items()):
            self.numbers.put(hash_of_letters(word, 0, len(word)), number)
            self.first[number] = at
            for language, worth in known:
                self.language[at], self.worth[at] = language, worth
                at += 1
        self.first[len(words)] = at

    def scores(self, text: str) -> list[int]:
        r"""What the words of a text in small letters are worth to each language.

        A word is all letters that stand next to each other, as ``[^\W\d_]+`` finds them; most
        words of a text are longer than any small word, and are passed over.
        """
        found = filled(self.languages, 0)
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
                if at - start <= self.longest:
                    number = self.numbers.find(hash_of_letters(text, start, at))
                    if number >= 0:
                        for place in range(self.first[number], self.first[number + 1]):
                            found[self.language[place]] += self.worth[place]
                start = -1
        return [found[language] for language in range(self.languages)]


def hash_of_letters(text: str, start: int, end: int) -> int:
    """A hash of a part of a text."""
    found = START
    for at in range(start, end):
        found = ((found ^ ord(text[at])) * FACTOR) & EVERYTHING
    return found
