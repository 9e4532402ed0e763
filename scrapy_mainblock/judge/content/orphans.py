"""Headings and introductory lines whose text is left out, such as "Read next" above nothing."""

from __future__ import annotations

from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.rows import Rows

FAR = 2
"""How many segments (a caption) may be left out between a heading and the kept text below it."""
LONGEST_INTRODUCTION = 60
"""Maximum characters of a line that introduces what follows, such as "See also:"."""
MOST_ORPHANED = 0.5
"""If such headings are more than this share of the kept text, they are the page's content: a list
of cards that hold only names."""


def orphaned_headings(rows: Rows, kept: bytearray, first: int) -> list[int]:
    """Return the positions in `kept` of the kept headings that no kept text follows.

    `kept` has a byte for each segment from `first`: 1 if the segment is kept.
    """
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
    """Return the positions in `kept` of lines that end in a colon and introduce dropped text."""
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
