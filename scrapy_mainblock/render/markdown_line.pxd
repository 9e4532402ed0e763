cimport cython

from scrapy_mainblock.outline.buffers.octets cimport Octets

cdef int NO_GAP, SPACE_GAP, BREAK_GAP, PARTED_GAP
cdef int CELL_LINE, HEADING_LINE, PARAGRAPH_LINE
cdef int EM, LINK, TAG
cdef int WORD, MARK, SYMBOL, BLANK
cdef int LF, SPACE, EXCLAMATION, HASH, AMPERSAND, APOSTROPHE
cdef int OPENING, CLOSING, STAR, PLUS, MINUS, DOT
cdef int COLON, SEMICOLON, LESS, EQUALS, GREATER
cdef int LEFT, BACKSLASH, RIGHT, UNDERSCORE, TICK, BAR, TILDE
cdef int LONGEST_REFERENCE, LONGEST_NUMBER, EVERYWHERE, WITHIN
cdef bytes PLAIN

@cython.final
cdef class Mark:
    cdef int kind
    cdef bytes opens, closes

@cython.final
cdef class Line:
    cdef Octets out, code
    cdef int kind, gap, in_code, in_link, waiting
    cdef Py_ssize_t line_start
    cdef list open, closing

    cdef int begin(self, int kind) except -1
    @cython.locals(mark=Mark)
    cdef int end(self) except -1
    @cython.locals(
        size=cython.Py_ssize_t, octet=cython.int, length=cython.Py_ssize_t,
        start=cython.Py_ssize_t,
    )
    cdef Py_ssize_t text(self, bytes html, Py_ssize_t at) except -1
    @cython.locals(
        size=cython.Py_ssize_t, safe=cython.Py_ssize_t, plain=bytes, kind=cython.int
    )
    cdef Py_ssize_t _plain(self, bytes html, Py_ssize_t at) except -1
    cdef int space(self) except -1
    cdef int line_break(self) except -1
    @cython.locals(last=Mark)
    cdef void start(self, Mark mark) except *
    @cython.locals(mark=Mark)
    cdef int stop(self) except -1
    @cython.locals(mark=Mark)
    cdef bint is_open(self, int kind) except -1
    cdef void start_code(self) noexcept
    cdef void stop_code(self) noexcept
    @cython.locals(
        out=Octets, at=cython.Py_ssize_t, size=cython.Py_ssize_t, is_begun=cython.bint,
        is_spaced=cython.bint, length=cython.Py_ssize_t, octet=cython.int,
    )
    cdef int picture(self, bytes alt, bytes address) except -1
    @cython.locals(
        code=Octets, out=Octets, first=cython.Py_ssize_t, end=cython.Py_ssize_t,
        code_size=cython.Py_ssize_t, longest=cython.int, run=cython.int, at=cython.Py_ssize_t,
        fence=bytes, is_padded=cython.bint,
    )
    cdef void _write_code(self) except *
    @cython.locals(out=Octets, closing=list, waiting=cython.int, is_reference=cython.bint,
                   last=Mark, mark=Mark)
    cdef bint _flush(self, bytes html, Py_ssize_t at, int octet) except -1
    @cython.locals(place=cython.Py_ssize_t, mark=Mark)
    cdef bint _opens_something(self) except -1
    cdef bint _cannot_close(
        self, bytes html, Py_ssize_t at, int octet, bint is_behind_text, Mark mark
    ) except -1
    @cython.locals(out=Octets, marks=list, first=cython.int, mark=Mark, is_marked=cython.bint)
    cdef void _open_marks(
        self, bytes html, Py_ssize_t at, int octet, bint is_behind_text
    ) except *
    @cython.locals(out=Octets, is_whole=cython.bint)
    cdef void _write_gap(self) except *
    @cython.locals(data="unsigned char[::1]", at=cython.Py_ssize_t)
    cdef int _kind_of_last(self) except -1
    @cython.locals(out=Octets, at=cython.Py_ssize_t, last=str)
    cdef int _write_last_as_reference(self) except -1
    @cython.locals(
        out=Octets, is_first=cython.bint, following=cython.int, escape=cython.bint,
        before=cython.int,
    )
    cdef void _put(self, bytes html, Py_ssize_t behind, int octet) except *
    @cython.locals(digits=cython.Py_ssize_t, at=cython.Py_ssize_t)
    cdef bint _is_number(self) noexcept

@cython.locals(end=cython.Py_ssize_t)
cdef Py_ssize_t reference_length(bytes html, Py_ssize_t at) except -1
@cython.locals(following=cython.int)
cdef int reference_octet(bytes html, Py_ssize_t at) except -1
@cython.locals(place=cython.Py_ssize_t, octet=cython.int)
cdef bint begins_reference(bytes html, Py_ssize_t at) except -1
cdef bint is_markup(int octet) noexcept
cdef bint is_alphanumeric(int octet) noexcept
cdef bint is_ascii_mark(int octet) noexcept
cdef Py_ssize_t character_length(int octet) noexcept
cdef str character(bytes html, Py_ssize_t at)
cdef int kind_of(bytes html, Py_ssize_t at, int octet) except -1
