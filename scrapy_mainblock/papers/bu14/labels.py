"""Which lines of a page belong to its gold main text: the supervision of [Bu14]'s stage 1.

The paper's lines were marked by hand. A gold text was often copied from a browser or typed
anew, so that its lines and spaces are not the page's. Hence words are compared, not characters:

* A line of at least `GRAM` tokens is topical when `COVERED` of its runs of `GRAM` tokens occur in
  the gold text. A paragraph with a caption or a byline stuck to it, or with a word that the
  labeller spelt otherwise, still is; a teaser that shares the article's names is not.
* A shorter line is topical when it *is* a line of the gold text. ``Share`` or ``2``, which occur in
  the middle of many an article, are not topical for that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_mainblock.page.scripts import CHARACTER_SCRIPTS

GRAM = 4
"""Tokens in a run. Fewer occur in any article by chance, more miss short paragraphs."""

COVERED = 0.8
"""Extracting exactly the lines labelled so gives F1 0.983 on the development set: the labels, and
lines as units, cost no more than 2 %."""

_TOKEN = re.compile(rf"[{CHARACTER_SCRIPTS}]|[^\W_{CHARACTER_SCRIPTS}]+")


def tokens(text: str) -> list[str]:
    """Words in lower case; of scripts that put no spaces between words, characters."""
    return _TOKEN.findall(text.lower())


class Gold:
    """A page's gold main text, to be asked for the lines it holds."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self._runs = set(_runs(self.tokens))
        self._lines = {tuple(tokens(line)) for line in text.splitlines()}

    def holds(self, line: str) -> bool:
        """Whether a line of the page is topical."""
        found = tokens(line)
        if len(found) < GRAM:
            return bool(found) and tuple(found) in self._lines
        runs = _runs(found)
        return sum(run in self._runs for run in runs) >= COVERED * len(runs)


def _runs(found: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(found[start : start + GRAM]) for start in range(len(found) - GRAM + 1)]
