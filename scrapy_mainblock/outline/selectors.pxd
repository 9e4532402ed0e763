cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.html.references cimport decoded
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows

cdef unsigned int BLOCK
cdef const unsigned int[::1] FLAGS
cdef int A, SHORTEST, OPEN, TEXT, UNKNOWN, AMPERSAND, SPACE, LAST_ASCII, TBODY, TR

@cython.locals(
    block=cython.int, first=cython.int, end=cython.int, first_block=cython.int,
    end_block=cython.int, count=cython.int,
)
cpdef extent(Rows rows, int element)
@cython.locals(first=cython.int, last=cython.int, place=cython.int, event=cython.int)
cdef tuple _segments_in(Rows rows, int start, int end)
@cython.locals(place=cython.Py_ssize_t, event=cython.int)
cpdef int first_segment_of(Rows rows, int element) except -2
@cython.locals(place=cython.Py_ssize_t, event=cython.int)
cpdef int segment_of_first_text(Rows rows, int element) except -2
@cython.locals(
    found=list, word=bytes, size=cython.Py_ssize_t, element=cython.int,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef list with_id(Rows rows, list words)
@cython.locals(
    found=list, word=bytes, size=cython.Py_ssize_t, element=cython.int,
    start=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef list with_classes(Rows rows, list words)
@cython.locals(octets=bytes, at=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef bint has_id(Rows rows, int element, bytes word) except -1
@cython.locals(
    octets=bytes, at=cython.Py_ssize_t, end=cython.Py_ssize_t, length=cython.Py_ssize_t,
    behind=cython.Py_ssize_t,
)
cpdef bint has_class(Rows rows, int element, bytes word) except -1
@cython.locals(
    found=list, element=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t
)
cpdef list with_class_part(Rows rows, Parts parts)
@cython.locals(element=cython.int)
cpdef list among_with_class_part(Rows rows, list elements, Parts parts)
@cython.locals(found=list)
cpdef list ancestors(Rows rows, int element, Py_ssize_t most)
@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cpdef bint has_class_part_around(Rows rows, int element, int most, Parts parts) except -1
@cython.locals(
    names=list, differs=cython.bint, start=cython.Py_ssize_t, end=cython.Py_ssize_t, name=bytes
)
cpdef str names_around(Rows rows, int element, int most)
@cython.locals(found=dict, element=cython.int, code=cython.int)
cpdef dict with_tags(Rows rows, bytes wanted)
@cython.locals(found=list, place=cython.Py_ssize_t, event=cython.int)
cpdef list links_in(Rows rows, Py_ssize_t start, Py_ssize_t end)
@cython.locals(found=list, place=cython.Py_ssize_t, event=cython.int)
cpdef list inline_in(Rows rows, Py_ssize_t start, Py_ssize_t end, Py_ssize_t most=*)
cpdef Py_ssize_t before_inline(Rows rows, Py_ssize_t start) except -1
cpdef list links_of(Rows rows, int element)
cpdef list links_between(Rows rows, int first, int last, int before)
cpdef bint is_seen(Rows rows, int element) except -1
cpdef bint is_within(Rows rows, int element, int outer) except -1
cpdef list texts_of(Rows rows, int element, Py_ssize_t most=*)
cpdef int block_of_segment(Rows rows, int segment) except -2
@cython.locals(
    found=list, link=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t
)
cpdef list with_address_part(Rows rows, list links, Parts parts, Py_ssize_t longest=*)
@cython.locals(
    found=list, link=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t
)
cpdef list addresses(Rows rows, list links, Py_ssize_t longest=*)
@cython.locals(value=bytes)
cdef bytes _value(Rows rows, Py_ssize_t start, Py_ssize_t end)
@cython.locals(at=cython.Py_ssize_t)
cdef bint may_differ(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(
    length=cython.Py_ssize_t, first=cython.int, octet=cython.int, at=cython.Py_ssize_t
)
cdef bint may_have(bytes octets, Py_ssize_t start, Py_ssize_t end, bytes word) noexcept
@cython.locals(
    length=cython.Py_ssize_t, first=cython.int, at=cython.Py_ssize_t, place=cython.Py_ssize_t
)
cdef bint holds(bytes octets, Py_ssize_t start, Py_ssize_t end, bytes word) noexcept
cpdef bint tag_has_part(Rows rows, int element, Parts parts) except -1
cpdef bint tag_holds(Rows rows, int element, bytes word) except -1
@cython.locals(
    found=list, size=cython.Py_ssize_t, number=cython.int, start=cython.Py_ssize_t,
    end=cython.Py_ssize_t, first=cython.int,
)
cpdef list texts_led_by(Rows rows, bytes octets, Py_ssize_t longest, Py_ssize_t most)
@cython.locals(
    size=cython.int, before=cython.int[::1], best=cython.int, most=cython.int, chars=cython.int,
    element=cython.int, place=cython.int, event=cython.int,
)
cpdef int with_most_text(Rows rows, list elements) except -1
@cython.locals(element=cython.int)
cdef int child(Rows rows, int parent, int code, str name, int number) except -2
@cython.locals(parent=cython.int)
cdef int parent_of(Rows rows, int element) noexcept
@cython.locals(
    steps=list, parent=cython.int, code=cython.int, name=str, number=cython.int,
    other=cython.int, dot=str,
)
cpdef str path_of(Rows rows, int element)
