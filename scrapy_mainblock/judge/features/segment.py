"""The features of each text segment of a page: its text, neighbors, position and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from scrapy_mainblock.judge.densest_block import SIZE_WEIGHT
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.likeness import Title, headline_position
from scrapy_mainblock.judge.features.name_groups import NAME_GROUPS
from scrapy_mainblock.judge.features.vocabulary import (
    IS_P,
    NOWHERE,
    TAG_COLUMN,
    TAG_GROUPS,
    TAG_IS,
    TAGS,
)
from scrapy_mainblock.outline.buffers.arrays import doubles, ints, view

LEVELS = 4
"""How many blocks around a segment are described: its own, its parent, and so on."""
NAME_LEVELS = 9
"""How many blocks up a name is searched for; a name farther up counts as none."""
GENERAL_SHARE = 0.4
"""A block with more than this share of the page's text may be the one that holds the body."""
FARTHEST_BEFORE, FARTHEST_BEHIND = -99, 60
MOST_LINKS, MOST_IMAGES = 20, 3

STEPS = (-2, -1, 1, 2)
WIDTHS = (3, 8)
OF_BLOCKS = ("share", "links", "segments", "stops", "per_segment", "paragraphs")


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """Return the names of the rows of `features`; those of `hints.Hints` come first."""
    return (
        *("page_article", "page_forum", "page_product", "page_listing", "page_forum_address"),
        *("page_product_address", "page_list_address", "page_article_address"),
        *("chars", "words", "link_share", "links", "plain", "pauses", "stops", "upper", "digit"),
        *("wide", "word_length", "ends", "date", "copyright", "in_title", "repeated"),
        *(f"{name}{step:+d}" for name in ("chars", "link_share", "ends") for step in STEPS),
        *(f"{name}_within_{width}" for width in WIDTHS for name in ("plain", "link_share")),
        *("place", "text_before", "page_segments", "page_plain", "page_link_share", "in_best"),
        *("after_best_begins", "before_best_ends", "is_headline", "behind_headline"),
        *("behind_headline_share", "depth", "alike", "images", "images_above"),
        *(f"tag_{tag}" for tag in TAGS),
        *TAG_GROUPS,
        *(f"name_{group}" for group in NAME_GROUPS),
        *(f"{name}@{level}" for level in range(1, LEVELS + 1) for name in OF_BLOCKS),
        *("general_share", "general_links", "densest", "densest_share"),
    )


def features(frame: Frame, title: str, hints: Sequence[float], headline: int | None = None) -> Any:
    """Return a row for each of `names`, with a column for each segment.

    `title` is the title that the page gives itself, `hints` are its hints, and `headline` is the
    segment that shows the title: -1 if none does, None if it was not searched for yet.
    """
    title = " ".join(title.split()).lower()
    if headline is None:
        headline = headline_position(frame.folded, frame.page, title, 0, frame.n)
    room = np.zeros((len(names()), frame.n), np.float32)
    log_chars = np.log1p(frame.chars)
    filling = Filling(frame, room, log_chars, headline)
    filling.fill(title, list(map(float, hints)))
    room[_logarithmic()] = np.log1p(room[_logarithmic()])
    return room


@lru_cache(maxsize=1)
def _logarithmic() -> list[int]:
    """Return the rows that hold logarithms, which are computed for all their numbers at once."""
    wanted = ("words", "plain", "plain_within_3", "plain_within_8", "page_segments", "page_plain")
    return [names().index(name) for name in wanted]


