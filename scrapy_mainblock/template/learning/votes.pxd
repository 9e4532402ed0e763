cimport cython

from scrapy_mainblock.outline cimport selectors
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.sums cimport lengths
from scrapy_mainblock.template.learning.page_blocks cimport blocks_around

@cython.locals(blocks=list, block=cython.int, paths=dict)
cpdef list votes_of(page, kept, double weight)
@cython.locals(
    rows=Rows, element=cython.int, chars=cython.longlong, linked=cython.longlong, identifier=str,
    classes=tuple, path=str,
)
cdef _vote(Places places, int block, double weight, dict paths)
@cython.locals(path=str, found=dict)
cpdef dict paths_up(Rows rows, int element)
@cython.locals(character=cython.Py_UCS4)
cdef str _mask(str name)
cpdef tuple candidate_key(vote)

@cython.final
cdef class BlockCandidate:
    cdef readonly double weight
    cdef readonly long long votes
    cdef readonly set ids, chains
    cdef readonly frozenset classes
    cdef readonly dict paths
    # A page from another worker may claim a length of any size.
    cdef object _shortest, _longest
    cdef double _link_share

    @cython.locals(
        identifier=str, classes=tuple, path=str, weight=cython.double, chain=str,
        before=cython.Py_ssize_t, times=cython.longlong,
    )
    cpdef Py_ssize_t add(self, vote) except -1
    cdef _look_at(self, object length, object linked)

@cython.final
cdef class BlockCandidates:
    cdef readonly dict by_key
    cdef readonly long long size

    @cython.locals(candidate=BlockCandidate)
    cpdef add(self, votes, keys)
    cdef BlockCandidate _new(self, tuple key)
