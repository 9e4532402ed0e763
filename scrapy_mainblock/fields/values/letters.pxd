cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport filled, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers

cdef Py_UCS4 FIRST_BEHIND_ASCII
cdef unsigned long long START, FACTOR, EVERYTHING

@cython.final
cdef class SmallWords:
    cdef int languages
    cdef Py_ssize_t longest
    cdef Numbers numbers
    cdef int[::1] first, language, worth

    @cython.locals(found=cython.int[::1], language=cython.int)
    cpdef list scores(self, str text)
    @cython.locals(
        found=cython.int[::1], start=cython.Py_ssize_t, size=cython.Py_ssize_t,
        at=cython.Py_ssize_t, is_letter=cython.bint, letter=cython.Py_UCS4, number=cython.int,
        place=cython.int,
    )
    cdef int[::1] _scores(self, str text)
    @cython.locals(
        found=cython.int[::1], which=cython.int, first=cython.int, second=cython.int, language=cython.int,
        score=cython.int,
    )
    cpdef tuple best(self, str text)

@cython.locals(
    counts=cython.int[::1], letters=cython.int, known=cython.Py_ssize_t, letter=cython.Py_UCS4,
    block=cython.Py_ssize_t, kind=cython.int,
)
cpdef list letters_by(str text, bytes kinds, int most)
@cython.locals(found=cython.int, letter=cython.Py_UCS4)
cpdef int ascii_in(str text) except -1
@cython.locals(found=cython.ulonglong, at=cython.Py_ssize_t)
cdef unsigned long long hash_of_letters(str text, Py_ssize_t start, Py_ssize_t end) noexcept
