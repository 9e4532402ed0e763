"""Loops over the blocks and the segments of a page that is learned from."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import doubles, hashes, ints, zeros
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.places import Places
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import before_inline, inline_in
from scrapy_mainblock.template.learning.lines.page_lines import PageLines, characters, cut_off
from scrapy_mainblock.template.learning.place_tally import PagePlaces


def is_alone(places: Places, block: int) -> bool:
    """Return whether a block is the only one at its place."""
    place = places.hashes[block]
    for other in range(len(places.hashes)):
        if places.hashes[other] == place and other != block:
            return False
    return True


def blocks_around(places: Places, kept: memoryview[float], share: float, most: int) -> list[int]:
    """Return the smallest block with a `share` of the kept text, and at most `most` around it.

    Each of the blocks is alone at its place, and nearer to the text than the next. `kept` are the
    kept characters of each segment; if there are none, no block is returned.
    """
    rows: Rows = places.page
    so_far = doubles(rows.segment_count + 1)
    for segment in range(rows.segment_count):
        so_far[segment + 1] = so_far[segment] + kept[segment]
    all_kept = so_far[rows.segment_count]
    block = rows.block_count - 1  # ancestors come first, so the last is smallest
    while block > 0 and (
        so_far[rows.block_end[block]] - so_far[rows.block_first[block]] < share * all_kept
        or not is_alone(places, block)
    ):
        block -= 1
    found: list[int] = []
    while all_kept and block >= 0 and len(found) <= most:
        if not found or is_alone(places, block):
            found.append(block)
        block = rows.block_parent[block]
    return found


def with_a_name(rows: Rows, likely: memoryview[float], least: float) -> list[tuple[int, int]]:
    """Return the inline elements with an id or a class in segments at least as likely as `least`.

    Each is given as its segment and its number.
    """
    found: list[tuple[int, int]] = []
    for segment in range(rows.segment_count):
        if likely[segment] >= least:
            start = before_inline(rows, rows.segment_at[segment])
            found += [
                (segment, element)
                for element in inline_in(rows, start, rows.segment_to[segment])
                if rows.id_at[element] or rows.class_at[element]
            ]
    return found


def places_on(
    places: Places, folded: Folded, likely: memoryview[float], headline: int, longest: int
) -> PagePlaces:
    """Return what a page says about its places, in the order of their first segments.

    `likely` are the segments' probabilities. Lines are cut off after `longest` characters.
    """
    segments = SegmentsByPlace(places, folded)
    hashes = segments.hashes()
    found = PagePlaces(hashes, segments.lines(hashes, longest), places, segments.blocks)
    segments.add_to(found, likely, headline)
    return found


class SegmentsByPlace:
    """The segments of a page, grouped by place.

    For each segment, `place_of` has the number of its place, and `chars` its characters. For each
    place, `blocks` has a block that is there, and `segments` the number of its segments.
    """

    def __init__(self, places: Places, folded: Folded) -> None:
        self._places, self._rows, self._folded = places, places.page, folded
        self._make_rows(self._rows.segment_count)
        self.count = self._group()

    def _make_rows(self, count: int) -> None:
        rows = ints(4 * count)
        self.place_of, self.chars = rows[:count], rows[count : 2 * count]
        self.blocks, self.segments = rows[2 * count : 3 * count], rows[3 * count :]

    def _group(self) -> int:
        """Number the places, and return how many there are."""
        rows, starts, octets = self._rows, self._folded.starts, self._folded.octets
        numbers = Numbers(rows.segment_count)
        count = 0
        for segment in range(rows.segment_count):
            block = rows.segment_block[segment]
            at = numbers.number(self._places.hashes[block])
            if at == count:
                self.blocks[at], self.segments[at] = block, 0
                count += 1
            self.place_of[segment] = at
            self.segments[at] += 1
            self.chars[segment] = characters(octets, starts[segment], starts[segment + 1])
        return count

    def hashes(self) -> memoryview[int]:
        """Return the hashes of the places' chains."""
        found = hashes(self.count)
        for at in range(self.count):
            found[at] = self._places.hashes[self.blocks[at]]
        return found

    def lines(self, places: memoryview[int], longest: int) -> PageLines:
        """Return the lines of the places, which are given by their hashes."""
        octets, texts = self._folded.octets, self._folded.starts
        count = len(self.place_of)
        starts, stops, ends, behind = ints(count), ints(count), ints(self.count), ints(self.count)
        line = 0
        for at in range(self.count):
            behind[at] = line
            line += self.segments[at]
            ends[at] = line
        for segment in range(count):
            at = self.place_of[segment]
            line = behind[at]
            behind[at] += 1
            starts[line] = texts[segment]
            stops[line] = cut_off(octets, texts[segment], texts[segment + 1], longest)
        return PageLines(places, octets, starts, stops, ends)

    def add_to(self, found: PagePlaces, likely: memoryview[float], headline: int) -> None:
        """Add the segments to the places of a page, whose numbers are zeros."""
        rows = self._rows
        position = zeros(self.count)
        for segment in range(rows.segment_count):
            at, chars = self.place_of[segment], self.chars[segment]
            found.length[at] += chars
            found.linked[at] += rows.segment_link_chars[segment]
            position[at] += segment
            likelihood = likely[segment]
            found.likely[at] += likelihood * chars
        for at in range(self.count):
            found.likely[at] = found.likely[at] / found.length[at]
            behind, count = position[at], self.segments[at]
            behind -= headline * count
            found.behind[at] = behind / (count * rows.segment_count)
        found.weigh()
