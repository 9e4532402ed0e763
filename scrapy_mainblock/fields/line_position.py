"""Finds a text among the lines of a page, and measures the prose around it.

A headline stands on a line of its own, with the article after it and hardly a sentence before it.
"""

from __future__ import annotations

from math import log1p
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.fields.page_titles import LONGEST
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import texts_led_by
from scrapy_mainblock.page.lazy import cached

LEAST_PROSE = 80
"""Minimum length in characters of a text that belongs to an article rather than to a menu."""
_NEAR = 30
"""How many texts after a headline are searched for prose: a byline, a date and share links may come
first."""
_MOST_PLACES, _MOST_LOOKS = 10, 200
_LEAST = 4
"""Minimum length in characters of a text that is worth a search."""


class Around(NamedTuple):
    """The amount of prose around a text."""

    follows: float
    """Characters of prose close after the text, on a logarithmic scale: about 1 for an article."""
    before: float
    """The share of the page's prose that stands before the text."""


class TextPositions:
    """The texts of a page, each the whole text between two tags, in source order."""

    def __init__(self, page: Outline) -> None:
        self._page = page
        self._known: dict[str, list[int]] = {}

    def has(self, text: str) -> bool:
        """Return whether the text is all that stands between two tags somewhere on the page."""
        return len(text) >= _LEAST and bool(self._places(text))

    def around(self, text: str) -> Around | None:
        """Return the prose around a text that stands alone between two tags, or None if none does.

        If the text occurs several times, the occurrence with the most prose after it counts.
        """
        places = self._places(text) if text else []
        return max((self._around(place) for place in places), default=None)

    def _places(self, text: str) -> list[int]:
        """Return the numbers of the texts that equal this one, apart from outer whitespace."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._looked_for(text) if len(text) < LONGEST else []
        return found

    def _looked_for(self, text: str) -> list[int]:
        rows, wanted = self._page.rows, text.encode()
        found: set[int] = set()
        for one in {wanted, wanted.replace(b"&", b"&amp;"), _with_references(wanted)}:
            holding = texts_led_by(rows, one, 4 * LONGEST, _MOST_LOOKS)
            found.update(number for number in holding if self._is(number, text))
        return sorted(found)[:_MOST_PLACES]

    def _is(self, number: int, text: str) -> bool:
        """Return whether a text that contains this one contains nothing else."""
        rows = self._page.rows
        source = rows.source[rows.text_start[number] : rows.text_end[number]]
        return decoded(source).strip() == text

    def _around(self, place: int) -> Around:
        numbers, lengths = self._prose
        before = int(np.searchsorted(numbers, place))
        near = int(np.searchsorted(numbers, place + _NEAR))
        whole = float(lengths[-1])
        behind = float(lengths[near] - lengths[before])
        return Around(log1p(behind) / 7, float(lengths[before]) / whole if whole else 0.0)

    @cached
    def _prose(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of the texts that are prose, and the total length of prose before each."""
        rows = self._page.rows
        lengths = np.asarray(rows.text_chars) + np.asarray(rows.text_gaps)
        numbers = np.flatnonzero(lengths >= LEAST_PROSE)
        return numbers, np.concatenate(([0], np.cumsum(lengths[numbers])))


def _with_references(text: bytes) -> bytes:
    """Return the text with quotes and dashes as character references, as many pages write them."""
    return (
        text.replace(b"&", b"&amp;")
        .replace(b"\xe2\x80\x99", b"&#8217;")
        .replace(b"\xe2\x80\x98", b"&#8216;")
        .replace(b"\xe2\x80\x9c", b"&#8220;")
        .replace(b"\xe2\x80\x9d", b"&#8221;")
        .replace(b"\xe2\x80\x93", b"&#8211;")
        .replace(b'"', b"&quot;")
    )
