cimport cython

cdef int TAB, CARRIAGE_RETURN, SPACE, DELETE, LOWER, REPLACEMENT, C, E
cdef int LESS, EXCLAMATION_MARK, SLASH, QUESTION_MARK
cdef bytes BYTE_ORDER_MARK
cdef tuple DECLARE

@cython.locals(at=cython.Py_ssize_t, octet=cython.int, word=bytes)
cpdef Py_ssize_t first_declaration(bytes source, Py_ssize_t end) except -2
@cython.locals(place=cython.Py_ssize_t)
cdef bint spells(bytes source, Py_ssize_t at, bytes word) noexcept
@cython.locals(size=cython.Py_ssize_t, at=cython.Py_ssize_t, octet=cython.int)
cpdef bint begins_with_markup(bytes source) except -1
@cython.locals(others=cython.int, at=cython.Py_ssize_t, octet="unsigned char", is_control=cython.bint)
cpdef bint is_surely_text(const unsigned char[::1] source, Py_ssize_t end) except -1
