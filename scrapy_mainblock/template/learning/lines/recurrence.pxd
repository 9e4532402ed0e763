cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, filled, zeros
from scrapy_mainblock.template.learning.place_tally cimport Tally

cdef int UNKNOWN, NO_LABEL, LABEL

@cython.final
cdef class PlacesOfLines:
    cdef readonly list chains, tallies
    cdef double[::1] _means
    cdef int[::1] _is_label
    cdef unsigned long long[::1] _lines, _shown, _repeats

    @cython.locals(
        surest=cython.int[::1], at=cython.Py_ssize_t, place=cython.Py_ssize_t, tally=Tally,
        is_at_home=cython.bint,
    )
    cpdef set moving(
        self, const long long[::1] numbers, const int[::1] pages, const Py_ssize_t[::1] lines,
        const int[::1] anywhere, Py_ssize_t count
    )
    @cython.locals(place=cython.Py_ssize_t, tally=Tally)
    cdef _find_means(self)
    @cython.locals(
        surest=cython.int[::1], at=cython.Py_ssize_t, line=cython.Py_ssize_t,
        place=cython.Py_ssize_t,
    )
    cdef int[::1] _surest(
        self, const long long[::1] numbers, const Py_ssize_t[::1] lines,
        const int[::1] anywhere, Py_ssize_t count
    )
    cdef bint _is_surer(self, Py_ssize_t place, Py_ssize_t other) except -1
    cdef bint _may_be_label(self, Py_ssize_t place) except -1
    @cython.locals(
        found=set, place=cython.Py_ssize_t, tally=Tally, distinct=cython.longlong,
        lines=cython.longlong, shown=cython.longlong,
    )
    cdef set _where_enough_recurs(self)
