"""Tables in Markdown, as GitHub writes them: https://github.github.com/gfm/#tables-extension-."""

from __future__ import annotations

import re

MOST_COLUMNS = 40
"""Columns of a table; a cell that spans more is part of a layout."""
MOST_LINES = 6
"""Lines of a cell; one with more paragraphs and line breaks is part of a layout as well."""
_TAG = re.compile(rb"<(/?)([a-z0-9]+)")
_IN_TABLE = frozenset(
    b"table caption thead tbody tfoot tr td th p br img a abbr b cite code del dfn em i ins kbd"
    b" mark q s samp small strong sub sup time u var".split()
)


def is_table(html: bytes, at: int) -> bool:
    """Return whether the table with content at `at` has columns, and only lines in its cells."""
    columns = filled = widest = lines = 0
    for tag in _TAG.finditer(html, at):
        name = tag[2]
        if name not in _IN_TABLE:
            return False
        if name == b"table":
            return tag[1] == b"/" and widest > 1
        if tag[1]:
            continue
        if name == b"caption" and widest:
            return False
        if name == b"tr":
            columns = filled = 0
        elif name in (b"td", b"th"):
            lines = 0
            columns += 1
            filled += _shows_any(html, html.index(b">", tag.end()) + 1)
            widest = max(widest, filled)
        elif name in (b"p", b"br"):
            lines += 1
        if columns > MOST_COLUMNS or lines > MOST_LINES:
            return False
    return False


def _shows_any(html: bytes, at: int) -> bool:
    """Return whether the cell with content at `at` has text or a picture."""
    while html.startswith(b"<", at):
        if html.startswith((b"</td", b"</th", b"<img"), at):
            return html.startswith(b"<img", at)
        at = html.index(b">", at) + 1
    return True


class Table:
    """The cells of a table, collected one by one."""

    def __init__(self) -> None:
        self._rows: list[list[bytes]] = []
        self._below: dict[int, int] = {}
        """For each column, for how many more rows a cell above takes it."""
        self._spans = (1, 1)
        self._has_head = False

    def begin_row(self) -> None:
        """Begin a row."""
        self._rows.append([])

    def begin_cell(self, is_header: bool, columns: int, rows: int) -> None:
        """Begin a cell that may span several columns and rows."""
        if not self._rows:
            self.begin_row()
        row = self._rows[-1]
        while self._below and self._below.get(len(row), 0):
            self._skip(row)
        if len(self._rows) == 1:
            self._has_head = is_header and (self._has_head or not row)
        self._spans = (columns, rows)

    def _skip(self, row: list[bytes]) -> None:
        self._below[len(row)] -= 1
        row.append(b"")

    def add(self, cell: bytes) -> None:
        """Add the text of the open cell."""
        row = self._rows[-1]
        columns, rows = self._spans
        if columns == rows == 1:
            row.append(cell)
            return
        room = max(1, MOST_COLUMNS - len(row))
        for place in range(min(columns, room)):
            if rows > 1:
                self._below[len(row)] = rows - 1
            row.append(b"" if place else cell)

    def written(self) -> bytes:
        """Return the table. Data never becomes the header: without one, GFM needs an empty row."""
        rows = [row for row in self._rows if any(row)]
        width = max(map(len, rows), default=0)
        if not width:
            return b""
        head = rows.pop(0) if self._has_head and rows[0] is self._rows[0] else []
        lines = [head, [b"---"] * width, *rows]
        return b"\n".join(_row([*line, *[b""] * (width - len(line))]) for line in lines)


def _row(cells: list[bytes]) -> bytes:
    if all(cells):
        return b"| " + b" | ".join(cells) + b" |"
    return b"|" + b"".join(b" %b |" % cell if cell else b" |" for cell in cells)
