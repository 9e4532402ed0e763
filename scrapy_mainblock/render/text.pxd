cimport cython

from scrapy_mainblock.outline.buffers.octets cimport Octets
from scrapy_mainblock.outline.buffers.arrays cimport ints, longer

cdef int CELL, CELL_GAP, LINE_GAP, NO_GAP, PARAGRAPH_GAP, ROW, SPACE_GAP
cdef const int[::1] GAP, WHAT
cdef tuple WRITTEN_GAPS
cdef int PRE, TABLE, LINE_FEED, SPACE_OCTET

@cython.final
cdef class TextWriter:
    cdef Octets octets
    cdef int room, count
    cdef int[::1] gap_before, start, end
    cdef int gap
    cdef bint last_was_break
    cdef int in_pre
    cdef Row row
    cdef dict skipped
    cdef int row_ended

    @cython.locals(gap=cython.int, row=Row)
    cdef int block(self, int code, int step) except -1
    @cython.locals(row=Row, place=cython.int, skipped=cython.int)
    cdef int _row(self, int step) except -1
    cdef void line_break(self) noexcept
    cdef void space(self) noexcept
    cdef int put(self, Octets octets, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int put_apart(self, Octets octets) except -1
    @cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t)
    cdef int put_preformatted(self, Octets octets, bint is_blank) except -1
    @cython.locals(last=cython.int, end=cython.int)
    cdef int _end_line(self) except -1
    cdef int _grow(self) except -1
    @cython.locals(found=Octets, piece=cython.int)
    cpdef bytes result(self)

@cython.final
cdef class Row:
    cdef Row around
    cdef int begins, first
    cdef list edges
    cdef bint at_edge, has_lines
    cdef int skipped, cells

    cdef int add(self, int piece, int gap) except -1
