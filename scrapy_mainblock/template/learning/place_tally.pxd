cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, filled, hashes, ints
from scrapy_mainblock.outline.buffers.hashing cimport hash_of
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.template.learning.lines.page_lines cimport PageLines

cdef double LIKELY

@cython.final
cdef class Tally:
    cdef public long long pages, length, lines, linked
    cdef public double odds, behind
    cdef readonly str chain

    cpdef bint is_sure(self) except -1
    cpdef bint is_surely_noise(self) except -1
    cpdef add(self, Tally other)

@cython.final
cdef class PagePlaces:
    cdef readonly list chains
    cdef readonly unsigned long long[::1] hashes
    cdef readonly PageLines lines
    cdef readonly double[::1] likely, odds, behind
    cdef readonly int[::1] length, linked
    cdef Places _places
    cdef int[::1] _blocks

    @cython.locals(chain=str)
    cpdef str chain(self, Py_ssize_t at)
    @cython.locals(at=cython.Py_ssize_t)
    cpdef list all_chains(self)
    @cython.locals(count=cython.Py_ssize_t, numbers=cython.double[::1], others=cython.int[::1])
    cdef _make_rows(self)
    @cython.locals(at=cython.Py_ssize_t)
    cpdef weigh(self)
    @cython.locals(at=cython.Py_ssize_t, tally=Tally, before=cython.longlong)
    cpdef add_to(self, dict tallies)
    @cython.locals(
        at=cython.Py_ssize_t, count=cython.Py_ssize_t, plain=cython.longlong, chains=list,
        texts="unsigned long long[::1]",
    )
    cpdef tuple texts(self)

@cython.locals(
    of_chains="unsigned long long[::1]", lines=PageLines, found=PagePlaces, at=cython.Py_ssize_t
)
cpdef PagePlaces places_of(object seen)
cpdef double log_odds(double probability) except? -1
@cython.locals(found="unsigned long long[::1]", kind=cython.Py_ssize_t, at=cython.Py_ssize_t)
cpdef list text_by_kind(
    tuple chains, const unsigned long long[::1] texts, dict kinds, Py_ssize_t count
)
