"""One pass over a tree: for every element, what stands under it.

The block scorers of [Wang18] and [Guna12] are formulas over four counts of a subtree: text outside
and inside of links, links, descendants. Each count of a subtree is the difference of a running
total between its end tag and its start tag, so that one loop does, without recursion, whatever the
depth.

A length is in characters other than white space, so that the way a source is indented does not
count. What a reader never sees (scripts, styles, templates, comments) has none.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.tags import INVISIBLE_TAGS

_HASH_MASK = (1 << 64) - 1
_HASH_FACTOR = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Node:
    """An element with the counts of its subtree, itself not counted among the descendants."""

    element: HtmlElement
    tag: str
    parent: int
    """The parent's place in the list of nodes, -1 for the root."""
    path_hash: int
    """A 64-bit number that stands for the element's path (`paths.path_of`) in sets of paths."""
    text: int
    """Characters outside of links: T_n."""
    link_text: int
    """Characters inside of links."""
    links: int
    """LN_n, LA: the `<a href>` under the element, itself included."""
    size: int
    """size(b): the elements under it."""

    @property
    def all_text(self) -> int:
        """lT_n, NTL: characters in and outside of links."""
        return self.text + self.link_text


@lru_cache(maxsize=1024)
def _tag_code(tag: str) -> int:
    return zlib.crc32(tag.encode())


def _path_hash(parent: int, tag: str, number: int) -> int:
    mixed = ((parent ^ _tag_code(tag)) * _HASH_FACTOR + number) & _HASH_MASK
    return (mixed ^ mixed >> 29) * _HASH_FACTOR & _HASH_MASK


def count(root: HtmlElement) -> list[Node]:
    """Every visible element from `root` down, in document order, with its counts."""
    nodes: list[Node] = []
    text = link_text = links = size = 0
    # One frame for each open element: its place, path, whether it is in a link, how often each
    # tag has been seen among its children, and the four totals at its start.
    stack: list[tuple[int, int, bool, dict[str, int], int, int, int, int]] = []
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            tag: Any = element.tag  # a str: `Page` has no comments
            if tag in INVISIBLE_TAGS:
                walk.skip_subtree()
                continue
            path, in_link = 0, False
            if stack:
                _, path, in_link, numbers, *_ = stack[-1]
                number = numbers[tag] = numbers.get(tag, 0) + 1
                path = _path_hash(path, tag, number)
                size += 1
            before_links = links
            if tag == "a" and "href" in element.attrib:
                in_link = True
                links += 1
            parent = stack[-1][0] if stack else -1
            stack.append((len(nodes), path, in_link, {}, text, link_text, before_links, size))
            nodes.append(Node(element, tag, parent, path, 0, 0, 0, 0))
            piece = element.text
        else:
            if element.tag not in INVISIBLE_TAGS:
                place, path, _, _, *before = stack.pop()
                open_node = nodes[place]
                nodes[place] = Node(
                    element,
                    open_node.tag,
                    open_node.parent,
                    path,
                    text - before[0],
                    link_text - before[1],
                    links - before[2],
                    size - before[3],
                )
            if not stack:
                continue
            in_link = stack[-1][2]
            piece = element.tail
        if piece:
            length = len("".join(piece.split()))
            if in_link:
                link_text += length
            else:
                text += length
    return nodes
