"""How likely each segment of a page is main content, and which to keep: a page alone.

A small forest over named features (`features.names()`), trained on labelled pages of other sites
(`tools/train_content.py`). No single threshold is right: on a clear page a segment is kept when it
is more likely content than not; on an unclear one, where keeping too little costs more than
keeping too much, the cut with the greatest expected F1 is taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core import features, shipped
from scrapy_mainblock.core.forest import Forest
from scrapy_mainblock.core.hints import Hints
from scrapy_mainblock.core.segments import Segments

Floats = npt.NDArray[np.float64]

CLEAR = 0.6
"""From this expected F1 up a page is clear. Out of 0.6 to 0.9, tried over sites that the model had
not seen, the one that costs clear pages nothing."""
LIKELY = 0.5
LISTS = frozenset({"blockquote", "dl", "ol", "pre", "table", "ul"})
FEW_LINKS = 0.2
LEAST_CELLS = 4
BETWEEN = 2
"""Segments before and behind a list, one of which has to be content: a caption may come between."""
LIFT = 3.0
"""What the odds of a list between content are multiplied by."""


def model() -> Forest:
    """The shipped model."""
    return shipped.forest("content.json", features.names())


def probabilities(page: Segments, hints: Hints) -> Floats:
    """For each segment how likely it is main content. `hints` are what the page says of itself."""
    if not page.texts:
        return np.zeros(0)
    return _with_lifted_lists(page, model().probability(features.matrix(page, hints)))


def _with_lifted_lists(page: Segments, probability: Floats) -> Floats:
    """Tables and lists that stand between content are more likely content than they look.

    Cells and items are short, as menus are, and the model judges them one by one. One between two
    paragraphs of an article, with few links, is the article's own.
    """
    lifted = probability.copy()
    behind = -1
    for block in page.blocks:
        first, end = block.first, block.end
        if block.tag not in LISTS or first < behind or not 0 < first < end < len(page):
            continue
        before = probability[max(first - BETWEEN, 0) : first].max()
        if min(before, probability[end : end + BETWEEN].max()) < LIKELY:
            continue
        if block.tag == "table" and end - first < LEAST_CELLS:
            continue  # a frame around a picture and its caption
        linked = sum(page.link_chars[first:end])
        if linked > FEW_LINKS * sum(map(len, page.texts[first:end])):
            continue
        behind = end
        odds = probability[first:end] / (1 - probability[first:end] + 1e-9) * LIFT
        lifted[first:end] = odds / (1 + odds)
    return lifted


def expected_f1(probability: Floats, sizes: Floats) -> tuple[float, float]:
    """The greatest expected F1 of keeping the most likely segments, and the cut it takes.

    Expected: of kept tokens against content tokens, a segment's tokens counted as content to the
    share of its probability.
    """
    order = np.argsort(-probability, kind="stable")
    likely = np.cumsum((sizes * probability)[order])
    kept = np.cumsum(sizes[order])
    if not len(order) or likely[-1] <= 0:
        return 0.0, LIKELY
    found = 2 * likely / (kept + likely[-1])
    best = int(np.argmax(found))
    return float(found[best]), float(probability[order[best]])


def kept_segments(probability: Floats, sizes: Floats) -> npt.NDArray[np.bool_]:
    """Which segments are kept."""
    expected, cut = expected_f1(probability, sizes)
    likely = probability >= LIKELY
    if expected > CLEAR and likely.any():
        return np.asarray(likely)
    return np.asarray(probability >= min(LIKELY, cut))
