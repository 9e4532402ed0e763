cimport cython

from scrapy_mainblock.outline.arrays cimport doubles

cdef int FINE

@cython.final
cdef class BestCut:
    cdef readonly double expected, cut
    cdef double[::1] content, text, least

    @cython.locals(
        all_content=cython.double, one=cython.Py_ssize_t, step=cython.int, likely=cython.double,
        content=cython.double, text=cython.double, expected=cython.double,
    )
    cdef _find(
        self, const double[::1] probability, const double[::1] sizes, Py_ssize_t count
    )
