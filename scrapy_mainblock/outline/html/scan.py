"""The scan: one pass over a page's source that finds its elements and texts and builds no tree.

This module is the tokenizer: it cuts the source into tags and texts
(https://html.spec.whatwg.org/multipage/parsing.html, 13.2.5). `nesting` decides which elements they
open and close.
"""

from __future__ import annotations

import re

from scrapy_mainblock.outline.html.characters import (
    CONTINUATION,
    CONTROL,
    IN_TAG,
    KIND,
    LESS,
    LOWER,
    NEXT_CONTROLS,
    REFERENCE,
    SPACE,
    WIDE,
)
from scrapy_mainblock.outline.html.doctype import is_quirks
from scrapy_mainblock.outline.html.nesting import Nesting
from scrapy_mainblock.outline.html.references import is_control, is_space, reference, wide_space
from scrapy_mainblock.outline.html.tags import (
    BLOCK,
    CODES,
    FLAGS,
    HASH_FACTOR,
    HASH_MASK,
    HASH_START,
    NAMES,
    RAW,
    SLOT_CODE,
    SLOT_HASH,
    SLOTS,
    UNKNOWN,
)
from scrapy_mainblock.outline.layout import (
    CHARACTER,
    LEADING_SPACE,
    LENGTH,
    RAW_TEXT,
    SECOND,
    TRAILING_SPACE,
)
from scrapy_mainblock.outline.rows import Rows

MOST_ELEMENTS = 300_000
"""Maximum elements of a page; a large page has a few thousand. The source after the last of them is
read as lines of text."""
SENTINEL = b"<>\"'-- "
"""Appended to the source, so that loops that search for one of these need not check for the end."""
ONES, HIGHS = 0x0101010101010101, 0x8080808080808080
"""The lowest and the highest bit of each byte of a word."""

QUOTE, APOSTROPHE, HYPHEN, SLASH = 0x22, 0x27, 0x2D, 0x2F
LESS_THAN, EQUALS, GREATER_THAN, QUESTION_MARK, EXCLAMATION_MARK = 0x3C, 0x3D, 0x3E, 0x3F, 0x21

LISTING, NOSCRIPT, PLAINTEXT, PRE, SCRIPT = (
    CODES[name] for name in "listing noscript plaintext pre script".split()
)
TEMPLATE, TEXTAREA, XMP = (CODES[name] for name in "template textarea xmp".split())
NAMES_IN_SOURCE = [name.encode() for name in NAMES]


def scan(source: bytes, *, buttons: bool = False, noscript: bool = False) -> Rows:
    """Scan a source in UTF-8, and return its rows.

    With `buttons` or `noscript`, the content of such elements is visible.
    """
    return Scan(source, buttons, noscript).run()


