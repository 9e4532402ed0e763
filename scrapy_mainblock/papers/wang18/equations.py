"""[Wang18] Wang, Chen, Dai: Web Information Extraction Based on Webpage Clustering (in Chinese).

A site prints its pages from a few templates. Pages are clustered by the set of the paths of their
blocks; in each cluster the block that is densest on most pages gives the rule, a triple of class,
id and path; a new page is matched to a cluster and its block looked up.

Found in the paper:

* Definition 6 asks for a similarity above 0.82 between *any* two pages of a cluster; algorithm 1
  compares each page with the cluster's first page only. The algorithm is what can be run on a
  stream, so the algorithm is used.
* Equation 1 divides by zero for a page without blocks. Deviates: two empty sets are alike (1), an
  empty one and another are not (0).
* Algorithm 1 adds F_i itself twice (``add(C_k, F_i)`` and again in the loop, where F_j = F_i); once
  here.
* Table 2's heading calls its measure accuracy; it is the share of pages whose right block was
  found, judged by eye. No text measure is given.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the paper fixes, so that its own choice and today's can stand side by side."""

    block_tags: frozenset[str]
    """Definition 2: the elements that are blocks."""
    alpha: float
    """Equation 5: how much the number of descendants weighs against a block."""
    similarity: float = 0.82
    """Definition 6 and algorithm 1: pages more alike than this are of one cluster."""
    more_pages_than: int = 5
    """Definition 6 and algorithm 1: a cluster counts when it has more pages than this."""


PAPER = Settings(block_tags=frozenset({"div", "table"}), alpha=0.3)
"""Sections 4.1, 4.2 and 5.1: div and table, 0.82, more than 5 pages, alpha = 0.3."""

TODAY = Settings(
    block_tags=frozenset({"article", "body", "div", "main", "section", "table", "td"}),
    alpha=0.01,
)
"""Deviates: HTML5 has more containers than the paper's two, and a page without any of them still
has its body; pages have ten times the elements they had, so that alpha = 0.3 picks single
paragraphs' wrappers (`benchmarks.paper_variants` compares them)."""


def similarity(a: Set[Hashable], b: Set[Hashable]) -> float:
    """Equation 1: |A n B| / min(|A|, |B|)."""
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    return len(a & b) / min(len(a), len(b))


def text_density(text: float, page_text: float) -> float:
    """Equation 2, P_text = T_n / (1 + T): the block's share of the page's text outside links."""
    return text / (1 + page_text)


def link_density(links: float, page_links: float) -> float:
    """Equation 3, P_link = LN_n / (1 + LN): the block's share of the page's links."""
    return links / (1 + page_links)


def node_text_density(text: float, text_with_links: float) -> float:
    """Equation 4, P_textl = T_n / (1 + lT_n): how much of the block's text is outside links."""
    return text / (1 + text_with_links)


def combined_density(p1: float, p2: float, p3: float, size: float, alpha: float) -> float:
    """Equation 5, H(b) = p1 p2 p3 / (1 + size(b) alpha), over the block's descendants.

    p1 = P_text, p2 = 1 - P_link, p3 = P_textl.
    """
    return p1 * p2 * p3 / (1 + size * alpha)
