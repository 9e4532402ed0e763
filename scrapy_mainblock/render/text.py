"""Content as text: paragraphs parted by a blank line, items and short rows each on a line."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import ints, longer
from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.render.tables import (
    CELL,
    CELL_GAP,
    GAP,
    LINE_GAP,
    NO_GAP,
    PARAGRAPH_GAP,
    ROW,
    SPACE_GAP,
    WHAT,
    WRITTEN_GAPS,
)

PRE, TABLE = CODES["pre"], CODES["table"]
LINE_FEED, SPACE_OCTET = 0x0A, 0x20


class TextWriter:
    """Joins pieces of text with the widest gap that was asked for between them.

    Of each piece is known the gap before it and where it stands in `octets`. A row of a table whose
    cells turn out to be short becomes one line: the gaps between them are written down anew.
    """

    def __init__(self) -> None:
        self.octets = Octets(4096)
        self.room, self.count = 256, 0
        pieces = ints(3 * 256)
        self.gap_before, self.start = pieces[:256], pieces[256:512]
        self.end = pieces[512:]
        self.gap = NO_GAP
        self.last_was_break = False
        self.in_pre = 0
        self.skipped: dict[int, int] = {}
        """How many cells before a piece are empty, where any is."""
        self.row: Row | None = None
        """The row of a table that is open innermost."""
        self.row_ended = -1
        """Where a row of one line has ended, if its table goes on."""

    def block(self, code: int, step: int) -> None:
        """A block begins (1) or ends (-1)."""
        gap = GAP[code]
        if gap > self.gap:
            self.gap = min(gap, LINE_GAP) if self.in_pre else gap
        if code == PRE:
            self.in_pre += step
            self.gap = PARAGRAPH_GAP
        elif WHAT[code] & ROW:
            self._row(step)
        elif WHAT[code] & CELL:
            if self.row is not None:
                self.row.at_edge = True
                self.row.cells += step > 0
        elif code == TABLE:
            self.row_ended = -1

    def _row(self, step: int) -> None:
        """A row begins or ends: one of short cells is to be one line."""
        if step > 0:
            if self.row is not None:
                self.row.has_lines = True
            self.row = Row(self.count, self.row)
        elif self.row is not None:
            row = self.row
            self.row = row.around
            if not row.has_lines:
                if row.edges and row.skipped:
                    self.skipped[row.first] = row.skipped
                for place, skipped in row.edges:
                    self.gap_before[place] = CELL_GAP
                    if skipped:
                        self.skipped[place] = skipped
                if row.first > 0 and row.begins == self.row_ended:
                    self.gap_before[row.first] = LINE_GAP
                self.row_ended = self.count

    def line_break(self) -> None:
        """A ``<br>``: two in a row are a paragraph's end, as they are to a reader."""
        self.gap = max(self.gap, PARAGRAPH_GAP if self.last_was_break else LINE_GAP)
        self.last_was_break = True

    def space(self) -> None:
        """White space."""
        if not self.gap:
            self.gap = SPACE_GAP

    def put(self, octets: Octets, start: int, end: int) -> None:
        """A piece of text, folded."""
        if self.count and self.gap >= LINE_GAP:
            self._end_line()
        if self.row is not None:
            self.row.add(self.count, self.gap)
        if self.count == self.room:
            self._grow()
        self.gap_before[self.count] = self.gap if self.count else NO_GAP
        self.start[self.count] = self.octets.size
        self.octets.copy(octets, start, end)
        self.end[self.count] = self.octets.size
        self.count += 1
        self.gap = NO_GAP
        self.last_was_break = False

    def put_apart(self, octets: Octets) -> None:
        """A text that is a paragraph of its own."""
        self.gap = PARAGRAPH_GAP
        self.put(octets, 0, octets.size)
        self.gap = PARAGRAPH_GAP

    def put_preformatted(self, octets: Octets, is_blank: bool) -> None:
        """Text whose lines and spaces are meant: code, mostly."""
        start, end = 0, octets.size
        if not is_blank:
            if self.gap >= LINE_GAP:
                while start < end and octets.data[start] == LINE_FEED:
                    start += 1
            self.put(octets, start, end)
        elif self.count and not self.gap:
            self.put(octets, start, end)

    def _end_line(self) -> None:
        """Code mostly ends with the end of its last line: the gap is not to be wider for that."""
        while self.count:
            last = self.count - 1
            end = self.end[last]
            while end > self.start[last] and self.octets.data[end - 1] == LINE_FEED:
                end -= 1
            if end > self.start[last]:
                self.end[last] = end
                break
            if end == self.end[last]:
                break
            self.count = last

    def _grow(self) -> None:
        self.room = 2 * self.room
        self.gap_before = longer(self.gap_before, self.room)
        self.start, self.end = longer(self.start, self.room), longer(self.end, self.room)

    def result(self) -> bytes:
        """All of the text."""
        found = Octets(self.octets.size + 2 * self.count)
        for piece in range(self.count):
            found.write(WRITTEN_GAPS[self.gap_before[piece]])
            if self.skipped and piece in self.skipped:
                found.write(b"| " * self.skipped[piece])
            found.copy(self.octets, self.start[piece], self.end[piece])
        return found.bytes().strip()


class Row:
    """A row of a table as it is written."""

    def __init__(self, begins: int, around: Row | None) -> None:
        self.around = around
        self.begins = begins
        """How many pieces of the text stand before it."""
        self.first = -1
        """The first piece of its text."""
        self.edges: list[tuple[int, int]] = []
        """The pieces that are the first of a cell, with how many empty ones stand before it."""
        self.skipped = self.cells = 0
        """Empty cells before the first piece; cells that have begun since the last one."""
        self.at_edge = False
        """Whether a cell has begun or ended since the last text."""
        self.has_lines = False
        """Whether a cell is more than one line."""

    def add(self, piece: int, gap: int) -> None:
        """A text comes, with its gap before it."""
        if self.first < 0:
            self.first, self.skipped = piece, max(self.cells - 1, 0)
        elif self.at_edge:
            self.edges.append((piece, max(self.cells - 1, 0)))
        elif gap >= LINE_GAP:
            self.has_lines = True
        self.at_edge = False
        self.cells = 0
