cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows

cdef int CLOSE, EMPTY, LEADING_SPACE, LINKED, OPEN, TEXT, TRAILING_SPACE
cdef unsigned int BLOCK
cdef const unsigned int[::1] FLAGS
cdef int A, BR, IMG, SPAN, TBODY, TD, TR
cdef int NUMBER_SIGN, AMPERSAND, HYPHEN, UNDERSCORE
cdef Py_ssize_t MOST_NUMBERS, MOST_OCTETS, MOST_PARTS
cdef int MOST_SEGMENTS

cpdef find_segments(Rows page)

@cython.final
cdef class _Segmenter:
    cdef Rows page
    cdef int[::1] element, parent, first, end, images, block_of
    cdef int[::1] block, at, to, chars, length, link_chars, links, text_segment
    cdef int blocks, segments

    @cython.locals(rows=cython.int[::1])
    cdef _make_rows(self, Py_ssize_t blocks, Py_ssize_t segments)
    @cython.locals(
        page=Rows, tape=cython.int[::1], tags=cython.int[::1], around=cython.int,
        current=cython.int, spaced=cython.bint, has_text=cython.bint, links=cython.int, element=cython.Py_ssize_t,
        place=cython.int, event=cython.int, kind=cython.int, number=cython.int, chars=cython.int,
        flags=cython.int, tag=cython.int,
    )
    cpdef run(self)
    @cython.locals(number=cython.int)
    cdef int _block(self, int element, int around) except -1
    @cython.locals(number=cython.int)
    cdef int _end_block(self, int element) except -2
    @cython.locals(page=Rows, blocks=cython.Py_ssize_t, segments=cython.Py_ssize_t)
    cdef _write(self)

@cython.locals(
    tape=cython.int[::1], size=cython.Py_ssize_t, place=cython.Py_ssize_t, kept=cython.int,
    event=cython.int, kind=cython.int, number=cython.int,
)
cdef leave_out_marks(Rows page)
@cython.locals(
    source=bytes, tag=cython.int, first=cython.Py_ssize_t, at=cython.Py_ssize_t,
    begins=cython.bint, octet=cython.int,
)
cdef bint may_be_mark(Rows page, int element) except -1
@cython.locals(at=cython.Py_ssize_t, octet=cython.int)
cdef bint has_link_or_anchor(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, has_link_class=cython.bint)
cdef bint is_mark(Rows page, int element) except -1
@cython.locals(
    place=cython.Py_ssize_t, event=cython.int, at=cython.Py_ssize_t, octet=cython.int,
)
cdef bint shows_word(Rows page, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(
    elements=cython.Py_ssize_t, octets=cython.Py_ssize_t, depth=cython.Py_ssize_t,
    place=cython.Py_ssize_t, event=cython.int, kind=cython.int, number=cython.int,
)
cdef bint is_small(Rows page, Py_ssize_t start, Py_ssize_t end) except -1
