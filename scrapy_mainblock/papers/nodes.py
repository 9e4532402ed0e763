"""The elements of a page with the counts of their subtrees that [Wang18] and [Guna12] use.

The block scores of both papers are formulas over four counts of a subtree: text outside of links,
text inside of links, links, descendants. Lengths count characters other than whitespace, so that
the indentation of a source does not matter. Text that a reader never sees has length 0.
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
    """An element with the counts of its subtree; the element is not its own descendant."""

    element: int
    tag: str
    parent: int
    """The parent's index in the list of nodes, -1 for the root."""
    path_hash: int
    """Represents the element's path ([Wang18], definition 3) in sets of paths."""
    text: int = 0
    """Characters outside of links: T_n."""
    link_text: int = 0
    """Characters inside of links."""
    links: int = 0
    """LN_n, LA: number of `<a href>` under the element, including the element itself."""
    size: int = 0
    """size(b): number of descendants."""

    @property
    def all_text(self) -> int:
        """lT_n, NTL: characters inside and outside of links."""
        return self.text + self.link_text


def nodes_of(page: Outline) -> list[Node]:
    """Return every visible element of a page, in document order, with its counts."""
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
    """An open element: the totals before it, and the number of its children so far by tag."""

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
    # Python's hash of integers is the same in every process.
    path = hash((parent.node.path_hash, zlib.crc32(tag.encode()), number))
    return Node(element, tag, parent.index, path)


def _has_no_tag(rows: Rows, element: int) -> bool:
    """Return whether an element is a table row or section implied by HTML, without a tag."""
    return rows.start[element] == rows.inner[element] and rows.tag[element] in _IMPLIED
