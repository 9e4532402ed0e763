"""Content as minimal HTML, safe to show.

Nothing of the page's markup is passed on: the HTML is written anew, from a short list of elements
and attributes, with every text escaped. What is opened is closed, and loose text gets a paragraph.
Block elements that are not kept (``<div>``, ``<section>`` ...) only end the paragraph they stand
in. An element whose place is wrong in the source (a ``<td>`` without its row, text between two
``<li>``) is given the parents it needs.
"""

from __future__ import annotations

import html

from scrapy_mainblock.fields.sources.pictures import picture_address
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
"""The code of what is around everything: no element."""
LESS, GREATER, AMPERSAND, LINE_FEED, SPACE_OCTET, LOWER_R = 0x3C, 0x3E, 0x26, 0x0A, 0x20, 0x72
QUOTE, APOSTROPHE, SLASH = 0x22, 0x27, 0x2F


class HtmlWriter:
    """Writes balanced HTML.

    Of each open element it keeps the code, the element of the page (-1 for one that the page does
    not have here), where its start tag stands, whether text stood right before it, and whether it
    holds anything.
    """

    def __init__(self, rows: Rows, base: str | None) -> None:
        self.page, self.base = rows, base
        self.notes: Notes | None = None
        self.names: dict[int, bytes] = {}
        self.name = b""
        """An id for what is written next: the block that it is of is not written."""
        self.root = self.around = -1
        self.known: dict[int, str] = {}
        """The directions that have been looked up."""
        self.is_root_turned = self.is_turned = False
        """What the last outermost block stands in, and whether that is written from right to left.
        The elements that would say so are mostly not kept."""
        self.out = Octets(8192)
        self._make_stack()
        self.top = NOWHERE
        self.in_a = self.in_pre = 0
        self.space = False
        # Whether text stands last, with no tag of a block behind it, and whether a block that is
        # not kept has begun or ended since: what follows is then not of the same line.
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
        """Say which links lead to a place in what is written."""
        self.notes, self.names = found, found.names

    def start(self, code: int, element: int) -> None:
        """A block begins."""
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
        """A block ends."""
        level = self._level(element) if WHAT[code] & KEPT_BLOCK else -1
        if level >= 0:
            self._close_down_to(level)
        elif not WHAT[code] & RULE and GAP[code]:
            self._close_paragraph()
            self.name = b""

    def start_inline(self, code: int, element: int) -> None:
        """An element within a line begins."""
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
        """An element within a line ends."""
        level = self._level(element)
        if level >= 0:
            self._close_down_to(level)

    def text(self, octets: Octets, leading: bool, trailing: bool) -> None:
        """A piece of text, folded; whether white space stood at its ends."""
        if leading:
            self.space = True
        if octets.size:
            self._make_room_for_text()
            self._escaped(octets)
            self._hold()
            self.space = trailing
            self.text_stands = True

    def preformatted(self, octets: Octets, is_blank: bool) -> None:
        """Text whose lines and spaces are meant."""
        if not is_blank:
            self._make_room(NOWHERE)
            if self.parted:
                self.out.put(LINE_FEED)
            self.text_stands, self.parted = True, False
            self._hold()
        self._escaped(octets)

    def blank(self) -> None:
        """White space between two blocks."""
        self.space = True

    def line_break(self) -> None:
        """A ``<br>``."""
        if WHAT[self.top] & HOLDS_TEXT:
            self.out.write(b"<br>")
            self._hold()
            self.behind_break = self.out.size
            self._end_line()

    def image(self, element: int) -> None:
        """A picture."""
        address = picture_address(self.page, element)
        source = safe_url(address, self.base, image=True) if address else None
        if source:
            self._make_room_for_text()
            alt = html.escape(without_controls(self.page.attribute(element, b"alt") or ""))
            self.out.write(f'<img src="{html.escape(source)}" alt="{alt}">'.encode())
            self._hold()
            self.text_stands = True

    def player(self, title: bytes, address: str) -> None:
        """A video or sound, as a paragraph with a link."""
        self._close_paragraph()
        self._make_room_for_text()
        self.out.write(f'<a href="{html.escape(address)}">'.encode())
        self._escaped_bytes(title)
        self.out.write(b"</a>")
        self._hold()
        self.text_stands = True
        self._close_paragraph()

    def formula(self, tex: bytes) -> None:
        """A formula within a line."""
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
        """End what is open: a block is over, and the next one is another paragraph."""
        self._close_down_to(0)
        self.space = False

    def result(self) -> bytes:
        """All of the HTML."""
        found = self.out.bytes()
        return whole(found, self.notes, self.base) if self.notes is not None else found

    # ---- places --------------------------------------------------------------------------------

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
        """Open the ``<code>`` that says the language of a block of code."""
        language = code_language(self.page, pre)
        if not language:
            return
        if pre + 1 < self.page.element_count and self.page.tag[pre + 1] == CODE:
            if self.page.parent[pre + 1] == pre:
                self.language_of, self.language = pre + 1, language
                return
        begins = self.out.size
        self.out.write(f'<code class="language-{html.escape(language)}">'.encode())
        self._push(CODE, -3, begins)

    def _open_tag(self, code: int, element: int) -> None:
        """Write a start tag, with what is kept of its attributes."""
        tag: bytes = OPEN_TAGS[code]
        more = b""
        page = self.page
        if element >= 0 and page.inner[element] - page.start[element] > len(tag):
            if WHAT[code] & ATTRIBUTED:
                more = own_attributes(page, code, element)
            if tells_direction(page.source, page.start[element], page.inner[element]):
                more += directions(page, element)
            if element == self.language_of:
                more += f' class="language-{html.escape(self.language)}"'.encode()
        elif element >= 0 and element == self.language_of:
            more = f' class="language-{html.escape(self.language)}"'.encode()
        if not self.depth:
            if element >= 0 and page.parent[element] != self.around:
                self.around = page.parent[element]
                said: str = direction_around(page, self.around, self.root, self.known)
                self.is_turned = said == "rtl" if said else self.is_root_turned
            if self.is_turned and b" dir=" not in more:
                more += b' dir="rtl"'
        if self.names:
            more += self._id(element)
        self.out.write(tag[: len(tag) - 1] + more + b">" if more else tag)

    def _id(self, element: int) -> bytes:
        """The id of an element as it is written, empty for none."""
        name: bytes = self.names.get(element, self.name) if element >= 0 else self.name
        if name == self.name:
            self.name = b""
        return b' id="%b"' % name if name else b""

    def _fits(self, code: int) -> bool:
        """Whether a part of a list or table is inside of one: its nearest, or a row's table."""
        if FITS[self.top * COUNT + code]:
            return True
        supplied = SUPPLIED[self.top]
        return supplied > 0 and FITS[supplied * COUNT + code] != 0

    def _make_room(self, code: int) -> None:
        """Open what an element must stand in, where the source left it out."""
        while WHAT[self.top] & HAS_PARTS and not FITS[self.top * COUNT + code]:
            supplied = SUPPLIED[self.top]
            begins = self.out.size
            self.out.write(OPEN_TAGS[supplied])
            self._push(supplied, -1, begins)

    def _make_room_for_text(self) -> None:
        self._open_parents()
        self._write_gap()

    def _open_parents(self) -> None:
        """Open what a text must stand in."""
        self._make_room(NOWHERE)
        if not WHAT[self.top] & HOLDS_TEXT:
            begins = self.out.size
            self._open_tag(P, -2)
            self._push(P, -2, begins)

    def _write_gap(self) -> None:
        """Write what parts a text from the one before it."""
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
        """End the inline elements that are open, and the paragraph or heading around them."""
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
        """Where an element of the page is open, -1 where it is not."""
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
            # What is now last may be the start tag of the element around.
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
        """The gap before an inline element that turned out to be empty parts what comes next."""
        data, at = self.out.data, self.out.size
        if data[at] == SPACE_OCTET:
            self.space = True
        elif data[at] == LINE_FEED or (data[at + 2] == LOWER_R and data[at + 3] == GREATER):
            self.parted = True

    def _is_start_tag_of_top(self) -> bool:
        """Whether nothing stands behind the start tag of the innermost open element."""
        begins = self.begins[self.depth - 1]
        size = self.out.size
        for at in range(begins + 1, size):
            if self.out.data[at] == LESS:
                return False
            if self.out.data[at] == GREATER:
                return at == size - 1
        return False

    def _hold(self) -> None:
        """The innermost open element holds something."""
        if self.depth:
            self.holds[self.depth - 1] = 1

    def _close_down_to(self, level: int) -> None:
        while self.depth > level:
            self._pop()

    # ---- octets --------------------------------------------------------------------------------

    def _escaped(self, octets: Octets) -> None:
        out, data = self.out, octets.data
        start = 0  # of what is not written yet
        for at in range(octets.size):
            octet = data[at]
            if octet == LESS or octet == GREATER or octet == AMPERSAND:
                out.copy(octets, start, at)
                start = at + 1
                escaped = b"&lt;" if octet == LESS else b"&gt;" if octet == GREATER else b"&amp;"
                out.write(escaped)
        out.copy(octets, start, octets.size)

    def _address(self, start: int, end: int) -> bytes:
        """The address in an attribute, made absolute and escaped; empty where it is not safe."""
        source = self.page.source
        if self.notes is not None and source[start:end] in self.notes.addresses:
            return b"#" + self.notes.addresses[source[start:end]]
        if is_plain_address(source, start, end):
            return source[start:end]
        url = safe_url(self.page.value(start, end), self.base)
        return html.escape(url).encode() if url else b""


