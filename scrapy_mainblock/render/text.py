"""Writes content as text: a blank line between paragraphs, items and short rows on a line each."""

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
    """Joins pieces of text with the widest requested gap between them.

    For each piece it stores the gap before it, and where it stands in `octets`. A table row whose
    cells turn out to be short becomes one line: the gaps between its cells are then set again.
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
        """How many empty cells stand before a piece, if there are any."""
        self.row: Row | None = None
        """The innermost open row of a table."""
        self.row_ended = -1
        """Where a row of one line has ended, if its table goes on."""

    def block(self, code: int, step: int) -> None:
        """Handle the start (1) or end (-1) of a block."""
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
        """Handle the start or end of a row; a row of short cells becomes one line."""
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
        """Handle a ``<br>``: to a reader, two in a row end the paragraph."""
        self.gap = max(self.gap, PARAGRAPH_GAP if self.last_was_break else LINE_GAP)
        self.last_was_break = True

    def space(self) -> None:
        """Handle whitespace."""
        if not self.gap:
            self.gap = SPACE_GAP

    def put(self, octets: Octets, start: int, end: int) -> None:
        """Add a piece of folded text."""
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
        """Add a text as a paragraph of its own."""
        self.gap = PARAGRAPH_GAP
        self.put(octets, 0, octets.size)
        self.gap = PARAGRAPH_GAP

    def put_preformatted(self, octets: Octets, is_blank: bool) -> None:
        """Add text whose lines and spaces are significant, mostly code."""
        start, end = 0, octets.size
        if not is_blank:
            if self.gap >= LINE_GAP:
                while start < end and octets.data[start] == LINE_FEED:
                    start += 1
            self.put(octets, start, end)
        elif self.count and not self.gap:
            self.put(octets, start, end)

    def _end_line(self) -> None:
        """Drop final line feeds, which code mostly has, so that they do not widen the gap."""
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
        """Return all of the text."""
        found = Octets(self.octets.size + 2 * self.count)
        for piece in range(self.count):
            found.write(WRITTEN_GAPS[self.gap_before[piece]])
            if self.skipped and piece in self.skipped:
                found.write(b"| " * self.skipped[piece])
            found.copy(self.octets, self.start[piece], self.end[piece])
        return found.bytes().strip()


class Row:
    """An open row of a table."""

    def __init__(self, begins: int, around: Row | None) -> None:
        self.around = around
        self.begins = begins
        """How many pieces of text stand before the row."""
        self.first = -1
        """The first piece of the row."""
        self.edges: list[tuple[int, int]] = []
        """The first piece of each later cell, with the number of empty cells before it."""
        self.skipped = self.cells = 0
        """Empty cells before the first piece; cells that have begun since the last one."""
        self.at_edge = False
        """Whether a cell has begun or ended since the last piece."""
        self.has_lines = False
        """Whether a cell has more than one line."""

    def add(self, piece: int, gap: int) -> None:
        """Add a piece of text, with the gap before it."""
        if self.first < 0:
            self.first, self.skipped = piece, max(self.cells - 1, 0)
        elif self.at_edge:
            self.edges.append((piece, max(self.cells - 1, 0)))
        elif gap >= LINE_GAP:
            self.has_lines = True
        self.at_edge = False
        self.cells = 0
