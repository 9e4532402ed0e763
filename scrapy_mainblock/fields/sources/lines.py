"""The lines with bylines and dates: those around the headline and at the end of the content."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_mainblock.fields.sources.line_marks import marks
from scrapy_mainblock.fields.sources.marks import CLOSE, DAY, NAME, NAMED_CHANGE, SAYS_CHANGE
from scrapy_mainblock.fields.values.words import IN_NAMES, OF_CHANGE
from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.buffers.octets import is_ascii
from scrapy_mainblock.outline.folding import Folded, Folder
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import names_around
from scrapy_mainblock.page.lazy import cached

ABOVE, BELOW, BEHIND = 12, 30, 6
"""How many segments are read above the headline, below it, and after the end of the content."""
LONGEST = 240
"""Maximum length in characters; a longer line is neither a byline nor a date."""
AROUND = 4
"""How many elements, from a line outward, have their class and id names examined."""
AMPERSAND = 0x26
_ROOM = 4000
"""Bytes of about as many lines as are read at once."""
_IN_WORDS = OF_CHANGE.in_ascii


class Line:
    """A line near the headline that may be a date or a byline."""

    def __init__(  # noqa: PLR0913, PLR0917 - all that is known of a line
        self,
        text: str,
        marks: int,
        place: int,
        segment: int,
        is_kept: bool,
        is_linked: bool,
        is_behind: bool,
    ) -> None:
        self.text = text
        self.marks = marks
        """The marks of the line; see `line_marks`."""
        self.place = place
        """Distance from the headline in segments; negative above it."""
        self.segment = segment
        self.is_kept, self.is_linked = is_kept, is_linked
        self.is_behind = is_behind
        """Whether it stands after the content."""


class Reader:
    """Reads lines; a page whose texts nobody has folded yet has only these folded."""

    def __init__(self, rows: Rows, folded: Folded | None, kept: bytes) -> None:
        self.rows, self.kept = rows, kept
        self.is_fresh = folded is None
        """Whether nobody has folded the texts of the page yet."""
        self.first = 0
        """The first segment in `octets`; the next one begins at ``starts[1]``."""
        if folded is not None:
            self.starts, self.octets = folded.starts, folded.octets
        self.found: list[Line] = []
        self.marks = 0
        """The marks of all lines together."""

    def read(self, begin: int, end: int, anchor: int, last: int) -> None:
        """Read the lines of some segments that have a mark, except lines that are too long."""
        if begin >= end:
            return
        rows = self.rows
        if self.is_fresh:
            self._fold(begin, end)
        first, starts, octets = self.first, self.starts, self.octets
        for segment in range(begin, end):
            if rows.segment_length[segment] > LONGEST:
                continue
            at, to = starts[segment - first], starts[segment - first + 1]
            its_marks = marks(octets, at, to)
            if its_marks == NAME and segment != last and not anchor < segment <= anchor + CLOSE:
                continue
            if its_marks & DAY:
                its_marks |= marks_of_change(rows, segment, octets, at, to)
            if its_marks:
                self.marks |= its_marks
                is_kept = segment < len(self.kept) and self.kept[segment] == 1
                is_linked = rows.segment_link_chars[segment] * 2 > rows.segment_chars[segment]
                is_behind = segment > last >= 0
                text = octets[at:to].decode()
                place = segment - anchor
                line = Line(text, its_marks, place, segment, is_kept, is_linked, is_behind)
                self.found.append(line)

    def _fold(self, first: int, end: int) -> None:
        """Fold some segments, except those that are too long."""
        rows, folder = self.rows, Folder(self.rows, _ROOM)
        self.first, self.starts = first, ints(end - first + 1)
        for segment in range(first, end):
            self.starts[segment - first] = folder.written.size
            if rows.segment_length[segment] <= LONGEST:
                folder.append(segment)
        self.starts[end - first] = folder.written.size
        self.octets = folder.written.bytes()


def marks_of_change(rows: Rows, segment: int, octets: bytes, start: int, end: int) -> int:
    """Return the marks of a line that may have the day of a change.

    In doubt a line has them: if it has characters outside of ASCII, or a name with a reference.
    """
    found = 0
    if not is_ascii(octets, start, end) or _IN_WORDS.is_in(octets, start, end):
        found |= SAYS_CHANGE
    if has_name_part_around(rows, owner_of(rows, segment), AROUND, IN_NAMES):
        found |= NAMED_CHANGE
    return found


def has_name_part_around(rows: Rows, element: int, most: int, parts: Parts) -> bool:
    """Return whether `names_around` may contain one of some parts of words.

    A name with a reference may.
    """
    for _ in range(most):
        if element <= rows.body:
            break
        if may_hold(rows.source, rows.class_at[element], rows.class_end[element], parts):
            return True
        if may_hold(rows.source, rows.id_at[element], rows.id_end[element], parts):
            return True
        element = rows.parent[element]
    return False


def may_hold(octets: bytes, start: int, end: int, parts: Parts) -> bool:
    """Return whether an attribute may have a part: in its source, or by a reference."""
    for at in range(start, end):
        if octets[at] == AMPERSAND or octets[at] == 0:  # a NUL is left out
            return True
    return parts.is_in(octets, start, end)


def has_any_name_part_around(rows: Rows, elements: list[int], most: int, parts: Parts) -> bool:
    """Return whether `names_around` any of some elements may contain one of some parts."""
    for element in elements:
        if has_name_part_around(rows, element, most, parts):
            return True
    return False


def outermost(rows: Rows, begin: int, end: int, last: int) -> tuple[int, int]:
    """Return the first and the last segment that are short enough and not after the content."""
    first = final = -1
    for segment in range(begin, end):
        if rows.segment_length[segment] <= LONGEST and not segment > last >= 0:
            final = segment
            if first < 0:
                first = segment
    return first, final


def names_around_segment(rows: Rows, segment: int) -> str:
    """Return the class and id names of the elements around a segment, in lowercase."""
    return names_around(rows, owner_of(rows, segment), AROUND)


def owner_of(rows: Rows, segment: int) -> int:
    """Return the element around the first text of a segment."""
    return rows.text_owner[rows.tape[rows.segment_at[segment]] >> 2]


class Lines:
    """The lines near the headline of a page and near the end of its content."""

    def __init__(self, page: Outline, kept: Sequence[int], title: int) -> None:
        self._page, self.kept, self._title = page, bytes(kept), title
        self._rows = page.rows
        self.first, self.last = self.kept.find(1), self.kept.rfind(1)
        """The first and the last kept segment; -1 if there is none."""

    def _parts(self) -> tuple[int, int, int, int]:
        """Return the ranges of the segments near the headline and near the end of the content."""
        count, anchor, last = self._rows.segment_count, self._anchor(), self.last
        first, below = max(anchor - ABOVE, 0), min(anchor + BELOW, count)
        if last < 0:
            return first, below, 0, 0
        begin = min(max(last - 2, anchor + BELOW), count)
        return first, below, begin, min(last + BEHIND, count)

    def _anchor(self) -> int:
        return self._title if self._title >= 0 else max(self.first, 0)

    @cached
    def _read(self) -> Reader:
        page, anchor, last = self._page, self._anchor(), self.last
        reader = Reader(self._rows, page.folded_already, self.kept)
        first, below, begin, end = self._parts()
        reader.read(first, below, anchor, last)
        reader.read(begin, end, anchor, last)
        return reader

    @property
    def marked(self) -> list[Line]:
        """The lines that may be a date or a byline, in page order."""
        return self._read.found

    @property
    def all_marks(self) -> int:
        """The marks of all these lines together."""
        return self._read.marks

    @cached
    def extent(self) -> tuple[int, int]:
        """The first and the last segment of a line that does not stand after the content."""
        first, below, begin, end = self._parts()
        begins, ends = outermost(self._rows, first, below, self.last)
        begins_last, ends_last = outermost(self._rows, begin, end, self.last)
        return begins_last if begins < 0 else begins, max(ends, ends_last)

    def names(self, segment: int) -> str:
        """Return the class and id names of the elements around a line, in lowercase."""
        return names_around_segment(self._rows, segment)
