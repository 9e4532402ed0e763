cimport cython

cdef int DAY, BYLINE, NAME, SPACE, _FAR, _MOST_OF_SIGNS, _THREE_LETTERS
cdef int CHINESE, KOREAN, GENERAL_SIGNS, LATIN_SIGNS
cdef int ONE, TWO, A_CAPITAL, Z_CAPITAL, LAST_ASCII
cdef int APOSTROPHE, HYPHEN, STOP, SLASH, COLON, UNDERSCORE, A, B
cdef int FULL_WIDTH, FULL_WIDTH_DIGIT, FULL_WIDTH_NINE
cdef int MAY_BE_SIGN, MAY_BE_DIGIT, LEAST_WORDS, MOST_WORDS
cdef int ANYTHING, WORD_END
cdef bytes LOWER, PAIRS, MONTH_BEGINS
cdef list BYLINES

@cython.locals(found=cython.int)
cpdef int marks(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(at=cython.Py_ssize_t, octet=cython.int, second=cython.int)
cdef bint may_hold_digit(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(
    before=cython.Py_ssize_t, size=cython.Py_ssize_t, gap=cython.Py_ssize_t, first_before=cython.int,
    first=cython.int, letters=cython.Py_ssize_t, code=cython.int, chinese=cython.Py_ssize_t,
    has_month=cython.bint, has_sign=cython.bint, has_letter=cython.bint, is_wide=cython.bint,
    is_near=cython.bint, at=cython.Py_ssize_t, octet=cython.int, second=cython.int,
)
cpdef bint may_hold_day(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(
    at=cython.Py_ssize_t, octet=cython.int, second=cython.int, words=list,
)
cpdef bint may_be_byline(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(word=bytes, follows=cython.int)
cdef bint _begins_with_any(bytes octets, Py_ssize_t at, Py_ssize_t end, list words) except -1
@cython.locals(place=cython.Py_ssize_t, octet=cython.int, wanted=cython.int)
cdef bint _begins(
    bytes octets, Py_ssize_t at, Py_ssize_t end, bytes word, int follows
) except -1
cdef bint _is_of_word(int octet) noexcept
@cython.locals(words=cython.int, is_first=cython.bint, at=cython.Py_ssize_t, octet=cython.int)
cpdef bint may_be_name(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
