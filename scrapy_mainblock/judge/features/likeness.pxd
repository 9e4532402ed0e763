cimport cython

from scrapy_mainblock.outline.buffers.octets cimport is_ascii
from scrapy_mainblock.outline.folding cimport Folded, Folder
from scrapy_mainblock.outline.rows cimport Rows

cdef int BEGINNINGS, CASELESS, CASELESS_END, DASH, DASH_NEXT, IS_TITLE, LONGER_TIMES, LONGER_BY
cdef double LEAST_LIKENESS, IS_HEADING_BONUS, ABOUT
cdef const int[::1] TAG_IS, SMALL

@cython.final
cdef class Title:
    cdef str text
    cdef bytes octets, begins
    cdef readonly Py_ssize_t length
    cdef int first, second
    cdef bint is_ascii

    @cython.locals(
        length=cython.Py_ssize_t, lowered=str, text=str, is_part=cython.bint,
    )
    cdef double likeness(
        self, bytes octets, Py_ssize_t start, Py_ssize_t end, Py_ssize_t size
    ) except -1
    @cython.locals(first=cython.int, second=cython.int)
    cdef bint _may_hold(self, bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
    @cython.locals(before=cython.int, letter=cython.int, at=cython.Py_ssize_t)
    cdef bint _may_be_in(self, bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
    @cython.locals(size=cython.Py_ssize_t, own=cython.Py_ssize_t, at=cython.Py_ssize_t)
    cdef bint _shares(self, bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept

@cython.locals(first=cython.int, is_punctuation=cython.bint)
cdef int letter_at(bytes octets, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t width(bytes octets, Py_ssize_t at, Py_ssize_t end) noexcept
cdef int lower(int octet) noexcept
@cython.locals(more=cython.Py_ssize_t)
cdef bint begins_alike(
    bytes octets, Py_ssize_t at, bytes title, Py_ssize_t place, Py_ssize_t size
) noexcept
@cython.locals(found=bytearray, at=cython.Py_ssize_t)
cdef bytes beginnings(str title)
@cython.locals(
    wanted=Title, best=cython.double, found=cython.int, segment=cython.int,
    likeness=cython.double, bonus=cython.double, tag=cython.int, size=cython.Py_ssize_t,
    folder=Folder, text=bytes, start=cython.Py_ssize_t, behind=cython.Py_ssize_t,
)
cpdef int headline_position(Folded folded, Rows rows, str title, int first, int end) except -2
