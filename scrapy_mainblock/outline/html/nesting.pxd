cimport cython

from scrapy_mainblock.outline.html.fostering cimport moved
from scrapy_mainblock.outline.buffers.arrays cimport ints, longer
from scrapy_mainblock.outline.rows cimport Rows

cdef int CLOSE, EMPTY, LINKED, OPEN, TEXT, UNKNOWN
cdef unsigned int BREAKOUT, CLOSES_P, ENDS_IN_SCOPE, FLOW, FOREIGN, FORMATTING, HARD
cdef unsigned int HEADING, HIDDEN, IN_HEAD, MARKER, MODE, NOT_HTML, PLAIN, SCOPE
cdef unsigned int SPECIAL, TABLE_CONTEXT, TABLE_PART, TRACKED, VOID
cdef const unsigned int[::1] FLAGS
cdef int A, ARTICLE, BODY, BR, BUTTON, CAPTION, COL, COLGROUP
cdef int DD, DT, FORM, FRAME, FRAMESET, H1, HEAD, HTML, HR
cdef int IMAGE, IMG, INPUT, KEYGEN, LI, MAIN, MATH, NOBR, NOSCRIPT, OL
cdef int OPTGROUP, OPTION, P, RB, RP, RT, RTC, RUBY
cdef int SCRIPT, SELECT, STYLE, SVG, TABLE, TBODY, TD
cdef int TEMPLATE, TEXTAREA, TFOOT, TH, THEAD, TR, UL
cdef int APPLET, FONT, MARQUEE, OBJECT
cdef int FOREIGN_ELEMENT, INTEGRATION, FARTHEST
cdef int HASH_FOREIGN_OBJECT, HASH_DESC, HASH_TITLE
cdef int HASH_MI, HASH_MO, HASH_MN, HASH_MS, HASH_MTEXT, HASH_ANNOTATION
cdef int BEFORE_HEAD, HEAD_OPEN, AFTER_HEAD, BODY_OPEN
cdef int OPENED, CLOSED_EARLY, CLOSED_FORM
cdef int MANY, STACK

