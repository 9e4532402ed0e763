cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport filled, ints

cdef int FINE, MANY

@cython.final
cdef class BestCut:
    cdef readonly double expected, cut

    @cython.locals(
        first=cython.int[::1], behind=cython.int[::1], held=cython.int[::1],
        all_content=cython.double, one=cython.Py_ssize_t, step=cython.int, content=cython.double, text=cython.double,
        least=cython.double, more_content=cython.double, more_text=cython.double,
        expected=cython.double,
    )
    cdef _find(
        self, const double[::1] probability, const double[::1] sizes, Py_ssize_t count
    )
