"""Writes a paragraph, heading or cell in Markdown: escaped text, and marks around words.

CommonMark (https://spec.commonmark.org/0.31.2/) takes nearly every punctuation character for markup
in some place. Text is escaped where it might be read as markup, and only there. Marks around words
(``**``, ``_``, ``[`` ...) wait until the next word is known, for three reasons: whitespace goes
outside of them, marks that turn out to hold nothing are never written, and whether ``*`` opens or
closes anything depends on the characters on both its sides (6.2, "flanking"). If these characters
are wrong, as in ``a**«b»**c``, the one outside is written as a reference: ``&#97;``.
"""

from __future__ import annotations

import unicodedata

from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.render.tables import CELL_LINE, EM, HEADING_LINE, LINK, PARAGRAPH_LINE, TAG

NO_GAP, SPACE_GAP, BREAK_GAP, PARTED_GAP = range(4)
"""What waits to be written between two words: a space, the end of a line, the end of a
paragraph."""

WORD, MARK, SYMBOL, BLANK = range(4)
"""The kind of a character beside a mark. Versions of CommonMark differ about symbols."""

LF, SPACE, EXCLAMATION, HASH, AMPERSAND, APOSTROPHE = 0x0A, 0x20, 0x21, 0x23, 0x26, 0x27
OPENING, CLOSING, STAR, PLUS, MINUS, DOT = 0x28, 0x29, 0x2A, 0x2B, 0x2D, 0x2E
COLON, SEMICOLON, LESS, EQUALS, GREATER = 0x3A, 0x3B, 0x3C, 0x3D, 0x3E
LEFT, BACKSLASH, RIGHT, UNDERSCORE, TICK, BAR, TILDE = 0x5B, 0x5C, 0x5D, 0x5F, 0x60, 0x7C, 0x7E
LONGEST_REFERENCE = 40
LONGEST_NUMBER = 9
"""Digits of a list item's number."""
EVERYWHERE, WITHIN = 1, 2
PLAIN = bytes(
    EVERYWHERE if octet >= 0x80 or chr(octet).isalnum() or chr(octet) in "\"$%',/;?@^{}"
    else WITHIN if chr(octet) in "().:+-=>"
    else 0
    for octet in range(256)
)  # fmt: skip
"""For each byte, whether it is never markup, or is markup only at the beginning of a line."""


