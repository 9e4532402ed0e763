"""[Bu14] Bu, Zhang, Xia, Wang: An FAR-SW based Approach for Webpage Information Extraction.

Six features of a text line, their fuzzy regions, the sliding window and the scores: equations 1
to 8 with their defaults, as functions of numbers. Fuzzy association rules (FAR) say which lines
are *topical*, a sliding window (SW) makes blocks of them, a score picks the informative ones.

The paper's pictures (figures 3 and 7, the membership functions) are lost in the text at hand;
tables 2 to 4 determine the first of them, for the second see `memberships`. What the paper prints
wrongly is listed in ``docs/papers/bu14.md`` and, as data, in the tests.
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
"""Equations 1 to 3: the weight of the topical region against the other ones."""

SIGNIFICANCE = 0.5
"""Step 4: regions with a membership *below* it are dropped, so this much is enough."""

SUPPORT = 0.5
"""Step 5: a set of items is frequent when its support is *greater than* this."""

PHI = 5
"""Step 7, section 4.2: the length of the sliding window, in lines."""

BLOCK_SCORE = 1.5
"""Section 3.5: a block whose score is greater is informative (half of eq. 4's maximum of 3)."""

THREE_REGIONS = ("Low", "Middle", "High")
TWO_REGIONS = ("Low'", "High'")

REGIONS: dict[Variant, dict[str, tuple[str, ...]]] = {
    "intra-site": dict.fromkeys(FEATURES, THREE_REGIONS),
    "inter-site": {f: TWO_REGIONS if f in "BCE" else THREE_REGIONS for f in FEATURES},
}
"""Figure 3, and section 4.1 with figure 7: over several sites B, C and E have two regions."""

INTER_SITE_RULE = ("A.Middle", "B.High'", "C.High'", "D.High", "E.Low'", "F.Low")
"""Table 9, column 5: the one rule for all sixteen sites."""


class Spread(NamedTuple):
    """MIN, Mean and MAX of a feature, which define its fuzzy regions."""

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
"""Table 3, of the one page in figure 1."""

TABLE_3_LINES = 647
"""N of that page, by equation 3: A.MAX is (299 + N) / 2 = 473 where 299 is the last topical line,
and the last line of the page is no topical one."""


def weighted(topical: Spread, other: Spread, alpha: float = ALPHA) -> Spread:
    """Equations 1 to 3: MIN, Mean and MAX, weighted between topical and other regions."""
    minimum, mean, maximum = (
        alpha * tr + (1 - alpha) * non_tr for tr, non_tr in zip(topical, other, strict=True)
    )
    return Spread(minimum, mean, maximum)


def memberships(value: float, spread: Spread, feature: str, variant: Variant) -> tuple[float, ...]:
    """The membership of a value in each fuzzy region of a feature, in the order of `REGIONS`.

    Figure 3, as table 4 determines it: Low is 1 up to L and falls to 0 at Mean; Middle rises from
    L to Mean and falls to 0 at H; High rises from Mean to H and stays 1. Where L, Mean and H
    coincide (E and F of table 3) the lower region has the value.

    Figure 7 is lost; its two regions join two neighbours of figure 3's, as section 4.1 wants them
    to: sites whose text is one long line and sites of short paragraphs shall both be B.High' and
    C.High', so High' is Middle and High; bodies with and without links shall both be E.Low', so
    Low' is Low and Middle. (Other readings, and what they yield: ``docs/papers/bu14.md``.)
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


def normalised(value: float, greatest: float) -> float:
    """|x| of equation 4, in 0 to 1: a value against the greatest one of its page.

    `Deviates:` on a logarithmic scale. Section 3.2 divides (i / N); as a page's longest line is
    many times as long as its topical lines, divided lengths leave hardly a page whose blocks score
    more than 1.5. Readings tried, and what they yield: ``docs/papers/bu14.md``.
    """
    return math.log1p(value) / math.log1p(greatest) if greatest > 0 else 0.0


def line_score(T: float, O: float, D: float, L: float, I: float) -> float:  # noqa: E741
    """Equation 4, of normalised values: |T| + |O| + |D| - |L| - |I|."""
    return T + O + D - L - I


def block_score(line_scores: Sequence[float]) -> float:
    """Equation 5: the average score of the lines from Start to End, both included.

    Printed as a sum of p_i; the text and the figures on page nydailynews.com (1.67, 0.15 and 0.19
    make 0.67) say Score(p_i).
    """
    return sum(line_scores) / len(line_scores) if line_scores else 0.0


Bag = Counter[Hashable]


def precision(extracted: Bag, gold: Bag) -> float:
    """Equation 6, over bags of tokens.

    `Deviates:` the paper measures a bag by its bytes; a token here counts 1 in every script.
    An empty bag against an empty one is right: 1.
    """
    size = extracted.total()
    return _shared(extracted, gold) / size if size else float(not gold)


def recall(extracted: Bag, gold: Bag) -> float:
    """Equation 7, over bags of tokens: what is precision seen from the gold's side."""
    return precision(gold, extracted)


def f1(precision: float, recall: float) -> float:
    """Equation 8: the harmonic mean, 0 when both are."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _shared(one: Bag, other: Bag) -> int:
    return sum(min(count, other[token]) for token, count in one.items())
