cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, hashes, ints, zeros
from scrapy_mainblock.outline.buffers.hashing cimport Numbers
from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport before_inline, inline_in
from scrapy_mainblock.template.learning.lines.page_lines cimport PageLines, characters, cut_off
from scrapy_mainblock.template.learning.place_tally cimport PagePlaces

@cython.locals(place=cython.ulonglong, other=cython.Py_ssize_t)
cpdef bint is_alone(Places places, Py_ssize_t block) except -1
@cython.locals(
    rows=Rows, so_far=cython.double[::1], segment=cython.Py_ssize_t, all_kept=cython.double,
    block=cython.int, found=list,
)
cpdef list blocks_around(
    Places places, const double[::1] kept, double share, Py_ssize_t most
)
@cython.locals(
    found=list, segment=cython.Py_ssize_t, start=cython.Py_ssize_t
)
cpdef list with_a_name(Rows rows, const double[::1] likely, double least)
@cython.locals(
    segments=SegmentsByPlace, hashes="unsigned long long[::1]", found=PagePlaces
)
cpdef PagePlaces places_on(
    Places places, Folded folded, const double[::1] likely, long long headline,
    Py_ssize_t longest
)

@cython.final
cdef class SegmentsByPlace:
    cdef Places _places
    cdef Rows _rows
    cdef Folded _folded
    cdef readonly int[::1] place_of, chars, blocks, segments
    cdef readonly Py_ssize_t count

    @cython.locals(rows=cython.int[::1])
    cdef _make_rows(self, Py_ssize_t count)
    @cython.locals(
        rows=Rows, starts=cython.int[::1], octets=bytes, numbers=Numbers, count=cython.int,
        segment=cython.Py_ssize_t, block=cython.int, at=cython.int,
    )
    cdef Py_ssize_t _group(self) except -1
    @cython.locals(found="unsigned long long[::1]", at=cython.Py_ssize_t)
    cdef unsigned long long[::1] hashes(self)
    @cython.locals(
        octets=bytes, texts=cython.int[::1], count=cython.Py_ssize_t, starts=cython.int[::1],
        stops=cython.int[::1], ends=cython.int[::1], behind=cython.int[::1], line=cython.int,
        at=cython.Py_ssize_t, segment=cython.Py_ssize_t,
    )
    cdef PageLines lines(self, unsigned long long[::1] places, Py_ssize_t longest)
    @cython.locals(
        rows=Rows, position="unsigned long long[::1]", segment=cython.Py_ssize_t,
        at=cython.Py_ssize_t, chars=cython.Py_ssize_t, likelihood=cython.double,
        behind=cython.longlong, count=cython.longlong,
    )
    cdef add_to(self, PagePlaces found, const double[::1] likely, long long headline)
