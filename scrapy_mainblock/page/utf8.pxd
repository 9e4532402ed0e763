cimport cython

cdef int WORD
cdef unsigned long long NO_ASCII

@cython.locals(
    size=cython.Py_ssize_t, words="const unsigned long long[::1]", at=cython.Py_ssize_t,
    octet=cython.int, place=cython.Py_ssize_t, count=cython.Py_ssize_t, length=cython.Py_ssize_t,
)
cpdef bint is_utf8(bytes octets) except -1
@cython.locals(
    first=cython.int, length=cython.Py_ssize_t, second=cython.int, is_whole=cython.bint
)
cdef inline Py_ssize_t length_at(bytes octets, Py_ssize_t at, Py_ssize_t size) noexcept
