"""Segments at the same place of a page are judged together.

A place holds, for example, the paragraphs of an article, the posts of a thread, or the rows of a
specification. It is mostly content or mostly not, and one of its segments (a short answer, a line
of numbers) tells less than all of them together.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.outline.buffers.arrays import doubles, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.places import Places

SHARE_OF_PLACE = 0.8
"""Weight of the place against the segment itself: .5 gains half as much, .7 and .9 are as good.
Places identified by tags and all classes, by parents, or by four blocks around gain less."""


def judged_together(
    probability: Any, sizes: Any, places: Places, share: float = SHARE_OF_PLACE
) -> Any:
    """Return the segments' probabilities, moved toward the mean over the characters at their place.

    With a `share` of 1, the result is that mean.
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
