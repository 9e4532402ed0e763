cimport cython
from libc cimport math

from scrapy_mainblock.outline.buffers.arrays cimport doubles
from scrapy_mainblock.judge.features.frame cimport Frame
from scrapy_mainblock.outline.buffers.hashing cimport Numbers, mixed
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows

cdef int IS_HEADING, LEVELS, PATTERN_LEVELS
cdef const int[::1] TAG_IS
cdef double LEAST, OUTSIDE, NOWHERE

@cython.final
cdef class Filling:
    cdef Frame frame
    cdef float[:, ::1] rows
    cdef const double[::1] first
    cdef Py_ssize_t row, n
    cdef double[::1] content, text, odds
    cdef double all_content

    @cython.locals(room=cython.double[::1])
    cdef _make_rows(self, Py_ssize_t n)
    @cython.locals(
        surest=cython.double, one=cython.Py_ssize_t, likely=cython.double,
        bounded=cython.double, size=cython.double, share=cython.double,
    )
    cpdef fill(self, double expected, double cut, list types)
    @cython.locals(one=cython.Py_ssize_t)
    cdef void _constant(self, double value) noexcept
    @cython.locals(
        one=cython.Py_ssize_t, place=cython.Py_ssize_t, step=cython.Py_ssize_t,
        other=cython.Py_ssize_t, inside=cython.bint,
    )
    cdef void _neighbours(self) noexcept
    @cython.locals(
        width=cython.Py_ssize_t, one=cython.Py_ssize_t, low=cython.Py_ssize_t,
        high=cython.Py_ssize_t, content=cython.double, text=cython.double,
    )
    cdef int _windows(self) except -1
    @cython.locals(
        page=Rows, count=cython.Py_ssize_t, room=cython.double[::1], shares=cython.double[::1],
        likely=cython.double[::1], block=cython.int, first=cython.int, end=cython.int,
        held=cython.double, one=cython.Py_ssize_t, level=cython.int, row=cython.Py_ssize_t,
    )
    cdef int _containers(self) except -1
    @cython.locals(
        frame=Frame, n=cython.Py_ssize_t, room=cython.double[::1], section=cython.int[::1],
        content=cython.double[::1], text=cython.double[::1], odds=cython.double[::1],
        number=cython.int, one=cython.Py_ssize_t, size=cython.double, what=cython.int,
    )
    cdef int _sections(self) except -1
    @cython.locals(
        frame=Frame, page=Rows, n=cython.Py_ssize_t, pattern=cython.int[::1], patterns=Numbers,
        room=cython.double[::1], content=cython.double[::1], text=cython.double[::1],
        count=cython.double[::1], one=cython.Py_ssize_t, block=cython.int, code=cython.ulonglong,
        number=cython.int, size=cython.double, level=cython.int,
    )
    cdef int _alike(self) except -1
