"""The structure of clean HTML, or of Markdown rendered as HTML: its blocks, in order, as data.

Two sources have the same content if their `structure` is equal. A block is ``(path, kind,
content)``: the enclosing quotations and items, the kind of block, and its characters, each with the
emphasis, code and link that it is in. Whitespace is single, and emphasis of whitespace does not
count, since its end is invisible.
"""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import unquote

MARKS = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "del": "del",
    "sub": "sub", "sup": "sup", "ins": "ins", "mark": "mark",
}  # fmt: skip
CODE = {"code", "kbd", "samp"}
BLOCKS = set(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td"
    " tfoot th thead tr ul".split()
)
VOID = {"br", "hr", "img"}
IN_GRID = {"caption", "thead", "tbody", "tfoot", "tr", "td", "th", "p", "table"}
MOST_LINES, MOST_COLUMNS = 6, 40
"""Limits of lines in a cell and of columns in a row; a table beyond them is used for layout."""
DEEPEST = 8
"""Nesting depth of quotations and items that Markdown preserves."""


class Node:
    """An element, with its child elements and texts."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name, self.attributes = name, attributes
        self.inside: list[Node | str] = []

    def all(self, *names: str) -> list[Node]:
        """Return the descendants with some names, in order."""
        found = []
        for one in self.inside:
            if isinstance(one, Node):
                found += [one] * (one.name in names) + one.all(*names)
        return found


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag, tag

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def tree(html: str) -> Node:
    """Return the elements of balanced HTML."""
    parser = _Tree()
    parser.feed(html)
    parser.close()
    assert len(parser.open) == 1
    return parser.open[0]


class Piece(NamedTuple):
    """A character or image with its context, or a gap: a space or a line break."""

    what: Any
    formats: frozenset[Any]
    elements: frozenset[int]


class _Reader:
    def __init__(self) -> None:
        self.blocks: list[tuple[Any, ...]] = []
        self.path: tuple[Any, ...] = ()
        self.line: list[Piece] = []
        self.kind = "p"
        self.lists = self.items = 0

    def read(self, node: Node, formats: frozenset[Any], elements: frozenset[int]) -> None:
        for one in node.inside:
            if isinstance(one, str):
                self.line += [
                    Piece(" ", frozenset(), elements)
                    if char.isspace()
                    else Piece(char, formats, elements)
                    for char in one
                ]
            elif one.name in BLOCKS:
                self.end()
                self.block(one)
                self.end()
            elif one.name == "br":
                self.line.append(Piece("\n", frozenset(), elements))
            elif one.name == "img":
                source = address(one.attributes.get("src", ""))
                alt = " ".join(one.attributes.get("alt", "").split())
                self.line.append(Piece(("picture", source, alt), formats - {"code"}, elements))
            else:
                self.read(one, *self.inline(one, formats, elements))

    def inline(
        self, one: Node, formats: frozenset[Any], elements: frozenset[int]
    ) -> tuple[frozenset[Any], frozenset[int]]:
        if one.name in CODE:
            return formats | {"code"}, elements
        if one.name == "a":
            link = ("link", address(one.attributes["href"]))
            return formats | {link}, elements | {id(one)}
        if one.name in MARKS and "code" not in formats:
            return formats | {MARKS[one.name]}, elements | {id(one)}
        return formats, elements

    def end(self) -> None:
        """End a paragraph, or several.

        Two line breaks separate paragraphs, unless emphasis continues over them.
        """
        for line in paragraphs(self.line, self.kind):
            self.blocks.append((self.path, self.kind, line))
        self.line = []

    def block(self, node: Node) -> None:
        name, path, kind = node.name, self.path, self.kind
        if name in ("ul", "ol", "dl"):
            self.items_of(node)
        elif name == "blockquote":
            self.items += 1
            self.within(node, ("quote", self.items))
        elif name == "hr":
            self.blocks.append((self.path, "hr", ""))
        elif name == "pre":
            self.code(node)
        elif name == "table" and is_grid(node):
            self.grid(node)
        else:
            if name[0] == "h":
                self.kind = name
            self.read(node, frozenset(), frozenset())
            self.end()
        self.path, self.kind = path, kind

    def within(self, node: Node, part: tuple[Any, ...]) -> None:
        path = self.path
        self.path = (*path, part)
        self.read(node, frozenset(), frozenset())
        self.end()
        self.path = path

    def items_of(self, node: Node) -> None:
        self.lists += 1
        own = self.lists
        number = int(node.attributes.get("start") or 1)
        for one in node.inside:
            if not isinstance(one, Node):
                continue
            if one.name == "dt":
                self.read(one, frozenset(), frozenset())
                self.end()
                self.lists += 1
                own = self.lists
                continue
            self.items += 1
            self.within(one, (number if node.name == "ol" else "-", own, self.items))
            number += 1

    def code(self, node: Node) -> None:
        text = literal(node).strip("\n")
        inner = [one for one in node.inside if isinstance(one, Node)]
        language = ""
        if inner and inner[0].name == "code" and node.inside[0] is inner[0]:
            language = inner[0].attributes.get("class", "").removeprefix("language-").strip()
        if text.strip():
            self.blocks.append((self.path, f"code {language}".strip(), text))
        for picture in node.all("img"):
            wrapped = Node("p", {})
            wrapped.inside = [picture]
            self.read(wrapped, frozenset(), frozenset())
            self.end()

    def grid(self, node: Node) -> None:
        for caption in node.all("caption"):
            self.read(caption, frozenset(), frozenset())
            self.end()
        rows: list[list[Any]] = []
        below: dict[int, int] = {}
        for row in node.all("tr"):
            cells: list[Any] = []
            for cell in row.all("td", "th"):
                while below.get(len(cells), 0):
                    below[len(cells)] -= 1
                    cells.append("")
                self.read_cell(cell, cells, below)
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                rows.append(cells)
        self.blocks.append((self.path, "table", rows))

    def read_cell(self, cell: Node, cells: list[Any], below: dict[int, int]) -> None:
        kept, self.line = self.line, []
        for one in cell.inside:
            inside = Node("", {})
            inside.inside = one.inside if isinstance(one, Node) and one.name == "p" else [one]
            ends = isinstance(one, Node) and one.name == "p"
            self.line += [Piece("\n", frozenset(), frozenset())] * ends
            self.read(inside, frozenset(), frozenset())
            self.line += [Piece("\n", frozenset(), frozenset())] * ends
        found = paragraphs(self.line, "td")
        self.line = kept
        for place in range(int(cell.attributes.get("colspan") or 1)):
            below[len(cells)] = int(cell.attributes.get("rowspan") or 1) - 1
            cells.append("" if place or not found else found[0])


def is_grid(table: Node) -> bool:
    """Return whether a table has columns, and only lines in its cells."""
    names = {one.name for one in table.all(*BLOCKS)}
    rows = [row.all("td", "th") for row in table.all("tr")]
    widest = max((sum(map(shows_any, row)) for row in rows), default=0)
    is_small = all(len(cell.all("p", "br")) <= MOST_LINES for row in rows for cell in row)
    is_narrow = all(len(row) <= MOST_COLUMNS for row in rows)
    return not names - (IN_GRID - {"table"}) and widest > 1 and is_small and is_narrow


def shows_any(cell: Node) -> bool:
    """Return whether a cell has text or a picture."""
    return any(isinstance(one, str) or one.name == "img" or shows_any(one) for one in cell.inside)


def paragraphs(line: list[Piece], kind: str) -> list[tuple[Any, ...]]:
    """Return the lines of a paragraph, split into several at two line breaks."""
    found: list[list[Any]] = [[]]
    before: Piece | None = None
    gap = ""
    for piece in line:
        if piece.what in (" ", "\n"):
            gap += piece.what
            continue
        if before is not None and gap:
            is_whole = not before.elements & piece.elements
            if gap.count("\n") > 1 and is_whole and kind == "p":
                found.append([])
            else:
                is_end = "\n" in gap and not kind.startswith("h")
                found[-1].append(("\n" if is_end else " ", frozenset()))
        found[-1].append((piece.what, piece.formats))
        before, gap = piece, ""
    return [joined(one) for one in found if one]


def joined(pieces: list[Any]) -> tuple[Any, ...]:
    """Return the pieces with characters of the same format joined."""
    found: list[Any] = []
    for formats, group in groupby(pieces, key=lambda piece: piece[1]):
        text = ""
        for what, _ in group:
            if isinstance(what, tuple):
                found += [(text, formats)] * bool(text) + [(what, formats)]
                text = ""
            else:
                text += what
        found += [(text, formats)] * bool(text)
    return tuple(found)


def literal(node: Node) -> str:
    """Return the text of code; a block inside it starts a new line."""
    text = ""
    for one in node.inside:
        if isinstance(one, str):
            text += one
        elif one.name in ("br", "hr"):
            text += "\n"
        elif one.name in BLOCKS:
            text += f"\n{literal(one)}\n"
        elif one.name != "img":
            text += literal(one)
    return text


def address(url: str) -> str:
    """Return a URL in a comparable form, since renderers escape characters differently."""
    return unquote(url).replace(" ", "%20")


def structure(html: str) -> list[tuple[Any, ...]]:
    """Return the blocks of a source."""
    reader = _Reader()
    reader.read(tree(html), frozenset(), frozenset())
    reader.end()
    return numbered(reader.blocks)


def numbered(blocks: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the blocks with lists and items numbered in order; the innermost ones are left out."""
    numbers: dict[Any, int] = {}

    def number(key: Any) -> int:
        return numbers.setdefault(key, len(numbers))

    found = []
    for path, kind, content in blocks:
        own = tuple(
            (part[0], *(number((len(part), place, one)) for place, one in enumerate(part[1:])))
            for part in path[:DEEPEST]
        )
        found.append((own, kind, content))
    return found
