"""Lists, tables and signatures, which the models misjudge because they see only single lines.

Cells and items are short, and so are those of menus. A table or list with few links that stands
between two paragraphs of an article is more likely content than its lines suggest. A table of
hardly any cells around a picture is a frame with a caption, and a block whose class says
"signature" is one; both are less likely content.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.name_groups import SIGNATURE
from scrapy_mainblock.judge.features.vocabulary import IS_LIST, IS_TABLE, TAG_IS
from scrapy_mainblock.outline.buffers.arrays import doubles
from scrapy_mainblock.outline.layout import LEAST_CELLS

FEW_LINKS = 0.2
BETWEEN = 2
"""How many segments before and after a list are looked at; on each side one of them has to be
content, since a caption may come between."""
AMONG = 0.9
"""Alternatively, this share of the other text in the block around the list has to be content."""
LIFT = 6.0
"""Factor for the odds of a list between content; the odds of a caption are divided by it."""


def weighed(frame: Frame, probability: Any) -> Any:
    """Return the segments' probabilities, corrected for the lists that contain them."""
    lists = Lists(frame, probability)
    lists.weigh()
    return lists.odds


class Lists:
    """Running sums over a page's segments, so that a list is not summed up again for each block."""

    def __init__(self, frame: Frame, probability: Any) -> None:
        self.frame, self.probability = frame, probability
        self.n = frame.n
        self.odds = doubles(self.n)
        self._make_rows(self.n)

    def _make_rows(self, n: int) -> None:
        room = doubles(3 * n + 3)
        self.text, self.likely = room[: n + 1], room[n + 1 : 2 * n + 2]
        self.linked = room[2 * n + 2 :]

    def weigh(self) -> None:
        """Adjust the odds of all blocks, and convert the odds to probabilities."""
        self._add_up()
        frame, page = self.frame, self.frame.page
        behind = -1
        for block in range(frame.m):
            first, end = page.block_first[block], page.block_end[block]
            if first == end:
                continue
            what = TAG_IS[frame.tag[block]]
            if what & IS_TABLE and end - first < LEAST_CELLS:
                if self._has_pictures(block, end):
                    self._multiply(first, end, 1 / LIFT)
            elif what & IS_LIST:
                if first >= behind and self._is_content(block, first, end):
                    behind = end
                    self._multiply(first, end, LIFT)
            elif frame.names[block] & SIGNATURE:
                self._multiply(first, end, 1 / LIFT)
        for one in range(self.n):
            self.odds[one] = self.odds[one] / (1 + self.odds[one])

    def _add_up(self) -> None:
        frame, probability = self.frame, self.probability
        for one in range(self.n):
            size, likely = frame.sizes[one], probability[one]
            self.text[one + 1] = self.text[one] + size
            self.likely[one + 1] = self.likely[one] + (size if likely >= LIKELY else 0.0)
            self.linked[one + 1] = self.linked[one] + frame.page.segment_link_chars[one]
            self.odds[one] = likely / (1 - likely + 1e-9)

    def _multiply(self, first: int, end: int, factor: float) -> None:
        for one in range(first, end):
            self.odds[one] *= factor

    def _has_pictures(self, block: int, end: int) -> bool:
        page = self.frame.page
        while block < self.frame.m and page.block_first[block] < end:
            if page.block_images[block]:
                return True
            block += 1
        return False

    def _is_content(self, block: int, first: int, end: int) -> bool:
        """Return whether a list stands between or among content and has few links."""
        if not 0 < first < end < self.n:
            return False
        before = behind = 0.0
        for one in range(max(first - BETWEEN, 0), first):
            before = max(before, self.probability[one])
        for one in range(end, min(end + BETWEEN, self.n)):
            behind = max(behind, self.probability[one])
        if min(before, behind) < LIKELY and not self._is_among_content(block, first, end):
            return False
        linked, text = self.linked[end] - self.linked[first], self.text[end] - self.text[first]
        return linked <= FEW_LINKS * text

    def _is_among_content(self, block: int, first: int, end: int) -> bool:
        """Return whether nearly all other text in the block around a list is content."""
        page = self.frame.page
        around = page.block_parent[block]
        while (
            page.block_parent[around] >= 0
            and page.block_first[around] == first
            and page.block_end[around] == end
        ):
            around = page.block_parent[around]  # it only wraps the list
        start, stop = page.block_first[around], page.block_end[around]
        content = self.likely[stop] - self.likely[start] - (self.likely[end] - self.likely[first])
        text = self.text[stop] - self.text[start] - (self.text[end] - self.text[first])
        return content > 0 and content >= AMONG * text
