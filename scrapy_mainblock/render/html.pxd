cimport cython

from scrapy_mainblock.fields.values.addresses cimport is_plain_path, origin_of
from scrapy_mainblock.outline.buffers.octets cimport Octets
from scrapy_mainblock.outline.buffers.arrays cimport ints, longer
from scrapy_mainblock.outline.rows cimport Rows

cdef list CLOSE_TAGS, OPEN_TAGS
cdef bytes FITS
cdef const int[::1] GAP, SUPPLIED, WHAT
cdef int COUNT, HAS_PARTS, HOLDS_TEXT, INLINE, IS_PART, KEPT_BLOCK, PARAGRAPH, RULE, ATTRIBUTED, CELL, ROW
cdef int A, CODE, HR, P, PRE, NOWHERE
cdef int LESS, GREATER, AMPERSAND, LINE_FEED, SPACE_OCTET, LOWER_R, QUOTE, APOSTROPHE, SLASH

@cython.final
cdef class HtmlWriter:
    cdef Rows page
    cdef object base, notes
    cdef str origin
    cdef dict names
    cdef bytes name
    cdef Octets out
    cdef int depth, room
    cdef int[::1] code, element, begins, after_text, holds
    cdef bint is_turned, is_root_turned
    cdef int root, around, language_of
    cdef dict known
    cdef str language
    cdef int top, in_a, in_pre
    cdef bint space, text_stands, parted
    cdef Py_ssize_t behind_tag, behind_break

    @cython.locals(room=cython.int[::1])
    cdef _make_stack(self)
    cdef int begin(self, int root) except -1
    cdef int lead(self, object found) except -1
    @cython.locals(what=cython.int)
    cdef int start(self, int code, int element) except -1
    @cython.locals(level=cython.int)
    cdef int end(self, int code, int element) except -1
    @cython.locals(address=bytes, begins=cython.Py_ssize_t)
    cdef void start_inline(self, int code, int element) except *
    @cython.locals(level=cython.int)
    cdef int end_inline(self, int element) except -1
    cdef int text(self, Octets octets, bint leading, bint trailing) except -1
    cdef int preformatted(self, Octets octets, bint is_blank) except -1
    cdef void blank(self) noexcept
    cdef int line_break(self) except -1
    cdef int image(self, int element) except -1
    cdef int player(self, bytes title, str address) except -1
    cdef int formula(self, bytes tex) except -1
    @cython.locals(octets=Octets)
    cdef int _escaped_bytes(self, bytes text) except -1
    cdef int close(self) except -1
    @cython.locals(found=bytes)
    cpdef bytes result(self)

    @cython.locals(begins=cython.Py_ssize_t)
    cdef void _start_block(self, int code, int element) except *
    @cython.locals(language=str, begins=cython.Py_ssize_t)
    cdef void _name_language(self, int pre) except *
    @cython.locals(tag=bytes, more=bytes, page=Rows, direction=str)
    cdef int _open_tag(self, int code, int element) except -1
    @cython.locals(name=bytes)
    cdef bytes _id(self, int element)
    @cython.locals(supplied=cython.int)
    cdef bint _fits(self, int code) noexcept
    @cython.locals(supplied=cython.int, begins=cython.Py_ssize_t)
    cdef int _make_room(self, int code) except -1
    cdef int _make_room_for_text(self) except -1
    @cython.locals(begins=cython.Py_ssize_t)
    cdef int _open_parents(self) except -1
    @cython.locals(begins_line=cython.bint)
    cdef int _write_gap(self) except -1
    @cython.locals(is_supplied=cython.bint)
    cdef int _close_paragraph(self) except -1
    cdef void _end_line(self) noexcept
    @cython.locals(level=cython.int)
    cdef int _level(self, int element) noexcept
    cdef int _push(self, int code, int element, Py_ssize_t begins) except -1
    @cython.locals(code=cython.int, is_empty=cython.bint, is_first=cython.bint)
    cdef int _pop(self) except -1
    @cython.locals(data="unsigned char[::1]", at=cython.Py_ssize_t)
    cdef void _want_gap_again(self) noexcept
    @cython.locals(begins=cython.Py_ssize_t, size=cython.Py_ssize_t, at=cython.Py_ssize_t)
    cdef bint _is_start_tag_of_top(self) noexcept
    cdef void _hold(self) noexcept
    cdef int _close_down_to(self, int level) except -1
    @cython.locals(
        out=Octets, data="unsigned char[::1]", start=cython.Py_ssize_t, at=cython.Py_ssize_t,
        octet=cython.int,
    )
    cdef int _escaped(self, Octets octets) except -1
    @cython.locals(source=bytes, address=str)
    cdef bytes _address(self, Py_ssize_t start, Py_ssize_t end)

@cython.locals(passed=list, found=str)
cpdef str direction_around(Rows rows, int element, int root, dict known)
@cython.locals(
    at=cython.Py_ssize_t, before=cython.int, first=cython.int, second=cython.int
)
cdef bint tells_direction(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(octets=bytes)
cdef bytes in_attribute(str text)
@cython.locals(at=cython.Py_ssize_t, octet=cython.int)
cdef bint needs_escape(bytes octets) except -1
@cython.locals(at=cython.Py_ssize_t, octet=cython.int)
cdef bint is_plain_address(bytes source, Py_ssize_t start, Py_ssize_t end) except -1