class Line:
    """The written part of a line, and what waits to be written."""

    def __init__(self) -> None:
        self.out = Octets(1024)
        self.code = Octets(256)
        """Code that is not written yet, open or ended: what follows may belong to it."""
        self.begin(PARAGRAPH_LINE)

    def begin(self, kind: int) -> None:
        """Begin a line."""
        self.kind = kind
        self.out.size = self.code.size = self.line_start = 0
        self.gap = NO_GAP
        self.in_code = self.in_link = 0
        self.open: list[Mark] = []
        self.closing: list[Mark] = []
        self.waiting = 0
        """How many of the open marks, the innermost ones, wait for their first word."""

    def end(self) -> None:
        """End the line: close what is open, drop what waits."""
        self._write_code()
        while self.open:
            self.stop()
        for mark in self.closing:
            self.out.write(mark.closes)
        self.closing = []

    # ---- the content of a line -------------------------------------------------------------------

    def text(self, html: bytes, at: int) -> int:
        """Write the text of clean HTML up to the next tag; return where that begins."""
        size = len(html)
        while at < size:
            octet = html[at]
            if octet == LESS:
                break
            waits = self.gap or self.waiting or self.in_code or self.code.size or self.closing
            if not waits and octet != SPACE:
                start = at
                at = self._plain(html, at)
                if at > start:
                    self.out.extend(html, start, at)
                    continue
            length = 1
            if octet == AMPERSAND:
                length = reference_length(html, at)
                octet = reference_octet(html, at)
            if octet <= SPACE:
                if self.in_code:
                    self.code.put(SPACE)
                else:
                    self.space()
            elif self.in_code:
                self.code.put(octet)
            else:
                if self.code.size:
                    self._write_code()
                if self.gap or self.closing or self.waiting:
                    if self._flush(html, at, octet):
                        at += character_length(octet)
                        continue
                self._put(html, at + length, octet)
            at += length
        return at

    def _plain(self, html: bytes, at: int) -> int:
        """Return the end of the text that can be copied from `at` on, with no look at each byte."""
        size = len(html)
        safe = at + LONGEST_NUMBER + 1 - (self.out.size - self.line_start)
        plain = PLAIN
        while at < size:
            kind = plain[html[at]]
            if kind == EVERYWHERE or (kind == WITHIN and at > safe):
                at += 1
            elif html[at] == SPACE and at + 1 < size and plain[html[at + 1]] == EVERYWHERE:
                at += 2
            else:
                break
        return at

    def space(self) -> None:
        """Handle whitespace."""
        self._write_code()
        self.gap = max(self.gap, SPACE_GAP)

    def line_break(self) -> None:
        """Handle a line break; two in a row end the paragraph."""
        self._write_code()
        if self.kind == HEADING_LINE:
            self.gap = max(self.gap, SPACE_GAP)
        elif self.gap >= BREAK_GAP and self.kind == PARAGRAPH_LINE:
            self.gap = PARTED_GAP
        else:
            self.gap = BREAK_GAP

    def start(self, mark: Mark) -> None:
        """Begin a mark."""
        if self.in_code and mark.kind != LINK:
            self.open.append(Mark(TAG, b"", b""))
            self.waiting += 1
            return
        self._write_code()
        if self.is_open(mark.kind):
            mark = Mark(TAG, b"", b"")
        elif mark.kind < LINK and self.closing and not self.gap and not self.waiting:
            last = self.closing[len(self.closing) - 1]
            if last.kind == mark.kind:  # <b>a</b><b>b</b>
                self.open.append(self.closing.pop())
                return
        self.in_link += mark.kind == LINK
        self.open.append(mark)
        self.waiting += 1

    def stop(self) -> None:
        """End the innermost mark."""
        mark = self.open[len(self.open) - 1]
        if mark.opens or not self.in_code:
            self._write_code()
        self.open.pop()
        self.in_link -= mark.kind == LINK
        if self.waiting:
            self.waiting -= 1
        elif mark.closes:
            self.closing.append(mark)

    def is_open(self, kind: int) -> bool:
        """Return whether a mark of this kind is open; tags may be nested, and do not count."""
        if kind != TAG:
            for mark in self.open:
                if mark.kind == kind:
                    return True
        return False

    def start_code(self) -> None:
        """Begin code. Marks in it are dropped, except links."""
        self.in_code += 1

    def stop_code(self) -> None:
        """End code."""
        self.in_code -= 1

    def picture(self, alt: bytes, address: bytes) -> None:
        """Write a picture; both arguments are values of attributes."""
        self._write_code()
        self._flush(b"", 0, EXCLAMATION)
        out = self.out
        out.write(b"![")
        at, size = 0, len(alt)
        is_begun = is_spaced = False
        while at < size:
            length = 1
            octet = alt[at]
            if octet == AMPERSAND:
                length = reference_length(alt, at)
                octet = reference_octet(alt, at)
            if octet <= SPACE:
                is_spaced = is_begun
            else:
                if is_spaced:
                    out.put(SPACE)
                is_begun, is_spaced = True, False
                if octet == EXCLAMATION or octet == AMPERSAND or is_markup(octet):
                    out.put(BACKSLASH)
                out.put(octet)
            at += length
        out.write(b"](")
        out.write(address)
        out.put(CLOSING)

    # ---- what waits ------------------------------------------------------------------------------

    def _write_code(self) -> None:
        """Write the code that has ended, since no more of it follows."""
        code, out = self.code, self.out
        first, end = 0, code.size
        if not end:
            return
        while first < end and code.data[first] == SPACE:
            first += 1
        while end > first and code.data[end - 1] == SPACE:
            end -= 1
        code_size, code.size = code.size, 0
        if first:
            self.gap = max(self.gap, SPACE_GAP)
        if first == end:
            return
        self._flush(b"", 0, TICK)
        longest = run = 0
        for at in range(first, end):
            run = run + 1 if code.data[at] == TICK else 0
            longest = max(longest, run)
        fence = b"`" * (longest + 1)
        is_padded = code.data[first] == TICK or code.data[end - 1] == TICK
        out.write(fence + b" " if is_padded else fence)
        for at in range(first, end):
            if code.data[at] == BAR and self.kind == CELL_LINE:
                out.put(BACKSLASH)
            out.put(code.data[at])
        out.write(b" " + fence if is_padded else fence)
        if end < code_size:
            self.gap = SPACE_GAP

    def _flush(self, html: bytes, at: int, octet: int) -> bool:
        """Write what waits before a character; return whether that was written, as a reference."""
        out = self.out
        closing, waiting = self.closing, self.waiting
        if not out.size:
            self.gap = NO_GAP
        is_reference = False
        if closing:
            last = closing[len(closing) - 1]
            if last.kind < LINK and not self.gap and not self._opens_something():
                is_reference = self._cannot_close(html, at, octet, len(closing) == 1, last)
            for mark in closing:
                out.write(mark.closes)
            self.closing = []
        if self.gap:
            self._write_gap()
        if waiting:
            self._open_marks(html, at, octet, not (closing or self.gap))
        self.gap = NO_GAP
        if is_reference:
            out.write(b"&#%d;" % ord(character(html, at)))
        return is_reference

    def _opens_something(self) -> bool:
        """Return whether a waiting mark will be written; a mark in its own kind will not."""
        for place in range(len(self.open) - self.waiting, len(self.open)):
            mark = self.open[place]
            if mark.opens:
                return True
        return False

    def _cannot_close(
        self, html: bytes, at: int, octet: int, is_behind_text: bool, mark: Mark
    ) -> bool:
        """Return whether a mark cannot close anything if this character follows."""
        if kind_of(html, at, octet) in (MARK, BLANK):
            return False
        return not is_behind_text or mark.closes[0] == UNDERSCORE or self._kind_of_last() != WORD

    def _open_marks(self, html: bytes, at: int, octet: int, is_behind_text: bool) -> None:
        out, marks = self.out, self.open
        first = len(marks) - self.waiting
        self.waiting = 0
        while first < len(marks):
            mark = marks[first]
            if mark.opens:
                break
            first += 1
        if first == len(marks):
            return
        if is_behind_text and out.size:
            if mark.kind < LINK:
                is_marked = len(marks) - first > 1 or kind_of(html, at, octet) != WORD
                if is_marked and self._kind_of_last() in (WORD, SYMBOL):
                    self._write_last_as_reference()
            elif mark.kind == LINK and out.data[out.size - 1] == EXCLAMATION:
                out.size -= 1
                out.write(b"\\!")
        while first < len(marks):
            mark = marks[first]
            if mark.kind < LINK and out.size and out.data[out.size - 1] == STAR:
                mark.opens = mark.closes = b"_" if mark.kind == EM else b"__"
            out.write(mark.opens)
            first += 1

    def _write_gap(self) -> None:
        """Write what separates two words. No line ends with a space, since two would be a break."""
        out = self.out
        if self.gap == SPACE_GAP:
            out.put(SPACE)
            return
        if self.kind == CELL_LINE:
            out.write(b"<br>")
            return
        is_whole = len(self.open) == self.waiting
        out.write(b"\n\n" if self.gap == PARTED_GAP and is_whole else b"\\\n")
        self.line_start = out.size

    def _kind_of_last(self) -> int:
        """Return the kind of the last character that was written."""
        data, at = self.out.data, self.out.size - 1
        if data[at] < 0x80:
            return MARK if is_ascii_mark(data[at]) else WORD
        while data[at] & 0xC0 == 0x80:
            at -= 1
        return kind_of_character(bytes(data[at : self.out.size]).decode())

    def _write_last_as_reference(self) -> None:
        out = self.out
        at = out.size - 1
        while out.data[at] & 0xC0 == 0x80:
            at -= 1
        last = bytes(out.data[at : out.size]).decode()
        out.size = at
        out.write(b"&#%d;" % ord(last))

    # ---- one character -------------------------------------------------------------------------

    def _put(self, html: bytes, behind: int, octet: int) -> None:
        """Write a byte of text, escaped if it might be markup."""
        out = self.out
        if octet >= 0x80 or not is_ascii_mark(octet):
            out.put(octet)
            return
        is_first = out.size == self.line_start
        following = html[behind] if behind < len(html) else LESS
        escape = False
        if octet == UNDERSCORE:
            before = SPACE if is_first else out.data[out.size - 1]
            escape = not (is_alphanumeric(before) and is_alphanumeric(following))
        elif is_markup(octet):
            escape = True
        elif octet == AMPERSAND:
            escape = begins_reference(html, behind)
        elif octet == HASH:
            escape = is_first or self.kind == HEADING_LINE
        elif octet == DOT or octet == CLOSING:
            escape = self._is_number()
        elif is_first:
            if octet == MINUS or octet == PLUS:
                escape = following < 0x80 and not is_alphanumeric(following)
            else:
                escape = octet in (GREATER, EQUALS) or (octet == COLON and following == MINUS)
        if escape:
            out.put(BACKSLASH)
        out.put(octet)

    def _is_number(self) -> bool:
        """Return whether the line so far is only a number."""
        digits = self.out.size - self.line_start
        if not 0 < digits <= LONGEST_NUMBER:
            return False
        for at in range(self.line_start, self.out.size):
            if not 0x30 <= self.out.data[at] <= 0x39:
                return False
        return True


