"""Content extraction by link density [Guna12], from the body down, level by level.

`content_nodes` is the algorithm of section 3.3 with step 5 of section 3.2. A node that meets the
basic conditions is examined. If it also meets the precise conditions, its text is content; if not,
its children are examined in the same way. If a node of a level is content, so are its siblings that
meet the precise conditions, even if they are too short for the basic ones (step 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrapy_mainblock.papers.guna12 import equations as guna12
from scrapy_mainblock.papers.guna12.equations import BASIC, GENERAL_SHARE, PRECISE, Thresholds
from scrapy_mainblock.papers.nodes import Node

# Step 2: "invalid tags ... unrelated to the content", besides the tags that hold no text anyway.
UNRELATED_TAGS = frozenset({"form", "marquee"})


def content_nodes(
    nodes: Sequence[Node],
    basic: Thresholds = BASIC,
    precise: Thresholds = PRECISE,
    general_share: float = GENERAL_SHARE,
) -> list[Node]:
    """Return the content nodes in document order; an empty list if the page "is not suitable"."""
    nodes = _related(nodes)
    children = _children(nodes)
    page = nodes[0]
    levels = [[place for place, node in enumerate(nodes) if node.tag == "body"]]
    content: list[int] = []
    while levels:
        level = levels.pop()
        qualified = [place for place in level if _holds(basic, nodes[place])]
        exact = [place for place in level if _holds(precise, nodes[place])]
        if not set(exact).isdisjoint(qualified):
            content += exact  # steps 4 and 5: the node, and its qualifying siblings
        general = [
            place
            for place in level
            if guna12.is_general(nodes[place].text, page.text, general_share)
        ]
        levels += [children[place] for place in {*qualified, *general}.difference(exact)]
    return [nodes[place] for place in sorted(content)]


def _related(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes with counts that exclude the unrelated tags under them (step 2)."""
    # For each node: the text, link text, links and nodes to subtract. Children come after their
    # parents, so that in reverse order each node's entry is complete when the loop reaches it.
    lost = [[0, 0, 0, 0] for _ in nodes]
    for place, node in reversed(list(enumerate(nodes))):
        if node.parent >= 0:
            off = lost[place]
            if node.tag in UNRELATED_TAGS:
                off = [node.text, node.link_text, node.links, node.size + 1]
            if any(off):
                lost[node.parent] = [a + b for a, b in zip(lost[node.parent], off, strict=True)]
    return [_less(node, *off) if any(off) else node for node, off in zip(nodes, lost, strict=True)]


def _less(node: Node, text: int, link_text: int, links: int, size: int) -> Node:
    return replace(
        node,
        text=node.text - text,
        link_text=node.link_text - link_text,
        links=node.links - links,
        size=node.size - size,
    )


def _children(nodes: Sequence[Node]) -> list[list[int]]:
    """Return the indexes of each node's children that hold text and are not unrelated (step 2)."""
    children: list[list[int]] = [[] for _ in nodes]
    for place, node in enumerate(nodes):
        if node.parent >= 0 and node.all_text and node.tag not in UNRELATED_TAGS:
            children[node.parent].append(place)
    return children


def _holds(thresholds: Thresholds, node: Node) -> bool:
    return thresholds.hold(
        ltd=guna12.link_text_density(node.link_text, node.all_text),
        la=node.links,
        ntl=node.all_text,
        lad=guna12.link_amount_density(node.links, node.size),
    )
