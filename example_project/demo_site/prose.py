"""Generates the text of the demo site's pages from word lists.

A word file (words/*.txt) holds lists of alternatives; an alternative may name other lists in
braces. A `Writer` expands them for one page: the page's cast (who, where, which organization) stays
the same from sentence to sentence, everything else is drawn anew. `Writer.fresh` returns no
alternative of a list twice before the list is used up, so that a page does not repeat itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from .dice import Dice

WORDS = Path(__file__).with_name("words")
SLOT = re.compile(r"\{([^}]+)\}")
NUMBER_RANGE = re.compile(r"(\d+)-(\d+)")
SENTENCE_START = re.compile(r"(?:^|[.!?] )“?[a-z]")
STRAIGHT_QUOTES = re.compile(r'"([^"]*)"')

Part = str | tuple[int, int] | tuple[str]
"""Literal text, a range to draw a number from, or the name of a list."""
Lists = Mapping[str, tuple[tuple[Part, ...], ...]]


def _parts(alternative: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    for index, piece in enumerate(SLOT.split(alternative)):
        if index % 2 == 0:
            if piece:
                parts.append(piece)
        elif limits := NUMBER_RANGE.fullmatch(piece):
            parts.append((int(limits[1]), int(limits[2])))
        else:
            parts.append((piece,))
    return tuple(parts)


def _read(name: str) -> dict[str, tuple[tuple[Part, ...], ...]]:
    curly = name != "docs"  # code must keep straight quotes
    lists: dict[str, list[tuple[Part, ...]]] = {}
    current: list[tuple[Part, ...]] = []
    for raw in (WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        line = STRAIGHT_QUOTES.sub(r"“\1”", raw) if curly else raw
        if line.startswith("[") and line.endswith("]") and "{" not in line:
            current = lists.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            current.extend(_parts(text) for text in line.split(" | "))
    return {symbol: tuple(alternatives) for symbol, alternatives in lists.items()}


@functools.cache
def word_lists(name: str) -> Lists:
    """Return the lists of a word file; all but the Chinese file fall back to those of en.txt."""
    own = _read(name)
    return own if name in {"en", "zh"} else {**_read("en"), **own}


@functools.cache
def topics(name: str) -> tuple[str, ...]:
    """Return the topics that texts from a word file can have, in the order of the file."""
    return tuple(dict.fromkeys(key.split("/")[0] for key in word_lists(name) if "/" in key))


@functools.cache
def _lists_about(name: str, topic: str) -> Lists:
    general = word_lists(name)
    prefix = f"{topic}/"
    return {
        **general,
        **{key.removeprefix(prefix): value for key, value in general.items() if prefix in key},
    }


class Writer:
    """Writes the text of one page."""

    def __init__(self, words: str, dice: Dice, topic: str) -> None:
        """Choose the page's cast."""
        self.dice = dice
        self.topic = topic
        self._lists = _lists_about(words, topic)
        self._decks: dict[str, list[tuple[Part, ...]]] = {}
        self.chinese = words == "zh"
        self.cast: dict[str, str] = {"topic": topic}
        for role, source in (("town", "anytown"), ("street", "street"), ("org", "orgname")):
            self.cast[role] = self.phrase(source)
        self.cast["person"] = self.phrase("anyone")
        if not self.chinese:  # in Chinese, only full names are natural
            self.cast["surname"] = self.cast["person"].split()[-1]
        self.cast["expert"] = self.cast["expertname"] = self.phrase("anyone")

    def phrase(self, symbol: str) -> str:
        """Return any alternative of a list, filled in but not capitalized."""
        return self._fill(self.dice.pick(self._lists[symbol]))

    def fresh(self, symbol: str) -> str:
        """Return a sentence (or title) that this page has not used yet."""
        deck = self._decks.get(symbol)
        if not deck:
            deck = self._decks[symbol] = self.dice.shuffled(self._lists[symbol])
        return self._capitalised(self._fill(deck.pop()))

    def keep(self, role: str, symbol: str) -> str:
        """Draw a phrase, keep it for all mentions on this page, and return it."""
        self.cast[role] = self.phrase(symbol)
        return self.cast[role]

    def join(self, *sentences: str) -> str:
        """Return the sentences joined as the language requires."""
        return ("" if self.chinese else " ").join(sentences)

    def _capitalised(self, text: str) -> str:
        if self.chinese:
            return text
        return SENTENCE_START.sub(lambda match: match[0][:-1] + match[0][-1].upper(), text)

    def _fill(self, parts: tuple[Part, ...]) -> str:
        filled = []
        for part in parts:
            if isinstance(part, str):
                filled.append(part)
            elif len(part) == 2:
                filled.append(str(self.dice.between(*part)))
            else:
                name = part[0]
                filled.append(self.cast[name] if name in self.cast else self.phrase(name))
        return "".join(filled)
