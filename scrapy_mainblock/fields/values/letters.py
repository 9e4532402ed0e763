"""Counts the letters of a text by script, and its small words by language, in one pass each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrapy_mainblock.outline.buffers.arrays import filled, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.layout import EVERYTHING, FACTOR, START

FIRST_BEHIND_ASCII = "\x80"


def letters_by(text: str, kinds: bytes, most: int) -> list[int]:
    """Return the number of letters in a text, then of characters of each kind, from 1 to `most`.

    `kinds` has the kind of each block of sixteen adjacent characters, 0 for none.
    """
    counts = filled(most + 1, 0)
    letters, known = 0, len(kinds)
    for letter in text:
        if letter < FIRST_BEHIND_ASCII:
            if "a" <= letter <= "z" or "A" <= letter <= "Z":
                letters += 1
        elif letter.isalpha():
            letters += 1
        block = ord(letter) >> 4
        if block < known:
            counts[kinds[block]] += 1
    counts[0] = letters
    return [counts[kind] for kind in range(most + 1)]


def ascii_in(text: str) -> int:
    """Return how many characters of a text are in ASCII."""
    found = 0
    for letter in text:
        if letter < FIRST_BEHIND_ASCII:
            found += 1
    return found


class SmallWords:
    """The small words of some languages, each with a score for every language that has it."""

    def __init__(self, words: Mapping[str, Sequence[tuple[int, int]]], languages: int) -> None:
        """`words` holds, for each word, the numbers of its languages and its score in each."""
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
        """Return the score of each language for a text in lowercase."""
        found = self._scores(text)
        return [found[language] for language in range(self.languages)]

    def _scores(self, text: str) -> memoryview[int]:
        r"""Return the same as an array.

        A word is a run of adjacent letters, as ``[^\W\d_]+`` finds them. Most words of a text are
        longer than any small word, and are skipped.
        """
        found = filled(self.languages, 0)
        start, size = -1, len(text)
        for at in range(size + 1):
            is_letter = False
            if at < size:
                letter = text[at]
                if letter < FIRST_BEHIND_ASCII:  # numeric characters are looked up in a long table
                    is_letter = "a" <= letter <= "z"
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
        return found

    def best(self, text: str) -> tuple[int, int, int]:
        """Return the language with the highest score, its score, and the second highest score."""
        found = self._scores(text)
        which, first, second = 0, -1, -1
        for language in range(self.languages):
            score = found[language]
            if score > first:
                which, first, second = language, score, first
            elif score > second:
                second = score
        return which, first, second


def hash_of_letters(text: str, start: int, end: int) -> int:
    """Return a hash of a part of a text."""
    found = START
    for at in range(start, end):
        found = ((found ^ ord(text[at])) * FACTOR) & EVERYTHING
    return found
