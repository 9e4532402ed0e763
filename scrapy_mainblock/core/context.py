"""What the first judgement of a page's segments says of each: its neighbours, containers, likes.

A segment is judged by its own features first (`features`), and then once more by how the others
were judged: the ones beside it, in the blocks around it, under the same heading, at the same place
of the page's pattern (the titles of all cards of a list); and by the type of the page.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core import features
from scrapy_mainblock.core.segments import HEADINGS, Segments

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

STEPS = (-3, -2, -1, 1, 2, 3)
WIDTHS = (4, 12)
LEVELS = 6
PATTERN_LEVELS = 4
"""Segments are alike when so many blocks around them have the same tags and classes."""
OWN = (
    *(f"name_{group}" for group in features.NAME_GROUPS),
    *features.TAG_GROUPS,
    *("tag_p", "tag_li", "chars", "link_share", "date", "repeated", "ends", "alike", "in_best"),
    *("general_share", "densest_share", "is_headline", "behind_headline_share", "images_above"),
)
"""What of a segment's own features is asked for again: what means one thing on a page of one type
and another on others, as the name "comment" does."""
LEAST = 0.003
_OUTSIDE = -9.0
_MIX = np.array([1, 1_000_003, 999_983_000_033, 7_919_777_003], dtype=np.int64)


@lru_cache(maxsize=4)
def names(types: tuple[str, ...]) -> tuple[str, ...]:
    """What the columns of `matrix` are."""
    return (
        "odds",
        *(f"odds{step:+d}" for step in STEPS),
        *(f"content_within_{width}" for width in WIDTHS),
        "content_before",
        "page_content",
        "page_content_share",
        "page_expected_f1",
        "page_cut",
        "page_surest",
        *(
            f"{name}@{level}"
            for level in range(1, LEVELS + 1)
            for name in ("content_share", "content")
        ),
        "section_content",
        "section_content_share",
        "section_begins",
        "alike_content",
        "alike_segments",
        "alike_content_share",
        *(f"page_is_{kind}" for kind in types),
        "size",
        *OWN,
    )


@lru_cache(maxsize=1)
def _own_columns() -> Ints:
    return np.array([features.names().index(name) for name in OWN])


def matrix(  # noqa: PLR0913, PLR0917 - all that is known by now
    page: Segments,
    own: npt.NDArray[np.floating],
    sizes: Floats,
    first: Floats,
    expected: tuple[float, float],
    types: Floats,
    frame: Any = None,
) -> npt.NDArray[np.float32]:
    """A row for each segment, in `names()`' columns.

    `own` are the segments' features, `first` is how likely each segment was taken to be content at
    first, `expected` the F1 that was to be expected of that and its cut, `types` how likely the
    page is of each type, `frame` the page's (`features.frame_of`), where there is one already.
    """
    frame = frame or features.frame_of(page)
    if frame is None:
        return matrix_by_numpy(page, own, sizes, first, expected, types)
    columns = np.empty((len(names(())) + len(types), len(sizes)), dtype=np.float32)
    frame.context(
        columns,
        np.ascontiguousarray(own.T, dtype=np.float32),
        _own_columns(),
        np.ascontiguousarray(first, dtype=float),
        expected,
        types.tolist(),
    )
    return columns.T


def matrix_by_numpy(  # noqa: PLR0913, PLR0917
    page: Segments,
    own: npt.NDArray[np.floating],
    sizes: Floats,
    first: Floats,
    expected: tuple[float, float],
    types: Floats,
) -> npt.NDArray[np.float32]:
    """`matrix` without compiled code: the one to read."""
    n = len(sizes)
    bounded = np.clip(first, LEAST, 1 - LEAST)
    odds = np.log(bounded / (1 - bounded))
    reach = max(STEPS)
    padded = np.full(n + 2 * reach, _OUTSIDE)
    padded[reach : reach + n] = odds
    content, text = _running(first * sizes), _running(sizes)
    all_content = content[-1] + 1e-9
    place = np.arange(n)
    columns: list[Floats | float] = [odds]
    columns += [padded[reach + step : reach + step + n] for step in STEPS]
    for width in WIDTHS:
        low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, n)
        columns.append((content[high] - content[low]) / (text[high] - text[low] + 1e-9))
    columns += [
        content[:-1] / all_content,
        float(np.log1p(content[-1])),
        float(content[-1] / (text[-1] + 1e-9)),
        *expected,
        float(first.max()),
    ]
    around = _blocks_around(page)
    columns += _containers(page, around, content, text)
    columns += _sections(page, odds, first * sizes, sizes)
    columns += _alike(page, around, first * sizes, sizes)
    columns += [float(share) for share in types]
    columns.append(np.log1p(sizes))
    rows = np.empty((len(columns) + len(OWN), n), dtype=np.float32)
    for number, column in enumerate(columns):
        rows[number] = column
    rows[len(columns) :] = own[:, _own_columns()].T
    return rows.T


def _running(values: Floats) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)))


def _blocks_around(page: Segments) -> list[Ints]:
    """Each segment's block, the one around that, and so on; -1 where there is none."""
    parents = np.array([*(block.parent for block in page.blocks), -1], dtype=np.int64)
    levels = [np.array(page.block_of, dtype=np.int64)]
    for _ in range(LEVELS - 1):
        levels.append(parents[levels[-1]])
    return levels


def _containers(page: Segments, around: list[Ints], content: Floats, text: Floats) -> list[Floats]:
    first = np.array([block.first for block in page.blocks], dtype=np.int64)
    end = np.array([block.end for block in page.blocks], dtype=np.int64)
    held = content[end] - content[first]
    share = np.append(held / (content[-1] + 1e-9), -1.0)
    likely = np.append(held / (text[end] - text[first] + 1e-9), -1.0)
    return [values[level] for level in around for values in (share, likely)]


def _sections(page: Segments, odds: Floats, content: Floats, sizes: Floats) -> list[Floats]:
    """What stands between a heading and the next, and the heading itself."""
    begins = np.fromiter(
        (page.blocks[block].tag in HEADINGS for block in page.block_of), bool, len(sizes)
    )
    section = np.cumsum(begins)
    held = np.bincount(section, weights=content)
    text = np.bincount(section, weights=sizes)
    heading = np.concatenate(([_OUTSIDE], odds[begins]))
    return [
        (held / (text + 1e-9))[section],
        (held / (content.sum() + 1e-9))[section],
        heading[section],
    ]


def _alike(page: Segments, around: list[Ints], content: Floats, sizes: Floats) -> list[Floats]:
    known: dict[tuple[str, str], int] = {}
    kinds = np.array(
        [
            *(
                known.setdefault((block.tag, block.element.get("class") or ""), len(known))
                for block in page.blocks
            ),
            -1,
        ],
        dtype=np.int64,
    )
    code = np.zeros(len(sizes), dtype=np.int64)
    for level, factor in zip(around[:PATTERN_LEVELS], _MIX, strict=True):
        code += kinds[level] * factor
    _, pattern = np.unique(code, return_inverse=True)
    held = np.bincount(pattern, weights=content)
    text = np.bincount(pattern, weights=sizes)
    count = np.bincount(pattern)
    return [
        (held / (text + 1e-9))[pattern],
        np.log1p(count)[pattern],
        (held / (content.sum() + 1e-9))[pattern],
    ]
