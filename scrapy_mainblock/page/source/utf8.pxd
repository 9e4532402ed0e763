cimport cython

cdef int WORD, AT_ONCE
cdef unsigned long long HIGHEST, LOWER_SEVEN, WHOLE_WORD, TWO_BITS, THREE_BITS, ED_BITS
cdef bint IS_LITTLE_ENDIAN

@cython.locals(
    size=cython.Py_ssize_t, words="const unsigned long long[::1]", at=cython.Py_ssize_t,
    place=cython.Py_ssize_t, count=cython.Py_ssize_t, due=cython.ulonglong, word=cython.ulonglong,
    high=cython.ulonglong, first=cython.ulonglong, three=cython.ulonglong,
    tried=cython.Py_ssize_t,
)
cpdef bint is_utf8(bytes octets) except -1
@cython.locals(some=cython.ulonglong)
cdef inline Py_ssize_t behind_ascii(
    const unsigned long long[::1] words, Py_ssize_t place, Py_ssize_t count
) noexcept
@cython.locals(may_be_overlong=cython.ulonglong, low=cython.ulonglong, is_e0_or_ed=cython.ulonglong)
cdef inline bint is_special(
    unsigned long long word, unsigned long long first, unsigned long long three
) noexcept
cdef Py_ssize_t behind_due(
    bytes octets, Py_ssize_t at, unsigned long long due, Py_ssize_t size
) noexcept
@cython.locals(length=cython.Py_ssize_t)
cdef Py_ssize_t next_word(bytes octets, Py_ssize_t at, Py_ssize_t size) noexcept
@cython.locals(
    first=cython.int, length=cython.Py_ssize_t, second=cython.int, is_whole=cython.bint
)
cdef inline Py_ssize_t length_at(bytes octets, Py_ssize_t at, Py_ssize_t size) noexcept
