"""Rows: the elements, texts, blocks and segments that a scan of a source finds, as flat arrays."""

from __future__ import annotations

from scrapy_mainblock.outline.html.characters import IN_TAG, LOWER
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS, NAMES
from scrapy_mainblock.outline.layout import OPEN, RAW_TEXT, TEXT

A, RP, RT = CODES["a"], CODES["rp"], CODES["rt"]
QUOTE, APOSTROPHE, EQUALS_SIGN, GREATER_THAN = 0x22, 0x27, 0x3D, 0x3E


class Rows:
    """The elements, texts, blocks and segments of a page, with one array for each property.

    *Elements*, in source order: `tag` (a code of `tags`), `parent`, the offsets in the source where
    the start tag begins (`start`) and where the content begins (`inner`) and ends (`end`), the
    values of id, class and href (from `id_at` to `id_end`; both 0 if it has none), and its range of
    the tape from `tape_at` to `tape_end` (-1 for an invisible element).

    *Texts*, each between two tags: the range from `text_start` to `text_end` in the source, the
    element around it (`text_owner`), flags, non-whitespace characters (`text_chars`), gaps between
    words, and the segment that the text is a part of (-1 for whitespace between blocks).

    The *tape* lists what a reader sees, in reading order: see `layout.OPEN`.

    *Blocks*, the elements with a line break before and after them: the element (`block_element`),
    the number of the block around it (`block_parent`, -1 for the body), the segments under it from
    `block_first` to `block_end`, and the number of images directly in it.

    *Segments*, the lines of text between two block boundaries, which readers see as paragraphs,
    items and cells: the innermost block (`segment_block`), the range of the tape from `segment_at`
    to `segment_to`, non-whitespace characters (`segment_chars`), characters with single spaces
    between words (`segment_length`), non-whitespace characters in links, and links that begin in
    it. The segments under a block form a range, so a sum over them is a difference of two prefix
    sums.
    """

    source: bytes
    body: int
    head: int
    is_full: bool
    has_too_many_segments: bool
    button_content: int
    noscript_content: int
    item_types: list[tuple[int, int]]
    properties: list[tuple[int, int]]
    element_count: int
    tag: memoryview[int]
    parent: memoryview[int]
    start: memoryview[int]
    inner: memoryview[int]
    end: memoryview[int]
    id_at: memoryview[int]
    id_end: memoryview[int]
    class_at: memoryview[int]
    class_end: memoryview[int]
    href_at: memoryview[int]
    href_end: memoryview[int]
    tape_at: memoryview[int]
    tape_end: memoryview[int]
    text_start: memoryview[int]
    text_end: memoryview[int]
    text_owner: memoryview[int]
    text_flags: memoryview[int]
    text_chars: memoryview[int]
    text_gaps: memoryview[int]
    text_segment: memoryview[int]
    tape: memoryview[int]
    block_count: int
    block_element: memoryview[int]
    block_parent: memoryview[int]
    block_first: memoryview[int]
    block_end: memoryview[int]
    block_images: memoryview[int]
    block_of: memoryview[int]
    segment_count: int
    segment_block: memoryview[int]
    segment_at: memoryview[int]
    segment_to: memoryview[int]
    segment_chars: memoryview[int]
    segment_length: memoryview[int]
    segment_link_chars: memoryview[int]
    segment_links: memoryview[int]

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.element_count = self.block_count = self.segment_count = 0

    def name(self, element: int) -> str:
        """Return the tag name of an element."""
        code = self.tag[element]
        if code:
            return NAMES[code]
        source, at = self.source, self.start[element] + 1
        end = at
        while source[end] not in b"\t\n\f\r />":
            end += 1
        return source[at:end].decode("utf-8", "replace").lower()

    def identifier(self, element: int) -> str:
        """Return an element's id; empty if it has none."""
        return decoded(self.source[self.id_at[element] : self.id_end[element]], True)

    def classes(self, element: int) -> str:
        """Return an element's class; empty if it has none."""
        return decoded(self.source[self.class_at[element] : self.class_end[element]], True)

    def address(self, element: int) -> str | None:
        """Return an element's href, or None."""
        at = self.href_at[element]
        return decoded(self.source[at : self.href_end[element]], True) if at else None

    def value(self, start: int, end: int) -> str:
        """Return the attribute value at a range of the source."""
        return decoded(self.source[start:end], True)

    def element_at(self, at: int) -> int:
        """Return the element whose start tag contains an offset of the source, or -1."""
        low, high = 0, len(self.start)
        while low < high:
            middle = (low + high) // 2
            if self.start[middle] <= at:
                low = middle + 1
            else:
                high = middle
        return low - 1 if low and at < self.inner[low - 1] else -1

    def attribute(self, element: int, name: bytes) -> str | None:
        """Return an attribute of an element by its name in lower case, or None."""
        source, size = self.source, self.inner[element]
        at = self.start[element] + 1
        while at < size and not IN_TAG[source[at]]:
            at += 1
        while at < size:
            octet = source[at]
            if IN_TAG[octet] & 3:
                at += 1
                continue
            start = at
            at += 1
            while at < size and not IN_TAG[source[at]]:
                at += 1
            is_wanted = at - start == len(name) and spells(source, start, name)
            while at < size and IN_TAG[source[at]] == 1:
                at += 1
            value = value_end = at
            if at < size and source[at] == EQUALS_SIGN:
                at += 1
                while at < size and IN_TAG[source[at]] == 1:
                    at += 1
                quote = source[at]
                value = at
                if quote == QUOTE or quote == APOSTROPHE:
                    value = at = at + 1
                    while at < size and source[at] != quote:
                        at += 1
                    value_end = at
                    at += 1
                else:
                    while at < size and IN_TAG[source[at]] != 1 and source[at] != GREATER_THAN:
                        at += 1
                    value_end = at
            if is_wanted:
                return decoded(source[value:value_end], True)
        return None

    def with_tag(self, code: int, most: int = 1_000_000) -> list[int]:
        """Return the first elements with a tag, visible or not."""
        found: list[int] = []
        for element in range(len(self.tag)):
            if self.tag[element] == code:
                found.append(element)
                if len(found) == most:
                    break
        return found

    def content(self, element: int) -> bytes:
        """Return the source of an element's content."""
        return self.source[self.inner[element] : self.end[element]]

    def text(self, number: int) -> str:
        """Return a text with its references resolved."""
        source = self.source[self.text_start[number] : self.text_end[number]]
        if self.text_flags[number] & RAW_TEXT:
            return source.decode("utf-8", "replace")
        return decoded(source)

    def names_around(self, element: int) -> set[str]:
        """Return the tag names of an element's ancestors."""
        found: set[str] = set()
        parent = self.parent[element]
        while parent >= 0:
            found.add(NAMES[self.tag[parent]])
            parent = self.parent[parent]
        return found

    def has_link(self, element: int) -> bool:
        """Return whether there is an ``<a>`` in an element."""
        for place in range(max(self.tape_at[element], 0), self.tape_end[element]):
            event = self.tape[place]
            if event & 3 == OPEN and self.tag[event >> 2] == A:
                return True
        return False

    def line_of(self, element: int, most: int) -> str:
        """Return the text of an element as one line; empty if it is longer than `most`.

        The pronunciation above a word (``<rt>``) is left out.
        """
        pieces: list[str] = []
        octets = 0
        behind = -1
        for place in range(max(self.tape_at[element], 0), self.tape_end[element]):
            event = self.tape[place]
            number = event >> 2
            if place < behind:
                continue
            if event & 3 == TEXT:
                start, end = self.text_start[number], self.text_end[number]
                octets += end - start
                if octets > 8 * most:
                    return ""
                pieces.append(self.text(number))
            elif FLAGS[self.tag[number]] & BLOCK:
                pieces.append(" ")
            elif self.tag[number] == RT or self.tag[number] == RP:
                behind = self.tape_end[number]
        line = "".join(pieces)
        return line if len(line.strip()) <= most else ""

    def source_of(self, segment: int) -> tuple[int, int]:
        """Return the range of the source from the first to the last text of a segment."""
        first = self.tape[self.segment_at[segment]] >> 2
        last = self.tape[self.segment_to[segment] - 1] >> 2
        return self.text_start[first], self.text_end[last]

    def texts_in(self, start: int, end: int, most: int = 1_000_000) -> list[str]:
        """Return the first `most` texts in a range of the tape, with all their whitespace."""
        found: list[str] = []
        for place in range(start, end):
            event = self.tape[place]
            if event & 3 == TEXT and len(found) < most:
                text = event >> 2
                found.append(self.text(text))
        return found


def spells(source: bytes, at: int, name: bytes) -> bool:
    """Return whether a lower-case name stands at an offset, ignoring case."""
    for place in range(len(name)):
        if LOWER[source[at + place]] != name[place]:
            return False
    return True
