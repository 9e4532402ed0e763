cimport cython

from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.buffers.hashing cimport Numbers, extended
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows

cdef int KNOWN, UNKNOWN, DROPPED, NOT_KEPT, LINE
cdef unsigned long long START, FIRST_OWN_TEXT
cdef bytes OWN_TEXT
cdef Py_ssize_t LENGTH_OF_OWN_TEXT

@cython.final
cdef class Keeper:
    cdef Rows rows
    cdef Places places
    cdef readonly int first, end, first_block, end_block
    cdef Numbers drop, drop_steps, keep, keep_steps, known, below, below_steps, lines
    cdef bint keeps_all, knows_all, has_own_text, has_steps
    cdef readonly bytearray verdict
    cdef readonly int[::1] by

    @cython.locals(
        rows=Rows, places=Places, count=cython.int, room=cython.int[::1], dropped=cython.int[::1], kept=cython.int[::1],
        known=cython.int[::1], hashes="unsigned long long[::1]", number=cython.int, block=cython.int, parent=cython.int,
        chain=cython.ulonglong, step=cython.ulonglong, place=cython.int, segment=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
        line=cython.int,
    )
    cpdef run(self, Folded folded)
    cdef int _found(
        self, int above, Numbers chains, Numbers steps, unsigned long long chain,
        unsigned long long step
    ) noexcept
    @cython.locals(own=cython.ulonglong)
    cdef void _decide(
        self, int place, unsigned long long chain, int dropped, int kept, int known
    ) noexcept
