"""Headings and lines that introduce what is left out, like "Read next" above nothing."""

from __future__ import annotations

from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.rows import Rows

FAR = 2
"""Segments that may be left out between a heading and what it is the heading of: a caption."""
LONGEST_INTRODUCTION = 60
"""Characters of a line that says what follows it ("See also:"), at the most."""
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


def orphaned_introductions(rows: Rows, kept: bytearray, first: int) -> list[int]:
    """The kept lines that end in a colon, and are followed by what is left out."""
    found: list[int] = []
    next_kept = 2 * len(kept) + 2
    for place in range(len(kept) - 1, -1, -1):
        if not kept[place]:
            continue
        is_followed = next_kept - place <= FAR + 1 or place == len(kept) - 1
        next_kept = place
        segment = first + place
        if not is_followed and rows.segment_length[segment] <= LONGEST_INTRODUCTION:
            text = "".join(rows.texts_in(rows.segment_at[segment], rows.segment_to[segment]))
            if text.rstrip().endswith((":", "\uff1a")):
                found.append(place)
    return found
