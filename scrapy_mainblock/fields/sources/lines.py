"""The lines with bylines and dates: those around the headline and at the end of the content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrapy_mainblock.fields.sources.line_marks import marks
from scrapy_mainblock.fields.sources.marks import CLOSE, NAME
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import names_around
from scrapy_mainblock.page.lazy import cached

ABOVE, BELOW, BEHIND = 12, 30, 6
"""How many segments are read above the headline, below it, and after the end of the content."""
LONGEST = 240
"""Maximum length in characters; a longer line is neither a byline nor a date."""
_AROUND = 4
"""How many elements, from a line outward, have their class and id names examined."""


class Line(NamedTuple):
    """A line near the headline that may be a date or a byline."""

    text: str
    marks: int
    """The marks of the line; see `line_marks`."""
    place: int
    """Distance from the headline in segments; negative above it."""
    segment: int
    is_kept: bool
    is_linked: bool
    is_behind: bool
    """Whether it stands after the content."""


def read(  # noqa: PLR0913, PLR0917 - one loop, with all that it asks of a line
    rows: Rows, folded: Folded, kept: bytes, segments: range, anchor: int, last: int
) -> list[Line]:
    """Return the lines of some segments that have a mark, except lines that are too long."""
    found: list[Line] = []
    for segment in range(segments.start, segments.stop):
        if rows.segment_length[segment] > LONGEST:
            continue
        at, to = folded.starts[segment], folded.starts[segment + 1]
        its_marks = marks(folded.octets, at, to)
        if its_marks == NAME and segment != last and not anchor < segment <= anchor + CLOSE:
            continue
        if its_marks:
            is_kept = segment < len(kept) and kept[segment] == 1
            is_linked = rows.segment_link_chars[segment] * 2 > rows.segment_chars[segment]
            is_behind = segment > last >= 0
            text = folded.text(segment)
            place = segment - anchor
            found.append(Line(text, its_marks, place, segment, is_kept, is_linked, is_behind))
    return found


def outermost(rows: Rows, segments: range, last: int) -> tuple[int, int]:
    """Return the first and the last segment that are short enough and not after the content."""
    first = final = -1
    for segment in range(segments.start, segments.stop):
        if rows.segment_length[segment] <= LONGEST and not segment > last >= 0:
            final = segment
            if first < 0:
                first = segment
    return first, final


def names_around_segment(rows: Rows, segment: int) -> str:
    """Return the class and id names of the elements around a segment, in lowercase."""
    text = rows.tape[rows.segment_at[segment]] >> 2
    return names_around(rows, rows.text_owner[text], _AROUND)


class Lines:
    """The lines near the headline of a page and near the end of its content."""

    def __init__(self, page: Outline, kept: Sequence[int], title: int) -> None:
        self._page, self._kept, self._title = page, bytes(kept), title

    @cached
    def span(self) -> tuple[int, int]:
        """The first and the last kept segment; -1 if there is none."""
        return self._kept.find(1), self._kept.rfind(1)

    @property
    def _anchor(self) -> int:
        return self._title if self._title >= 0 else max(self.span[0], 0)

    @cached
    def _parts(self) -> list[range]:
        """The segments near the headline, and those near the end of the content."""
        count, anchor, last = self._page.rows.segment_count, self._anchor, self.span[1]
        parts = [range(max(anchor - ABOVE, 0), min(anchor + BELOW, count))]
        if last >= 0:
            begin = min(max(last - 2, anchor + BELOW), count)
            parts.append(range(begin, min(last + BEHIND, count)))
        return parts

    @cached
    def marked(self) -> list[Line]:
        """The lines that may be a date or a byline, in page order."""
        page, anchor, last = self._page, self._anchor, self.span[1]
        found: list[Line] = []
        for part in self._parts:
            found += read(page.rows, page.folded, self._kept, part, anchor, last)
        return found

    @cached
    def extent(self) -> tuple[int, int]:
        """The first and the last segment of a line that does not stand after the content."""
        first = final = -1
        for part in self._parts:
            begins, ends = outermost(self._page.rows, part, self.span[1])
            first = begins if first < 0 else first
            final = max(final, ends)
        return first, final

    def names(self, segment: int) -> str:
        """Return the class and id names of the elements around a line, in lowercase."""
        return names_around_segment(self._page.rows, segment)
