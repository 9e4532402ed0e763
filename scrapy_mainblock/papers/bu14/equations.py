"""[Bu14] Bu, Zhang, Xia, Wang: An FAR-SW based Approach for Webpage Information Extraction.

Six features of a text line, their fuzzy regions, the sliding window and the scores: equations 1
to 8 with their defaults, as functions of numbers. Fuzzy association rules (FAR) decide which lines
are *topical*, a sliding window (SW) groups them into blocks, and a score selects the informative
blocks.

The paper's pictures (figures 3 and 7, the membership functions) are missing from the text at hand.
Tables 2 to 4 determine figure 3; for figure 7 see `memberships`. The errors in the paper are listed
in ``docs/papers/bu14.md`` and, as data, in the tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

Variant = Literal["intra-site", "inter-site"]

FEATURES = ("A", "B", "C", "D", "E", "F")
"""Section 3.2: Index, TextLength, OutputTextLength, Density, LinkNum, ImgNum."""

ALPHA = 0.5
"""Equations 1 to 3: the weight of the topical region relative to the other regions."""

SIGNIFICANCE = 0.5
"""Step 4: regions with a membership *below* it are dropped; a membership equal to it is enough."""

SUPPORT = 0.5
"""Step 5: a set of items is frequent when its support is *greater than* this."""

PHI = 5
"""Step 7, section 4.2: the length of the sliding window, in lines."""

BLOCK_SCORE = 1.5
"""Section 3.5: a block with a greater score is informative (half of eq. 4's maximum of 3)."""

THREE_REGIONS = ("Low", "Middle", "High")
TWO_REGIONS = ("Low'", "High'")

REGIONS: dict[Variant, dict[str, tuple[str, ...]]] = {
    "intra-site": dict.fromkeys(FEATURES, THREE_REGIONS),
    "inter-site": {f: TWO_REGIONS if f in "BCE" else THREE_REGIONS for f in FEATURES},
}
"""Figure 3; section 4.1 and figure 7: across several sites B, C and E have two regions."""

INTER_SITE_RULE = ("A.Middle", "B.High'", "C.High'", "D.High", "E.Low'", "F.Low")
"""Table 9, column 5: the one rule for all sixteen sites."""


class Spread(NamedTuple):
    """MIN, Mean and MAX of a feature, which determine its fuzzy regions."""

    minimum: float
    mean: float
    maximum: float

    @property
    def low(self) -> float:
        """L, figure 3: the average of MIN and Mean."""
        return (self.minimum + self.mean) / 2

    @property
    def high(self) -> float:
        """H, figure 3: the average of Mean and MAX."""
        return (self.mean + self.maximum) / 2


TABLE_3 = {
    "A": Spread(144, 308, 473),
    "B": Spread(81, 210, 1248),
    "C": Spread(62, 137, 653),
    "D": Spread(0.279, 0.552, 0.964),
    "E": Spread(0, 0, 6),
    "F": Spread(0, 0, 1),
}
"""Table 3, for the single page in figure 1."""

TABLE_3_LINES = 647
"""N of that page, from equation 3: A.MAX is (299 + N) / 2 = 473, where 299 is the last topical line
and the last line of the page is not topical."""


def weighted(topical: Spread, other: Spread, alpha: float = ALPHA) -> Spread:
    """Return equations 1 to 3: MIN, Mean and MAX, weighted between topical and other regions."""
    minimum, mean, maximum = (
        alpha * tr + (1 - alpha) * non_tr for tr, non_tr in zip(topical, other, strict=True)
    )
    return Spread(minimum, mean, maximum)


def memberships(value: float, spread: Spread, feature: str, variant: Variant) -> tuple[float, ...]:
    """Return the membership of a value in each fuzzy region of a feature, ordered as in `REGIONS`.

    Figure 3, as table 4 determines it: Low is 1 up to L and falls to 0 at Mean; Middle rises from
    L to Mean and falls to 0 at H; High rises from Mean to H and stays 1. If L, Mean and H coincide
    (E and F of table 3), the value belongs to the lower region.

    Figure 7 is missing. Each of its two regions is read as one region of figure 3 or as the union
    of two adjacent ones, to satisfy section 4.1: sites whose text is one long line and sites with
    short paragraphs must both be B.High' and C.High', so High' is Middle and High; bodies with and
    without links must both be E.Low', so Low' is Low and Middle. (Other readings and their results:
    ``docs/papers/bu14.md``.)
    """
    low, middle, high = _figure_3(value, spread)
    if REGIONS[variant][feature] == THREE_REGIONS:
        return low, middle, high
    return (low + middle, high) if feature == "E" else (low, middle + high)


def _figure_3(value: float, spread: Spread) -> tuple[float, float, float]:
    if value <= spread.low:
        return 1.0, 0.0, 0.0
    if value < spread.mean:
        middle = (value - spread.low) / (spread.mean - spread.low)
        return 1 - middle, middle, 0.0
    if value < spread.high:
        high = (value - spread.mean) / (spread.high - spread.mean)
        return 0.0, 1 - high, high
    return 0.0, 0.0, 1.0


def normalized(value: float, greatest: float) -> float:
    """Return |x| of equation 4, from 0 to 1: a value relative to the greatest value of its page.

    `Deviates:` on a logarithmic scale. Section 3.2 divides (i / N). A page's longest line is many
    times as long as its topical lines, so with division hardly any page has blocks that score more
    than 1.5. Readings that were tried, and their results: ``docs/papers/bu14.md``.
    """
    return math.log1p(value) / math.log1p(greatest) if greatest > 0 else 0.0


def line_score(T: float, O: float, D: float, L: float, I: float) -> float:  # noqa: E741
    """Return equation 4 for normalized values: |T| + |O| + |D| - |L| - |I|."""
    return T + O + D - L - I


def block_score(line_scores: Sequence[float]) -> float:
    """Return equation 5: the average score of the lines from Start to End, both included.

    The paper prints a sum of p_i, but the text and the numbers for the page on nydailynews.com
    (1.67, 0.15 and 0.19 give 0.67) mean Score(p_i).
    """
    return sum(line_scores) / len(line_scores) if line_scores else 0.0


Bag = Counter[Hashable]


def precision(extracted: Bag, gold: Bag) -> float:
    """Return equation 6 over bags of tokens.

    `Deviates:` the paper measures a bag in bytes; here every token counts 1, in every script. If
    both bags are empty, the result is 1.
    """
    size = extracted.total()
    return _shared(extracted, gold) / size if size else float(not gold)


def recall(extracted: Bag, gold: Bag) -> float:
    """Return equation 7 over bags of tokens: the precision with both bags exchanged."""
    return precision(gold, extracted)


def f1(precision: float, recall: float) -> float:
    """Return equation 8: the harmonic mean, or 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _shared(one: Bag, other: Bag) -> int:
    return sum(min(count, other[token]) for token, count in one.items())
