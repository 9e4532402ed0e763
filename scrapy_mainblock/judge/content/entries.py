"""Rows of dated entries beside an article: comments below it, teasers of other articles above.

Each entry says when it was written, to the minute. An article has such a line once or twice. If
such lines recur at one place, they and the text between them are entries.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.judge.features.frame import is_digit
from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.places import Places

LEAST_ENTRIES = 3
"""Minimum number of stamps in a row: too many articles have two, their own and a video's."""
LONGEST_STAMP = 80
"""Maximum characters of a line that says when an entry was written, and by whom."""
LEAST_BESIDE = 4
"""Minimum letters and digits beside the time, where a Chinese character counts as two: "1:09" is
the length of a video, and "3:30 - 8:00 pm" are the opening hours of a shop."""
LEAST_ARTICLE = 300
"""Minimum kept characters beside the entries; with fewer, the entries are the page's content."""
COLON, FULL_STOP = 0x3A, 0x2E
TIMED, DATED = 1, 2
"""A time with words beside it, and a time with another number: a day, a year."""


def row_of_entries(
    places: Places, folded: Folded, kept: Any, headline: int, is_article: bool
) -> tuple[int, int]:
    """Return the range of segments from the first entry to the last; (0, 0) if there are none.

    `headline` is the segment that shows the headline, or -1. Entries above it are beside the
    article, whatever type the page seems to have. Entries below it need dates, and the page has to
    be an article: the parts of a transcript or of a program have times, too.
    """
    entries = Entries(places, folded, kept)
    entries.find(headline, is_article)
    return entries.first, entries.end


class Entries:
    """Finds the row of entries that holds the most kept text of a page."""

    def __init__(self, places: Places, folded: Folded, kept: Any) -> None:
        self.places, self.page, self.folded, self.kept = places, places.page, folded, kept
        self.first = self.end = self.largest_gap = 0

    def find(self, headline: int, is_article: bool) -> None:
        """Set `first` and `end` to the range of the entries, or to 0."""
        count = self.page.segment_count
        stamps, kinds = ints(count), ints(count)
        found = 0
        for one in range(count):
            kind = self._stamp(one)
            if kind:
                stamps[found], kinds[found] = one, kind
                found += 1
        if found < LEAST_ENTRIES:
            return
        last = self._place_with_most(stamps, kinds, found, headline, is_article)
        if last < 0:
            return
        self._take_in(last)
        if last < headline < self.end:
            self.end = headline
        if self._kept_in(0, self.first) + self._kept_in(self.end, count) < LEAST_ARTICLE:
            self.first = self.end = 0

    def _place_with_most(
        self,
        stamps: memoryview[int],
        kinds: memoryview[int],
        count: int,
        headline: int,
        is_article: bool,
    ) -> int:
        """Return the last stamp of the place with the most kept text between its stamps, or -1."""
        page, numbers, room = self.page, Numbers(count), ints(6 * count)
        first, last, before = room[:count], room[count : 2 * count], room[2 * count : 3 * count]
        stamped, dated = room[3 * count : 4 * count], room[4 * count : 5 * count]
        largest_gap = room[5 * count :]
        for number in range(count):
            stamped[number] = dated[number] = largest_gap[number] = 0
        kept = one = most = 0
        best = -1
        for order in range(count):
            stamp = stamps[order]
            kept += self._kept_in(one, stamp)
            one = stamp
            number = numbers.number(self.places.hashes[page.segment_block[stamp]])
            if not stamped[number]:
                first[number], before[number] = stamp, kept
            else:
                largest_gap[number] = max(largest_gap[number], stamp - last[number])
            last[number] = stamp
            stamped[number] += 1
            dated[number] += kinds[order] == DATED
            is_row = stamped[number] >= LEAST_ENTRIES and (
                stamp < headline or (is_article and dated[number] >= LEAST_ENTRIES)
            )
            if is_row and kept - before[number] >= most:
                most, best = kept - before[number], number
        if best < 0:
            return -1
        self.first, self.largest_gap = first[best], largest_gap[best]
        return last[best]

    def _take_in(self, last: int) -> None:
        """Set the range from the beginning of the first entry to the end of the last one.

        An entry is a block that contains a stamp, or a run of paragraphs. Kept segments directly
        before and after the row belong to it, unless there are more of them than between two
        stamps.
        """
        page = self.page
        first = self.first
        above = inside_first = page.segment_block[first]
        while not page.block_first[above] <= first <= last < page.block_end[above]:
            inside_first, above = above, page.block_parent[above]
        inside_last = page.segment_block[last]
        while inside_last != above and page.block_parent[inside_last] != above:
            inside_last = page.block_parent[inside_last]
        if inside_first != above and inside_last != above:
            first, last = page.block_first[inside_first], page.block_end[inside_last] - 1
        self.first, self.end = first, last + 1
        at = first
        while at > 0 and self.kept[at - 1] and first - at <= self.largest_gap:
            at -= 1
        if first - at <= self.largest_gap:
            self.first = at
        at = last + 1
        while at < page.segment_count and self.kept[at] and at - last <= self.largest_gap + 1:
            at += 1
        if at - last <= self.largest_gap + 1:
            self.end = at

    def _kept_in(self, first: int, end: int) -> int:
        """Return the number of kept characters in a range of segments."""
        chars = 0
        for one in range(first, end):
            if self.kept[one]:
                chars += self.page.segment_length[one]
        return chars

    def _stamp(self, segment: int) -> int:
        """Return `TIMED` or `DATED` if a line says when something was written, else 0."""
        if self.page.segment_length[segment] > LONGEST_STAMP:
            return 0
        octets = self.folded.octets
        at, end = self.folded.starts[segment], self.folded.starts[segment + 1]
        letters = digits = 0
        is_timed = False
        while at < end:
            octet = octets[at]
            if 0x30 <= octet <= 0x39:
                behind = behind_time(octets, at, end)
                if behind:
                    is_timed = True
                    at = behind
                    continue
                while is_digit(octets, at, end):
                    digits += 1
                    at += 1
                if at < end and (octets[at] == COLON or octets[at] == FULL_STOP):
                    at += 1  # and what follows is not a time
                    while is_digit(octets, at, end):
                        digits += 1
                        at += 1
                continue
            if octet >= 0xE3:
                letters += 2
            elif 0x61 <= octet | 0x20 <= 0x7A or (octet >= 0xC3 and octet != 0xE2):
                letters += 1
            at += 1
        if not is_timed or letters + digits < LEAST_BESIDE:
            return 0
        return DATED if digits else TIMED


def behind_time(octets: bytes, at: int, end: int) -> int:
    """Return where a time of day that begins at a digit ends, with its seconds; 0 if none does."""
    hours = octets[at] - 0x30
    at += 1
    if is_digit(octets, at, end):
        hours = 10 * hours + octets[at] - 0x30
        at += 1
    if hours > 23 or not is_sixtieth(octets, at, end):
        return 0
    at += 3
    if is_sixtieth(octets, at, end):
        at += 3
    return 0 if is_digit(octets, at, end) else at


def is_sixtieth(octets: bytes, at: int, end: int) -> bool:
    """Return whether a colon and a number of minutes or seconds follow."""
    return (
        at + 2 < end
        and octets[at] == COLON
        and 0x30 <= octets[at + 1] <= 0x35
        and is_digit(octets, at + 2, end)
    )
