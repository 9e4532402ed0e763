cimport cython

cdef int LETTER_BITS, AT_BEGINNING, AT_END, LONGEST_NAME, NO_VERB
cdef unsigned int SIGNATURE
cdef bytes CLASS_OF, IS_WORD
cdef const int[::1] NEXT, CHECKED_FROM, CHECKED_LENGTH, CHECKED_WHERE
cdef const unsigned int[::1] PLAIN, CHECKED_BITS

cpdef unsigned int bits_of_class(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
cpdef unsigned int bits_of_id(
    bytes source, Py_ssize_t class_at, Py_ssize_t class_end, Py_ssize_t start, Py_ssize_t end
) noexcept
@cython.locals(
    row=cython.int, found=cython.uint, at=cython.Py_ssize_t, state=cython.int, number=cython.int,
)
cdef unsigned int bits_of(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(
    where=cython.int, begins=cython.Py_ssize_t, first=cython.int, second=cython.int,
)
cdef bint is_valid_at(
    bytes source, Py_ssize_t start, Py_ssize_t end, Py_ssize_t behind, int number
) noexcept
