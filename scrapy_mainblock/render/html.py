"""Writes content as minimal HTML that is safe to show.

None of the page's markup is passed on: the HTML is written anew, from a short list of elements and
attributes, with all text escaped. Each opened element is closed, and loose text gets a paragraph.
Block elements that are not kept (``<div>``, ``<section>`` ...) only end the paragraph they stand
in. An element that is misplaced in the source (a ``<td>`` without its row, text between two
``<li>``) is given the parents it needs.
"""

from __future__ import annotations

import html

from scrapy_mainblock.fields.sources.pictures import picture_address
from scrapy_mainblock.fields.values.addresses import is_plain_path, origin_of
from scrapy_mainblock.outline.buffers.arrays import ints, longer
from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.render.addresses import safe_url, without_controls
from scrapy_mainblock.render.attributes import (
    code_language,
    directions,
    own_attributes,
)
from scrapy_mainblock.render.notes import Notes, whole
from scrapy_mainblock.render.tables import (
    ATTRIBUTED,
    CELL,
    CLOSE_TAGS,
    COUNT,
    FITS,
    GAP,
    HAS_PARTS,
    HOLDS_TEXT,
    INLINE,
    IS_PART,
    KEPT_BLOCK,
    OPEN_TAGS,
    PARAGRAPH,
    ROW,
    RULE,
    SUPPLIED,
    WHAT,
)

A, CODE, HR, P, PRE = (CODES[name] for name in "a code hr p pre".split())
NOWHERE = 0
"""The code for the top level, outside of all elements."""
LESS, GREATER, AMPERSAND, LINE_FEED, SPACE_OCTET, LOWER_R = 0x3C, 0x3E, 0x26, 0x0A, 0x20, 0x72
QUOTE, APOSTROPHE, SLASH = 0x22, 0x27, 0x2F


