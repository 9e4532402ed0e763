"""The links of a page in the order of its source, and the text between them ([Wang14]).

**What counts as a link.** A visible ``<a>`` with an ``href`` of any value (``#top`` and
``javascript:`` links are part of the page's furniture like any other). Not ``<area>``, not
``<link>``, not an anchor that only has a name.

**Where a link ends.** At its ``</a>``. An unclosed ``<a>`` ends at the next tag, where its own run
of text ends. So an unclosed link only costs its own words. If it extended to the next ``</a>``, the
article after it would be lost.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.outline import Outline

_A = CODES["a"]


class Link(NamedTuple):
    """A link: ``source[start:end]``, in bytes, runs from its ``<a`` through its ``</a>``."""

    start: int
    end: int
    element: int


def find_links(page: Outline) -> list[Link]:
    """Return all links of a page, in order."""
    rows = page.rows
    is_link = (
        (np.asarray(rows.tag) == _A)
        & (np.asarray(rows.href_at) > 0)
        & (np.asarray(rows.tape_at) >= 0)
    )
    return [_link(page, element) for element in np.flatnonzero(is_link).tolist()]


def _link(page: Outline, element: int) -> Link:
    rows, source = page.rows, page.rows.source
    end = rows.end[element]
    if source[end : end + 3].lower() == b"</a":
        end = source.find(b">", end) + 1 or len(source)
    else:  # never closed
        behind = source.find(b"<", rows.inner[element])
        end = len(source) if behind < 0 else behind
    return Link(rows.start[element], end, element)


class Texts:
    """The visible texts of a page, accessible by ranges of its source (byte offsets)."""

    def __init__(self, page: Outline) -> None:
        self._rows = page.rows
        self._starts = list(page.rows.text_start)
        self._chars = [0, *accumulate(page.rows.text_chars)]

    def chars(self, start: int, end: int) -> int:
        """Return the number of non-whitespace characters between two offsets."""
        first, last = self._range(start, end)
        return self._chars[last] - self._chars[first]

    def words(self, start: int, end: int) -> int:
        """Return the number of words, separated by whitespace and tags, between two offsets."""
        first, last = self._range(start, end)
        return self._words[last] - self._words[first]

    @cached_property
    def _words(self) -> list[int]:
        rows = self._rows
        pairs = zip(rows.text_chars, rows.text_gaps, strict=True)
        return [0, *accumulate(gaps + 1 if chars else 0 for chars, gaps in pairs)]

    def between(self, start: int, end: int) -> str:
        """Return the text between two offsets. Tags separate words, except inline tags."""
        return " ".join(self.lines(start, end))

    def lines(self, start: int, end: int) -> list[str]:
        """Return the text between two offsets, line by line."""
        rows = self._rows
        first, last = self._range(start, end)
        lines: list[str] = []
        before = -2
        for text in range(first, last):
            segment = rows.text_segment[text]
            if segment != before:
                lines.append("")
                before = segment
            lines[-1] += rows.text(text)
        return lines

    def _range(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)
