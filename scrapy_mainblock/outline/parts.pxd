cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport ints

cdef int BEGINNINGS, SHORTEST, _MOST_NUMBERS

@cython.final
cdef class Parts:
    cdef bytes groups, letters, text
    cdef int[::1] first, begin, end, before
    cdef Py_ssize_t step

    cdef bint is_in(self, bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
    @cython.locals(
        groups=bytes, letters=bytes, step=cython.Py_ssize_t, at=cython.Py_ssize_t,
        group=cython.int, number=cython.int, found=cython.Py_ssize_t,
    )
    cpdef Py_ssize_t find(self, bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
    cpdef bint are_in(self, bytes octets) except -1
    @cython.locals(entry=cython.int, begin=cython.Py_ssize_t)
    cdef Py_ssize_t _begin_of(
        self, bytes octets, Py_ssize_t at, Py_ssize_t end, Py_ssize_t number
    ) noexcept
    @cython.locals(
        begin=cython.int, behind=cython.int, text=bytes, letters=bytes, place=cython.Py_ssize_t
    )
    cdef bint _stands_at(
        self, bytes octets, Py_ssize_t at, Py_ssize_t end, Py_ssize_t entry
    ) noexcept
