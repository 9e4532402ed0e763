cimport cython

cdef int LONGEST, LONGEST_PORT, HOST, ADDRESS, PATH, QUERY, DIGIT
cdef int DOT, SLASH, COLON, QUESTION_MARK, LAST_ASCII
cdef bytes KINDS
cdef str BEHIND_HOST

@cython.final
cdef class Base:
    cdef readonly str address, origin

    @cython.locals(found=object)
    cpdef absolute(self, str address)
    cdef _plain(self, str address)
    cdef _joined(self, str address)

cpdef str origin_of(str address)
@cython.locals(
    start=cython.Py_ssize_t, end=cython.Py_ssize_t, size=cython.Py_ssize_t, port=cython.Py_ssize_t
)
cdef Py_ssize_t _end_of_origin(str address) except -1
cdef Py_ssize_t _behind_scheme(str address) except -1
@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, size=cython.Py_ssize_t)
cpdef bint is_plain_address(str address) except -1
@cython.locals(size=cython.Py_ssize_t, at=cython.Py_ssize_t, sign=cython.int)
cpdef bint is_plain_path(str address) except -1
cdef bint _ends_part(str address, Py_ssize_t at) except -1
@cython.locals(code=cython.int)
cdef Py_ssize_t past(str address, Py_ssize_t at, int flag) except -1
