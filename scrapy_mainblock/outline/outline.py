"""The Outline: a page as one scan of its source sees it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.head import Head
from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.layout import EMPTY, OPEN
from scrapy_mainblock.outline.places import Places
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.segments import find_segments
from scrapy_mainblock.outline.selectors import Extent
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.page import Page

IN_BUTTON = 9
"""Paragraphs that a button may hold; one with more was never closed, and holds the page."""
IN_NOSCRIPT = 2
"""Paragraphs that may stand in a ``<noscript>``; with more it may be the page: forums that are
programs show their threads so to readers without scripts."""
MOST_PLACES = 1000
"""Places of a page that its structure is made of, those with the smallest hashes: pages that share
places keep the same ones."""
_NOSCRIPT = CODES["noscript"]


class Outline:
    """What stands where on a page, and nothing about what it is worth."""

    def __init__(self, page: Page) -> None:
        self.url = page.url
        self.cut: str | None = page.cut
        """What of the page was not read as it is, None for nothing."""
        self.rows = rows_of(page.source)
        if self.rows.is_full:
            self.cut = "it has too many tags: what is more is read as lines"
        elif self.rows.has_too_many_segments:
            self.cut = "it has too many lines: what is more is read as one"

    @cached
    def head(self) -> Head:
        """What the page says of itself, for machines."""
        return Head(self.rows)

    @cached
    def base(self) -> str | None:
        """What the page's relative addresses are relative to."""
        return self.head.base(self.url)

    @cached
    def places(self) -> Places:
        """Where each block stands, by names that are the same on all pages of a site."""
        return Places(self.rows)

    @cached
    def chains(self) -> list[str]:
        """The place of each block, to be read."""
        return self.places.chains()

    def is_alone(self, block: int) -> bool:
        """Whether a block is the only one at its place."""
        return self._blocks_at[self.chains[block]] == 1

    @cached
    def _blocks_at(self) -> Counter[str]:
        return Counter(self.chains)

    def elements_under(self, under: Extent) -> list[int]:
        """The elements that begin in the segments of an extent, in the order of the tape."""
        rows = self.rows
        if under.first >= under.end:
            return []
        start, end = rows.segment_at[under.first], rows.segment_to[under.end - 1]
        while start and rows.tape[start - 1] & 3 in (OPEN, EMPTY):
            start -= 1
        events = (rows.tape[place] for place in range(start, end))
        return [event >> 2 for event in events if event & 3 in (OPEN, EMPTY)]

    @cached
    def structure(self) -> frozenset[int]:
        """What clusters the page: the set of the places that hold text, hashed."""
        found = self.places.with_text()
        return frozenset(sorted(found)[:MOST_PLACES] if len(found) > MOST_PLACES else found)

    @cached
    def folded(self) -> Folded:
        """The text of all segments, with single spaces."""
        return Folded(self.rows, 0, self.rows.segment_count)

    @cached
    def text_hashes(self) -> npt.NDArray[np.uint64]:
        """A hash of the text of each segment."""
        return np.asarray(self.folded.hashes())

    @cached
    def texts(self) -> list[str]:
        """The same, one by one."""
        return self.folded.texts()


def rows_of(source: bytes) -> Rows:
    """The rows of a source in UTF-8. What no reader sees is left out, unless it is the page."""
    rows = scan(source)
    if rows.button_content > IN_BUTTON:
        rows = scan(source, buttons=True)
    if rows.noscript_content > IN_NOSCRIPT and _is_in_noscript(rows):
        rows = scan(source, buttons=rows.button_content > IN_BUTTON, noscript=True)
    find_segments(rows)
    return rows


def _is_in_noscript(rows: Rows) -> bool:
    """Whether readers without scripts are shown more than all others."""
    shown = sum(rows.text_chars)
    contents = (rows.content(element) for element in rows.with_tag(_NOSCRIPT))
    return any(sum(scan(content).text_chars) > shown for content in contents)