class Scan:
    """The tokenizer of one source."""

    def __init__(self, source: bytes, buttons: bool, noscript: bool) -> None:
        self.page_source, self.size = source, len(source)
        self.source = source + SENTINEL
        self.word_count = self.size >> 3
        self.words = memoryview(source)[: self.word_count << 3].cast("Q")
        self.nesting = Nesting(self.size, buttons, noscript)
        self.shows_noscript = noscript

    def run(self) -> Rows:
        """Scan the source from beginning to end, and return its rows."""
        source, size = self.source, self.size
        at = 3 if source.startswith(b"\xef\xbb\xbf") else 0
        while at < size:
            if source[at] != LESS_THAN or not self._begins_markup(at):
                at = self._text(at)
                continue
            octet = source[at + 1]
            if octet == SLASH:
                at = self._end_tag(at)
            elif octet == EXCLAMATION_MARK:
                at = self._declaration(at)
            elif octet == QUESTION_MARK:
                at = self._past(GREATER_THAN, at + 1)
            else:
                at = self._start_tag(at)
        self.nesting.close(size)
        return self.nesting.outline(self.page_source)

    def _begins_markup(self, at: int) -> bool:
        """Return whether a less-than sign begins a tag or a comment, and is not text."""
        octet = self.source[at + 1]
        if 97 <= octet | 32 <= 122:
            return at + 1 < self.size
        if octet == SLASH:
            return at + 2 < self.size
        return octet == EXCLAMATION_MARK or octet == QUESTION_MARK

    # ---- texts ---------------------------------------------------------------------------------

    def _text(self, at: int) -> int:
        """Read the text up to the next tag and count its visible characters; return its end."""
        source, size = self.source, self.size
        kinds, space, less = KIND, SPACE, LESS
        start = at
        chars = words = 0
        spaced = 1
        while kinds[source[at]] == space:
            at += 1
        while True:
            kind = kinds[source[at]]
            if kind < less:
                # Nearly all bytes, counted without a branch: see `characters`.
                words += kind & spaced
                chars += kind & 1
                spaced = kind >> 1
                at += 1
                continue
            length = count = 1
            if kind == LESS:
                if at >= size or self._begins_markup(at):
                    break
            elif kind == CONTROL:
                count = -1
            elif kind == REFERENCE:
                found = reference(source, at, size)
                if found:
                    length = found >> LENGTH
                    count = 2 if (found >> SECOND) & CHARACTER else 1
                    if is_space(found & CHARACTER):
                        count = 0
                    elif is_control(found & CHARACTER):
                        count = -1
            elif kind == WIDE:
                length = wide_space(source, at, size)
                if length:
                    count = 0
                elif source[at] == NEXT_CONTROLS and 0x80 <= source[at + 1] < 0xA0:
                    length, count = 2, -1
                else:
                    length = 1
            if count < 0:
                at += length
                continue
            if count:
                words += spaced
                spaced = 0
                chars += count
            else:
                spaced = 1
            at += length
        if not chars and not self._holds_space(start, at):
            return at  # only control characters
        flags = TRAILING_SPACE if spaced else 0
        if chars and self._begins_with_space(start):
            flags |= LEADING_SPACE
        self.nesting.text(start, at, chars, words - 1 if words else 0, flags)
        return at

    def _holds_space(self, start: int, end: int) -> bool:
        """Return whether there is whitespace in a text without visible characters."""
        for at in range(start, end):
            kind = KIND[self.source[at]]
            if kind == SPACE:
                return True
            if kind == REFERENCE and is_space(reference(self.source, at, self.size) & CHARACTER):
                return True
            if kind == WIDE and wide_space(self.source, at, self.size):
                return True
        return False

    def _begins_with_space(self, at: int) -> bool:
        source = self.source
        kind = KIND[source[at]]
        if kind == REFERENCE:
            return is_space(reference(source, at, self.size) & CHARACTER)
        return kind == SPACE or (kind == WIDE and wide_space(source, at, self.size) > 0)

    def _raw_text(self, start: int, end: int) -> None:
        """Record a text in which references are not resolved."""
        source = self.source
        chars = words = 0
        spaced = True
        at = start
        while at < end:
            kind = KIND[source[at]]
            wide = wide_space(source, at, end) if kind == WIDE else 0
            if kind == SPACE or wide:
                spaced = True
            elif source[at] == NEXT_CONTROLS and at + 1 < end and 0x80 <= source[at + 1] < 0xA0:
                wide = 2
            elif kind != CONTINUATION and kind != CONTROL:
                words += spaced
                chars += 1
                spaced = False
            at += wide or 1
        self.nesting.text(start, end, chars, words - 1 if words else 0, RAW_TEXT)

    # ---- tags ----------------------------------------------------------------------------------

    def _start_tag(self, at: int) -> int:
        source, size = self.source, self.size
        end = at + 1
        hashed = HASH_START
        while not IN_TAG[source[end]]:
            hashed = ((hashed ^ LOWER[source[end]]) * HASH_FACTOR) & HASH_MASK
            end += 1
        inner = self._attributes(end)
        if inner < 0:
            return size
        code = code_of(hashed)
        nesting = self.nesting
        if nesting.line_break >= 0 or nesting.count >= MOST_ELEMENTS:
            return self._start_of_line(code, at, inner)
        if FLAGS[code] & RAW and not (code == NOSCRIPT and self.shows_noscript):
            if not nesting.is_in_picture():
                return self._raw_element(code, hashed, at, inner)
        if not nesting.begin(code, hashed, at, inner):
            return self._end_of_template(nesting.count - 1, inner)
        if code == PRE or code == LISTING:
            return self._past_line_feed(inner)
        return inner

    def _end_tag(self, at: int) -> int:
        source, size = self.source, self.size
        end = at + 2
        if not 97 <= source[end] | 32 <= 122:
            return self._past(GREATER_THAN, end)
        hashed = HASH_START
        while not IN_TAG[source[end]]:
            hashed = ((hashed ^ LOWER[source[end]]) * HASH_FACTOR) & HASH_MASK
            end += 1
        end = self._attributes(end) if source[end] != GREATER_THAN else end + 1
        if end < 0 or end > size:
            return size
        code = code_of(hashed)
        if self.nesting.line_break < 0:
            self.nesting.end_tag(code, hashed, at, end)
        elif FLAGS[code] & BLOCK:
            self.nesting.break_line(at)
        return end

    def _attributes(self, at: int) -> int:
        """Read the attributes of a tag; return where the tag ends, or -1 if it does not."""
        source, size, in_tag = self.source, self.size, IN_TAG
        self.nesting.forget_attributes()
        while True:
            octet = source[at]
            if in_tag[octet] == 1:
                at += 1
                continue
            if octet == GREATER_THAN:
                return at + 1 if at < size else -1
            if octet == SLASH:
                at += 1
                if source[at] == GREATER_THAN:
                    self.nesting.is_self_closing = True
                continue
            name = at
            at += 1
            while not in_tag[source[at]]:
                at += 1
            name_end = at
            while in_tag[source[at]] == 1:
                at += 1
            value = value_end = name_end
            if source[at] == EQUALS:
                at += 1
                while in_tag[source[at]] == 1:
                    at += 1
                quote = source[at]
                if quote == QUOTE or quote == APOSTROPHE:
                    at += 1
                    value = at
                    while source[at] != quote:
                        at += 1
                    value_end = at
                    at += 1
                else:
                    value = at
                    while source[at] != GREATER_THAN and in_tag[source[at]] != 1:
                        at += 1
                    value_end = at
            if at >= size:
                return -1
            length = name_end - name
            if length == 5 or length == 4 or length == 2 or length == 8 or length == 3:
                self._attribute(name, length, value, value_end)

    def _attribute(self, name: int, length: int, value: int, value_end: int) -> None:
        """Record an attribute that `nesting` needs; of several with one name the first counts."""
        nesting = self.nesting
        first = self.source[name] | 32
        if length == 2:
            if not nesting.id_from and self._spells(name, b"id"):
                nesting.id_from, nesting.id_to = value, value_end
        elif length == 3:
            if first == 0x72 and value_end - value == 6 and self._spells(name, b"rel"):  # r
                if self._spells(value, b"author"):
                    nesting.properties.append((value, value_end))
        elif length == 5:
            if first == 0x63:  # c
                if not nesting.class_from and self._spells(name, b"class"):
                    nesting.class_from, nesting.class_to = value, value_end
                elif self._spells(name, b"color"):
                    nesting.breaks_out = True
        elif length == 4:
            if first == 0x68:  # h
                if not nesting.href_from and self._spells(name, b"href"):
                    nesting.href_from, nesting.href_to = value, value_end
            elif first == 0x74:  # t
                if value_end - value == 6 and self._spells(name, b"type"):
                    nesting.is_hidden_input = self._spells(value, b"hidden")
            elif self._spells(name, b"face") or self._spells(name, b"size"):
                nesting.breaks_out = True
        elif first == 0x69:  # i
            if value_end > value and self._spells(name, b"itemtype"):
                nesting.item_types.append((value, value_end))
            elif value_end > value and self._spells(name, b"itemprop"):
                nesting.properties.append((value, value_end))
        elif first == 0x70:  # p
            if value_end > value and self._spells(name, b"property"):
                nesting.properties.append((value, value_end))
        elif first == 0x65 and self._spells(name, b"encoding"):  # e
            said = self.source[value:value_end].lower()
            nesting.holds_html = said == b"text/html" or said == b"application/xhtml+xml"

    def _start_of_line(self, code: int, at: int, inner: int) -> int:
        """Read a start tag after the limit of elements: at most it ends a line. Return its end."""
        if code == TEMPLATE:
            return self._end_of_template(-1, inner)
        if FLAGS[code] & RAW and not (code == NOSCRIPT and self.shows_noscript):
            end = self._end_of_raw(code, inner)
            return end if end == self.size else self._past(GREATER_THAN, end)
        if FLAGS[code] & BLOCK or self.nesting.line_break < 0:
            self.nesting.break_line(at)
        return inner

    # ---- content without markup ----------------------------------------------------------------

    def _declaration(self, at: int) -> int:
        """Read a comment, a doctype, or what a browser treats as a comment; return its end."""
        source = self.source
        if source[at + 2] == HYPHEN and source[at + 3] == HYPHEN and at + 3 < self.size:
            return self._comment(at + 4)
        end = self._past(GREATER_THAN, at + 2)
        if self._spells(at + 2, b"doctype"):
            if self.nesting.count == 1:
                self.nesting.is_quirks = is_quirks(source[at + 9 : end])
        elif self.nesting.is_in_picture() and source.startswith(b"[CDATA[", at + 2):
            found = source.find(b"]]>", at + 9, self.size)
            return self.size if found < 0 else found + 3
        return end

    def _comment(self, at: int) -> int:
        """Return the end of a comment whose text begins at `at`."""
        source, size = self.source, self.size
        if source[at] == GREATER_THAN:
            return min(at + 1, size)
        if source[at] == HYPHEN and source[at + 1] == GREATER_THAN:
            return min(at + 2, size)
        least = at + 2
        while True:
            at = self._next(GREATER_THAN, at)
            if at >= size:
                return size
            if source[at - 1] == HYPHEN:
                if at >= least and source[at - 2] == HYPHEN:
                    return at + 1
            elif source[at - 1] == EXCLAMATION_MARK and at > least:
                if source[at - 2] == HYPHEN and source[at - 3] == HYPHEN:
                    return at + 1
            at += 1

    def _raw_element(self, code: int, hashed: int, at: int, inner: int) -> int:
        """Read an element whose content is not markup; return the offset after its end tag."""
        source = self.source
        element = self.nesting.start_raw(code, hashed, at, inner)
        if element < 0:
            return inner
        if code == TEXTAREA:
            inner = self._past_line_feed(inner)
        end = self._end_of_raw(code, inner)
        if (code == XMP or code == PLAINTEXT) and end > inner:
            self._raw_text(inner, end)
        elif code == NOSCRIPT:
            paragraphs = source.count(b"<p", inner, end)
            self.nesting.noscript_content = max(paragraphs, self.nesting.noscript_content)
        self.nesting.end_raw(element, end)
        if end == self.size:
            return end
        behind = self._attributes(end + 2 + len(NAMES[code]))
        return self.size if behind < 0 else behind

    def _end_of_raw(self, code: int, at: int) -> int:
        """Return where the content that begins at `at` ends, in an element without markup."""
        source, size = self.source, self.size
        if code == PLAINTEXT:
            return size
        name = NAMES_IN_SOURCE[code]
        position = at
        in_comment = False
        while True:
            position = self._next(LESS_THAN, position) + 1
            if position >= size:
                return size
            if source[position] == SLASH:
                if self._spells(position + 1, name):
                    if IN_TAG[source[position + 1 + len(name)]] & 3:
                        return position - 1
            elif code == SCRIPT:
                if source[position] == EXCLAMATION_MARK:
                    in_comment = in_comment or source.startswith(b"!--", position)
                elif in_comment and self._spells(position, name):
                    return end_of_script(self.page_source, at)

    def _end_of_template(self, number: int, at: int) -> int:
        """Return the offset after a template, which may contain templates and scripts."""
        source, size = self.source, self.size
        depth = 1
        while True:
            at = self._next(LESS_THAN, at)
            if at >= size:
                break
            if source[at + 1] == EXCLAMATION_MARK:
                at = self._declaration(at)
                continue
            is_end = source[at + 1] == SLASH
            end = at + 2 if is_end else at + 1
            if not 97 <= source[end] | 32 <= 122:
                at = end
                continue
            hashed = HASH_START
            while not IN_TAG[source[end]]:
                hashed = ((hashed ^ LOWER[source[end]]) * HASH_FACTOR) & HASH_MASK
                end += 1
            code = code_of(hashed)
            behind = self._attributes(end)
            if behind < 0:
                break
            if code == TEMPLATE:
                depth += -1 if is_end else 1
                if not depth:
                    if number >= 0:
                        self.nesting.end[number] = at
                    return behind
            elif FLAGS[code] & RAW and not is_end:
                behind = self._end_of_raw(code, behind)
            at = behind
        if number >= 0:
            self.nesting.end[number] = size
        return size

    # ---- offsets in the source -----------------------------------------------------------------

    def _next(self, octet: int, at: int) -> int:
        """Return the next offset of a byte, or the end of the source.

        Each step checks the eight bytes of a word: after an XOR of the wanted byte with each of
        them, one is zero if and only if ``(word - 0x01...) & ~word & 0x80...`` is not.
        """
        source, size = self.source, self.size
        ones, highs = ONES, HIGHS
        while at & 7 and at < size:
            if source[at] == octet:
                return at
            at += 1
        place, count = at >> 3, self.word_count
        pattern = octet * ones
        while place < count:
            word = self.words[place] ^ pattern
            if (word - ones) & ~word & highs:
                break
            place += 1
        at = max(at, place << 3)
        while at < size and source[at] != octet:
            at += 1
        return min(at, size)

    def _past(self, octet: int, at: int) -> int:
        """Return the offset after the next `octet`."""
        return min(self._next(octet, at) + 1, self.size)

    def _past_line_feed(self, at: int) -> int:
        """Skip a line feed, which is not text right after some tags; return the new offset."""
        source = self.source
        if source[at] == 0x0A:
            return at + 1
        return at + 2 if source[at] == 0x0D and source[at + 1] == 0x0A else at

    def _spells(self, at: int, word: bytes) -> bool:
        """Return whether a lower-case word stands at an offset, ignoring case."""
        source = self.source
        if at + len(word) > self.size:
            return False
        for place in range(len(word)):
            if LOWER[source[at + place]] != word[place]:
                return False
        return True


def code_of(hashed: int) -> int:
    """Return the code of the tag name with a hash."""
    slot = (hashed ^ hashed >> 15) & (SLOTS - 1)
    while SLOT_CODE[slot]:
        if SLOT_HASH[slot] == hashed:
            return SLOT_CODE[slot]
        slot = (slot + 1) & (SLOTS - 1)
    return UNKNOWN


_IN_SCRIPT = re.compile(rb"<!--(-*>)?|-->|<(?P<end>/?)script(?=[\t\n\f\r />])", re.IGNORECASE)


def end_of_script(source: bytes, at: int) -> int:
    """Return where a script with a comment ends; in the comment another may begin and end."""
    in_comment = in_script = False
    for found in _IN_SCRIPT.finditer(source, at):
        if found["end"] is None:
            if found[0].startswith(b"<!--"):
                in_comment = in_comment or found[1] is None
            else:
                in_comment = in_script = False
        elif not found["end"]:
            in_script = in_comment
        elif in_script:
            in_script = False
        else:
            return found.start()
    return len(source)
