"""Finds the places whose lines recur, in one pass over the lines of a cluster."""

from __future__ import annotations

import math
import re

from scrapy_mainblock.outline.buffers.arrays import doubles, filled, zeros
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.template.learning.place_tally import Tally

RECURRING = 0.5
"""A place is template text if at least this share of its distinct lines recurs."""
MOSTLY_RECURRING = 0.7
"""A place is also template text if this share of its lines, counted page by page, recurs."""
LABEL_TAGS = frozenset("dd dt h1 h2 h3 h4 h5 h6 pre table".split())
"""Text in these tags may be content even if it is the same on every page: labels, table values."""
TAG = re.compile(r"[a-z][\w:-]*")
UNKNOWN, NO_LABEL, LABEL = range(3)


def is_label(chain: str) -> bool:
    """Return whether a place may hold labels."""
    last = chain.rpartition(UNDER)[2]
    tag = TAG.match(last)
    return tag is not None and tag[0] in LABEL_TAGS and "[" not in last


class PlacesOfLines:
    """The places of a cluster's lines, each with its chain and its tally, if it has one.

    The lines at a place are given by four arrays: the number of the place, on how many pages the
    line was seen there, the number of the line, which is the same at all its places, and on how
    many pages it was seen anywhere.
    """

    def __init__(self, chains: list[str], tallies: list[Tally | None]) -> None:
        count = len(chains)
        self.chains, self.tallies = chains, tallies
        self._means, self._is_label = doubles(count), filled(count, UNKNOWN)
        self._lines, self._shown, self._repeats = zeros(count), zeros(count), zeros(count)

    def moving(
        self,
        numbers: memoryview[int],
        pages: memoryview[int],
        lines: memoryview[int],
        anywhere: memoryview[int],
        count: int,
    ) -> set[str]:
        """Return the places whose lines recur, given the lines at all places.

        A line is at home where content is surest; there it recurs only if it was seen on several
        pages. A label that most pages of its place have does not move. `count` is the number of
        different lines.
        """
        self._find_means()
        surest = self._surest(numbers, lines, anywhere, count)
        for at in range(len(numbers)):
            place = numbers[at]
            self._repeats[place] += pages[at] - 1
            tally = self.tallies[place]
            if tally is None:
                continue
            is_at_home = anywhere[at] <= 1 or surest[lines[at]] == place
            if pages[at] == 1 and is_at_home:
                continue
            if 2 * pages[at] < tally.pages or not self._may_be_label(place):
                self._lines[place] += 1
                self._shown[place] += pages[at]
        return self._where_enough_recurs()

    def _find_means(self) -> None:
        for place in range(len(self.chains)):
            tally = self.tallies[place]
            self._means[place] = -math.inf if tally is None else tally.odds / tally.pages

    def _surest(
        self,
        numbers: memoryview[int],
        lines: memoryview[int],
        anywhere: memoryview[int],
        count: int,
    ) -> memoryview[int]:
        """Return for each line that was seen again which of its places is most surely content."""
        surest = filled(count, -1)
        for at in range(len(numbers)):
            if anywhere[at] > 1:
                line, place = lines[at], numbers[at]
                if surest[line] < 0 or self._is_surer(place, surest[line]):
                    surest[line] = place
        return surest

    def _is_surer(self, place: int, other: int) -> bool:
        if self._means[place] != self._means[other]:
            return self._means[place] > self._means[other]
        return self.chains[place] > self.chains[other]

    def _may_be_label(self, place: int) -> bool:
        if self._is_label[place] == UNKNOWN:
            self._is_label[place] = LABEL if is_label(self.chains[place]) else NO_LABEL
        return self._is_label[place] == LABEL

    def _where_enough_recurs(self) -> set[str]:
        found: set[str] = set()
        for place in range(len(self.chains)):
            tally = self.tallies[place]
            if tally is None:
                continue
            distinct = tally.lines - self._repeats[place]
            lines, shown = self._lines[place], self._shown[place]
            if lines >= RECURRING * distinct or shown >= MOSTLY_RECURRING * tally.lines:
                found.add(self.chains[place])
        return found
