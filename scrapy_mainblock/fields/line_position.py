"""Where a text stands among the lines of a page, and what stands around it.

A headline stands on a line of its own, with the article behind it and hardly a sentence before it.
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
"""Characters from which a text is one of an article, and not of a menu."""
_NEAR = 30
"""Texts behind a headline that are looked at: a byline, a date, links to share it."""
_MOST_PLACES, _MOST_LOOKS = 10, 200
_LEAST = 4
"""Characters of a text that is worth to be looked for."""


class Around(NamedTuple):
    """The prose around a text."""

    follows: float
    """Characters of it close behind, on a scale of logarithms, about 1 for an article."""
    before: float
    """The share of the page's prose that stands before."""


class Lines:
    """The texts between two tags of a page, in the order of its source."""

    def __init__(self, page: Outline) -> None:
        self._page = page
        self._known: dict[str, list[int]] = {}

    def has(self, text: str) -> bool:
        """Whether a text is all that stands between two tags somewhere."""
        return len(text) >= _LEAST and bool(self._places(text))

    def around(self, text: str) -> Around | None:
        """What stands around a text between two tags; of several, around that before most prose."""
        places = self._places(text) if text else []
        return max((self._around(place) for place in places), default=None)

    def _places(self, text: str) -> list[int]:
        """The numbers of the texts that are this one, but for white space around it."""
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
        """Whether a text that holds this one is nothing else."""
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
        """The numbers of the texts of prose, and how much of it there is up to each."""
        rows = self._page.rows
        lengths = np.asarray(rows.text_chars) + np.asarray(rows.text_gaps)
        numbers = np.flatnonzero(lengths >= LEAST_PROSE)
        return numbers, np.concatenate(([0], np.cumsum(lengths[numbers])))


def _with_references(text: bytes) -> bytes:
    """A text as many pages write its quotes."""
    return (
        text.replace(b"&", b"&amp;")
        .replace(b"\xe2\x80\x99", b"&#8217;")
        .replace(b"\xe2\x80\x98", b"&#8216;")
        .replace(b"\xe2\x80\x9c", b"&#8220;")
        .replace(b"\xe2\x80\x9d", b"&#8221;")
        .replace(b"\xe2\x80\x93", b"&#8211;")
        .replace(b'"', b"&quot;")
    )
