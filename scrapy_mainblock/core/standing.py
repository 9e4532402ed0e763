"""Where a text stands among the texts of a page, and what stands around it.

A headline stands on a line of its own, with the article behind it and hardly a sentence before it.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate
from math import log1p
from typing import NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled

_surveying = compiled("survey")
LONGEST = 400
"""Characters of a title; what is longer is none."""
LEAST_PROSE = 80
"""Characters from which a text is one of an article, and not of a menu."""
_NEAR = 30  # texts behind a headline that are looked at: a byline, a date, links to share it
_TEXTS = etree.XPath("body//text()", smart_strings=False)
# To ask each text for its parent would take seven times as long.
_SOURCES = etree.XPath("body//script/text() | body//style/text()", smart_strings=False)
_EDGE = "\x01"  # in no text of a page
_MOST_PLACES, _FAR = 10, 60


class Around(NamedTuple):
    """The prose around a text."""

    follows: float
    """Characters of it close behind, on a scale of logarithms, about 1 for an article."""
    before: float
    """The share of the page's prose that stands before."""


class Standing:
    """The texts of a page in their order."""

    def __init__(self, root: HtmlElement) -> None:
        self._root = root

    @cached_property
    def _texts(self) -> list[str]:
        found: list[str] | None = None
        if _surveying is not None:
            found = _surveying.texts_of(self._root)
        if found is None:
            found = _TEXTS(self._root)
        return found

    def stands(self, text: str) -> bool:
        """Whether a text is all that stands between two tags somewhere."""
        joined = self._joined
        at = joined.find(text) if len(text) > 3 else -1
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            end = at + len(text)
            before, behind = joined[max(at - _FAR, 0) : at], joined[end : end + _FAR]
            if before.rstrip().endswith(_EDGE) and behind.lstrip().startswith(_EDGE):
                return True
            at = joined.find(text, end)
        return False

    def around(self, text: str) -> Around | None:
        """What stands around a text between two tags; of several, around that before most prose."""
        places = self._places.get(text, ())
        return max((self._around(place) for place in places[:_MOST_PLACES]), default=None)

    def _around(self, place: int) -> Around:
        numbers, lengths = self._prose
        before = bisect_left(numbers, place)
        near = bisect_left(numbers, place + _NEAR)
        behind = lengths[near] - lengths[before]
        whole = lengths[-1]
        return Around(log1p(behind) / 7, lengths[before] / whole if whole else 0.0)

    @cached_property
    def _joined(self) -> str:
        return _EDGE.join(["", *[text for text in self._texts if len(text) < LONGEST], ""])

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, text in enumerate(self._texts):
            if len(text) < LONGEST and (stripped := text.strip()):
                places.setdefault(stripped, []).append(place)
        return places

    @cached_property
    def _prose(self) -> tuple[list[int], list[int]]:
        """The numbers of the texts of prose, and how much of it there is up to each."""
        sources = frozenset(_SOURCES(self._root))
        numbers = [
            place
            for place, text in enumerate(self._texts)
            if len(text) >= LEAST_PROSE and text not in sources
        ]
        lengths = (len(self._texts[place]) for place in numbers)
        return numbers, [0, *accumulate(lengths)]
