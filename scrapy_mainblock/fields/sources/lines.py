"""The lines of a page where bylines and dates stand: above and below the headline, at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrapy_mainblock.fields.sources.properties import ancestors
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.lazy import cached

ABOVE, BELOW, BEHIND = 12, 30, 6
"""Segments above the headline, below it, and behind the end of the content."""
LONGEST = 240
"""Characters; what is longer is no byline and no date."""
_AROUND = 4
"""Elements around a line whose names say what it is."""


class Line(NamedTuple):
    """A line near the headline."""

    text: str
    place: int
    """How many segments behind the headline it stands."""
    segment: int
    is_kept: bool
    is_linked: bool
    is_behind: bool
    """Whether it stands behind the content."""


def read(rows: Rows, kept: bytes, segments: range, anchor: int, last: int) -> list[Line]:
    """The lines of some segments, those that are too long left out."""
    found: list[Line] = []
    start, end = segments.start, segments.stop
    if start >= end:
        return found
    folded = Folded(rows, start, end)
    for segment in range(start, end):
        if rows.segment_length[segment] <= LONGEST:
            is_kept = segment < len(kept) and kept[segment] == 1
            is_linked = rows.segment_link_chars[segment] * 2 > rows.segment_chars[segment]
            is_behind = segment > last >= 0
            text = folded.text(segment - start)
            found.append(Line(text, segment - anchor, segment, is_kept, is_linked, is_behind))
    return found


class Lines:
    """The lines near the headline of a page, and near the end of its content."""

    def __init__(self, page: Outline, kept: Sequence[int], title: int) -> None:
        self._page, self._kept, self._title = page, kept, title

    @cached
    def span(self) -> tuple[int, int]:
        """The first and the last segment that are kept; -1 for none."""
        kept = bytes(self._kept)
        return kept.find(1), kept.rfind(1)

    @cached
    def all(self) -> list[Line]:
        """The lines, in the order of the page."""
        count = self._page.rows.segment_count
        first, last = self.span
        anchor = self._title if self._title >= 0 else max(first, 0)
        found = self._read(max(anchor - ABOVE, 0), min(anchor + BELOW, count), anchor, last)
        if last >= 0:
            found += self._read(
                min(max(last - 2, anchor + BELOW), count), min(last + BEHIND, count), anchor, last
            )
        return found

    def _read(self, start: int, end: int, anchor: int, last: int) -> list[Line]:
        return read(self._page.rows, bytes(self._kept), range(start, end), anchor, last)

    def names(self, segment: int) -> str:
        """What designers called the elements around a line, in small letters."""
        rows = self._page.rows
        text = rows.tape[rows.segment_at[segment]] >> 2
        names = []
        for element in ancestors(rows, rows.text_owner[text], _AROUND):
            if element <= rows.body:
                break
            names.append(rows.source[rows.class_at[element] : rows.class_end[element]])
            names.append(rows.source[rows.id_at[element] : rows.id_end[element]])
        return b" ".join(names).decode("utf-8", "replace").lower()
