"""The densest block of a page, for when the models cannot be read.

[Wang18], equation 5, with the weight of a block's size that fits today's pages: see
`papers.wang18` for the method as published.
"""

from __future__ import annotations

import numpy as np

from scrapy_mainblock.outline.outline import Outline

SIZE_WEIGHT = 0.02
"""How much the number of segments weighs against a block ([Wang18] has 0.3, and today's pages want
0.01, by descendants: papers/wang18; a segment has some of those)."""


def densest_block(page: Outline) -> int:
    """The block with most of the page's text, fewest of its links and little else; -1 for none."""
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
