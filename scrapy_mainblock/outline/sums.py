"""Counts of characters and texts, summed over the segments of a page."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_mainblock.outline.buffers.arrays import filled, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.layout import TEXT
from scrapy_mainblock.outline.places import Places
from scrapy_mainblock.outline.rows import Rows

KINDS = 16
"""Maximum number of kinds of segments: see `judge.decision.REASONS`."""


def lengths(rows: Rows, first: int, end: int) -> tuple[int, int]:
    """Return the non-whitespace characters of a range of segments, and how many are in links."""
    chars = linked = 0
    for segment in range(first, end):
        chars += rows.segment_chars[segment]
        linked += rows.segment_link_chars[segment]
    return chars, linked


def length_of_kept(rows: Rows, kept: bytes, first: int, end: int) -> tuple[int, int]:
    """Return the characters of a range of segments, and how many of them are kept.

    `kept` holds 1 for each segment of the page that is kept, else 0.
    """
    length = of_kept = 0
    for segment in range(first, end):
        length += rows.segment_length[segment]
        if kept[segment]:
            of_kept += rows.segment_length[segment]
    return length, of_kept


def plain_by(rows: Rows, kinds: bytes, places: Places | None, known: Numbers) -> list[int]:
    """Return the characters outside of links, summed by the kind of the segment.

    With `places`, count only the segments at places that are not `known`.
    """
    found = filled(KINDS, 0)
    for segment in range(rows.segment_count):
        plain = rows.segment_length[segment] - rows.segment_link_chars[segment]
        if plain <= 0:
            continue
        if places is None or known.find(places.hashes[rows.segment_block[segment]]) < 0:
            found[kinds[segment]] += plain
    return [found[kind] for kind in range(KINDS)]


def may_be_equal(rows: Rows, kept: bytes, least: int) -> bool:
    """Return whether two of the kept segments with at least `least` characters may be equal.

    Their texts need not be folded for this: equal texts have equally many characters and spaces.
    """
    seen = Numbers(rows.segment_count)
    count = 0
    for segment in range(rows.segment_count):
        length = rows.segment_length[segment]
        if kept[segment] and length >= least:
            if seen.number(length << 32 | rows.segment_chars[segment]) < count:
                return True
            count += 1
    return False


def kept_texts(rows: Rows, kept: Sequence[int]) -> memoryview[int]:
    """Return how many kept texts come before each position of the tape.

    The count within an element is then a difference of two entries, however deep it is nested.
    """
    size = len(rows.tape)
    before = ints(size + 1)
    before[0] = 0
    for place in range(size):
        event = rows.tape[place]
        count = before[place]
        if event & 3 == TEXT:
            segment = rows.text_segment[event >> 2]
            if segment >= 0 and kept[segment]:
                count += 1
        before[place + 1] = count
    return before
