cimport cython

cdef int WORD
cdef unsigned long long NO_ASCII

@cython.locals(
    size=cython.Py_ssize_t, words="const unsigned long long[::1]", at=cython.Py_ssize_t,
    octet=cython.int, place=cython.Py_ssize_t, count=cython.Py_ssize_t, more=cython.int,
    second=cython.int, least=cython.int, most=cython.int,
)
cpdef bint is_utf8(bytes octets) except -1
cdef int more_octets(int octet) noexcept
