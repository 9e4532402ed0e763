cimport cython

from scrapy_mainblock.fields.sources.line_marks cimport marks
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.buffers.octets cimport is_ascii
from scrapy_mainblock.outline.folding cimport Folded, Folder
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport names_around

cdef int ABOVE, BELOW, BEHIND, LONGEST, CLOSE, DAY, NAME, SAYS_CHANGE, NAMED_CHANGE, AROUND, _ROOM
cdef int AMPERSAND
cdef Parts IN_NAMES, _IN_WORDS

@cython.final
cdef class Line:
    cdef readonly str text
    cdef readonly int marks, place, segment
    cdef readonly bint is_kept, is_linked, is_behind

@cython.final
cdef class Reader:
    cdef Rows rows
    cdef bytes kept, octets
    cdef bint is_fresh
    cdef int first
    cdef int[::1] starts
    cdef readonly list found
    cdef readonly int marks

    @cython.locals(
        rows=Rows, first=cython.int, segment=cython.int, starts=cython.int[::1], octets=bytes,
        at=cython.Py_ssize_t, to=cython.Py_ssize_t, its_marks=cython.int, is_kept=cython.bint,
        is_linked=cython.bint, is_behind=cython.bint, text=str, place=cython.int,
    )
    cpdef read(self, int begin, int end, int anchor, int last)
    @cython.locals(rows=Rows, folder=Folder, segment=cython.int)
    cdef _fold(self, int first, int end)

@cython.locals(found=cython.int)
cdef int marks_of_change(
    Rows rows, int segment, bytes octets, Py_ssize_t start, Py_ssize_t end
) except -1
cpdef bint has_name_part_around(Rows rows, int element, int most, Parts parts) except -1
@cython.locals(at=cython.Py_ssize_t)
cdef bint may_hold(bytes octets, Py_ssize_t start, Py_ssize_t end, Parts parts) except -1
@cython.locals(element=cython.int)
cpdef bint has_any_name_part_around(Rows rows, list elements, int most, Parts parts) except -1
@cython.locals(first=cython.int, final=cython.int, segment=cython.int)
cpdef tuple outermost(Rows rows, int begin, int end, int last)
@cython.final
cdef class Lines:
    cdef dict __dict__
    cdef object _page
    cdef Rows _rows
    cdef readonly bytes kept
    cdef readonly int first, last
    cdef int _title

    @cython.locals(
        count=cython.int, anchor=cython.int, last=cython.int, first=cython.int, below=cython.int,
        begin=cython.int,
    )
    cdef tuple _parts(self)
    cdef int _anchor(self) except -2
    cpdef str names(self, int segment)

cpdef str names_around_segment(Rows rows, int segment)
cdef int owner_of(Rows rows, int segment) noexcept
