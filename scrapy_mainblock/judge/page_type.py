"""What kind of page this is.

Two questions. Whether a page is nothing but links ([Wang14]: an index page), which is what
learning has to know of it; and what it is to a reader, which decides what its content is: comments
are noise under an article and the content of a forum. The second is answered by a small forest
over what the segments of the page are like on average, how they were judged at first, and what
head and address say (`hints`); it is trained by `tools/train_content.py`.
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
from scrapy_mainblock.judge.features.summary import STEPS, Summary
from scrapy_mainblock.judge.features.vocabulary import MARKS
from scrapy_mainblock.judge.hints import SIGNS, Hints
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.sums import lengths
from scrapy_mainblock.page.remembered import remembered

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
"""What the forest tells apart. An index is a page of links or of cards, be it news, products or
search results; a service is a page that offers something that is no product in a shop."""
SURE = 0.4
"""A page that is less likely of its likeliest type is something else."""

INDEX_LINK_SHARE = 0.6
"""An index page has more than this share of its text in links ([Wang14]: "various links are spread
over index webpages, but hardly ... pure texts")."""


def by_links(rows: Rows, first: int = 0, end: int | None = None) -> PageType:
    """The type as far as links tell it: an index page, an article (any other), or an empty one.

    With `first` and `end`, of those segments alone.
    """
    chars, linked = lengths(rows, first, rows.segment_count if end is None else end)
    if not chars:
        return "empty"
    return "index" if linked > INDEX_LINK_SHARE * chars else "article"


PROSE_LINK_SHARE = 0.05
"""Up to this share of its text in links, a block is no list of links, whatever its cluster is."""


def by_cluster(rows: Rows, first: int, end: int, shares: Sequence[tuple[str, float]]) -> PageType:
    """The type of a page found by a rule: that of the pages it was learnt from.

    `shares` are how likely they are of each type, the likeliest first. What the page's own block
    (the segments from `first` to `end`) clearly says goes before it: that it is links, or prose.
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
    """The shipped model."""
    return models.forest("pagetype.json", names())


def shares(numbers: Floats) -> Floats:
    """How likely a page is of each of the TYPES."""
    return np.asarray(model().shares(numbers[:, None])[:, 0])


def likeliest(share: Floats) -> PageType:
    """The type to name."""
    shares = share.tolist()
    most = max(shares)
    return TYPES[shares.index(most)] if most >= SURE else "other"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """What the numbers of `describe` are."""
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
) -> Floats:
    """A page as a row of numbers: its segments by count, by text, and by what is likely content.

    `own` are the segments' features.
    """
    sizes = np.asarray(frame.sizes)
    found = Summary(first, sizes, first >= LIKELY)
    n, text, content = frame.n, found.text + 1e-9, found.content + 1e-9
    by_text = sizes / text
    weights = np.empty((n, 3), np.float32)
    weights[:, 0] = 1 / n
    weights[:, 1] = by_text
    weights[:, 2] = by_text * first * (text / content)
    whole = found.text + n - 1 + 100
    averages = (own @ weights).T.ravel()
    others = (
        *(size / text for size in found.text_from),
        *(segments / n for segments in found.segments_from),
        *expected,
        log1p(found.content),
        found.unsure_text / text,
        found.unsure_content / content,
        found.unsure_segments / n,
        found.kept_segments,
        found.kept_runs,
        found.surest,
        log1p(frame.pictures),
        *(1000 * count / whole for count in frame.marks),
        *hints.signs,
    )
    row = np.empty(len(averages) + len(others))  # to join small arrays takes longer
    row[: len(averages)] = averages
    row[len(averages) :] = others
    return row


@remembered(most=64, longest=100)
def named(name: str) -> PageType | None:
    """The type of a label, as labelled sets have it; None where it says nothing."""
    label = {"listing": "index", "collection": "index"}.get(name, name)
    return next((known for known in TYPES if known == label), None)