class HtmlWriter:
    """Writes balanced HTML.

    For each open element, the stack holds its code, the element of the page (negative for one that
    the page does not have here), where its start tag begins, whether text stood right before it,
    and whether it holds anything.
    """

    def __init__(self, rows: Rows, base: str | None) -> None:
        self.page, self.base, self.origin = rows, base, origin_of(base or "")
        self.notes: Notes | None = None
        self.names: dict[int, bytes] = {}
        self.name = b""
        """An id for the element that is written next, because the block that has this id is not
        written."""
        self.root = self.around = -1
        self.known: dict[int, str] = {}
        """A cache of the directions of elements."""
        self.is_root_turned = self.is_turned = False
        """Whether the root, and the parent of the last outermost block, are written from right to
        left. The elements that would say so are mostly not kept."""
        self.out = Octets(8192)
        self._make_stack()
        self.top = NOWHERE
        self.in_a = self.in_pre = 0
        self.space = False
        # Whether text was written last, with no tag of a block after it; and whether a block that
        # is not kept has begun or ended since, so that what follows is not on the same line.
        self.text_stands = self.parted = False
        self.language_of, self.language = -1, ""
        self.behind_tag = self.behind_break = -1
        """Where the last start tag, and the last ``<br>``, ended."""

    def _make_stack(self) -> None:
        self.depth, self.room = 0, 64
        room = ints(5 * 64)
        self.code, self.element = room[:64], room[64:128]
        self.begins, self.after_text = room[128:192], room[192:256]
        self.holds = room[256:]

    def begin(self, root: int) -> None:
        """Begin to write an element of the page."""
        self.root = self.around = root
        self.known = {}
        self.is_root_turned = self.is_turned = direction_around(self.page, root, -1, {}) == "rtl"

    def lead(self, found: Notes) -> None:
        """Set which links lead to a place in the output."""
        self.notes, self.names = found, found.names

    def start(self, code: int, element: int) -> None:
        """Handle the start of a block."""
        what = WHAT[code]
        if what & KEPT_BLOCK:
            self._start_block(code, element)
        elif what & RULE:
            self._close_paragraph()
            self._make_room(HR)
            self.out.write(b"<hr>")
            self._hold()
            self._end_line()
        elif GAP[code]:
            self._close_paragraph()
            if self.names:
                self.name = self.names.get(element, self.name)

    def end(self, code: int, element: int) -> None:
        """Handle the end of a block."""
        level = self._level(element) if WHAT[code] & KEPT_BLOCK else -1
        if level >= 0:
            self._close_down_to(level)
        elif not WHAT[code] & RULE and GAP[code]:
            self._close_paragraph()
            self.name = b""

    def start_inline(self, code: int, element: int) -> None:
        """Handle the start of an inline element."""
        address = b""
        if code == A:
            if self.in_a:
                return
            address = self._address(self.page.href_at[element], self.page.href_end[element])
            if not address:
                return
        self._open_parents()
        begins = self.out.size
        self._write_gap()
        if code == A:
            self.out.write(b'<a href="')
            self.out.write(address)
            self.out.write(b'"')
            if self.names:
                self.out.write(self._id(element))
            self.out.write(b">")
            self.in_a += 1
        else:
            self._open_tag(code, element)
        self._push(code, element, begins)

    def end_inline(self, element: int) -> None:
        """Handle the end of an inline element."""
        level = self._level(element)
        if level >= 0:
            self._close_down_to(level)

    def text(self, octets: Octets, leading: bool, trailing: bool) -> None:
        """Write a piece of folded text; the flags say whether whitespace stood at its ends."""
        if leading:
            self.space = True
        if octets.size:
            self._make_room_for_text()
            self._escaped(octets)
            self._hold()
            self.space = trailing
            self.text_stands = True

    def preformatted(self, octets: Octets, is_blank: bool) -> None:
        """Write text whose lines and spaces are significant."""
        if not is_blank:
            self._make_room(NOWHERE)
            if self.parted:
                self.out.put(LINE_FEED)
            self.text_stands, self.parted = True, False
            self._hold()
        self._escaped(octets)

    def blank(self) -> None:
        """Note whitespace between two blocks."""
        self.space = True

    def line_break(self) -> None:
        """Write a ``<br>`` if it may stand here."""
        if WHAT[self.top] & HOLDS_TEXT:
            self.out.write(b"<br>")
            self._hold()
            self.behind_break = self.out.size
            self._end_line()

    def image(self, element: int) -> None:
        """Write a picture if its address is safe."""
        address = picture_address(self.page, element)
        source = safe_url(address, self.base, image=True) if address else None
        if source:
            self._make_room_for_text()
            alt = without_controls(self.page.attribute(element, b"alt") or "")
            self.out.write(
                b'<img src="' + in_attribute(source) + b'" alt="' + in_attribute(alt) + b'">'
            )
            self._hold()
            self.text_stands = True

    def player(self, title: bytes, address: str) -> None:
        """Write a video or sound, as a paragraph with a link."""
        self._close_paragraph()
        self._make_room_for_text()
        self.out.write(b'<a href="' + in_attribute(address) + b'">')
        self._escaped_bytes(title)
        self.out.write(b"</a>")
        self._hold()
        self.text_stands = True
        self._close_paragraph()

    def formula(self, tex: bytes) -> None:
        """Write a formula within a line."""
        self._make_room_for_text()
        self.out.write(b'<code class="language-math">')
        self._escaped_bytes(tex)
        self.out.write(b"</code>")
        self._hold()
        self.text_stands = True

    def _escaped_bytes(self, text: bytes) -> None:
        octets = Octets(len(text))
        octets.write(text)
        self._escaped(octets)

    def close(self) -> None:
        """Close all open elements: the next block is another paragraph."""
        self._close_down_to(0)
        self.space = False

    def result(self) -> bytes:
        """Return all of the HTML."""
        found = self.out.bytes()
        return whole(found, self.notes, self.base) if self.notes is not None else found

    # ---- nesting ---------------------------------------------------------------------------------

    def _start_block(self, code: int, element: int) -> None:
        self._close_paragraph()
        if WHAT[code] & IS_PART:
            while self.depth and self.element[self.depth - 1] < 0 and not self._fits(code):
                self._pop()
            if not self._fits(code):
                return
        if WHAT[self.top] & HAS_PARTS:
            self._make_room(code)
        begins = self.out.size
        self._open_tag(code, element)
        self._push(code, element, begins)
        if code == PRE:
            self._name_language(element)

    def _name_language(self, pre: int) -> None:
        """Open the ``<code>`` that names the language of a code block."""
        language = code_language(self.page, pre)
        if not language:
            return
        if pre + 1 < self.page.element_count and self.page.tag[pre + 1] == CODE:
            if self.page.parent[pre + 1] == pre:
                self.language_of, self.language = pre + 1, language
                return
        begins = self.out.size
        self.out.write(b'<code class="language-' + in_attribute(language) + b'">')
        self._push(CODE, -3, begins)

    def _open_tag(self, code: int, element: int) -> None:
        """Write a start tag, with the attributes that are kept."""
        tag: bytes = OPEN_TAGS[code]
        more = b""
        page = self.page
        if element >= 0 and page.inner[element] - page.start[element] > len(tag):
            if WHAT[code] & ATTRIBUTED:
                more = own_attributes(page, code, element)
            if tells_direction(page.source, page.start[element], page.inner[element]):
                more += directions(page, element)
            if element == self.language_of:
                more += b' class="language-' + in_attribute(self.language) + b'"'
        elif element >= 0 and element == self.language_of:
            more = b' class="language-' + in_attribute(self.language) + b'"'
        if not self.depth:
            if element >= 0 and page.parent[element] != self.around:
                self.around = page.parent[element]
                direction: str = direction_around(page, self.around, self.root, self.known)
                self.is_turned = direction == "rtl" if direction else self.is_root_turned
            if self.is_turned and b" dir=" not in more:
                more += b' dir="rtl"'
        if self.names:
            more += self._id(element)
        self.out.write(tag[: len(tag) - 1] + more + b">" if more else tag)

    def _id(self, element: int) -> bytes:
        """Return the id attribute of an element as it is written; empty without one."""
        name: bytes = self.names.get(element, self.name) if element >= 0 else self.name
        if name == self.name:
            self.name = b""
        return b' id="%b"' % name if name else b""

    def _fits(self, code: int) -> bool:
        """Return whether a list or table part fits in the open element, or in its supplied part."""
        if FITS[self.top * COUNT + code]:
            return True
        supplied = SUPPLIED[self.top]
        return supplied > 0 and FITS[supplied * COUNT + code] != 0

    def _make_room(self, code: int) -> None:
        """Open the elements that a tag must stand in, if the source left them out."""
        while WHAT[self.top] & HAS_PARTS and not FITS[self.top * COUNT + code]:
            supplied = SUPPLIED[self.top]
            begins = self.out.size
            self.out.write(OPEN_TAGS[supplied])
            self._push(supplied, -1, begins)

    def _make_room_for_text(self) -> None:
        self._open_parents()
        self._write_gap()

    def _open_parents(self) -> None:
        """Open the elements that a text must stand in."""
        self._make_room(NOWHERE)
        if not WHAT[self.top] & HOLDS_TEXT:
            begins = self.out.size
            self._open_tag(P, -2)
            self._push(P, -2, begins)

    def _write_gap(self) -> None:
        """Write what separates a text from the one before it."""
        if self.parted:
            if self.in_pre:
                self.out.put(LINE_FEED)
            else:
                self.out.write(b"<br>")
                self.behind_break = self.out.size
        elif self.space and self.behind_break != self.out.size:
            begins_line = not WHAT[self.top] & INLINE and self.behind_tag == self.out.size
            if not begins_line:
                self.out.put(SPACE_OCTET)
        self.space = self.parted = False

    def _close_paragraph(self) -> None:
        """Close the open inline elements, and the paragraph or heading around them."""
        if self.depth:
            while WHAT[self.top] & INLINE:
                self._pop()
            is_supplied = self.depth > 0 and self.element[self.depth - 1] == -1
            if WHAT[self.top] & PARAGRAPH or (WHAT[self.top] & HOLDS_TEXT and is_supplied):
                self._pop()
        self.space = False
        self.parted = self.text_stands

    def _end_line(self) -> None:
        self.space = self.text_stands = self.parted = False

    # ---- the stack of open elements ------------------------------------------------------------

    def _level(self, element: int) -> int:
        """Return the level at which an element of the page is open, or -1."""
        for level in range(self.depth - 1, -1, -1):
            if self.element[level] == element:
                return level
        return -1

    def _push(self, code: int, element: int, begins: int) -> None:
        if self.depth == self.room:
            self.room = 2 * self.room
            self.code, self.element = longer(self.code, self.room), longer(self.element, self.room)
            self.begins = longer(self.begins, self.room)
            self.after_text = longer(self.after_text, self.room)
            self.holds = longer(self.holds, self.room)
        self.code[self.depth], self.element[self.depth] = code, element
        self.begins[self.depth], self.after_text[self.depth] = begins, self.text_stands
        self.holds[self.depth] = 0
        self.depth += 1
        self.top = code
        self.behind_tag = self.out.size
        if not WHAT[code] & INLINE:
            self._end_line()
            self.in_pre += code == PRE

    def _pop(self) -> None:
        self.depth -= 1
        code = self.code[self.depth]
        self.top = self.code[self.depth - 1] if self.depth else NOWHERE
        is_empty = not self.holds[self.depth]
        if is_empty and WHAT[code] & CELL and WHAT[self.top] & ROW:
            self.out.write(CLOSE_TAGS[code])
            self.behind_tag = -1
        elif is_empty:
            self.out.size = self.begins[self.depth]
            if WHAT[code] & INLINE:
                self._want_gap_again()
            # The output may now end with the start tag of the parent.
            is_first = self.depth > 0 and self._is_start_tag_of_top()
            self.behind_tag = self.out.size if is_first else -1
        else:
            self.out.write(CLOSE_TAGS[code])
            self._hold()
        if not WHAT[code] & INLINE:
            self._end_line()
            self.text_stands = self.parted = is_empty and self.after_text[self.depth] != 0
            self.in_pre -= code == PRE
        elif code == A:
            self.in_a -= 1

    def _want_gap_again(self) -> None:
        """Restore the gap before an inline element that turned out to be empty."""
        data, at = self.out.data, self.out.size
        if data[at] == SPACE_OCTET:
            self.space = True
        elif data[at] == LINE_FEED or (data[at + 2] == LOWER_R and data[at + 3] == GREATER):
            self.parted = True

    def _is_start_tag_of_top(self) -> bool:
        """Return whether the output ends with the start tag of the innermost open element."""
        begins = self.begins[self.depth - 1]
        size = self.out.size
        for at in range(begins + 1, size):
            if self.out.data[at] == LESS:
                return False
            if self.out.data[at] == GREATER:
                return at == size - 1
        return False

    def _hold(self) -> None:
        """Note that the innermost open element holds something."""
        if self.depth:
            self.holds[self.depth - 1] = 1

    def _close_down_to(self, level: int) -> None:
        while self.depth > level:
            self._pop()

    # ---- escaping --------------------------------------------------------------------------------

    def _escaped(self, octets: Octets) -> None:
        out, data = self.out, octets.data
        start = 0  # of what is not written yet
        for at in range(octets.size):
            octet = data[at]
            if octet == LESS or octet == GREATER or octet == AMPERSAND:
                out.copy(octets, start, at)
                start = at + 1
                out.write(b"&lt;" if octet == LESS else b"&gt;" if octet == GREATER else b"&amp;")
        out.copy(octets, start, octets.size)

    def _address(self, start: int, end: int) -> bytes:
        """Return the address in an attribute, made absolute and escaped; empty if it is unsafe."""
        source = self.page.source
        if self.notes is not None and source[start:end] in self.notes.addresses:
            return b"#" + self.notes.addresses[source[start:end]]
        if is_plain_address(source, start, end):
            return source[start:end]
        address = self.page.value(start, end)
        if self.origin and is_plain_path(address):
            return in_attribute(self.origin + address)
        url = safe_url(address, self.base)
        return in_attribute(url) if url else b""


