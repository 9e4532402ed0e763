"""How likely each segment of a page is main content: a page alone.

Three small forests over named numbers, trained on labelled pages of other sites
(`tools/train_content.py`). The first judges each segment by what it is like and where it stands
(`features`); its result tells the type of the page (`page_type`); the second judges each segment
once more, with the type and with how the segments around it were judged (`context`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

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
"""How likely a page must be documentation for its odds to be raised."""
RAISE = 12.0
"""By how much at most, in natural logarithms."""
MOST_OF_KEPT = 0.8
"""They are raised in the smallest block that holds this share of the kept text."""
_ARTICLE, _DOCUMENTATION, _FORUM = map(page_type.TYPES.index, ("article", "documentation", "forum"))


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the models say of a page."""

    probability: Floats
    """Of each segment, how likely it is main content."""
    types: Floats
    """Of each of `page_type.TYPES`, how likely the page is of it."""
    sizes: Floats
    """Characters of each segment."""

    @cached
    def page_type(self) -> page_type.PageType:
        """What kind of page it is."""
        return page_type.likeliest(self.types) if len(self.sizes) else "empty"

    @property
    def documentation(self) -> float:
        """How likely the page is one of a manual."""
        return float(self.types[_DOCUMENTATION])

    @property
    def forum(self) -> float:
        """How likely the page is a forum's."""
        return float(self.types[_FORUM])

    @property
    def is_article(self) -> bool:
        """Whether the page is more likely an article than of any other type."""
        return int(np.argmax(self.types)) == _ARTICLE

    @cached
    def expected(self) -> tuple[float, float]:
        """The greatest F1 that may be expected of a choice of segments, and the cut it takes."""
        return expected_f1(self.probability, self.sizes)


def first_model() -> Forest:
    """The shipped model that judges segments by themselves."""
    return models.forest("content.json", feature_names())


def second_model() -> Forest:
    """The one that judges them again in their context."""
    return models.forest("context.json", context_names(page_type.TYPES))


def judge(page: Outline, title: str | None = None, headline: int | None = None) -> Judgement:
    """Judge a page alone; `title` is what it calls itself, and `headline` shows it, if known."""
    if not page.rows.segment_count:
        return Judgement(np.zeros(0), np.zeros(len(page_type.TYPES)), np.zeros(0))
    return judge_with(page, find_hints(page.rows, page.head, page.url, title), headline)


def judge_with(page: Outline, hints: Hints, headline: int | None = None) -> Judgement:
    """Judge a page that has segments; `hints` are what it says of itself."""
    frame = Frame(page.rows, page.folded, page.text_hashes)
    sizes = np.asarray(frame.sizes)
    own = features(frame, hints.title, hints[1:-1], headline)
    first = first_model().probability(own)
    expected = expected_f1(first, sizes)
    types = page_type.shares(page_type.describe(frame, hints, own, first, expected))
    again = context(frame, own, first, expected, types.tolist())
    probability = np.asarray(weighed(frame, second_model().probability(again)))
    return Judgement(raised(page, probability, sizes, types), types, sizes)


def raised(page: Outline, probability: Floats, sizes: Floats, types: Floats) -> Floats:
    """Raise the probabilities of documentation where most of its content is.

    The models rank the parts of a manual by an unseen generator correctly, but underestimate all
    of them: signatures, cells, examples and linked names look unlike an article. So in the block
    around most of what would be kept all odds are raised, the more the more the page is like
    documentation; what stands around that block stays as it was.
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
    inside = slice(first[holding[-1]], end[holding[-1]])  # blocks around it come before it
    odds = found[inside] / (1 - found[inside] + 1e-9)
    odds = odds * exp(RAISE * documentation)
    found[inside] = odds / (1 + odds)
    return found
