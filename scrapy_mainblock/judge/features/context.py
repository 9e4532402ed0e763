"""The features of a segment in context: how the segments around it were judged at first.

A segment is first judged by its own features (`segment`), and then once more by how others were
judged: its neighbors, those in the blocks around it, under the same heading, and at the same place
of the page's pattern (the titles of all cards of a list); and by the type of the page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from scrapy_mainblock.judge.features import segment
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.name_groups import NAME_GROUPS
from scrapy_mainblock.judge.features.vocabulary import IS_HEADING, NOWHERE, TAG_GROUPS, TAG_IS
from scrapy_mainblock.outline.buffers.arrays import doubles, ints, view
from scrapy_mainblock.outline.buffers.hashing import Numbers, mixed

STEPS = (-3, -2, -1, 1, 2, 3)
WIDTHS = (4, 12)
LEVELS = 6
PATTERN_LEVELS = 4
"""Segments are alike if this many blocks around them have the same tags and classes."""
OWN = (
    *(f"name_{group}" for group in NAME_GROUPS),
    *TAG_GROUPS,
    *("tag_p", "tag_li", "chars", "link_share", "date", "repeated", "ends", "alike", "in_best"),
    *("general_share", "densest_share", "is_headline", "behind_headline_share", "images_above"),
)
"""The features of a segment that are used again: those that mean one thing on pages of one type and
something else on others, such as the name "comment"."""
LEAST = 0.003
"""Probabilities are clipped to this and to 1 minus this."""
OUTSIDE = -9.0


@lru_cache(maxsize=4)
def names(types: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the rows of `context`."""
    return (
        "odds",
        *(f"odds{step:+d}" for step in STEPS),
        *(f"content_within_{width}" for width in WIDTHS),
        *("content_before", "page_content", "page_content_share", "page_expected_f1", "page_cut"),
        "page_surest",
        *(
            f"{name}@{level}"
            for level in range(1, LEVELS + 1)
            for name in ("content_share", "content")
        ),
        *("section_content", "section_content_share", "section_begins"),
        *("alike_content", "alike_segments", "alike_content_share"),
        *(f"page_is_{kind}" for kind in types),
        "size",
        *OWN,
    )


@lru_cache(maxsize=1)
def _own_rows() -> list[int]:
    return [segment.names().index(name) for name in OWN]


def context(
    frame: Frame,
    own: Any,
    first: Any,
    expected: tuple[float, float],
    types: Sequence[float],
) -> Any:
    """Return a row for each of `names`, with a column for each segment.

    `own` are the features of the segments, `first` the first probability of each segment,
    `expected` the greatest expected F1 and its cut, and `types` the probability of each type of
    page.
    """
    described = 1 + len(STEPS) + len(WIDTHS) + 6 + 2 * LEVELS + 6 + len(types) + 1
    room = np.empty((described + len(OWN), frame.n), np.float32)
    np.take(own, _own_rows(), axis=0, out=room[described:], mode="clip")  # "raise" would copy twice
    Filling(frame, room, first).fill(expected[0], expected[1], list(types))
    logarithmic = [described - 1, described - 3 - len(types)]  # size, alike_segments
    room[logarithmic] = np.log1p(room[logarithmic])
    return room


