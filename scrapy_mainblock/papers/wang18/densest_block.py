"""Block densities of [Wang18], section 5.1, and the block of a page with the highest H."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapy_mainblock.papers.nodes import Node
from scrapy_mainblock.papers.wang18 import equations as wang18

MOST_PATHS = 5000
"""Maximum paths kept of a page. Those with the smallest hashes are kept, so that two pages keep the
same ones of the paths that they share."""


class ScoredBlock(NamedTuple):
    """A block and its combined density H."""

    node: Node
    density: float


def blocks(nodes: Sequence[Node], settings: wang18.Settings) -> list[Node]:
    """Return the page's blocks (definition 2) in document order."""
    return [node for node in nodes if node.tag in settings.block_tags]


def path_set(nodes: Sequence[Node], settings: wang18.Settings) -> frozenset[int]:
    """Return the page's structure (definition 4): the set of its blocks' hashed paths."""
    paths = frozenset(node.path_hash for node in blocks(nodes, settings))
    return paths if len(paths) <= MOST_PATHS else frozenset(sorted(paths)[:MOST_PATHS])


def scored_blocks(nodes: Sequence[Node], settings: wang18.Settings) -> Iterator[ScoredBlock]:
    """Yield every block of a page with its H (equations 2 to 5); `nodes[0]` is the page's root."""
    if not nodes:
        return
    page = nodes[0]
    for node in blocks(nodes, settings):
        p_text = wang18.text_density(node.text, page.text)
        p_link = wang18.link_density(node.links, page.links)
        p_text_of_node = wang18.node_text_density(node.text, node.all_text)
        density = wang18.combined_density(
            p_text, 1 - p_link, p_text_of_node, node.size, settings.alpha
        )
        yield ScoredBlock(node, density)


def densest_block(nodes: Sequence[Node], settings: wang18.Settings) -> ScoredBlock | None:
    """Return the first block with the highest H, or None if no block has a positive H."""
    best = max(scored_blocks(nodes, settings), key=lambda scored: scored.density, default=None)
    return best if best and best.density > 0 else None
