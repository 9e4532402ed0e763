"""The probability that each segment of a page is main content, from the page alone.

It comes from small forests over named features, trained on labeled pages of other sites
(`tools/train_content.py`). The first forest judges each segment by its own features and position
(`features`). Small forests determine the type of the page from that result (`page_type`). The
second forest judges each segment once more, given the type and how the segments around it were
judged (`context`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge import models, page_type
from scrapy_mainblock.judge.content.choice import Floats, expected_f1, likely_segments
from scrapy_mainblock.judge.content.lists import weighed
from scrapy_mainblock.judge.features.context import context
from scrapy_mainblock.judge.features.context import names as context_names
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.segment import features
from scrapy_mainblock.judge.features.segment import names as feature_names
from scrapy_mainblock.judge.hints import Hints, find_hints
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached

LEAST_DOCUMENTATION = 0.05
"""Minimum probability of documentation from which the odds of a page's segments are raised."""
RAISE = 12.0
"""The maximum that is added to the log odds, in natural logarithms."""
MOST_OF_KEPT = 0.8
"""The odds are raised in the smallest block that holds this share of the kept text."""
_ARTICLE, _DOCUMENTATION, _FORUM = map(page_type.TYPES.index, ("article", "documentation", "forum"))


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the models compute for a page."""

    probability: Floats
    """For each segment, the probability that it is main content."""
    types: Floats
    """For each of `page_type.TYPES`, the probability that the page is of that type."""
    sizes: Floats
    """For each segment, its number of characters."""

    @cached
    def page_type(self) -> page_type.PageType:
        """The type of the page."""
        return page_type.likeliest(self.types) if len(self.sizes) else "empty"

    @property
    def documentation(self) -> float:
        """The probability that the page belongs to a manual."""
        return float(self.types[_DOCUMENTATION])

    @property
    def forum(self) -> float:
        """The probability that the page belongs to a forum."""
        return float(self.types[_FORUM])

    @property
    def is_article(self) -> bool:
        """Whether the page is more likely an article than of any other type."""
        return bool(self.types.argmax() == _ARTICLE)

    @cached
    def expected(self) -> tuple[float, float]:
        """The greatest expected F1 of any choice of segments, and the cut that gives it."""
        return expected_f1(self.probability, self.sizes)


class FirstLook(NamedTuple):
    """The segments of a page, each judged by itself."""

    frame: Frame
    hints: Hints
    features: npt.NDArray[np.float32]
    """A row for each feature, with a column for each segment."""
    probability: Floats
    """For each segment, the probability that it is main content."""


def first_model() -> Forest:
    """Return the shipped model that judges segments by themselves."""
    return models.forest("content.json", feature_names())


def second_model() -> Forest:
    """Return the shipped model that judges segments again, in their context."""
    return models.forest("context.json", context_names(page_type.TYPES))


def judge(page: Outline, title: str | None = None, headline: int | None = None) -> Judgement:
    """Judge a page without rules; the arguments are those of `first_look`."""
    return judge_again(page, first_look(page, title, headline))


def first_look(page: Outline, title: str | None, headline: int | None) -> FirstLook:
    """Judge each segment of a page by itself.

    `title` is the title that the page gives itself. `headline` is the segment that shows it: -1 if
    none does, None if it was not searched for yet.
    """
    hints = find_hints(page.rows, page.head, page.url, title)
    frame = Frame(page.rows, page.folded, page.text_hashes)
    own = features(frame, hints.title, hints[1:-1], headline)
    return FirstLook(frame, hints, own, first_model().probability(own))


def judge_again(page: Outline, look: FirstLook) -> Judgement:
    """Judge each segment of a page once more, in its context."""
    frame, hints, own, first = look
    if not frame.n:
        return Judgement(np.zeros(0), np.zeros(len(page_type.TYPES)), np.zeros(0))
    sizes = np.asarray(frame.sizes)
    expected = expected_f1(first, sizes)
    types = page_type.shares(page_type.describe(frame, hints, own, first, expected))
    again = context(frame, own, first, expected, types.tolist())
    probability = np.asarray(weighed(frame, second_model().probability(again)))
    return Judgement(raised(page, probability, sizes, types), types, sizes)


def raised(page: Outline, probability: Floats, sizes: Floats, types: Floats) -> Floats:
    """Return the probabilities, raised in the main block of a page of documentation.

    For a manual made by a generator that they have not seen, the models rank the parts of a page
    correctly but underestimate all of them: signatures, cells, examples and linked names do not
    look like an article. So the log odds of the segments in the block around most of what would be
    kept are raised in proportion to the probability of documentation. Other segments keep their
    probability.
    """
    documentation = float(types[_DOCUMENTATION])
    if documentation < LEAST_DOCUMENTATION:
        return probability
    rows = page.rows
    lengths = np.where(likely_segments(probability, sizes), sizes, 0.0)
    so_far = np.concatenate(([0.0], np.cumsum(lengths)))
    first, end = np.asarray(rows.block_first), np.asarray(rows.block_end)
    holding = np.flatnonzero(so_far[end] - so_far[first] >= MOST_OF_KEPT * so_far[-1])
    found: npt.NDArray[np.float64] = probability.copy()
    inside = slice(first[holding[-1]], end[holding[-1]])  # the innermost: ancestors come first
    odds = found[inside] / (1 - found[inside] + 1e-9)
    odds = odds * exp(RAISE * documentation)
    found[inside] = odds / (1 + odds)
    return found
