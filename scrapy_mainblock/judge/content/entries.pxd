cimport cython

from scrapy_mainblock.judge.features.frame cimport is_digit
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.buffers.hashing cimport Numbers
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows

cdef int LEAST_ENTRIES, LONGEST_STAMP, LEAST_BESIDE, LEAST_ARTICLE, COLON, FULL_STOP, TIMED, DATED

@cython.locals(entries=Entries)
cpdef tuple row_of_entries(
    Places places, Folded folded, const unsigned char[::1] kept, Py_ssize_t headline,
    bint is_article
)

@cython.final
cdef class Entries:
    cdef Places places
    cdef Rows page
    cdef Folded folded
    cdef const unsigned char[::1] kept
    cdef readonly Py_ssize_t first, end, largest_gap

    @cython.locals(
        count=cython.Py_ssize_t, stamps=cython.int[::1], kinds=cython.int[::1],
        found=cython.Py_ssize_t, one=cython.Py_ssize_t, kind=cython.int, last=cython.Py_ssize_t,
    )
    cpdef find(self, Py_ssize_t headline, bint is_article)
    @cython.locals(
        page=Rows, numbers=Numbers, room=cython.int[::1], first=cython.int[::1],
        last=cython.int[::1], before=cython.int[::1], stamped=cython.int[::1],
        dated=cython.int[::1], largest_gap=cython.int[::1], number=cython.int, kept=cython.Py_ssize_t,
        one=cython.Py_ssize_t, most=cython.Py_ssize_t, best=cython.int, order=cython.Py_ssize_t,
        stamp=cython.int, is_row=cython.bint,
    )
    cdef Py_ssize_t _place_with_most(
        self, int[::1] stamps, int[::1] kinds, Py_ssize_t count, Py_ssize_t headline,
        bint is_article
    ) except -2
    @cython.locals(
        page=Rows, first=cython.Py_ssize_t, above=cython.int, inside_first=cython.int,
        inside_last=cython.int, at=cython.Py_ssize_t,
    )
    cdef int _take_in(self, Py_ssize_t last) except -1
    @cython.locals(chars=cython.Py_ssize_t, one=cython.Py_ssize_t)
    cdef Py_ssize_t _kept_in(self, Py_ssize_t first, Py_ssize_t end) except -1
    @cython.locals(
        octets=bytes, at=cython.Py_ssize_t, end=cython.Py_ssize_t, letters=cython.int,
        digits=cython.int, is_timed=cython.bint, octet=cython.int, behind=cython.Py_ssize_t,
    )
    cdef int _stamp(self, Py_ssize_t segment) except -1

@cython.locals(hours=cython.int)
cdef Py_ssize_t behind_time(bytes octets, Py_ssize_t at, Py_ssize_t end) noexcept
cdef bint is_sixtieth(bytes octets, Py_ssize_t at, Py_ssize_t end) noexcept
