cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles
from scrapy_mainblock.judge.features.frame cimport Frame
from scrapy_mainblock.outline.rows cimport Rows

cdef int IS_LIST, IS_TABLE, LEAST_CELLS, BETWEEN
cdef unsigned int SIGNATURE
cdef const int[::1] TAG_IS
cdef double LIKELY, FEW_LINKS, AMONG, LIFT

@cython.final
cdef class Lists:
    cdef Frame frame
    cdef const double[::1] probability
    cdef Py_ssize_t n
    cdef readonly double[::1] odds
    cdef double[::1] text, likely, linked

    @cython.locals(room=cython.double[::1])
    cdef _make_rows(self, Py_ssize_t n)
    @cython.locals(
        frame=Frame, page=Rows, behind=cython.int, block=cython.int, first=cython.int,
        end=cython.int, what=cython.int, one=cython.Py_ssize_t,
    )
    cpdef weigh(self)
    @cython.locals(
        frame=Frame, probability="const double[::1]", one=cython.Py_ssize_t, size=cython.double,
        likely=cython.double,
    )
    cdef int _add_up(self) except -1
    @cython.locals(one=cython.Py_ssize_t)
    cdef void _multiply(self, Py_ssize_t first, Py_ssize_t end, double factor) noexcept
    @cython.locals(page=Rows)
    cdef bint _has_pictures(self, int block, int end) noexcept
    @cython.locals(
        before=cython.double, behind=cython.double, one=cython.Py_ssize_t, linked=cython.double,
        text=cython.double,
    )
    cdef bint _is_content(self, int block, int first, int end) except -1
    @cython.locals(
        page=Rows, around=cython.int, start=cython.int, stop=cython.int, content=cython.double,
        text=cython.double,
    )
    cdef bint _is_among_content(self, int block, int first, int end) except -1
