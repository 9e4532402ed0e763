"""Headings of what is left out, like "Read next" above nothing."""

from __future__ import annotations

from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.rows import Rows

FAR = 2
"""Segments that may be left out between a heading and what it is the heading of: a caption."""
MOST_ORPHANED = 0.5
"""Where headings are more of the text than this, they are what the page has to say: a list of cards
with nothing but names."""


def orphaned_headings(rows: Rows, kept: bytearray, first: int) -> list[int]:
    """The kept headings that nothing kept follows; `kept` says so of the segments from `first`."""
    found: list[int] = []
    next_kept = 2 * len(kept) + 2
    text = orphaned = 0
    for place in range(len(kept) - 1, -1, -1):
        if not kept[place]:
            continue
        segment = first + place
        length = rows.segment_length[segment]
        text += length
        tag = rows.tag[rows.block_element[rows.segment_block[segment]]]
        if FLAGS[tag] & HEADING and next_kept - place > FAR + 1:
            found.append(place)
            orphaned += length
        else:
            next_kept = place
    return [] if orphaned > MOST_ORPHANED * text else found
