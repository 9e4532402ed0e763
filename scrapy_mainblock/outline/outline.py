"""The Outline: the structure and text of a page, as one scan of its source finds them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.head import Head
from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.layout import EMPTY, OPEN
from scrapy_mainblock.outline.places import Places, smallest
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.segments import find_segments
from scrapy_mainblock.outline.selectors import Extent
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.page import Page

IN_BUTTON = 9
"""Maximum paragraphs in a button; one with more was never closed and contains the page."""
IN_NOSCRIPT = 2
"""Maximum paragraphs in an ignored ``<noscript>``; one with more may be the page: forums that are
JavaScript programs show their threads this way to readers without scripts."""
MOST_PLACES = 1000
"""Maximum places in a page's structure. Those with the smallest hashes are kept, so that pages that
share places keep the same ones."""
_NOSCRIPT = CODES["noscript"]


class Outline:
    """What a page contains and where, without any judgment of its relevance."""

    def __init__(self, page: Page) -> None:
        self.url = page.url
        self.cut: str | None = page.cut
        """Why a part of the page was skipped or simplified, or None if it was read in full."""
        self.rows = rows_of(page.source)
        if self.rows.is_full:
            self.cut = "the page has too many elements: the rest was read as plain lines"
        elif self.rows.has_too_many_segments:
            self.cut = "the page has too many lines: the rest was read as one line"

    @cached
    def head(self) -> Head:
        """The page's machine-readable metadata."""
        return Head(self.rows)

    @cached
    def base(self) -> str | None:
        """The base URL of the page's relative URLs."""
        return self.head.base(self.url)

    @cached
    def places(self) -> Places:
        """The place of each block, in terms of names that are the same on all pages of a site."""
        return Places(self.rows)

    @cached
    def chains(self) -> list[str]:
        """The place of each block in readable form."""
        return [self.places.chain(block) for block in range(self.rows.block_count)]

    def elements_under(self, under: Extent) -> list[int]:
        """Return the elements that begin in the segments of an extent, in the order of the tape."""
        rows = self.rows
        if under.first >= under.end:
            return []
        start, end = rows.segment_at[under.first], rows.segment_to[under.end - 1]
        while start and rows.tape[start - 1] & 3 in (OPEN, EMPTY):
            start -= 1
        # One by one, Python takes some twenty times as long.
        events = np.asarray(rows.tape[start:end])
        kinds = events & 3
        found: list[int] = (events[(kinds == OPEN) | (kinds == EMPTY)] >> 2).tolist()
        return found

    @cached
    def structure(self) -> frozenset[int]:
        """The hashes of the places that hold text, by which pages are clustered."""
        return frozenset(view(self.text_places).tolist())

    @cached
    def text_places(self) -> memoryview[int]:
        """The structure as an array, in no particular order."""
        found = self.places.with_text()
        return found if len(found) <= MOST_PLACES else smallest(found, MOST_PLACES)

    @cached
    def folded(self) -> Folded:
        """The text of all segments, with whitespace collapsed."""
        return Folded(self.rows, 0, self.rows.segment_count)

    @property
    def folded_already(self) -> Folded | None:
        """The same if it has been asked for before: a page by rule may need only few of them."""
        return self.folded if "folded" in vars(self) else None

    @cached
    def text_hashes(self) -> npt.NDArray[np.uint64]:
        """A hash of the text of each segment."""
        return np.asarray(self.folded.hashes())

    @cached
    def texts(self) -> list[str]:
        """The text of each segment, with whitespace collapsed."""
        return self.folded.texts()


def rows_of(source: bytes) -> Rows:
    """Return the rows of a source in UTF-8.

    Text that no reader sees is left out, unless it turns out to be the content of the page.
    """
    rows = scan(source)
    if rows.button_content > IN_BUTTON:
        rows = scan(source, buttons=True)
    if rows.noscript_content > IN_NOSCRIPT and _is_in_noscript(rows):
        rows = scan(source, buttons=rows.button_content > IN_BUTTON, noscript=True)
    find_segments(rows)
    return rows


def _is_in_noscript(rows: Rows) -> bool:
    """Return whether a ``<noscript>`` has more text than is shown without it."""
    shown = sum(rows.text_chars)
    contents = (rows.content(element) for element in rows.with_tag(_NOSCRIPT))
    return any(sum(scan(content).text_chars) > shown for content in contents)
