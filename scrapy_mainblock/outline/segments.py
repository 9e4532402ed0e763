"""Finds the blocks and segments of a page on the tape that the scan recorded."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS
from scrapy_mainblock.outline.layout import (
    CLOSE,
    EMPTY,
    LEADING_SPACE,
    LINKED,
    MOST_SEGMENTS,
    OPEN,
    TEXT,
    TRAILING_SPACE,
)
from scrapy_mainblock.outline.marks import (
    LONGEST,
    MOST_NUMBERS,
    MOST_PARTS,
    is_margin,
    is_permalink,
    names_link,
    names_margin,
)
from scrapy_mainblock.outline.rows import Rows

A, BR, IMG, SPAN, TBODY, TD, TR = (CODES[name] for name in "a br img span tbody td tr".split())
NUMBER_SIGN, AMPERSAND, HYPHEN, UNDERSCORE = 0x23, 0x26, 0x2D, 0x5F
MOST_OCTETS = 8 * LONGEST


def find_segments(page: Rows) -> None:
    """Remove the marks of a scanned page, then find its blocks and segments along its tape."""
    leave_out_marks(page)
    _Segmenter(page).run()


class _Segmenter:
    """One walk along the tape, which records each block and segment that it meets."""

    def __init__(self, page: Rows) -> None:
        self.page = page
        self._make_rows(len(page.tag), len(page.text_start))
        self.blocks = self.segments = 0

    def _make_rows(self, blocks: int, segments: int) -> None:
        rows = ints(6 * blocks + 8 * segments)
        self.element, self.parent = rows[:blocks], rows[blocks : 2 * blocks]
        self.first, self.end = rows[2 * blocks : 3 * blocks], rows[3 * blocks : 4 * blocks]
        self.images, self.block_of = rows[4 * blocks : 5 * blocks], rows[5 * blocks : 6 * blocks]
        rows = rows[6 * blocks :]
        self.block, self.at = rows[:segments], rows[segments : 2 * segments]
        self.to, self.chars = rows[2 * segments : 3 * segments], rows[3 * segments : 4 * segments]
        self.length = rows[4 * segments : 5 * segments]
        self.link_chars = rows[5 * segments : 6 * segments]
        self.links, self.text_segment = rows[6 * segments : 7 * segments], rows[7 * segments :]

    def run(self) -> None:
        """Walk along the tape, then set the blocks and segments of the page."""
        page, tape = self.page, self.page.tape
        tags = page.tag
        around = -1  # the innermost open block
        current = -1  # the segment that has begun, -1 after a boundary
        spaced = False
        links = 0  # links begun; one without text counts for the next text
        has_text = False  # since the last boundary, even if only whitespace
        for element in range(len(tags)):
            self.block_of[element] = -1
        for place in range(page.tape_at[page.body], page.tape_end[page.body]):
            event = tape[place]
            kind, number = event & 3, event >> 2
            if kind == TEXT:
                chars, flags = page.text_chars[number], page.text_flags[number]
                if not chars:
                    self.text_segment[number] = current
                    spaced = has_text = True
                    continue
                has_text = True
                if current < 0 and self.segments < MOST_SEGMENTS:
                    current = self.segments
                    self.segments += 1
                    self.block[current] = around
                    self.at[current] = place
                    self.chars[current] = self.length[current] = 0
                    self.link_chars[current] = 0
                    self.links[current] = links
                else:
                    if current < 0:
                        current, spaced = self.segments - 1, True
                    if spaced or flags & LEADING_SPACE:
                        self.length[current] += 1
                self.text_segment[number] = current
                self.to[current] = place + 1
                self.chars[current] += chars
                self.length[current] += chars + page.text_gaps[number]
                spaced = flags & TRAILING_SPACE != 0
                if flags & LINKED:
                    self.link_chars[current] += chars
                continue
            tag = tags[number]
            if FLAGS[tag] & BLOCK:
                if (tag == TBODY or tag == TR) and page.start[number] == page.inner[number]:
                    continue  # implied row or section: the elements around it are boundaries
                current = -1
                spaced = False
                if has_text:
                    links = 0
                    has_text = False
                if kind == CLOSE:
                    around = self._end_block(number)
                elif kind == OPEN or tag != BR:
                    around = self._block(number, around)
                    if kind == EMPTY:
                        around = self._end_block(number)
            elif kind != CLOSE:
                if tag == A:
                    links += page.href_at[number] > 0
                    if current >= 0:
                        self.links[current] = links
                elif tag == IMG:
                    self.images[around] += 1
        self._write()

    def _block(self, element: int, around: int) -> int:
        number = self.blocks
        self.blocks = number + 1
        self.element[number] = element
        self.parent[number] = around
        self.first[number] = self.segments
        self.images[number] = 0
        self.block_of[element] = number
        return number

    def _end_block(self, element: int) -> int:
        """End the block of an element, and return the block around it."""
        number = self.block_of[element]
        self.end[number] = self.segments
        return self.parent[number]

    def _write(self) -> None:
        page, blocks, segments = self.page, self.blocks, self.segments
        page.block_count, page.segment_count = blocks, segments
        page.has_too_many_segments = segments >= MOST_SEGMENTS
        page.block_element, page.block_parent = self.element[:blocks], self.parent[:blocks]
        page.block_first, page.block_end = self.first[:blocks], self.end[:blocks]
        page.block_images, page.block_of = self.images[:blocks], self.block_of
        page.segment_block, page.segment_at = self.block[:segments], self.at[:segments]
        page.segment_to, page.segment_chars = self.to[:segments], self.chars[:segments]
        page.segment_length = self.length[:segments]
        page.segment_link_chars = self.link_chars[:segments]
        page.segment_links = self.links[:segments]
        page.text_segment = self.text_segment


def leave_out_marks(page: Rows) -> None:
    """Remove the marks of a page from its tape: see `marks`."""
    tape, size = page.tape, len(page.tape)
    place = kept = 0
    while place < size:
        event = tape[place]
        kind, number = event & 3, event >> 2
        if kind == OPEN and may_be_mark(page, number) and is_mark(page, number):
            place = page.tape_end[number]
            continue
        if kept < place:
            tape[kept] = event
            if kind != TEXT and kind != CLOSE:
                page.tape_at[number] = kept
        if kind == CLOSE or kind == EMPTY:
            page.tape_end[number] = kept + 1
        kept += 1
        place += 1
    page.tape = tape[:kept]


def may_be_mark(page: Rows, element: int) -> bool:
    """Return whether an element needs the full test of `is_mark`: a quick check."""
    source, tag = page.source, page.tag[element]
    if tag == A:
        first = page.href_at[element]
        if first == page.href_end[element] or source[first] == NUMBER_SIGN:
            return first < page.href_end[element]
        # A mark that leads to another page has "link" or "anchor" in its class.
        if has_link_or_anchor(source, page.class_at[element], page.class_end[element]):
            for at in range(first, page.href_end[element]):
                if source[at] == NUMBER_SIGN:
                    return True
        return False
    if tag != SPAN and tag != TD:
        return False
    begins = True
    for at in range(page.class_at[element], page.class_end[element]):
        octet = source[at]
        # The first letters of linenos, gutter, crayon-nums, mw-editsection.
        if begins and (octet == 0x6C or octet == 0x67 or octet == 0x63 or octet == 0x6D):
            return True
        begins = octet <= 0x20 or octet == HYPHEN or octet == UNDERSCORE
    return False


def has_link_or_anchor(source: bytes, start: int, end: int) -> bool:
    """Return whether a class contains "nk" or "nc", or might once its references are resolved."""
    for at in range(start, end - 1):
        octet = source[at] | 0x20
        if octet == 0x6E and (source[at + 1] | 0x20 == 0x6B or source[at + 1] | 0x20 == 0x63):
            return True
        if source[at] == AMPERSAND or source[at] == 0:
            return True
    return False


def is_mark(page: Rows, element: int) -> bool:
    """Return whether an element is a mark."""
    start, end = page.tape_at[element], page.tape_end[element]
    if page.tag[element] == A and shows_word(page, start, end):
        # Only the class can make it a mark; most links within a page have no such class.
        if not has_link_or_anchor(page.source, page.class_at[element], page.class_end[element]):
            return False
    classes = page.classes(element)
    if page.tag[element] != A:
        return names_margin(classes) and is_margin(classes, page.texts_in(start, end, MOST_NUMBERS))
    has_link_class = names_link(classes)
    if not has_link_class and page.source[page.href_at[element]] != NUMBER_SIGN:
        return False
    if not is_small(page, start, end):
        return False
    text = "".join(page.texts_in(start, end))
    return is_permalink(text, page.address(element) or "", has_link_class)


def shows_word(page: Rows, start: int, end: int) -> bool:
    """Return whether a range of the tape shows an ASCII letter or digit before any reference."""
    for place in range(start, end):
        event = page.tape[place]
        if event & 3 != TEXT:
            continue
        for at in range(page.text_start[event >> 2], page.text_end[event >> 2]):
            octet = page.source[at]
            if octet == AMPERSAND:  # the reference may be a symbol, such as a pilcrow
                return False
            if 0x30 <= octet <= 0x39 or 0x61 <= octet | 0x20 <= 0x7A:
                return True
    return False


def is_small(page: Rows, start: int, end: int) -> bool:
    """Return whether a range of the tape holds whole elements only and is as small as a mark."""
    elements = octets = depth = 0
    for place in range(start, end):
        event = page.tape[place]
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            octets += page.text_end[number] - page.text_start[number]
        else:
            elements += kind != CLOSE
            depth += (kind == OPEN) - (kind == CLOSE)
        if elements > MOST_PARTS or octets > MOST_OCTETS:
            return False
    return depth == 0
