"""The densest block of a page: the fallback if the models cannot be loaded.

The score is equation 5 of [Wang18], with a weight of the block's size that fits today's pages. See
`papers.wang18` for the method as published.
"""

from __future__ import annotations

import numpy as np

from scrapy_mainblock.outline.outline import Outline

SIZE_WEIGHT = 0.02
"""How much the number of segments counts against a block. [Wang18] counts descendants and has 0.3;
for today's pages 0.01 is best (papers/wang18), and a segment has several descendants."""


def densest_block(page: Outline) -> int:
    """Return the block with the densest text, or -1 if no block has text outside of links.

    The densest block has most of the page's text, few of its links and little else.
    """
    rows = page.rows
    if not rows.segment_count:
        return -1
    linked = np.asarray(rows.segment_link_chars, float)
    plain = np.asarray(rows.segment_chars, float) - linked
    first, end = np.asarray(rows.block_first), np.asarray(rows.block_end)
    text_of, links_of = (np.concatenate(([0.0], np.cumsum(values))) for values in (plain, linked))
    text, links = text_of[end] - text_of[first], links_of[end] - links_of[first]
    density = (
        (text / (text[0] + 1))
        * (1 - links / (links[0] + 1))
        * (text / (1 + text + links))
        / (1 + SIZE_WEIGHT * (end - first))
    )
    best = int(density.argmax())
    return best if density[best] > 0 else -1
