"""[Wang18] Wang, Chen, Dai: Web Information Extraction Based on Webpage Clustering (in Chinese).

A site generates its pages from a few templates. The method clusters pages by the set of paths of
their blocks. In each cluster the block with the greatest sum of densities gives the rule, a triple
of class, id and path. A new page is matched to a cluster, whose rule then finds its block.

Notes on the paper:

* Definition 6 asks for a similarity above 0.82 between *any* two pages of a cluster; algorithm 1
  compares each page with the cluster's first page only. The algorithm is implemented, since it can
  run on a stream.
* Equation 1 divides by zero for a page without blocks. Deviates: two empty sets have a similarity
  of 1, an empty and a non-empty set have 0.
* Algorithm 1 adds F_i itself twice (``add(C_k, F_i)`` and again in the loop, where F_j = F_i); here
  it is added once.
* The heading of table 2 calls its measure accuracy. It is the share of pages on which the right
  block was found, judged by eye. The paper does not give a measure of the text.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The parameters that the paper fixes: `PAPER` holds its own values, `TODAY` ours."""

    block_tags: frozenset[str]
    """Definition 2: the elements that are blocks."""
    alpha: float
    """Equation 5: how much each descendant lowers the score of a block."""
    similarity: float = 0.82
    """Definition 6 and algorithm 1: pages with a greater similarity belong to one cluster."""
    more_pages_than: int = 5
    """Definition 6 and algorithm 1: only clusters with more pages than this count."""


PAPER = Settings(block_tags=frozenset({"div", "table"}), alpha=0.3)
"""Sections 4.1, 4.2 and 5.1: div and table, 0.82, more than 5 pages, alpha = 0.3."""

TODAY = Settings(
    block_tags=frozenset({"article", "body", "div", "main", "section", "table", "td"}),
    alpha=0.01,
)
"""Deviates: HTML5 has more containers than the paper's two, and a page without any of them still
has its body. Pages have ten times as many elements as then, so that alpha = 0.3 picks the wrappers
of single paragraphs (`benchmarks.paper_variants` compares the settings)."""


def similarity(a: Set[Hashable], b: Set[Hashable]) -> float:
    """Return equation 1: |A n B| / min(|A|, |B|)."""
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    return len(a & b) / min(len(a), len(b))


def text_density(text: float, page_text: float) -> float:
    """Return equation 2, P_text = T_n / (1 + T): the block's share of the page's non-link text."""
    return text / (1 + page_text)


def link_density(links: float, page_links: float) -> float:
    """Return equation 3, P_link = LN_n / (1 + LN): the block's share of the page's links."""
    return links / (1 + page_links)


def node_text_density(text: float, text_with_links: float) -> float:
    """Return equation 4, P_textl = T_n / (1 + lT_n): the non-link share of the block's text."""
    return text / (1 + text_with_links)


def combined_density(p1: float, p2: float, p3: float, size: float, alpha: float) -> float:
    """Return equation 5, H(b) = p1 p2 p3 / (1 + size(b) alpha), with size(b) descendants.

    p1 = P_text, p2 = 1 - P_link, p3 = P_textl.
    """
    return p1 * p2 * p3 / (1 + size * alpha)
