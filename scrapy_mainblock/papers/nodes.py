"""The elements of a page with what stands under each, as [Wang18] and [Guna12] count it.

The block scorers of both are formulas over four counts of a subtree: text outside and inside of
links, links, descendants. A length is in characters other than white space, so that the way a
source is indented does not count. What a reader never sees has no length.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, LINKED, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows

_IMPLIED = {CODES["tbody"], CODES["tr"]}


@dataclass(slots=True)
class Node:
    """An element with the counts of its subtree, itself not counted among the descendants."""

    element: int
    tag: str
    parent: int
    """The parent's index in the list of nodes, -1 for the root."""
    path_hash: int
    """Stands for the element's path ([Wang18], definition 3) in sets of paths."""
    text: int = 0
    """Characters outside of links: T_n."""
    link_text: int = 0
    """Characters inside of links."""
    links: int = 0
    """LN_n, LA: the `<a href>` under the element, itself included."""
    size: int = 0
    """size(b): the elements under it."""

    @property
    def all_text(self) -> int:
        """lT_n, NTL: characters in and outside of links."""
        return self.text + self.link_text


def nodes_of(page: Outline) -> list[Node]:
    """Every visible element of a page, in document order, with its counts."""
    rows = page.rows
    nodes: list[Node] = []
    totals = [0, 0, 0, 0]  # text, link text, links, elements
    opened: dict[int, _Open] = {}
    for event in rows.tape:
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            totals[1 if rows.text_flags[number] & LINKED else 0] += rows.text_chars[number]
        elif _has_no_tag(rows, number):
            continue
        elif kind == CLOSE:
            opened.pop(number).close(totals)
        else:
            parent = next(reversed(opened.values()), None)
            totals[3] += 1
            one = _Open(_node(rows, number, parent), len(nodes), totals.copy())
            nodes.append(one.node)
            totals[2] += one.node.tag == "a" and rows.href_at[number] > 0
            if kind == EMPTY:
                one.close(totals)
            else:
                opened[number] = one
    return nodes


class _Open:
    """An open element: how often each tag has been seen among its children, and the totals."""

    def __init__(self, node: Node, index: int, before: list[int]) -> None:
        self.node, self.index, self.before = node, index, before
        self.numbers: dict[str, int] = {}

    def close(self, totals: list[int]) -> None:
        node = self.node
        node.text, node.link_text, node.links, node.size = (
            now - then for now, then in zip(totals, self.before, strict=True)
        )


def _node(rows: Rows, element: int, parent: _Open | None) -> Node:
    tag = rows.name(element)
    if parent is None:
        return Node(element, tag, -1, 0)
    number = parent.numbers[tag] = parent.numbers.get(tag, 0) + 1
    # Of whole numbers Python's hash is the same in every process.
    path = hash((parent.node.path_hash, zlib.crc32(tag.encode()), number))
    return Node(element, tag, parent.index, path)


def _has_no_tag(rows: Rows, element: int) -> bool:
    """Whether an element is a row or section of a table that HTML's rules have added."""
    return rows.start[element] == rows.inner[element] and rows.tag[element] in _IMPLIED