class Filling:
    """Writes the rows of `features`, one after the other."""

    def __init__(self, frame: Frame, rows: Any, log_chars: Any, headline: int) -> None:
        self.frame, self.rows, self.row = frame, view(rows), 0
        self.log_chars = view(log_chars)
        self.n, self.m = frame.n, frame.m
        self.headline = headline
        self.best = 0
        self.page_plain = self.page_link = 1.0
        self._make_rows(self.n, self.m)

    def _make_rows(self, n: int, m: int) -> None:
        room = doubles(3 * n + 2 + 5 * m)
        self.link_share, self.plain_before = room[:n], room[n : 2 * n + 1]
        self.link_before = room[2 * n + 1 : 3 * n + 2]
        room = room[3 * n + 2 :]
        self.held_plain, self.held_link = room[:m], room[m : 2 * m]
        self.held_stops, self.in_paragraphs = room[2 * m : 3 * m], room[3 * m : 4 * m]
        self.density = room[4 * m :]
        blocks = ints(3 * m)
        self.depth, self.general = blocks[:m], blocks[m : 2 * m]
        self.densest = blocks[2 * m :]

    def fill(self, title: str, hints: list[float]) -> None:
        """Write all rows."""
        for value in hints:
            self._constant(value)
        self._texts(title)
        self._neighbours()
        self._windows()
        self._blocks()
        self._positions()
        self._own_blocks()
        self._tags()
        self._names()
        self._levels()
        self._best_around()

    def _constant(self, value: float) -> None:
        for one in range(self.n):
            self.rows[self.row, one] = value
        self.row += 1

    # ---- segments ------------------------------------------------------------------------------

    def _texts(self, title: str) -> None:
        """Write what can be counted in each segment itself."""
        frame, rows, row = self.frame, self.rows, self.row
        self._likeness(title, row + 14)
        for one in range(self.n):
            chars, words, link = frame.chars[one], frame.words[one], frame.link[one]
            self.link_share[one] = link / chars
            rows[row, one] = self.log_chars[one]
            rows[row + 1, one] = words
            rows[row + 2, one] = self.link_share[one]
            links = frame.links[one]
            rows[row + 3, one] = links if links < MOST_LINKS else MOST_LINKS
            rows[row + 4, one] = frame.plain[one]
            rows[row + 5, one] = frame.pauses[one] / chars
            rows[row + 6, one] = frame.stops[one] / chars
            rows[row + 7, one] = frame.upper[one] / chars
            rows[row + 8, one] = frame.digit[one] / chars
            rows[row + 9, one] = frame.wide[one] / chars
            rows[row + 10, one] = chars / words
            rows[row + 11, one] = frame.ends[one]
            rows[row + 12, one] = frame.dated[one]
            rows[row + 13, one] = frame.copyright[one]
            rows[row + 15, one] = frame.repeated[one]
        self.row += 16

    def _likeness(self, title: str, row: int) -> None:
        """Write how similar each segment is to the title."""
        frame = self.frame
        octets, starts = frame.folded.octets, frame.folded.starts
        wanted = Title(title)
        for one in range(self.n):
            start, end = starts[one], starts[one + 1]
            self.rows[row, one] = wanted.likeness(octets, start, end, int(frame.sizes[one]))

    def _neighbours(self) -> None:
        ends = self.frame.ends
        row = self.row
        for place in range(4):
            step = place - 2 if place < 2 else place - 1
            for one in range(self.n):
                other = one + step
                if 0 <= other < self.n:
                    self.rows[row + place, one] = self.log_chars[other]
                    self.rows[row + 4 + place, one] = self.link_share[other]
                    self.rows[row + 8 + place, one] = ends[other]
                else:
                    self.rows[row + place, one] = NOWHERE
                    self.rows[row + 4 + place, one] = NOWHERE
                    self.rows[row + 8 + place, one] = NOWHERE
        self.row += 12

    def _windows(self) -> None:
        frame = self.frame
        self.plain_before[0] = self.link_before[0] = 0.0
        for one in range(self.n):
            self.plain_before[one + 1] = self.plain_before[one] + frame.plain[one]
            self.link_before[one + 1] = self.link_before[one] + frame.link[one]
        for width in (WIDTHS[0], WIDTHS[1]):
            for one in range(self.n):
                low, high = max(one - width, 0), min(one + width + 1, self.n)
                text = self.plain_before[high] - self.plain_before[low]
                linked = self.link_before[high] - self.link_before[low]
                self.rows[self.row, one] = text
                self.rows[self.row + 1, one] = linked / (text + linked + 1)
            self.row += 2

    # ---- blocks --------------------------------------------------------------------------------

    def _blocks(self) -> None:
        """Compute what each block holds, and what it inherits from the blocks around it."""
        frame, page, n = self.frame, self.frame.page, self.n
        room = doubles(2 * n + 2)
        stops, paragraphs = room[: n + 1], room[n + 1 :]
        for one in range(n):
            stops[one + 1] = stops[one] + frame.stops[one]
            is_p = TAG_IS[frame.tag[page.segment_block[one]]] & IS_P
            paragraphs[one + 1] = paragraphs[one] + (frame.plain[one] if is_p else 0.0)
        for block in range(self.m):
            first, end = page.block_first[block], page.block_end[block]
            self.held_plain[block] = self.plain_before[end] - self.plain_before[first]
            self.held_link[block] = self.link_before[end] - self.link_before[first]
            self.held_stops[block] = stops[end] - stops[first]
            self.in_paragraphs[block] = paragraphs[end] - paragraphs[first]
        self.page_plain, self.page_link = self.held_plain[0] + 1, self.held_link[0] + 1
        for block in range(self.m):
            plain, link = self.held_plain[block], self.held_link[block]
            segments = page.block_end[block] - page.block_first[block]
            self.density[block] = (
                (plain / self.page_plain)
                * (1 - link / self.page_link)
                * (plain / (1 + plain + link))
                / (1 + SIZE_WEIGHT * segments)
            )
            if self.density[block] > self.density[self.best]:
                self.best = block
            parent = page.block_parent[block]
            if parent < 0:
                self.depth[block] = self.general[block] = self.densest[block] = 0
                continue
            upper = self.densest[parent]
            is_general = plain / self.page_plain > GENERAL_SHARE
            self.depth[block] = self.depth[parent] + 1
            self.general[block] = block if is_general else self.general[parent]
            self.densest[block] = block if self.density[block] > self.density[upper] else upper

    def _positions(self) -> None:
        page, rows, row, n = self.frame.page, self.rows, self.row, self.n
        first, end = page.block_first[self.best], page.block_end[self.best]
        before = 0.0
        share = self.page_link / (self.page_plain + self.page_link)
        for one in range(n):
            plain = self.frame.plain[one]
            before += plain
            rows[row, one] = one / n
            rows[row + 1, one] = (before - plain / 2) / self.page_plain
            rows[row + 2, one] = n
            rows[row + 3, one] = self.page_plain
            rows[row + 4, one] = share
            rows[row + 5, one] = first <= one < end
            rows[row + 6, one] = (one - first) / n
            rows[row + 7, one] = (end - one) / n
            behind = one - self.headline if self.headline >= 0 else FARTHEST_BEFORE
            rows[row + 8, one] = behind == 0
            rows[row + 9, one] = min(max(behind, FARTHEST_BEFORE), FARTHEST_BEHIND)
            rows[row + 10, one] = behind / n if behind > FARTHEST_BEFORE else NOWHERE
        self.row += 11

    def _own_blocks(self) -> None:
        frame, page, rows, row = self.frame, self.frame.page, self.rows, self.row
        for one in range(self.n):
            block = page.segment_block[one]
            rows[row, one] = self.depth[block]
            rows[row + 1, one] = frame.alike[block]
            rows[row + 2, one] = min(page.block_images[block], MOST_IMAGES)
            parent = max(page.block_parent[block], 0)
            rows[row + 3, one] = min(page.block_images[parent], MOST_IMAGES)
        self.row += 4

    def _tags(self) -> None:
        frame, page, rows, row = self.frame, self.frame.page, self.rows, self.row
        count = len(TAGS)
        for one in range(self.n):
            block = page.segment_block[one]
            column = TAG_COLUMN[frame.tag[block]]
            if column >= 0:
                rows[row + column, one] = 1
            bits = frame.tags_around[block]
            group = row + count
            while bits:
                if bits & 1:
                    rows[group, one] = 1
                bits >>= 1
                group += 1
        self.row += count + len(TAG_GROUPS)

    def _names(self) -> None:
        """Write, for each group of names, how many blocks up the nearest such name is."""
        frame, page, rows, row = self.frame, self.frame.page, self.rows, self.row
        groups = len(NAME_GROUPS)
        everything = (1 << groups) - 1
        for one in range(self.n):
            for group in range(groups):
                rows[row + group, one] = NAME_LEVELS
            block = page.segment_block[one]
            seen = 0
            for level in range(NAME_LEVELS):
                if block < 0:
                    break
                bits = frame.names[block] & everything & ~seen
                seen |= bits
                group = row
                while bits:
                    if bits & 1:
                        rows[group, one] = level
                    bits >>= 1
                    group += 1
                block = page.block_parent[block]
        self.row += groups

    def _levels(self) -> None:
        """Write the features of the blocks around a segment, from the inside out."""
        page, rows, row = self.frame.page, self.rows, self.row
        stops = self.held_stops[0] + 1
        room = np.zeros((len(OF_BLOCKS), self.m))
        described = view(room)
        for block in range(self.m):
            plain = self.held_plain[block]
            segments = page.block_end[block] - page.block_first[block]
            if segments:
                described[0, block] = plain / self.page_plain
                described[1, block] = self._link_share(block)
                described[2, block] = segments
                described[3, block] = self.held_stops[block] / stops
                described[4, block] = plain / segments
                described[5, block] = self.in_paragraphs[block] / (plain + 1)
        room[2] = np.log1p(room[2])
        room[4] = np.log1p(room[4])
        for one in range(self.n):
            block = page.segment_block[one]
            for level in range(LEVELS):
                for which in range(6):
                    at = row + 6 * level + which
                    rows[at, one] = described[which, block] if block >= 0 else NOWHERE
                if block >= 0:
                    block = page.block_parent[block]
        self.row += 6 * LEVELS

    def _link_share(self, block: int) -> float:
        return self.held_link[block] / (self.held_plain[block] + self.held_link[block] + 1)

    def _best_around(self) -> None:
        rows, row = self.rows, self.row
        best = self.density[self.best] + 1e-9
        for one in range(self.n):
            block = self.frame.page.segment_block[one]
            general, densest = self.general[block], self.densest[block]
            rows[row, one] = self.held_plain[general] / self.page_plain
            rows[row + 1, one] = self._link_share(general)
            rows[row + 2, one] = self.density[densest] / best
            rows[row + 3, one] = self.held_plain[densest] / self.page_plain
        self.row += 4
