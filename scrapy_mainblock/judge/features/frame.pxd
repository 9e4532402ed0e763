cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles
from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.buffers.hashing cimport Numbers, extended, mixed
from scrapy_mainblock.judge.features.names cimport bits_of_class, bits_of_id
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows

cdef int CLASS, DIGIT, ENDS, FIRST_FAR, FIRST_FULL_WIDTH, MARK, MARK_SHIFT, OTHER, PAUSE, SPACE
cdef int STOP, UPPER, WIDE
cdef const int[::1] TAG_BITS
cdef unsigned long long START
cdef int LONGEST_DATED, COPYRIGHT_IN_CHINESE
cdef tuple UNITS

@cython.final
cdef class Frame:
    cdef readonly Rows page
    cdef readonly Folded folded
    cdef const unsigned long long[::1] hashes
    cdef readonly Py_ssize_t n, m, pictures
    cdef bytes kinds, full_width
    cdef readonly double[::1] sizes, chars, words, link, plain, pauses, stops, upper, digit, wide
    cdef readonly double[::1] ends, dated, copyright, repeated, links
    cdef readonly int[::1] tag, kind, alike, tags_around, marks
    cdef readonly unsigned int[::1] names

    @cython.locals(room=cython.double[::1], blocks=cython.int[::1], group=cython.Py_ssize_t)
    cdef _make_rows(self, Py_ssize_t n, Py_ssize_t m)
    @cython.locals(
        page=Rows, folded=Folded, texts=Numbers, count_of=cython.int[::1],
        number_of=cython.int[::1], segment=cython.Py_ssize_t, start=cython.Py_ssize_t,
        end=cython.Py_ssize_t, link=cython.double, chars=cython.double, number=cython.int,
    )
    cdef int _read_texts(self) except -1
    @cython.locals(
        octets=bytes, kinds=bytes, size=cython.int, wide=cython.int, upper=cython.int,
        digit=cython.int, pauses=cython.int, stops=cython.int, spaces=cython.int, code=cython.int,
        about=cython.int, may_be_dated=cython.bint, may_be_copyright=cython.bint, at=cython.Py_ssize_t,
        kind=cython.int, chars=cython.int,
    )
    cdef int _count(self, Py_ssize_t segment, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(
        page=Rows, kinds=Numbers, places=Numbers, count_of=cython.int[::1],
        place_of=cython.int[::1], block=cython.Py_ssize_t, element=cython.int,
        parent=cython.longlong, tag=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
        kind=cython.int, meaning="unsigned int[::1]", known=cython.int,
    )
    cdef int _read_blocks(self) except -1

cdef unsigned int[::1] flags(Py_ssize_t count)

cpdef bint is_digit(bytes octets, Py_ssize_t at, Py_ssize_t end) noexcept
@cython.locals(octet=cython.int)
cdef bint is_word(bytes octets, Py_ssize_t at, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(at=cython.Py_ssize_t, octet=cython.int, is_year=cython.bint)
cpdef bint has_date(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(unit=bytes)
cdef bint is_ago(bytes octets, Py_ssize_t at, Py_ssize_t end) except -1
@cython.locals(at=cython.Py_ssize_t, octet=cython.int, word=bytes)
cpdef bint has_copyright(bytes octets, Py_ssize_t start, Py_ssize_t end) except -1
@cython.locals(place=cython.Py_ssize_t)
cdef bint starts_with(bytes octets, Py_ssize_t at, Py_ssize_t end, bytes word) noexcept
@cython.locals(place=cython.Py_ssize_t, octet=cython.int)
cdef bint starts_with_letters(bytes octets, Py_ssize_t at, Py_ssize_t end, bytes word) noexcept