class Mark:
    """What is written before and after some words: two stars, a link, a tag."""

    def __init__(self, kind: int, opens: bytes, closes: bytes) -> None:
        self.kind, self.opens, self.closes = kind, opens, closes


def reference_length(html: bytes, at: int) -> int:
    """Return the length of a reference in clean HTML, which uses only a few of them."""
    end = html.find(b";", at, at + 7)
    return end + 1 - at if end >= 0 else 1


def reference_octet(html: bytes, at: int) -> int:
    """Return the character that a reference stands for."""
    following = html[at + 1]
    if following == 0x6C:  # &lt;
        return LESS
    if following == 0x67:  # &gt;
        return GREATER
    if following == 0x71:  # &quot;
        return 0x22
    return APOSTROPHE if following == HASH else AMPERSAND


def begins_reference(html: bytes, at: int) -> bool:
    """Return whether an ampersand before `at` begins a reference, or might across a tag."""
    for place in range(at, min(len(html), at + LONGEST_REFERENCE)):
        octet = html[place]
        if octet == SEMICOLON or octet == LESS:
            return place > at or octet == LESS
        if not (is_alphanumeric(octet) or octet == HASH):
            return False
    return True


def is_markup(octet: int) -> bool:
    """Return whether a character is markup wherever it stands."""
    return (
        octet == BACKSLASH
        or octet == TICK
        or octet == STAR
        or octet == UNDERSCORE
        or octet == LEFT
        or octet == RIGHT
        or octet == LESS
        or octet == BAR
        or octet == TILDE
    )