def direction_around(rows: Rows, element: int, root: int, known: dict[int, str]) -> str:
    """The direction that an element has from those around it, or itself, but not from `root`.

    What is found is noted in `known`, so that no element is looked at for each that stands in it.
    """
    passed: list[int] = []
    found = ""
    while element > root:
        if element in known:
            found = known[element]
            break
        passed.append(element)
        if tells_direction(rows.source, rows.start[element], rows.inner[element]):
            said = (rows.attribute(element, b"dir") or "").strip().lower()
            if said in ("rtl", "ltr"):
                found = said
                break
        element = rows.parent[element]
    known.update(dict.fromkeys(passed, found))
    return found


def tells_direction(source: bytes, start: int, end: int) -> bool:
    """Whether a tag may have a `dir` or `lang`."""
    for at in range(start + 2, end - 4):
        before = source[at - 1]
        if before <= SPACE_OCTET or before in (QUOTE, APOSTROPHE, SLASH):
            first, second = source[at] | 0x20, source[at + 1] | 0x20
            if (first == 0x64 and second == 0x69) or (first == 0x6C and second == 0x61):
                return True
    return False


def is_plain_address(source: bytes, start: int, end: int) -> bool:
    """Whether an address is absolute, and holds nothing but what may stand in HTML as it is."""
    if end - start < 8 or source[start] != 0x68 or source[start + 1] != 0x74:
        return False
    if source[start : start + 7] != b"http://" and source[start : start + 8] != b"https://":
        return False
    for at in range(start, end):
        octet = source[at]
        if octet <= 0x22 or octet >= 0x7F or octet in (AMPERSAND, APOSTROPHE, LESS, GREATER):
            return False
    return True
