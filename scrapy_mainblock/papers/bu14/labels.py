"""Labels for stage 1 of [Bu14]: which lines of a page belong to its gold main text.

The paper's lines were marked by hand. Here the labels come from a gold text, which was often copied
from a browser or retyped, so that its lines and spaces differ from the page's. Hence words are
compared, not characters:

* A line of at least `GRAM` tokens is topical if a share of at least `COVERED` of its runs of `GRAM`
  tokens occurs in the gold text. This includes a paragraph with a caption or a byline attached, or
  with a word that the labeler spelled differently, but not a teaser with the article's names.
* A shorter line is topical only if it equals a line of the gold text. Otherwise ``Share`` or ``2``,
  which occur in the middle of many articles, would be topical.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_mainblock.page.scripts import CHARACTER_SCRIPTS

GRAM = 4
"""Tokens in a run. Shorter runs match any article by chance; longer ones miss short paragraphs."""

COVERED = 0.8
"""Minimum share of covered runs of a topical line. Extracting exactly the lines labeled so gives F1
0.983 on the development set: the labels, and lines as units, cost no more than 2 %."""

_TOKEN = re.compile(rf"[{CHARACTER_SCRIPTS}]|[^\W_{CHARACTER_SCRIPTS}]+")


def tokens(text: str) -> list[str]:
    """Return words in lower case, or single characters in scripts without spaces between words."""
    return _TOKEN.findall(text.lower())


class Gold:
    """The gold main text of a page, against which its lines are checked."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self._runs = set(_runs(self.tokens))
        self._lines = {tuple(tokens(line)) for line in text.splitlines()}

    def holds(self, line: str) -> bool:
        """Return whether a line of the page is topical."""
        found = tokens(line)
        if len(found) < GRAM:
            return bool(found) and tuple(found) in self._lines
        runs = _runs(found)
        return sum(run in self._runs for run in runs) >= COVERED * len(runs)


def _runs(found: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(found[start : start + GRAM]) for start in range(len(found) - GRAM + 1)]
