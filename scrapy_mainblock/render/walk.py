"""The walk along a page's tape that writes the kept content as text and as HTML.

One walk writes both, so that they always hold the same words.
"""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.outline.folding import Folder
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS, KEPT_INLINE
from scrapy_mainblock.outline.layout import (
    CLOSE,
    EMPTY,
    LEADING_SPACE,
    OPEN,
    TEXT,
    TRAILING_SPACE,
)
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.render.embedded import formula, is_formula_script, is_formula_shown, player
from scrapy_mainblock.render.html import HtmlWriter
from scrapy_mainblock.render.notes import notes
from scrapy_mainblock.render.tables import CELL, FORMULA, PLAYER, WHAT
from scrapy_mainblock.render.text import TextWriter

A, BR, IMG, MATH, SCRIPT, SPAN = (CODES[name] for name in "a br img math script span".split())
NUMBER_SIGN, ZERO, NINE, AMPERSAND, SLASH, LOWER_H, LOWER_T = b"#09&/ht"


class Walk:
    """One walk over an element of the page."""

    def __init__(self, rows: Rows, kept: bytearray, base: str | None) -> None:
        """`kept` says for each segment of the page whether it is kept."""
        self.rows, self.kept = rows, kept
        self.text = TextWriter()
        self.html = HtmlWriter(rows, base)
        self.folder = Folder(rows, 4096)
        self.kept_before = ints(rows.segment_count + 1)
        self.embedded: list[int] = []
        """Videos, sounds and formulas that are still to be written, the next one last."""
        self.has_formulas = False
        self.muted: set[int] = set()
        """Inline elements that are not shown."""

    def run(self, root: int) -> None:
        """Write what is kept of an element."""
        self._count()
        links = self._find_embedded(root)
        self.html.begin(root)
        if links:
            found = notes(self.rows, root, self.kept, links, self.html.base)
            if found.names:
                self.html.lead(found)
        rows = self.rows
        place, end = rows.tape_at[root], rows.tape_end[root]
        while 0 <= place < end:
            event = rows.tape[place]
            kind, number = event & 3, event >> 2
            place += 1
            if self.embedded:
                self._write_embedded(event)
            if kind == TEXT:
                self._text(number)
                continue
            code = rows.tag[number]
            if FLAGS[code] & BLOCK:
                if code == BR:
                    self.text.line_break()
                    self.html.line_break()
                elif rows.block_of[number] < 0:
                    continue  # an implied row or section of a table, without a tag
                elif kind == OPEN:
                    if number != root and self._is_left_out(number):
                        place = rows.tape_end[number]
                        self._pass_embedded(rows.end[number])
                        if WHAT[code] & CELL:
                            self._empty_cell(code, number)
                        elif not self.text.in_pre:  # the texts around it are not one word
                            self.text.space()
                            self.html.blank()
                        continue
                    self.text.block(code, 1)
                    self.html.start(code, number)
                elif kind == CLOSE:
                    self.text.block(code, -1)
                    self.html.end(code, number)
                elif not self._is_left_out(number):
                    self.text.block(code, 1)
                    self.html.start(code, number)
                    self.text.block(code, -1)
                    self.html.end(code, number)
            elif kind == OPEN:
                if (self.muted and number in self.muted) or (
                    code == SPAN and self.has_formulas and is_formula_shown(rows, number)
                ):
                    place = self._behind_muted(number, place)
                elif FLAGS[code] & KEPT_INLINE and (code != A or rows.href_at[number]):
                    self.html.start_inline(code, number)
            elif kind == CLOSE:
                if FLAGS[code] & KEPT_INLINE:
                    self.html.end_inline(number)
            elif code == IMG and kind == EMPTY:
                if not (self.has_formulas and is_formula_shown(rows, number)):
                    self.html.image(number)
        self.html.close()

    def _empty_cell(self, code: int, element: int) -> None:
        """Write a cell without kept content, so that the cells beside it stay where they are."""
        self.text.block(code, 1)
        self.text.block(code, -1)
        self.html.start(code, element)
        self.html.end(code, element)

    def _find_embedded(self, root: int) -> list[int]:
        """Find the players and formulas in an element: the tape holds only what readers see.

        Return the links in the element that lead to a place in a page.
        """
        rows = self.rows
        links: list[int] = []
        self.has_formulas = False
        end = rows.end[root]
        for element in range(root + 1, rows.element_count):
            code = rows.tag[element]
            if WHAT[code] & (PLAYER | FORMULA) and rows.start[element] < end:
                # There are many scripts, but few hold a formula.
                if code == SCRIPT:
                    if not may_be_formula(rows.source, rows.start[element], rows.inner[element]):
                        continue
                    if not is_formula_script(rows, element):
                        continue
                self.embedded.append(element)
                self.has_formulas |= WHAT[code] & FORMULA != 0
            elif code == A and rows.href_at[element] and rows.start[element] < end:
                if names_place(rows.source, rows.href_at[element], rows.href_end[element]):
                    links.append(element)
        self.embedded.reverse()
        return links

    def _pass_embedded(self, end: int) -> None:
        """Skip what is embedded before an offset in the source."""
        while self.embedded and self.rows.start[self.embedded[len(self.embedded) - 1]] < end:
            self.embedded.pop()

    def _write_embedded(self, event: int) -> None:
        """Write what is embedded before an event of the tape."""
        rows, embedded = self.rows, self.embedded
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            reached = rows.text_start[number]
        else:
            reached = rows.end[number] if kind == CLOSE else rows.start[number]
        while embedded and rows.start[embedded[len(embedded) - 1]] < reached:
            element = embedded.pop()
            written = self.folder.written
            written.size = 0
            if WHAT[rows.tag[element]] & FORMULA:
                tex = formula(rows, element).encode()
                if tex:
                    written.write(tex)
                    self.text.put(written, 0, written.size)
                    self.html.formula(tex)
                continue
            found = player(rows, element, self.html.base)
            if found is not None:
                title = found[0].encode()
                written.write(title)
                self.text.put_apart(written)
                self.html.player(title, found[1])

    def _count(self) -> None:
        self.kept_before[0] = 0
        for segment in range(self.rows.segment_count):
            self.kept_before[segment + 1] = self.kept_before[segment] + (self.kept[segment] != 0)

    def _is_left_out(self, element: int) -> bool:
        """Return whether a block has no kept text; one without text counts with its neighbors.

        So a block of pictures is kept next to kept text.
        """
        rows = self.rows
        block = rows.block_of[element]
        first, end = rows.block_first[block], rows.block_end[block]
        if first == end:
            first, end = max(first - 1, 0), min(end + 1, rows.segment_count)
        return self.kept_before[first] == self.kept_before[end]

    def _behind_muted(self, element: int, place: int) -> int:
        """Return where to continue: after a hidden element that is within one line, else in it."""
        rows = self.rows
        depth = 0
        for at in range(rows.tape_at[element], rows.tape_end[element]):
            event = rows.tape[at]
            if event & 3 != TEXT and FLAGS[rows.tag[event >> 2]] & BLOCK:
                return place
            depth += (event & 3 == OPEN) - (event & 3 == CLOSE)
        return place if depth else rows.tape_end[element]

    def _text(self, number: int) -> None:
        rows, folder = self.rows, self.folder
        segment, flags = rows.text_segment[number], rows.text_flags[number]
        if segment >= 0 and not self.kept[segment]:
            return
        if self.text.in_pre:
            self._preformatted(number)
            return
        folder.written.size = 0
        folder.begin()
        if rows.text_chars[number]:
            folder.add(number)
        written = folder.written
        if not written.size:
            self.text.space()
            self.html.blank()
            return
        if flags & LEADING_SPACE:
            self.text.space()
        self.text.put(written, 0, written.size)
        if flags & TRAILING_SPACE:
            self.text.space()
        self.html.text(written, flags & LEADING_SPACE != 0, flags & TRAILING_SPACE != 0)

    def _preformatted(self, number: int) -> None:
        rows, written = self.rows, self.folder.written
        written.size = 0
        source = rows.source[rows.text_start[number] : rows.text_end[number]]
        add_preformatted(written, source)
        is_blank = not rows.text_chars[number]
        self.text.put_preformatted(written, is_blank)
        self.html.preformatted(written, is_blank)


def names_place(source: bytes, start: int, end: int) -> bool:
    """Return whether an address names a place in a page, by a name with a digit."""
    has_digit = False
    for at in range(end - 1, start - 1, -1):
        octet = source[at]
        if octet == NUMBER_SIGN:
            return has_digit
        has_digit |= ZERO <= octet <= NINE
    return False


def may_be_formula(source: bytes, start: int, end: int) -> bool:
    """Return whether the start tag of a script may declare TeX: ``math/tex``, or a reference."""
    for at in range(start + 1, end - 1):
        octet = source[at]
        if octet == AMPERSAND or octet == 0:
            return True
        if octet == SLASH and source[at - 1] | 0x20 == LOWER_H and source[at + 1] | 0x20 == LOWER_T:
            return True
    return False


def add_preformatted(written: Octets, source: bytes) -> None:
    """Add a text with its lines and spaces, but without other control characters."""
    text = decoded(source).replace("\r\n", "\n").replace("\r", "\n")
    for character in text:
        if character >= " " or character == "\n" or character == "\t":
            if not "\x7f" <= character < "\xa0":
                written.character(ord(character))