@cython.final
cdef class Nesting:
    cdef bint shows_buttons, shows_noscript
    cdef Py_ssize_t room, text_room, tape_room, stack_room
    cdef readonly int count
    cdef int text_count, tape_count
    cdef int[::1] tag, parent, start, inner, end
    cdef int[::1] id_at, id_end, class_at, class_end, href_at, href_end, tape_at, tape_end
    cdef int[::1] text_start, text_end, text_owner, text_flags, text_chars, text_gaps
    cdef int[::1] tape
    cdef int depth
    cdef int[::1] open_element, open_code, open_state, open_fostered, open_hash
    cdef int[::1] same_before, scope_before, special_before, hard_before, mode_before
    cdef int[::1] marker_before, last
    cdef int scope, special, hard, mode, marker
    cdef int phase, head, body, form, hidden, links, closed_early, line_break
    cdef bint is_quirks, is_fostering, is_plain
    cdef Py_ssize_t in_button, button_content, noscript_content
    cdef int id_from, id_to, class_from, class_to, href_from, href_to
    cdef bint is_self_closing, is_hidden_input, breaks_out, holds_html
    cdef int foster_count
    cdef int[::1] foster_table, foster_start, foster_end
    cdef list item_types, properties

    @cython.locals(rows=cython.int[::1])
    cdef _make_rows(self, Py_ssize_t room)
    @cython.locals(room=cython.int[::1], code=cython.int)
    cdef _make_stack(self)
    cdef void forget_attributes(self) noexcept

    @cython.locals(flags=cython.uint)
    cdef bint begin(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner
    ) except -1
    @cython.locals(number=cython.int)
    cdef int text(
        self, Py_ssize_t start, Py_ssize_t end, int chars, int gaps, int flags
    ) except -1
    @cython.locals(flags=cython.uint, is_of_picture=cython.bint)
    cdef int end_tag(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t behind
    ) except -1
    cdef int close(self, Py_ssize_t at) except -1
    @cython.locals(
        count=cython.Py_ssize_t, texts=cython.Py_ssize_t, found=Rows, tape=cython.int[::1],
    )
    cdef Rows outline(self, bytes source)
    @cython.locals(count=cython.Py_ssize_t, found=cython.int[::1])
    cdef int[::1] _fostered(self)

    @cython.locals(number=cython.int)
    cdef int _row(self, int code, int parent, Py_ssize_t at, Py_ssize_t inner) except -1
    cdef int _take_attributes(self, int number) except -1
    cdef int _record(self, int event) except -1
    @cython.locals(room=cython.Py_ssize_t)
    cdef _grow_rows(self)
    @cython.locals(room=cython.Py_ssize_t)
    cdef _grow_texts(self)
    @cython.locals(room=cython.Py_ssize_t)
    cdef _grow_stack(self)

    @cython.locals(top=cython.int, flags=cython.uint)
    cdef int _push(self, int element, int code, int hashed) except -1
    cdef void _track(self, int top, unsigned int flags) noexcept
    cdef int _pop(self, Py_ssize_t at) except -1
    @cython.locals(
        top=cython.int, element=cython.int, code=cython.int, flags=cython.uint,
        place=cython.Py_ssize_t,
    )
    cdef int _pop_one(self, Py_ssize_t at) except -1
    cdef void _untrack(self, int top, unsigned int flags) noexcept
    @cython.locals(is_html=cython.bint)
    cdef void _update_is_plain(self) noexcept
    cdef int _close_row(self, int element, Py_ssize_t at) except -1
    cdef int _close_to(self, int place, Py_ssize_t at) except -1
    cdef int _close_mode(self, Py_ssize_t at) except -1
    @cython.locals(
        parent=cython.int, is_fostered=cython.bint, element=cython.int, flags=cython.uint,
    )
    cdef int _open(self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner) except -1
    cdef int _count_in_button(self, int code) except -1
    @cython.locals(parent=cython.int, kept=tuple)
    cdef int _imply(self, int code, Py_ssize_t at) except -1
    cdef int _foster_parent(self) except -1
    @cython.locals(number=cython.int, room=cython.Py_ssize_t)
    cdef int _foster(self, Py_ssize_t place) except -1
    @cython.locals(kept=tuple)
    cdef int _open_body(self, Py_ssize_t at) except -1
    cdef int _open_head(self, Py_ssize_t at) except -1

    @cython.locals(flags=cython.uint)
    cdef bint _start(self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner) except -1
    @cython.locals(mode=cython.int)
    cdef bint prepare_for(self, int code, Py_ssize_t at, Py_ssize_t inner) except -1
    @cython.locals(flags=cython.uint, top=cython.int, element=cython.int)
    cdef void _start_in_body(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner
    ) except *
    @cython.locals(place=cython.int)
    cdef int _close_p(self, Py_ssize_t at) except -1
    cdef int _end_option(self, int code, Py_ssize_t at) except -1
    @cython.locals(top=cython.int)
    cdef int _imply_ends_in_ruby(self, Py_ssize_t at, bint but_rtc) except -1
    cdef bint _start_before_body(self, int code, Py_ssize_t at, Py_ssize_t inner) except -1
    cdef bint is_of_head(self, int code) noexcept
    @cython.locals(kept=tuple)
    cdef int add_to_head(self, int code, Py_ssize_t at, Py_ssize_t inner) except -1
    cdef int start_raw(self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner) except -2
    cdef int end_raw(self, int element, Py_ssize_t at) except -1
    @cython.locals(is_of_table=cython.bint)
    cdef bint _is_for_select(self, int code, Py_ssize_t at) except -1
    @cython.locals(mode=cython.int)
    cdef void _start_table_part(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner
    ) except *
    cdef int break_line(self, Py_ssize_t at) except -1

    @cython.locals(mode=cython.int)
    cdef void _end_elsewhere(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t behind
    ) except *
    @cython.locals(flags=cython.uint, place=cython.int, least=cython.int)
    cdef int _end(self, int code, int hashed, Py_ssize_t at, Py_ssize_t behind) except -1
    @cython.locals(place=cython.int, steps=cython.int)
    cdef int _end_other(self, int code, int hashed, Py_ssize_t at) except -1
    @cython.locals(place=cython.int, code=cython.int)
    cdef int _end_heading(self, Py_ssize_t at) except -1
    @cython.locals(place=cython.int, is_open=cython.bint)
    cdef void _end_form(self, Py_ssize_t at) except *
    @cython.locals(place=cython.int, element=cython.int)
    cdef int _end_formatting(self, int code, Py_ssize_t at, bint is_new) except -1
    @cython.locals(top=cython.int)
    cdef bint _ends_in_select(self, int code, Py_ssize_t at) except -1

    cdef bint is_in_picture(self) noexcept
    @cython.locals(top=cython.int, is_html=cython.bint)
    cdef bint _start_foreign(self, int code, int hashed) except -1
    @cython.locals(place=cython.int)
    cdef bint _end_foreign(self, int code, int hashed, Py_ssize_t at) except -1
