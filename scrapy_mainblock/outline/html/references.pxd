cimport cython

cdef int NUL, NUMBER_SIGN, AMPERSAND, SEMICOLON, EQUALS_SIGN, LOWER_X
cdef long long CHARACTER
cdef int LONGEST_NAME, LONGEST_UNTERMINATED
cdef int REPLACEMENT
cdef long long NO_BREAK_SPACE
cdef int SECOND, LENGTH
cdef str _WINDOWS
cdef dict NAMED

@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef long long reference(bytes source, Py_ssize_t at, Py_ssize_t size) except -1

@cython.locals(
    end=cython.Py_ssize_t, first=cython.Py_ssize_t, base=cython.int, digit=cython.int,
    value=cython.int, windows=cython.int,
)
cdef long long _numeric(bytes source, Py_ssize_t at, Py_ssize_t size) except -1

cdef int _digit(int octet) noexcept
cdef bint _is_alphanumeric(int octet) noexcept

cpdef bint is_space(long long character) noexcept
cpdef bint is_control(long long character) noexcept
@cython.locals(first=cython.int, second=cython.int, third=cython.int)
cpdef Py_ssize_t wide_space(bytes source, Py_ssize_t at, Py_ssize_t size) noexcept
cpdef str decoded(bytes source, bint in_attribute=*)
@cython.locals(
    size=cython.Py_ssize_t, at=cython.Py_ssize_t, start=cython.Py_ssize_t, octet=cython.int,
    behind=cython.int, found=cython.longlong, length=cython.Py_ssize_t, pieces=bytearray,
)
cdef bytes _resolved(bytes source, bint in_attribute)
