"""The type of a page.

There are two questions. Learning has to know whether a page is only links ([Wang14]: an index
page). The second question is what the page is to a reader, which decides what its content is:
comments are noise under an article, and the content of a forum. A small forest answers the second
question from the average features of the segments, their first probabilities, and the hints in the
head and the URL (`hints`). It is trained by `tools/train_content.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log1p
from typing import Literal

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge import models
from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.judge.features import segment
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.summary import NEARLY_NONE, STEPS, Summary
from scrapy_mainblock.judge.features.vocabulary import MARKS
from scrapy_mainblock.judge.hints import SIGNS, Hints
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.sums import lengths
from scrapy_mainblock.page.bounded_cache import bounded_cache

Floats = npt.NDArray[np.float64]

PageType = Literal[
    "article", "documentation", "forum", "index", "product", "service", "other", "empty"
]
TYPES: tuple[PageType, ...] = (
    "article",
    "documentation",
    "forum",
    "index",
    "product",
    "service",
)
"""The classes of the forest. An index is a page of links or of cards, be it news, products or
search results; a service is a page that offers something other than a product in a shop."""
SURE = 0.4
"""If the most likely type of a page is less likely than this, the page is "other"."""

INDEX_LINK_SHARE = 0.6
"""An index page has more than this share of its text in links ([Wang14]: "various links are spread
over index webpages, but hardly ... pure texts")."""


def by_links(rows: Rows, first: int = 0, end: int | None = None) -> PageType:
    """Return the type as far as links determine it: index, article (any other page) or empty.

    With `first` and `end`, only the segments in that range count.
    """
    chars, linked = lengths(rows, first, rows.segment_count if end is None else end)
    if not chars:
        return "empty"
    return "index" if linked > INDEX_LINK_SHARE * chars else "article"


PROSE_LINK_SHARE = 0.05
"""A block with at most this share of its text in links is not a list of links, in any cluster."""


def by_cluster(rows: Rows, first: int, end: int, shares: Sequence[tuple[str, float]]) -> PageType:
    """Return the type of a page found by a rule: that of the pages the rule was learned from.

    `shares` are the probabilities of the types, the most likely first. If the page's own block (the
    segments from `first` to `end`) is clearly links, or clearly prose, that takes precedence.
    """
    told = by_links(rows, first, end)
    kind = named(shares[0][0]) if shares else None
    if told != "article" or kind is None:
        return told
    if kind == "index" or shares[0][1] < SURE:
        chars, linked = lengths(rows, first, end)
        is_prose = linked <= PROSE_LINK_SHARE * chars
        return "article" if is_prose else kind if shares[0][1] >= SURE else "other"
    return kind


def model() -> Forest:
    """Return the shipped model."""
    return models.forest("pagetype.json", names())


def shares(numbers: npt.NDArray[np.float32]) -> Floats:
    """Return the probability that a page is of each of the TYPES."""
    return np.asarray(model().shares(numbers[:, None])[:, 0])


def likeliest(share: Floats) -> PageType:
    """Return the most likely type, or "other" if it is not likely enough."""
    shares = share.tolist()
    most = max(shares)
    return TYPES[shares.index(most)] if most >= SURE else "other"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """Return the names of the features that `describe` returns."""
    return (
        *(f"{of}:{name}" for of in ("segments", "text", "content") for name in segment.names()),
        *(f"text_from_{step}" for step in STEPS),
        *(f"segments_from_{step}" for step in STEPS),
        "expected_f1",
        "cut",
        "content",
        "unsure_text",
        "unsure_content",
        "unsure_segments",
        "kept_segments",
        "kept_runs",
        "surest",
        "pictures",
        *MARKS,
        *SIGNS,
    )


def describe(
    frame: Frame,
    hints: Hints,
    own: npt.NDArray[np.float32],
    first: Floats,
    expected: tuple[float, float],
) -> npt.NDArray[np.float32]:
    """Return a page's features: its segments by count, by text, and by what is likely content.

    `own` are the features of the segments, `first` their first probabilities, and `expected` the
    greatest expected F1 and its cut.
    """
    found = Summary(first, frame.sizes, first >= LIKELY)
    n, text, content = frame.n, found.text + NEARLY_NONE, found.content + NEARLY_NONE
    whole = found.text + n - 1 + 100
    others = [
        *found.distribution(),
        *expected,
        log1p(found.content),
        found.unsure_text / text,
        found.unsure_content / content,
        found.unsure_segments / n,
        found.kept_segments,
        found.kept_runs,
        found.surest,
        log1p(frame.pictures),
        *[1000 * count / whole for count in frame.marks],
        *hints.signs,
    ]
    averaged = 3 * len(own)
    row = np.empty(averaged + len(others), np.float32)
    np.matmul(found.weights(), own.T, out=row[:averaged].reshape(3, len(own)))
    row[averaged:] = others
    return row


@bounded_cache(most=64, longest=100)
def named(name: str) -> PageType | None:
    """Return the type for a label of a labeled data set, or None if the label is not a type."""
    label = {"listing": "index", "collection": "index"}.get(name, name)
    return next((known for known in TYPES if known == label), None)
