cimport cython

cdef int BEGINNINGS, SHORTEST, _MOST_NUMBERS

@cython.final
cdef class Parts:
    cdef list holding
    cdef bytes groups, letters
    cdef Py_ssize_t step

    @cython.locals(
        groups=bytes, letters=bytes, step=cython.Py_ssize_t, at=cython.Py_ssize_t,
        group=cython.int, number=cython.int,
    )
    cdef bint is_in(self, bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
    cpdef bint are_in(self, bytes octets) except -1
    @cython.locals(part=bytes, before=cython.Py_ssize_t)
    cdef bint _holds_any(
        self, bytes octets, Py_ssize_t at, Py_ssize_t end, Py_ssize_t number
    ) except -1
    @cython.locals(length=cython.Py_ssize_t, place=cython.Py_ssize_t)
    cdef bint _stands_at(self, bytes octets, Py_ssize_t at, Py_ssize_t end, bytes part) noexcept
