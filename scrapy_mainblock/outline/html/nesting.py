"""Tree construction without a tree: which elements each tag opens and closes by HTML's rules.

The rules are those of https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody and
the sections after it, as far as they decide where text stands: which end tags are implied, what a
table may contain.

Many rules ask whether an element is "in scope". The answer must not require a walk down the stack
of open elements, or a page of broken tags would take quadratic time. So the stack keeps track of
the last open element of each name (`last`), and of the last ones that end a scope.

The rules are simplified where text stays in its place:

* Overlapping formatting elements (``<b><p></b></p>``) are not cloned: the inner block stays under
  the outer element, which ends at its end tag.
* Formatting elements are not reopened in the next paragraph.
* Nothing under ``<template>``, ``<svg>`` and ``<math>`` is recorded as an element, and framesets
  are empty.
"""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import ints, longer
from scrapy_mainblock.outline.html.fostering import moved
from scrapy_mainblock.outline.html.tags import (
    BREAKOUT,
    CLOSES_P,
    CODES,
    ENDS_IN_SCOPE,
    FLAGS,
    FLOW,
    FOREIGN,
    FORMATTING,
    HARD,
    HEADING,
    HIDDEN,
    IN_HEAD,
    MARKER,
    MODE,
    NOT_HTML,
    PLAIN,
    SCOPE,
    SPECIAL,
    TABLE_CONTEXT,
    TABLE_PART,
    TRACKED,
    UNKNOWN,
    VOID,
    name_hash,
)
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, LINKED, OPEN, TEXT
from scrapy_mainblock.outline.rows import Rows

A, ARTICLE, BODY, BR, BUTTON, CAPTION, COL, COLGROUP = (
    CODES[name] for name in "a article body br button caption col colgroup".split()
)
DD, DT, FORM, FRAME, FRAMESET, H1, HEAD, HTML, HR = (
    CODES[name] for name in "dd dt form frame frameset h1 head html hr".split()
)
IMAGE, IMG, INPUT, KEYGEN, LI, MAIN, MATH, NOBR, NOSCRIPT, OL = (
    CODES[name] for name in "image img input keygen li main math nobr noscript ol".split()
)
OPTGROUP, OPTION, P, RB, RP, RT, RTC, RUBY = (
    CODES[name] for name in "optgroup option p rb rp rt rtc ruby".split()
)
SCRIPT, SELECT, STYLE, SVG, TABLE, TBODY, TD = (
    CODES[name] for name in "script select style svg table tbody td".split()
)
TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TR, UL = (
    CODES[name] for name in "template textarea tfoot th thead tr ul".split()
)
APPLET, FONT, MARQUEE, OBJECT = (CODES[name] for name in "applet font marquee object".split())
FOREIGN_ELEMENT, INTEGRATION = CODES["#foreign"], CODES["#integration"]

# Elements of SVG and MathML that contain HTML.
HASH_FOREIGN_OBJECT, HASH_DESC, HASH_TITLE = (
    name_hash(name) for name in (b"foreignobject", b"desc", b"title")
)
HASH_MI, HASH_MO, HASH_MN, HASH_MS, HASH_MTEXT, HASH_ANNOTATION = (
    name_hash(name) for name in (b"mi", b"mo", b"mn", b"ms", b"mtext", b"annotation-xml")
)
FARTHEST = 200
"""Maximum open elements without a code that are searched for the one that an end tag closes."""

BEFORE_HEAD, HEAD_OPEN, AFTER_HEAD, BODY_OPEN = range(4)
"""The phases of a page."""
OPENED, CLOSED_EARLY, CLOSED_FORM = range(3)
"""States of an element on the stack. An element closed early has ended, but others that began in it
have not. A closed form had its end tag, but ends only after the elements that are open in it."""
STACK = 256
MANY = 100


