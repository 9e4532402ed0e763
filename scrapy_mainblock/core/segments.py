"""A page as a sequence of text segments: what stands between two block boundaries.

A segment is what a reader sees as a paragraph, a heading, a list item, a cell, a line before a
`<br>`. It belongs to the innermost block element around it, and so to all blocks around that. In
document order the segments under a block are a contiguous range, so that whatever is summed over a
block is a difference of two running sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.permalinks import MARKED_TAGS, is_mark
from scrapy_mainblock.core.text import LINE_TAGS, PARAGRAPH_TAGS, UNPRINTED_TAGS, LeftOut, Slot

BLOCK_TAGS = PARAGRAPH_TAGS | LINE_TAGS | {"td", "th", "listing", "plaintext", "xmp", "search"}
"""Elements with a line break before and behind them."""


@dataclass(slots=True)
class Block:
    """A block element, with the segments from `first` up to but not `end` under it."""

    element: HtmlElement
    tag: str
    parent: int
    first: int
    end: int = 0
    images: int = 0
    """Pictures right in it, not in blocks under it."""


@dataclass(slots=True)
class Segments:
    """The segments of a page, in order, and the blocks around them."""

    blocks: list[Block] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """White space folded."""
    block_of: list[int] = field(default_factory=list)
    """The place of each segment's innermost block."""
    link_chars: list[int] = field(default_factory=list)
    """Characters of a segment in links, white space not counted."""
    links: list[int] = field(default_factory=list)
    """Links that begin in a segment."""
    slots: list[list[Slot]] = field(default_factory=list)
    """The pieces of text in the tree that a segment is made of."""

    def __len__(self) -> int:
        return len(self.texts)


def segment(body: HtmlElement) -> Segments:  # noqa: C901, PLR0912, PLR0915 - flat: a hot loop
    """The segments under an element."""
    page = Segments()
    blocks, texts = page.blocks, page.texts
    stack: list[int] = []
    pieces: list[str] = []
    slots: list[Slot] = []
    link_chars = links = in_links = 0
    mark: HtmlElement | None = None
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        tag: Any = element.tag
        is_block = tag in BLOCK_TAGS or element is body
        if is_block and pieces:
            text = " ".join("".join(pieces).split())
            if text:
                texts.append(text)
                page.block_of.append(stack[-1])
                page.link_chars.append(link_chars)
                page.links.append(links)
                page.slots.append(slots)
            pieces, slots = [], []
            link_chars = links = 0
        is_tail = event == "end"
        if is_tail:
            if is_block:
                if tag != "br":
                    blocks[stack.pop()].end = len(texts)
            elif element is mark:
                mark = None
            elif tag == "a" and "href" in element.attrib:
                in_links -= 1
            if not stack:
                break
            piece = element.tail
        else:
            if tag in UNPRINTED_TAGS:
                walk.skip_subtree()
                continue
            if tag in MARKED_TAGS and is_mark(element):
                walk.skip_subtree()
                mark = element
                continue
            if is_block:
                if tag != "br":
                    blocks.append(Block(element, tag, stack[-1] if stack else -1, len(texts)))
                    stack.append(len(blocks) - 1)
            elif tag == "a" and "href" in element.attrib:
                in_links += 1
                links += 1
            elif tag == "img" and stack:
                blocks[stack[-1]].images += 1
            piece = element.text
        if piece:
            pieces.append(piece)
            slots.append(Slot(element, is_tail))
            if in_links:
                link_chars += len("".join(piece.split()))
    return page


def only(page: Segments, places: Sequence[int]) -> Segments:
    """The page as if it had had no other segments than those at `places`, which are in order."""
    before = [0] * (len(page) + 1)
    for place in places:
        before[place + 1] = 1
    for place in range(len(page)):
        before[place + 1] += before[place]
    return Segments(
        [replace(block, first=before[block.first], end=before[block.end]) for block in page.blocks],
        [page.texts[place] for place in places],
        [page.block_of[place] for place in places],
        [page.link_chars[place] for place in places],
        [page.links[place] for place in places],
        [page.slots[place] for place in places],
    )


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
FAR = 2
"""Segments that may be left out between a heading and what it is the heading of: a caption."""

MOST_ORPHANED = 0.5
"""Where headings are more of the text than this, they are what the page has to say: a list of cards
with nothing but names."""


def without_orphans(page: Segments, kept: Sequence[bool]) -> list[bool]:
    """The same without headings of what is left out, like "Read next" above nothing."""
    result = list(kept)
    since_kept = len(result)
    for place in range(len(result) - 1, -1, -1):
        is_heading = page.blocks[page.block_of[place]].tag in HEADINGS
        if result[place] and is_heading and since_kept > FAR:
            result[place] = False
        since_kept = 0 if result[place] else since_kept + 1
    dropped = [place for place, keep in enumerate(kept) if keep and not result[place]]
    if not dropped:
        return result
    text = sum(len(page.texts[place]) for place, keep in enumerate(kept) if keep)
    orphaned = sum(len(page.texts[place]) for place in dropped)
    return list(kept) if orphaned > MOST_ORPHANED * text else result


def left_out(page: Segments, kept: Sequence[bool]) -> LeftOut:
    """What to leave out so that only the `kept` segments are shown."""
    so_far = [0]
    for keep in kept:
        so_far.append(so_far[-1] + bool(keep))
    empty = [so_far[block.end] == so_far[block.first] for block in page.blocks]
    dropped = frozenset(
        block.element
        for block, is_empty in zip(page.blocks, empty, strict=True)
        if is_empty and block.end > block.first and block.parent >= 0 and not empty[block.parent]
    )
    hidden = frozenset(
        slot
        for place, keep in enumerate(kept)
        if not keep and not empty[page.block_of[place]]
        for slot in page.slots[place]
    )
    return LeftOut(dropped, hidden)
