"""How likely each segment of a page is main content, and which to keep: a page alone.

Three small forests over named numbers, trained on labelled pages of other sites
(`tools/train_content.py`). The first judges each segment by what it is like and where it stands
(`features`); what comes of that tells the type of the page (`pagetype`); the second judges each
segment once more, with the type and with how the segments around it were judged (`context`).
No single threshold is right: on a clear page a segment is kept when it is more likely content than
not; on an unclear one, where keeping too little costs more than keeping too much, the cut with the
greatest expected F1 is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import exp
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core import context, features, pagetype, shipped
from scrapy_mainblock.core.forest import Forest
from scrapy_mainblock.core.hints import Hints
from scrapy_mainblock.core.segments import Block, Segments
from scrapy_mainblock.core.tags import LISTS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CLEAR = 0.8
"""From this expected F1 up a page is clear. Out of 0.6 to 1, tried over sites that the models had
not seen, the one that costs clear pages nothing."""
LIKELY = 0.5
FEW_LINKS = 0.2
LEAST_CELLS = 4
BETWEEN = 2
"""Segments before and behind a list, one of which has to be content: a caption may come between."""
AMONG = 0.9
"""Or this share of the text in the block that it stands in."""
LIFT = 6.0
"""What the odds of a list between content are multiplied by, and of a caption are divided by."""


_DOCUMENTATION = pagetype.TYPES.index("documentation")
LEAST_DOCUMENTATION = 0.05
"""How likely a page must be documentation for its odds to be raised."""
RAISE = 12.0
"""By how much at most, in natural logarithms."""
MOST_OF_KEPT = 0.8
"""The share of what is kept that the block holds in which they are."""
A_MANUAL = 0.1
"""As likely documentation, a page may say things twice."""
LEAST_REPEATED = 30
"""Bytes in UTF-8 of what is else kept once: five words, or ten Chinese characters."""


class Judgement(NamedTuple):
    """What the models say of a page."""

    probability: Floats
    """Of each segment, how likely it is main content."""
    types: Floats
    """Of each of `pagetype.TYPES`, how likely the page is of it."""


def first_model() -> Forest:
    """The shipped model that judges segments by themselves."""
    return shipped.forest("content.json", features.names())


def second_model() -> Forest:
    """The one that judges them again in their context."""
    return shipped.forest("context.json", context.names(pagetype.TYPES))


def judge(page: Segments, hints: Hints) -> Judgement:
    """Judge a page that has segments. `hints` are what it says of itself."""
    frame = features.frame_of(page)
    rows = features.matrix(page, hints, frame)
    sizes = np.array([len(text) for text in page.texts], dtype=float)
    first = first_model().probability(rows)
    expected = expected_f1(first, sizes)
    types = pagetype.shares(pagetype.describe(page, hints, rows, first, expected, frame))
    again = context.matrix(page, rows, sizes, first, expected, types, frame)
    probability = weighed(page, second_model().probability(again), frame)
    return Judgement(raised(page, probability, sizes, types), types)


def raised(page: Segments, probability: Floats, sizes: Floats, types: Floats) -> Floats:
    """The probabilities of documentation, raised where most of its content is.

    What models see wrong in a manual of a generator they have never seen is how likely its parts
    are, not which are likelier: signatures, cells, examples and linked names are all thought too
    unlike an article. So in the block around most of what is kept all odds are raised, the more
    the more the page is like documentation; what stands around that block is as it was.
    """
    documentation = float(types[_DOCUMENTATION])
    if documentation < LEAST_DOCUMENTATION:
        return probability
    lengths = np.where(kept_segments(probability, sizes), sizes, 0.0)
    so_far = np.concatenate(([0.0], np.cumsum(lengths)))
    first = np.array([block.first for block in page.blocks])
    end = np.array([block.end for block in page.blocks])
    holding = np.flatnonzero(so_far[end] - so_far[first] >= MOST_OF_KEPT * so_far[-1])
    found = probability.copy()
    inside = slice(first[holding[-1]], end[holding[-1]])  # blocks around it come before it
    odds = found[inside] / (1 - found[inside] + 1e-9)
    odds = odds * exp(RAISE * documentation)
    found[inside] = odds / (1 + odds)
    return found


NOTHING_TO_JUDGE = Judgement(np.zeros(0), np.zeros(len(pagetype.TYPES)))


def weighed(page: Segments, probability: Floats, frame: Any = None) -> Floats:
    """The probabilities with what is known of some blocks, which the models see line by line.

    Cells and items are short, as menus are: a table or list that stands between two paragraphs of
    an article, with few links, is more likely content than it looks. A table of hardly a cell
    around a picture is a frame, with a caption; and what is called a signature is one.
    `frame` is the page's (`features.frame_of`), where there is one already.
    """
    frame = frame or features.frame_of(page)
    if frame is None:
        return weighed_by_loops(page, probability)
    found = np.empty(len(page))
    frame.weighed(
        np.ascontiguousarray(probability, dtype=float),
        found,
        likely=LIKELY,
        lift=LIFT,
        few_links=FEW_LINKS,
        least_cells=LEAST_CELLS,
        between=BETWEEN,
        among=AMONG,
    )
    return found


def weighed_by_loops(page: Segments, probability: Floats) -> Floats:
    """`weighed` without compiled code: the one to read."""
    odds = probability / (1 - probability + 1e-9)
    sums = _Sums.of(page, probability)
    behind = -1
    for place, block in enumerate(page.blocks):
        first, end = block.first, block.end
        if first == end:
            continue
        if block.tag == "table" and end - first < LEAST_CELLS:
            if _has_pictures(page, place):
                odds[first:end] /= LIFT
        elif block.tag in LISTS:
            if first >= behind and _is_list_of_content(page, probability, sums, block):
                behind = end
                odds[first:end] *= LIFT
        elif features.SIGNATURE.search(block.css_class):
            odds[first:end] /= LIFT
    return odds / (1 + odds)


@dataclass(frozen=True, slots=True)
class _Sums:
    """The characters up to each segment: a page of lists is not added up again for each."""

    text: Ints
    likely: Ints
    linked: Ints

    @classmethod
    def of(cls, page: Segments, probability: Floats) -> _Sums:
        sizes = np.array([0, *map(len, page.texts)], dtype=np.int64)
        linked = np.array([0, *page.link_chars], dtype=np.int64)
        likely = sizes * np.append(False, probability >= LIKELY)
        return cls(np.cumsum(sizes), np.cumsum(likely), np.cumsum(linked))


def _has_pictures(page: Segments, place: int) -> bool:
    end = page.blocks[place].end
    under = takewhile(lambda block: block.first < end, islice(page.blocks, place, None))
    return any(block.images for block in under)


def _is_list_of_content(page: Segments, probability: Floats, sums: _Sums, block: Block) -> bool:
    first, end = block.first, block.end
    if not 0 < first < end < len(page):
        return False
    before = probability[max(first - BETWEEN, 0) : first].max()
    is_between = min(before, probability[end : end + BETWEEN].max()) >= LIKELY
    if not is_between and not _is_among_content(page, sums, block):
        return False
    return bool(_inside(block, sums.linked) <= FEW_LINKS * _inside(block, sums.text))


def _is_among_content(page: Segments, sums: _Sums, block: Block) -> bool:
    """Whether nearly all else in the block around it is content."""
    around = page.blocks[block.parent]
    while around.parent >= 0 and (around.first, around.end) == (block.first, block.end):
        around = page.blocks[around.parent]  # nothing but a frame for it
    content = _inside(around, sums.likely) - _inside(block, sums.likely)
    text = _inside(around, sums.text) - _inside(block, sums.text)
    return content > 0 and content >= AMONG * text


def _inside(block: Block, sums: Ints) -> int:
    return int(sums[block.end] - sums[block.first])


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


def kept_segments(
    probability: Floats, sizes: Floats, best: tuple[float, float] | None = None
) -> npt.NDArray[np.bool_]:
    """Which segments are kept; `best` is the greatest expected F1 and its cut, where known."""
    expected, cut = best or expected_f1(probability, sizes)
    likely = probability >= LIKELY
    if expected > CLEAR and likely.any():
        return np.asarray(likely)
    return np.asarray(probability >= min(LIKELY, cut))


def once(texts: Sequence[str], kept: npt.NDArray[np.bool_], types: Floats) -> npt.NDArray[np.bool_]:
    """The same, with what is said twice kept once, where it is first kept.

    Pages show a text again for another width of screen, and forums quote and pin. Not so in a
    manual: its functions have the same parameters, described alike. And what is said twice in a
    row is meant.
    """
    if types[_DOCUMENTATION] >= A_MANUAL:
        return kept
    found = kept.copy()
    seen: set[str] = set()
    before = ""
    for place in np.flatnonzero(kept).tolist():
        text = texts[place]
        if text == before:
            continue
        before = text
        if len(text) < LEAST_REPEATED and len(text.encode("utf-8", "replace")) < LEAST_REPEATED:
            continue  # a label, or a number in a table
        if text in seen:
            found[place] = False
        seen.add(text)
    return found
