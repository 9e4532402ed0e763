cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, hashes, ints

@cython.final
cdef class Tally:
    cdef public long long pages, length, lines, linked
    cdef public double odds, behind

    cpdef bint is_sure(self) except -1
    cpdef bint is_surely_noise(self) except -1
    cpdef add(self, Tally other)

@cython.final
cdef class PagePlaces:
    cdef readonly list chains
    cdef double[::1] odds, behind
    cdef int[::1] length, lines, linked
    cdef unsigned char[::1] is_likely

    @cython.locals(at=cython.Py_ssize_t)
    cpdef _read(self, object seen)
    @cython.locals(at=cython.Py_ssize_t, tally=Tally)
    cpdef add_to(self, dict tallies)
    @cython.locals(
        at=cython.Py_ssize_t, count=cython.Py_ssize_t, plain=cython.longlong, chains=list,
        texts="unsigned long long[::1]",
    )
    cpdef tuple texts(self)

cpdef double log_odds(double probability) except? -1
@cython.locals(found="unsigned long long[::1]", kind=cython.Py_ssize_t, at=cython.Py_ssize_t)
cpdef list text_by_kind(
    tuple chains, const unsigned long long[::1] texts, dict kinds, Py_ssize_t count
)
