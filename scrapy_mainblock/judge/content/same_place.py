"""Segments at the same place of a page are judged together.

The paragraphs of an article, the posts of a thread, the rows of a specification: a place is mostly
content or mostly not, and what one of its segments looks like by itself (a short answer, a line of
numbers) says less than what they all look like.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.outline.buffers.arrays import doubles, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.places import Places

SHARE_OF_PLACE = 0.8
"""How much the place counts beside the segment itself: .5 gains half as much, .7 and .9 are as
good. Places by tags and all of a class, by parents, or by four blocks around gain less."""


def judged_together(
    probability: Any, sizes: Any, places: Places, share: float = SHARE_OF_PLACE
) -> Any:
    """How likely each segment is content, drawn to the mean of the characters at its place.

    With a `share` of 1 it is that mean.
    """
    page, count = places.page, len(sizes)
    numbers, number_of = Numbers(count), ints(count)
    room = doubles(3 * count)
    likely, text, found = room[:count], room[count : 2 * count], room[2 * count :]
    block = number = -1
    for one in range(count):
        if page.segment_block[one] != block:
            block = page.segment_block[one]
            number = numbers.number(places.hashes[block])
        number_of[one] = number
        likely[number] += probability[one] * sizes[one]
        text[number] += sizes[one]
    for one in range(count):
        number = number_of[one]
        mean = likely[number] / text[number] if text[number] > 0 else probability[one]
        found[one] = probability[one] + share * (mean - probability[one])
    return found