class Filling:
    """Writes the rows of `context`, one after the other."""

    def __init__(self, frame: Frame, rows: Any, first: Any) -> None:
        self.frame, self.rows, self.row = frame, view(rows), 0
        self.first = view(first)
        self.n = frame.n
        self.all_content = 1e-9
        self._make_rows(self.n)

    def _make_rows(self, n: int) -> None:
        room = doubles(3 * n + 2)
        self.content, self.text = room[: n + 1], room[n + 1 : 2 * n + 2]
        self.odds = room[2 * n + 2 :]

    def fill(self, expected: float, cut: float, types: list[float]) -> None:
        """Write all rows except the segment's own features."""
        surest = 0.0
        for one in range(self.n):
            likely = self.first[one]
            bounded = min(max(likely, LEAST), 1 - LEAST)
            self.odds[one] = math.log(bounded / (1 - bounded))
            size = self.frame.sizes[one]
            self.content[one + 1] = self.content[one] + likely * size
            self.text[one + 1] = self.text[one] + size
            surest = max(surest, likely)
        self.all_content = self.content[self.n] + 1e-9
        self._neighbours()
        self._windows()
        self._constant(math.log1p(self.content[self.n]))
        self._constant(self.content[self.n] / (self.text[self.n] + 1e-9))
        self._constant(expected)
        self._constant(cut)
        self._constant(surest)
        self._containers()
        self._sections()
        self._alike()
        for share in types:
            self._constant(share)
        for one in range(self.n):
            self.rows[self.row, one] = self.frame.sizes[one]

    def _constant(self, value: float) -> None:
        for one in range(self.n):
            self.rows[self.row, one] = value
        self.row += 1

    def _neighbours(self) -> None:
        for one in range(self.n):
            self.rows[self.row, one] = self.odds[one]
        self.row += 1
        for place in range(6):
            step = place - 3 if place < 3 else place - 2
            for one in range(self.n):
                other = one + step
                inside = 0 <= other < self.n
                self.rows[self.row, one] = self.odds[other] if inside else OUTSIDE
            self.row += 1

    def _windows(self) -> None:
        for width in (WIDTHS[0], WIDTHS[1]):
            for one in range(self.n):
                low, high = max(one - width, 0), min(one + width + 1, self.n)
                content = self.content[high] - self.content[low]
                text = self.text[high] - self.text[low]
                self.rows[self.row, one] = content / (text + 1e-9)
            self.row += 1
        for one in range(self.n):
            self.rows[self.row, one] = self.content[one] / self.all_content
        self.row += 1

    def _containers(self) -> None:
        """Write how much content the blocks around each segment hold."""
        page, count = self.frame.page, self.frame.m
        room = doubles(2 * count)
        shares, likely = room[:count], room[count:]
        for block in range(count):
            first, end = page.block_first[block], page.block_end[block]
            held = self.content[end] - self.content[first]
            shares[block] = held / self.all_content
            likely[block] = held / (self.text[end] - self.text[first] + 1e-9)
        for one in range(self.n):
            block = page.segment_block[one]
            for level in range(LEVELS):
                row = self.row + 2 * level
                if block >= 0:
                    self.rows[row, one] = shares[block]
                    self.rows[row + 1, one] = likely[block]
                    block = page.block_parent[block]
                else:
                    self.rows[row, one] = self.rows[row + 1, one] = NOWHERE
        self.row += 2 * LEVELS

    def _sections(self) -> None:
        """Write how much content is between a heading and the next, and the heading's log odds."""
        frame, n = self.frame, self.n
        room, section = doubles(3 * n + 3), ints(n)
        content, text, odds = room[: n + 1], room[n + 1 : 2 * n + 2], room[2 * n + 2 :]
        odds[0] = OUTSIDE
        number = 0
        for one in range(n):
            if TAG_IS[frame.tag[frame.page.segment_block[one]]] & IS_HEADING:
                number += 1
                odds[number] = self.odds[one]
            section[one] = number
            size = frame.sizes[one]
            content[number] += self.first[one] * size
            text[number] += size
        for one in range(n):
            number = section[one]
            self.rows[self.row, one] = content[number] / (text[number] + 1e-9)
            self.rows[self.row + 1, one] = content[number] / self.all_content
            self.rows[self.row + 2, one] = odds[number]
        self.row += 3

    def _alike(self) -> None:
        """Write how much content stands at the same place of the page's pattern."""
        frame, page, n = self.frame, self.frame.page, self.n
        room, pattern, patterns = doubles(3 * n), ints(n), Numbers(n)
        content, text, count = room[:n], room[n : 2 * n], room[2 * n :]
        for one in range(n):
            block = page.segment_block[one]
            code = 1
            for _ in range(PATTERN_LEVELS):
                code = mixed(code ^ (frame.kind[block] + 1 if block >= 0 else 0))
                if block >= 0:
                    block = page.block_parent[block]
            number = patterns.number(code)
            pattern[one] = number
            size = frame.sizes[one]
            content[number] += self.first[one] * size
            text[number] += size
            count[number] += 1
        for one in range(n):
            number = pattern[one]
            self.rows[self.row, one] = content[number] / (text[number] + 1e-9)
            self.rows[self.row + 1, one] = count[number]
            self.rows[self.row + 2, one] = content[number] / self.all_content
        self.row += 3
