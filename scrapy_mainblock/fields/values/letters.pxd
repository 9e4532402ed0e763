cimport cython

from scrapy_mainblock.outline.arrays cimport filled

cdef Py_UCS4 FIRST_BEHIND_ASCII

@cython.locals(
    found=dict, start=cython.Py_ssize_t, size=cython.Py_ssize_t, at=cython.Py_ssize_t,
    is_letter=cython.bint, letter=cython.Py_UCS4, word=str,
)
cpdef dict counts_of(str text, dict known, Py_ssize_t longest)
@cython.locals(
    counts=cython.int[::1], letters=cython.int, known=cython.Py_ssize_t, letter=cython.Py_UCS4,
    block=cython.Py_ssize_t, kind=cython.int,
)
cpdef list letters_by(str text, bytes kinds, int most)