class Nesting:
    """The elements and texts recorded so far, and the stack of open elements."""

    def __init__(self, size: int, shows_buttons: bool, shows_noscript: bool) -> None:
        self.shows_buttons, self.shows_noscript = shows_buttons, shows_noscript
        self._make_rows(max(64, size // 48))
        self._make_stack()
        self.scope = self.special = self.hard = self.mode = self.marker = -1
        self.phase = BEFORE_HEAD
        self.head = self.body = self.form = -1
        self.hidden = self.links = self.closed_early = 0
        self.in_button = self.button_content = self.noscript_content = 0
        self.is_quirks = True
        self.is_fostering = False
        self.is_plain = False
        self.line_break = -1
        # Content in a table that belongs before it: the table, and the content's range of the tape.
        self.foster_count = 0
        self.foster_table = self.foster_start = self.foster_end = ints(1)[:0]
        self.item_types: list[tuple[int, int]] = []
        """Source ranges of the values of `itemtype`."""
        self.properties: list[tuple[int, int]] = []
        """Source ranges of the values of `itemprop`, `property`, and `rel` if it is "author"."""
        self.forget_attributes()
        self._push(self._row(HTML, -1, 0, 0), HTML, 0)

    def _make_rows(self, room: int) -> None:
        """Make room for elements, texts and the tape, in one array: making one takes time."""
        self.room, self.count = room, 0
        rows = ints(22 * room)
        self.tag, self.parent = rows[:room], rows[room : 2 * room]
        self.start, self.inner = rows[2 * room : 3 * room], rows[3 * room : 4 * room]
        self.end, self.id_at = rows[4 * room : 5 * room], rows[5 * room : 6 * room]
        self.id_end, self.class_at = rows[6 * room : 7 * room], rows[7 * room : 8 * room]
        self.class_end, self.href_at = rows[8 * room : 9 * room], rows[9 * room : 10 * room]
        self.href_end, self.tape_at = rows[10 * room : 11 * room], rows[11 * room : 12 * room]
        self.tape_end = rows[12 * room : 13 * room]
        self.text_room, self.text_count = room, 0
        self.text_start, self.text_end = rows[13 * room : 14 * room], rows[14 * room : 15 * room]
        self.text_owner, self.text_flags = rows[15 * room : 16 * room], rows[16 * room : 17 * room]
        self.text_chars, self.text_gaps = rows[17 * room : 18 * room], rows[18 * room : 19 * room]
        self.tape_room, self.tape_count = 3 * room, 0
        self.tape = rows[19 * room :]

    def _make_stack(self) -> None:
        self.depth, self.stack_room = 0, STACK
        room = ints(12 * STACK)
        self.open_element, self.open_code = room[:STACK], room[STACK : 2 * STACK]
        self.open_state, self.open_fostered = (
            room[2 * STACK : 3 * STACK],
            room[3 * STACK : 4 * STACK],
        )
        self.open_hash, self.same_before = room[4 * STACK : 5 * STACK], room[5 * STACK : 6 * STACK]
        self.scope_before, self.special_before = (
            room[6 * STACK : 7 * STACK],
            room[7 * STACK : 8 * STACK],
        )
        self.hard_before, self.mode_before = (
            room[8 * STACK : 9 * STACK],
            room[9 * STACK : 10 * STACK],
        )
        self.marker_before, self.last = room[10 * STACK : 11 * STACK], room[11 * STACK :]
        for code in range(STACK):
            self.last[code] = -1

    def forget_attributes(self) -> None:
        """Forget the attributes of the last tag, so that the next element has none."""
        self.id_from = self.id_to = self.class_from = self.class_to = 0
        self.href_from = self.href_to = 0
        self.is_self_closing = self.is_hidden_input = self.breaks_out = self.holds_html = False

    # ---- tags and texts ------------------------------------------------------------------------

    def begin(self, code: int, hashed: int, at: int, inner: int) -> bool:
        """Process the start tag of an element with markup in it; return False for a template."""
        flags = FLAGS[code]
        self.is_fostering = False
        if flags & PLAIN and self.is_plain:
            if flags & CLOSES_P:
                if code == LI and self.open_code[self.hard] == LI:
                    self._close_to(self.hard, at)
                self._close_p(at)
            elif code == A and self.last[A] > self.marker:
                self._end_formatting(A, at, True)
            self._open(code, hashed, at, inner)
        elif not (self.is_in_picture() and self._start_foreign(code, hashed)):
            return self._start(code, hashed, at, inner)
        return True

    def text(self, start: int, end: int, chars: int, gaps: int, flags: int) -> None:
        """Record a text with `chars` non-whitespace characters and `gaps` between its words."""
        if chars:
            if self.phase != BODY_OPEN:
                self._open_body(start)
            if self.open_code[self.mode] == COLGROUP:
                self._close_to(self.mode, start)
        if self.phase == BODY_OPEN and not self.hidden:
            number = self.text_count
            if number == self.text_room:
                self._grow_texts()
            self.text_count = number + 1
            self.text_start[number] = start
            self.text_end[number] = end
            self.text_owner[number] = self.open_element[self.depth - 1]
            self.text_flags[number] = flags | LINKED if self.links else flags
            self.text_chars[number] = chars
            self.text_gaps[number] = gaps
            self._record(number << 2 | TEXT)
            if chars and FLAGS[self.open_code[self.depth - 1]] & TABLE_CONTEXT:
                self.text_owner[number] = self._foster_parent()
                self._foster(self.tape_count - 1)

    def end_tag(self, code: int, hashed: int, at: int, behind: int) -> None:
        """Process an end tag."""
        flags = FLAGS[code]
        self.is_fostering = False
        if not self.is_plain:
            is_of_picture = FLAGS[self.open_code[self.depth - 1]] & NOT_HTML != 0
            if not (is_of_picture and self._end_foreign(code, hashed, at)):
                self._end_elsewhere(code, hashed, at, behind)
        elif flags & ENDS_IN_SCOPE:
            if self.last[code] > self.scope:
                self._close_to(self.last[code], at)
        elif flags & FORMATTING:
            self._end_formatting(code, at, False)
        else:
            self._end(code, hashed, at, behind)

    def close(self, at: int) -> None:
        """Close all elements at the end of the page."""
        if self.phase != BODY_OPEN:
            self._open_body(at)
        while self.depth:
            self._pop(at)

    def outline(self, source: bytes) -> Rows:
        """Return the rows of all elements and texts that were recorded."""
        found = Rows(source)
        found.body, found.head, found.is_full = self.body, self.head, self.line_break >= 0
        found.button_content = self.button_content
        found.noscript_content = self.noscript_content
        found.item_types = self.item_types
        found.properties = self.properties
        count, texts = self.count, self.text_count
        found.element_count = count
        found.tag, found.parent = self.tag[:count], self.parent[:count]
        found.start, found.inner = self.start[:count], self.inner[:count]
        found.end = self.end[:count]
        found.id_at, found.id_end = self.id_at[:count], self.id_end[:count]
        found.class_at, found.class_end = self.class_at[:count], self.class_end[:count]
        found.href_at, found.href_end = self.href_at[:count], self.href_end[:count]
        found.tape_at, found.tape_end = self.tape_at[:count], self.tape_end[:count]
        found.text_start, found.text_end = self.text_start[:texts], self.text_end[:texts]
        found.text_owner, found.text_flags = self.text_owner[:texts], self.text_flags[:texts]
        found.text_chars, found.text_gaps = self.text_chars[:texts], self.text_gaps[:texts]
        tape = self.tape[: self.tape_count]
        found.tape = tape
        if self.foster_count:
            found.tape = moved(tape, self._fostered(), found.tape_at, found.tape_end)
        return found

    def _fostered(self) -> memoryview[int]:
        count = self.foster_count
        found = ints(3 * count)
        found[:count] = self.foster_table[:count]
        found[count : 2 * count] = self.foster_start[:count]
        found[2 * count :] = self.foster_end[:count]
        return found

    # ---- rows ----------------------------------------------------------------------------------

    def _row(self, code: int, parent: int, at: int, inner: int) -> int:
        """Add an element with the attributes of the last tag, and return its number."""
        number = self.count
        if number == self.room:
            self._grow_rows()
        self.count = number + 1
        self.tag[number] = code
        self.parent[number] = parent
        self.start[number] = at
        self.inner[number] = inner
        self.end[number] = inner
        self.id_at[number] = self.id_from
        self.id_end[number] = self.id_to
        self.class_at[number] = self.class_from
        self.class_end[number] = self.class_to
        self.href_at[number] = self.href_from
        self.href_end[number] = self.href_to
        self.tape_at[number] = -1
        self.tape_end[number] = -1
        return number

    def _take_attributes(self, number: int) -> None:
        """Give an element the id and class of the last tag, unless it already has one."""
        if self.id_from and not self.id_at[number]:
            self.id_at[number], self.id_end[number] = self.id_from, self.id_to
        if self.class_from and not self.class_at[number]:
            self.class_at[number], self.class_end[number] = self.class_from, self.class_to

    def _record(self, event: int) -> None:
        if self.tape_count == self.tape_room:
            self.tape_room = 2 * self.tape_room
            self.tape = longer(self.tape, self.tape_room)
        self.tape[self.tape_count] = event
        self.tape_count += 1

    def _grow_rows(self) -> None:
        self.room = room = 2 * self.room
        self.tag, self.parent = longer(self.tag, room), longer(self.parent, room)
        self.start, self.inner = longer(self.start, room), longer(self.inner, room)
        self.end = longer(self.end, room)
        self.id_at, self.id_end = longer(self.id_at, room), longer(self.id_end, room)
        self.class_at, self.class_end = longer(self.class_at, room), longer(self.class_end, room)
        self.href_at, self.href_end = longer(self.href_at, room), longer(self.href_end, room)
        self.tape_at, self.tape_end = longer(self.tape_at, room), longer(self.tape_end, room)

    def _grow_texts(self) -> None:
        self.text_room = room = 2 * self.text_room
        self.text_start, self.text_end = longer(self.text_start, room), longer(self.text_end, room)
        self.text_owner = longer(self.text_owner, room)
        self.text_flags = longer(self.text_flags, room)
        self.text_chars = longer(self.text_chars, room)
        self.text_gaps = longer(self.text_gaps, room)

    def _grow_stack(self) -> None:
        self.stack_room = room = 2 * self.stack_room
        self.open_element = longer(self.open_element, room)
        self.open_code = longer(self.open_code, room)
        self.open_state = longer(self.open_state, room)
        self.open_fostered = longer(self.open_fostered, room)
        self.open_hash = longer(self.open_hash, room)
        self.same_before = longer(self.same_before, room)
        self.scope_before = longer(self.scope_before, room)
        self.special_before = longer(self.special_before, room)
        self.hard_before = longer(self.hard_before, room)
        self.mode_before = longer(self.mode_before, room)
        self.marker_before = longer(self.marker_before, room)

    # ---- the stack of open elements ------------------------------------------------------------

    def _push(self, element: int, code: int, hashed: int) -> None:
        top = self.depth
        if top == self.stack_room:
            self._grow_stack()
        self.depth = top + 1
        self.open_element[top] = element
        self.open_code[top] = code
        self.open_state[top] = OPENED
        self.open_fostered[top] = -1
        self.open_hash[top] = hashed
        self.same_before[top] = self.last[code]
        self.last[code] = top
        flags = FLAGS[code]
        if flags & TRACKED:
            self._track(top, flags)
        if flags & HIDDEN and not (code == BUTTON and self.shows_buttons):
            self.hidden += 1
        elif not self.hidden:
            self.tape_at[element] = self.tape_count
            self._record(element << 2 | OPEN)

    def _track(self, top: int, flags: int) -> None:
        if flags & SPECIAL:
            self.special_before[top] = self.special
            self.special = top
            if flags & HARD:
                self.hard_before[top] = self.hard
                self.hard = top
        if flags & SCOPE:
            self.scope_before[top] = self.scope
            self.scope = top
        if flags & MODE:
            self.mode_before[top] = self.mode
            self.mode = top
        if flags & MARKER:
            self.marker_before[top] = self.marker
            self.marker = top
        if flags & (MODE | NOT_HTML):
            self._update_is_plain()

    def _pop(self, at: int) -> None:
        """Close the innermost open element."""
        self._pop_one(at)
        # Also close the elements around it that ended while this one was still open.
        while self.closed_early and self.open_state[self.depth - 1] != OPENED:
            self.closed_early -= 1
            self._pop_one(at)

    def _pop_one(self, at: int) -> None:
        top = self.depth - 1
        self.depth = top
        element = self.open_element[top]
        code = self.open_code[top]
        flags = FLAGS[code]
        if self.open_state[top] == OPENED:
            self.last[code] = self.same_before[top]
            if code == A:
                self.links -= self.href_at[element] > 0
            elif code == FORM:
                self.form = -1
        if flags & TRACKED:
            self._untrack(top, flags)
        if code < FOREIGN_ELEMENT:
            if self.open_state[top] != CLOSED_EARLY:
                self._close_row(element, at)
            if flags & HIDDEN and not (code == BUTTON and self.shows_buttons):
                self.hidden -= 1
            if self.open_fostered[top] >= 0:
                self.foster_end[self.open_fostered[top]] = self.tape_count

    def _untrack(self, top: int, flags: int) -> None:
        if flags & SPECIAL:
            self.special = self.special_before[top]
            if flags & HARD:
                self.hard = self.hard_before[top]
        if flags & SCOPE:
            self.scope = self.scope_before[top]
        if flags & MODE:
            self.mode = self.mode_before[top]
        if flags & MARKER:
            self.marker = self.marker_before[top]
        if flags & (MODE | NOT_HTML) and self.mode >= 0:
            self._update_is_plain()

    def _update_is_plain(self) -> None:
        """Set `is_plain`: whether text and paragraphs may begin here, as nearly everywhere."""
        is_html = self.last[SVG] < 0 and self.last[MATH] < 0
        self.is_plain = is_html and FLAGS[self.open_code[self.mode]] & FLOW != 0

    def _close_row(self, element: int, at: int) -> None:
        self.end[element] = at
        if self.tape_at[element] >= 0:
            self._record(element << 2 | CLOSE)
            self.tape_end[element] = self.tape_count

    def _close_to(self, place: int, at: int) -> None:
        """Close the element at a position of the stack, and all elements that are open in it."""
        while self.depth > place:
            self._pop(at)

    def _close_mode(self, at: int) -> int:
        """Close the element that determines the insertion mode; return the code of the next one."""
        self._close_to(self.mode, at)
        return self.open_code[self.mode]

    def _open(self, code: int, hashed: int, at: int, inner: int) -> int:
        """Open an element with the attributes of the last tag, and return its number."""
        parent = self.open_element[self.depth - 1]
        is_fostered = self.is_fostering and FLAGS[self.open_code[self.depth - 1]] & TABLE_CONTEXT
        if is_fostered:
            parent = self._foster_parent()
        element = self._row(code, parent, at, inner)
        flags = FLAGS[code]
        if flags & VOID:
            if not (flags & HIDDEN or self.hidden):
                self.tape_at[element] = self.tape_count
                self._record(element << 2 | EMPTY)
                self.tape_end[element] = self.tape_count
        else:
            self._push(element, code, hashed)
            if code == A:
                self.links += self.href_from > 0
            elif self.last[BUTTON] >= 0:
                self._count_in_button(code)
        if is_fostered and self.tape_at[element] >= 0:
            self._foster(self.tape_at[element])
            if not flags & VOID:
                self.open_fostered[self.depth - 1] = self.foster_count - 1
        return element

    def _count_in_button(self, code: int) -> None:
        """Count paragraphs and main content in a button: many show that it was never closed."""
        if code == BUTTON:
            self.in_button = 0
        elif code == P:
            self.in_button += 1
        elif code == MAIN or code == ARTICLE:
            self.in_button += MANY
        self.button_content = max(self.button_content, self.in_button)

    def _imply(self, code: int, at: int) -> None:
        """Open an element that is implied, without a tag."""
        parent = self.open_element[self.depth - 1]
        kept = (self.id_from, self.id_to, self.class_from, self.class_to)
        self.id_from = self.id_to = self.class_from = self.class_to = 0
        self._push(self._row(code, parent, at, at), code, 0)
        self.id_from, self.id_to, self.class_from, self.class_to = kept

    def _foster_parent(self) -> int:
        """Return the element around the current table: the parent of fostered content."""
        return self.open_element[max(self.last[TABLE], 1) - 1]

    def _foster(self, place: int) -> None:
        """Record that the content at a position of the tape belongs before its table."""
        number = self.foster_count
        if number == len(self.foster_table):
            room = max(64, 2 * number)
            self.foster_table = longer(self.foster_table, room)
            self.foster_start = longer(self.foster_start, room)
            self.foster_end = longer(self.foster_end, room)
        self.foster_count = number + 1
        self.foster_table[number] = self.open_element[max(self.last[TABLE], 0)]
        self.foster_start[number] = place
        self.foster_end[number] = self.tape_count

    def _open_body(self, at: int) -> None:
        """Open the body, without any attributes."""
        kept = (self.id_from, self.id_to, self.class_from, self.class_to)
        self.id_from = self.id_to = self.class_from = self.class_to = 0
        self._open_head(at)
        self.body = self._row(BODY, 0, at, at)
        self._push(self.body, BODY, 0)
        self.phase = BODY_OPEN
        self.id_from, self.id_to, self.class_from, self.class_to = kept

    def _open_head(self, at: int) -> None:
        if self.head < 0:
            self.head = self._row(HEAD, 0, at, at)
            self.phase = HEAD_OPEN

    # ---- start tags ----------------------------------------------------------------------------

    def _start(self, code: int, hashed: int, at: int, inner: int) -> bool:
        flags = FLAGS[code]
        if self.phase != BODY_OPEN and self._start_before_body(code, at, inner):
            return code != TEMPLATE
        if not self.prepare_for(code, at, inner):
            return True
        if flags & TABLE_PART:
            self._start_table_part(code, hashed, at, inner)
        elif code == TEMPLATE:
            self._row(TEMPLATE, self.open_element[self.depth - 1], at, inner)
            return False
        else:
            self._start_in_body(code, hashed, at, inner)
        return True

    def prepare_for(self, code: int, at: int, inner: int) -> bool:
        """Prepare for an element, and return whether it may begin here.

        An element that an open ``<select>`` or table may not contain closes it, is fostered, or is
        ignored.
        """
        mode = self.open_code[self.mode]
        if FLAGS[mode] & FLOW:
            return True
        if mode == SELECT:
            if not self._is_for_select(code, at):
                return False
            mode = self.open_code[self.mode]
        if FLAGS[code] & TABLE_PART:
            return True
        if mode == COLGROUP and code != TEMPLATE:
            mode = self._close_mode(at)
        if FLAGS[mode] & TABLE_CONTEXT:
            if code == TABLE:
                self._close_to(self.last[TABLE], at)
            elif code == FORM:
                if self.form < 0:
                    self.form = self._row(code, self.open_element[self.depth - 1], at, inner)
                return False
            elif code == INPUT and self.is_hidden_input:
                return False
            elif code != STYLE and code != SCRIPT and code != TEMPLATE:
                self.is_fostering = True
        return True

    def _start_in_body(self, code: int, hashed: int, at: int, inner: int) -> None:
        flags = FLAGS[code]
        if code == BODY or code == HTML:
            self._take_attributes(self.body if code == BODY else 0)
            return
        if code == FRAME or code == FRAMESET or code == HEAD:
            return
        if code == NOSCRIPT and self.shows_noscript:
            return
        if code == FORM and self.form >= 0:
            return
        if code == LI:
            if self.hard >= 0 and self.open_code[self.hard] == LI:
                self._close_to(self.hard, at)
        elif code == DD or code == DT:
            if self.hard >= 0 and self.open_code[self.hard] in (DD, DT):
                self._close_to(self.hard, at)
        if flags & CLOSES_P or code == HR or (code == TABLE and not self.is_quirks):
            self._close_p(at)
        top = self.open_code[self.depth - 1]
        if flags & HEADING:
            if FLAGS[top] & HEADING:
                self._pop(at)
        elif code == A:
            if self.last[A] > self.marker:
                self._end_formatting(A, at, True)
        elif code == BUTTON:
            if self.last[BUTTON] > self.scope:
                self._close_to(self.last[BUTTON], at)
        elif code == NOBR:
            if self.last[NOBR] > self.scope:
                self._end_formatting(NOBR, at, True)
        elif code == OPTION or code == OPTGROUP:
            self._end_option(code, at)
        elif code == RB or code == RTC or code == RP or code == RT:
            if self.last[RUBY] > self.scope:
                self._imply_ends_in_ruby(at, code == RP or code == RT)
        element = self._open(IMG if code == IMAGE else code, hashed, at, inner)
        if code == FORM:
            self.form = element
        elif (code == SVG or code == MATH) and self.is_self_closing:
            self._pop(inner)

    def _close_p(self, at: int) -> None:
        place = self.last[P]
        if place > self.scope and place > self.last[BUTTON]:
            self._close_to(place, at)

    def _end_option(self, code: int, at: int) -> None:
        if self.open_code[self.depth - 1] == OPTION:
            self._pop(at)
        if code == OPTGROUP and self.open_code[self.mode] == SELECT:
            if self.open_code[self.depth - 1] == OPTGROUP:
                self._pop(at)

    def _imply_ends_in_ruby(self, at: int, but_rtc: bool) -> None:
        while True:
            top = self.open_code[self.depth - 1]
            if top not in (DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT, RTC):
                break
            if top == RTC and but_rtc:
                break
            self._pop(at)

    def _start_before_body(self, code: int, at: int, inner: int) -> bool:
        """Process a start tag before the body; return False if it belongs in the body."""
        if code == HTML:
            self._take_attributes(0)
        elif code == HEAD:
            self._open_head(at)
        elif code == BODY:
            self._open_body(at)
            self._take_attributes(self.body)
        elif code == FRAMESET:
            self._open_body(at)
            self.hidden += 1
        elif code == NOSCRIPT and self.phase != AFTER_HEAD:
            self._open_head(at)
        elif self.is_of_head(code):
            self.add_to_head(code, at, inner)
        else:
            self._open_body(at)
            return False
        return True

    def is_of_head(self, code: int) -> bool:
        """Return whether an element before the body belongs to the head, even after ``</head>``."""
        if code == NOSCRIPT:
            return self.phase != AFTER_HEAD
        return FLAGS[code] & IN_HEAD != 0

    def add_to_head(self, code: int, at: int, inner: int) -> int:
        """Add an element to the head, and return its number."""
        kept = (self.id_from, self.id_to, self.class_from, self.class_to)
        self.id_from = self.id_to = self.class_from = self.class_to = 0
        self._open_head(at)
        self.id_from, self.id_to, self.class_from, self.class_to = kept
        return self._row(code, self.head, at, inner)

    def start_raw(self, code: int, hashed: int, at: int, inner: int) -> int:
        """Open an element whose content is not markup; return its number, -1 if not allowed."""
        self.is_fostering = False
        if self.phase != BODY_OPEN:
            if self.is_of_head(code):
                return self.add_to_head(code, at, inner)
            self._open_body(at)
        if not self.prepare_for(code, at, inner):
            return -1
        if FLAGS[code] & CLOSES_P:
            self._close_p(at)
        return self._open(code, hashed, at, inner)

    def end_raw(self, element: int, at: int) -> None:
        """Close an element whose content is not markup."""
        if self.open_element[self.depth - 1] == element:
            self._pop(at)
        else:
            self.end[element] = at

    def _is_for_select(self, code: int, at: int) -> bool:
        """Return whether to process a start tag in a ``<select>``, which it may close."""
        if code in (OPTION, OPTGROUP, SCRIPT, TEMPLATE):
            return True
        if code == HR:
            while self.open_code[self.depth - 1] in (OPTION, OPTGROUP):
                self._pop(at)
            return True
        if code == SELECT:
            self._close_mode(at)
            return False
        is_of_table = code == TABLE or (FLAGS[code] & TABLE_PART and code not in (COL, COLGROUP))
        if code in (INPUT, KEYGEN, TEXTAREA) or (is_of_table and self.last[TABLE] >= 0):
            self._close_mode(at)
            return True
        return False

    def _start_table_part(self, code: int, hashed: int, at: int, inner: int) -> None:
        """Open a part of a table: first close what cannot contain it, and open what it implies."""
        mode = self.open_code[self.mode]
        if mode in (TD, TH, CAPTION):
            mode = self._close_mode(at)
        if mode == COLGROUP and code != COL:
            mode = self._close_mode(at)
        if mode == TR and code not in (TD, TH):
            mode = self._close_mode(at)
        if mode in (TBODY, THEAD, TFOOT) and code not in (TR, TD, TH):
            mode = self._close_mode(at)
        if not (FLAGS[mode] & TABLE_CONTEXT or mode == COLGROUP):
            return  # it is not in a table
        self._close_to(self.mode + 1, at)
        if code in (TD, TH, TR) and mode == TABLE:
            self._imply(TBODY, at)
            mode = TBODY
        if code in (TD, TH) and mode != TR:
            self._imply(TR, at)
        elif code == COL and mode == TABLE:
            self._imply(COLGROUP, at)
        self._open(code, hashed, at, inner)

    def break_line(self, at: int) -> None:
        """End a line: beyond the limit of elements, blocks are recorded as line breaks only."""
        if self.line_break < 0:
            if self.phase != BODY_OPEN:
                self._open_body(at)
            self.forget_attributes()
            self.line_break = self._row(BR, self.open_element[self.depth - 1], at, at)
            while self.hidden and self.depth > 2:
                self._pop(at)
        self._record(self.line_break << 2 | EMPTY)

    # ---- end tags ------------------------------------------------------------------------------

    def _end_elsewhere(self, code: int, hashed: int, at: int, behind: int) -> None:
        """Process an end tag before the body, in a ``<select>``, or directly in a table."""
        if self.phase != BODY_OPEN:
            if code == HEAD:
                self._open_head(at)
                self.end[self.head] = at
                self.phase = AFTER_HEAD
                return
            if code not in (BODY, HTML, BR):
                return
            self._open_body(at)
        mode = self.open_code[self.mode]
        if mode == SELECT and not self._ends_in_select(code, at):
            return
        if code == COLGROUP:
            if mode == COLGROUP:
                self._close_mode(at)
            return
        if (code == P or code == BR) and FLAGS[mode] & TABLE_CONTEXT:
            self.is_fostering = True
        self._end(code, hashed, at, behind)

    def _end(self, code: int, hashed: int, at: int, behind: int) -> None:
        flags = FLAGS[code]
        place = self.last[code]
        if flags & TABLE_PART or code == TABLE:
            least = self.last[INTEGRATION] if code == TABLE else self.last[TABLE]
            if place > least and code != COLGROUP:
                self._close_to(place, at)
        elif code == P:
            if place > self.scope and place > self.last[BUTTON]:
                self._close_to(place, at)
            else:
                self.forget_attributes()
                self._open(P, hashed, at, at)
                self._pop(at)
        elif flags & ENDS_IN_SCOPE:
            if place > self.scope:
                self._close_to(place, at)
        elif flags & FORMATTING:
            self._end_formatting(code, at, False)
        elif code == LI:
            if place > self.scope and place > self.last[OL] and place > self.last[UL]:
                self._close_to(place, at)
        elif code == DD or code == DT:
            if place > self.scope:
                self._close_to(place, at)
        elif flags & HEADING:
            self._end_heading(at)
        elif code == FORM:
            self._end_form(at)
        elif code == BR:
            self.forget_attributes()
            self._open(BR, hashed, at, behind)
        elif code == APPLET or code == MARQUEE or code == OBJECT:
            if place >= self.scope and place >= 0:
                self._close_to(place, at)
        elif code != BODY and code != HTML and code != HEAD:
            self._end_other(code, hashed, at)

    def _end_other(self, code: int, hashed: int, at: int) -> None:
        """End an element without special rules, unless a block is open in it."""
        place = self.last[code]
        if code == UNKNOWN:
            steps = 0
            while place > self.special and self.open_hash[place] != hashed:
                steps += 1
                place = self.same_before[place] if steps < FARTHEST else -1
        if place > self.special:
            self._close_to(place, at)

    def _end_heading(self, at: int) -> None:
        """End a heading; its end tag may be that of another level."""
        place = -1
        for code in range(H1, H1 + 6):
            place = max(place, self.last[code])
        if place > self.scope:
            self._close_to(place, at)

    def _end_form(self, at: int) -> None:
        """End a form; the elements that are open in it stay open."""
        place = self.last[FORM]
        is_open = self.form >= 0 and place >= 0 and self.open_element[place] == self.form
        self.form = -1
        if not is_open or place <= self.scope:
            return
        while self.depth - 1 > place:
            if self.open_code[self.depth - 1] not in (DD, DT, LI, OPTGROUP, OPTION, P, RB, RP, RT):
                break
            self._pop(at)
        if place == self.depth - 1:
            self._pop(at)
        else:
            self.last[FORM] = self.same_before[place]
            self.open_state[place] = CLOSED_FORM
            self.closed_early += 1

    def _end_formatting(self, code: int, at: int, is_new: bool) -> None:
        """End an element like ``<b>``; blocks that are open in it stay open."""
        place = self.last[code]
        if place > self.special:
            self._close_to(place, at)
        elif place >= 0 and (place > self.scope or is_new):
            element = self.open_element[place]
            self.last[code] = self.same_before[place]
            self.open_state[place] = CLOSED_EARLY
            self.closed_early += 1
            self._close_row(element, at)
            if code == A:
                self.links -= self.href_at[element] > 0

    def _ends_in_select(self, code: int, at: int) -> bool:
        """Process an end tag in a ``<select>``; return whether it also ends elements around it."""
        top = self.depth - 1
        if code == OPTION:
            if self.open_code[top] == OPTION:
                self._pop(at)
        elif code == OPTGROUP:
            if self.open_code[top] == OPTION and self.open_code[top - 1] == OPTGROUP:
                self._pop(at)
            if self.open_code[self.depth - 1] == OPTGROUP:
                self._pop(at)
        elif code == SELECT:
            self._close_mode(at)
        elif FLAGS[code] & TABLE_PART or code == TABLE:
            if code not in (COL, COLGROUP) and self.last[code] >= 0:
                self._close_mode(at)
                return True
        return False

    # ---- SVG and MathML ------------------------------------------------------------------------

    def is_in_picture(self) -> bool:
        """Return whether the innermost element is one of SVG or MathML, where no element is raw."""
        return FLAGS[self.open_code[self.depth - 1]] & FOREIGN != 0

    def _start_foreign(self, code: int, hashed: int) -> bool:
        """Process a start tag in SVG or MathML; return False if it is to be processed as HTML."""
        if (FLAGS[code] & BREAKOUT) or (code == FONT and self.breaks_out):
            while self.is_in_picture():
                self._pop(self.inner[self.count - 1])
            return False
        top = self.depth - 1
        if code == SVG and self.open_hash[top] == HASH_ANNOTATION:
            return False
        if not self.is_self_closing:
            if self.last[SVG] > self.last[MATH]:
                is_html = hashed in (HASH_FOREIGN_OBJECT, HASH_DESC, HASH_TITLE)
            else:
                is_html = hashed in (HASH_MI, HASH_MO, HASH_MN, HASH_MS, HASH_MTEXT)
                is_html = is_html or (hashed == HASH_ANNOTATION and self.holds_html)
            self._push(self.open_element[top], INTEGRATION if is_html else FOREIGN_ELEMENT, hashed)
        return True

    def _end_foreign(self, code: int, hashed: int, at: int) -> bool:
        """Process an end tag in SVG or MathML; return False if it is to be processed as HTML."""
        if self.open_code[self.depth - 1] != INTEGRATION and (code == P or code == BR):
            while self.is_in_picture():
                self._pop(at)
            return False
        place = self.depth - 1
        for _ in range(FARTHEST):
            if place < 0 or not FLAGS[self.open_code[place]] & NOT_HTML:
                return False
            if self.open_hash[place] == hashed:
                self._close_to(place, at)
                return True
            place -= 1
        return True
