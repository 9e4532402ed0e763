"""Loops over the blocks and the segments of a page that is learned from."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import doubles, hashes, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.places import Places
from scrapy_mainblock.outline.rows import Rows

SumsAtPlace = tuple[int, float, int, tuple[str, ...], float, int]
"""A block at the place, and the values of `PlaceSeen`."""


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


def sums_at_places(
    places: Places, texts: list[str], likely: list[float], headline: int, longest: int
) -> list[SumsAtPlace]:
    """Return the sums over the segments at each place, in the order of their first segments.

    `likely` are the segments' probabilities. Lines are cut off after `longest` characters.
    """
    rows: Rows = places.page
    count = rows.segment_count
    numbers, blocks, segments = Numbers(count), ints(count), ints(count)
    length, linked = ints(count), ints(count)
    position, content = hashes(count), doubles(count)
    lines: list[dict[str, None]] = []
    for segment in range(count):
        block = rows.segment_block[segment]
        at = numbers.number(places.hashes[block])
        if at == len(lines):
            lines.append({})
            blocks[at] = block
            segments[at] = length[at] = linked[at] = 0
            position[at] = 0
            content[at] = 0
        text = texts[segment]
        chars = len(text)
        distinct = lines[at]
        distinct[text if chars <= longest else text[:longest]] = None
        segments[at] += 1
        length[at] += chars
        linked[at] += rows.segment_link_chars[segment]
        position[at] += segment
        likelihood = likely[segment]
        content[at] += likelihood * chars
    found: list[SumsAtPlace] = []
    for at in range(len(lines)):
        behind = position[at]
        behind -= headline * segments[at]
        found.append(
            (
                blocks[at],
                content[at] / length[at],
                length[at],
                tuple(lines[at]),
                behind / (segments[at] * count),
                linked[at],
            )
        )
    return found
