cimport cython

from scrapy_mainblock.outline.buffers.octets cimport Octets
from scrapy_mainblock.outline.html.references cimport is_control, is_space, reference, wide_space
from scrapy_mainblock.outline.buffers.arrays cimport hashes, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers, extended, of_words
from scrapy_mainblock.outline.rows cimport Rows

cdef bytes KIND
cdef int CONTROL, REFERENCE, SPACE, WIDE, LENGTH, RAW_TEXT, SECOND, TEXT
cdef long long CHARACTER
cdef unsigned long long START
cdef Py_ssize_t MOST_SEGMENTS
cdef unsigned int BLOCK
cdef const unsigned int[::1] FLAGS
cdef int SPACE_OCTET, AMPERSAND, NEXT_CONTROLS

@cython.final
cdef class Folder:
    cdef Rows rows
    cdef Octets written
    cdef Py_ssize_t begun
    cdef bint spaced

    cdef void begin(self) noexcept
    @cython.locals(
        rows=Rows, source=bytes, written=Octets, at=cython.Py_ssize_t, end=cython.Py_ssize_t,
        is_raw=cython.bint, kinds=bytes, octet=cython.int, kind=cython.int,
        start=cython.Py_ssize_t, last=cython.Py_ssize_t,
    )
    cdef int add(self, int text) except -1
    cdef int _space(self) except -1
    @cython.locals(found=cython.longlong)
    cdef Py_ssize_t _reference(self, bytes source, Py_ssize_t at, Py_ssize_t end) except -1
    cdef int _character(self, int code) except -1

@cython.final
cdef class Folded:
    cdef readonly Py_ssize_t first, count
    cdef readonly int[::1] starts
    cdef readonly bytes octets

    @cython.locals(
        folder=Folder, number=cython.Py_ssize_t, segment=cython.Py_ssize_t,
        place=cython.Py_ssize_t, event=cython.int, room=cython.Py_ssize_t,
        text=cython.Py_ssize_t,
    )
    cdef _fold(self, Rows rows)
    @cython.locals(found="unsigned long long[::1]", number=cython.Py_ssize_t)
    cpdef unsigned long long[::1] hashes(self)
    @cython.locals(
        octets=bytes, starts=cython.int[::1], seen=Numbers, count=cython.int,
        number=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
        about=cython.ulonglong,
    )
    cpdef bint may_repeat(self, bytes kept, Py_ssize_t least) except -1
    @cython.locals(
        octets=bytes, starts=cython.int[::1], found=list, number=cython.Py_ssize_t,
        start=cython.Py_ssize_t, size=cython.Py_ssize_t, text=bytes,
    )
    cpdef str beginning(self, bytes kept, Py_ssize_t first, Py_ssize_t end, Py_ssize_t most)
    cpdef str text(self, Py_ssize_t number)
    @cython.locals(starts=cython.int[::1])
    cpdef list texts(self)
