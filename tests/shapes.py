"""The blocks of a page and their text, written in one line: ``ul[li[one] li[two]]``."""

from __future__ import annotations

from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import BLOCK_TAGS
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, RAW_TEXT, TEXT
from scrapy_mainblock.outline.rows import Rows


def text_of(rows: Rows, text: int) -> str:
    """Return one text of a page, with all its whitespace."""
    octets = rows.source[rows.text_start[text] : rows.text_end[text]]
    if rows.text_flags[text] & RAW_TEXT:
        return octets.decode("utf-8", "replace")
    return decoded(octets)


def shape(rows: Rows) -> str:
    """Return the visible text of the body and the blocks around it.

    Whitespace is folded, and removed at the edges of blocks. Inline elements are not shown; void
    elements are written as they are: ``p[one <br> two]``.
    """
    return shape_of([("body", _children(rows))]).removeprefix("body[").removesuffix("]")


Node = str | tuple[str, list["Node"]]
"""A text, or the name of an element and its children."""


def shape_of(nodes: list[Node]) -> str:
    """Return the shape of some nodes."""
    shapes = []
    for node in _joined(nodes):
        if isinstance(node, str):
            shapes.append(" ".join(node.split()))
        else:
            name, children = node
            is_void = name in {"br", "hr"}
            shapes.append(f"<{name}>" if is_void else f"{name}[{shape_of(children)}]")
    return " ".join(filter(None, shapes))


def _joined(nodes: list[Node]) -> list[Node]:
    """Return the nodes with inline elements dissolved, and adjacent texts joined."""
    found: list[Node] = []
    for node in nodes:
        is_block = not isinstance(node, str) and node[0] in BLOCK_TAGS
        for one in [node] if is_block or isinstance(node, str) else _joined(node[1]):
            if found and isinstance(one, str) and isinstance(found[-1], str):
                found[-1] += one
            else:
                found.append(one)
    return found


def _children(rows: Rows) -> list[Node]:
    stack: list[list[Node]] = [[]]
    for place in range(rows.tape_at[rows.body] + 1, rows.tape_end[rows.body] - 1):
        event = rows.tape[place]
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            stack[-1].append(text_of(rows, number))
        elif rows.name(number) not in BLOCK_TAGS:
            continue  # inline elements may overlap
        elif kind == CLOSE:
            stack.pop()
        else:
            inside: list[Node] = []
            stack[-1].append((rows.name(number), inside))
            if kind != EMPTY:
                stack.append(inside)
    return stack[0]