def direction_around(rows: Rows, element: int, root: int, known: dict[int, str]) -> str:
    """Return the direction that an element has or inherits, from below `root`; empty without one.

    Results are cached in `known`, so that an ancestor is not looked at for each of its descendants.
    """
    passed: list[int] = []
    found = ""
    while element > root:
        if element in known:
            found = known[element]
            break
        passed.append(element)
        if tells_direction(rows.source, rows.start[element], rows.inner[element]):
            value = (rows.attribute(element, b"dir") or "").strip().lower()
            if value in ("rtl", "ltr"):
                found = value
                break
        element = rows.parent[element]
    known.update(dict.fromkeys(passed, found))
    return found


def tells_direction(source: bytes, start: int, end: int) -> bool:
    """Return whether a tag may have a `dir` or `lang`."""
    for at in range(start + 2, end - 4):
        before = source[at - 1]
        if before <= SPACE_OCTET or before in (QUOTE, APOSTROPHE, SLASH):
            first, second = source[at] | 0x20, source[at + 1] | 0x20
            if (first == 0x64 and second == 0x69) or (first == 0x6C and second == 0x61):
                return True
    return False


def in_attribute(text: str) -> bytes:
    """Return a text as it is written in an attribute."""
    octets = text.encode()
    return html.escape(text).encode() if needs_escape(octets) else octets


def needs_escape(octets: bytes) -> bool:
    """Return whether a text has characters that are escaped in an attribute."""
    for at in range(len(octets)):
        octet = octets[at]
        if octet in (QUOTE, APOSTROPHE, AMPERSAND, LESS, GREATER):
            return True
    return False


def is_plain_address(source: bytes, start: int, end: int) -> bool:
    """Return whether an address is absolute, and has only characters that HTML needs not escape."""
    if end - start < 8 or source[start] != 0x68 or source[start + 1] != 0x74:
        return False
    if source[start : start + 7] != b"http://" and source[start : start + 8] != b"https://":
        return False
    for at in range(start, end):
        octet = source[at]
        if octet <= 0x22 or octet >= 0x7F or octet in (AMPERSAND, APOSTROPHE, LESS, GREATER):
            return False
    return True