def is_alphanumeric(octet: int) -> bool:
    """Return whether a character is an ASCII letter or digit."""
    return 0x30 <= octet <= 0x39 or 0x61 <= octet | 0x20 <= 0x7A


def is_ascii_mark(octet: int) -> bool:
    """Return whether a character is ASCII punctuation."""
    return not is_alphanumeric(octet) and SPACE < octet < 0x7F


def character_length(octet: int) -> int:
    """Return how many bytes a character has in UTF-8, by its first byte."""
    if octet < 0xC0:
        return 1
    return 2 if octet < 0xE0 else 3 if octet < 0xF0 else 4


def character(html: bytes, at: int) -> str:
    """Return the character at a place."""
    return html[at : at + character_length(html[at])].decode()


def kind_of(html: bytes, at: int, octet: int) -> int:
    """Return the kind of a character; `octet` is its first byte, with references resolved."""
    if octet < 0x80:
        return MARK if is_ascii_mark(octet) else WORD
    return kind_of_character(character(html, at))


@bounded_cache(most=1000, longest=1)
def kind_of_character(one: str) -> int:
    """Return the kind of a character outside of ASCII."""
    category = unicodedata.category(one)[0]
    return {"P": MARK, "S": SYMBOL, "Z": BLANK}.get(category, WORD)
