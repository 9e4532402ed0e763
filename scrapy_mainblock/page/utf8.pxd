cimport cython

cdef int ACCEPT, REJECT, WORD, CLASSES
cdef unsigned long long NO_ASCII
cdef bytes CLASS_OF
cdef const int[::1] NEXT

@cython.locals(
    size=cython.Py_ssize_t, words="const unsigned long long[::1]", at=cython.Py_ssize_t,
    state=cython.int, place=cython.Py_ssize_t, count=cython.Py_ssize_t,
)
cpdef bint is_utf8(bytes octets) except -1
