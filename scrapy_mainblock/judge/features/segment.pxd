cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles
from scrapy_mainblock.judge.features.frame cimport Frame
from scrapy_mainblock.judge.features.likeness cimport Title
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows

cdef int IS_P, LEVELS, NAME_LEVELS
cdef const int[::1] TAG_COLUMN, TAG_IS
cdef double GENERAL_SHARE, SIZE_WEIGHT, NOWHERE
cdef int FARTHEST_BEFORE, FARTHEST_BEHIND, MOST_LINKS, MOST_IMAGES

@cython.final
cdef class Filling:
    cdef Frame frame
    cdef float[:, ::1] rows
    cdef Py_ssize_t row, n, m, headline, best
    cdef const double[::1] log_chars
    cdef double[::1] link_share, plain_before, link_before
    cdef double[::1] held_plain, held_link, held_stops, in_paragraphs, density
    cdef int[::1] depth, general, densest
    cdef double page_plain, page_link

    @cython.locals(room=cython.double[::1], blocks=cython.int[::1])
    cdef _make_rows(self, Py_ssize_t n, Py_ssize_t m)
    @cython.locals(value=cython.double)
    cpdef fill(self, str title, list hints)
    @cython.locals(one=cython.Py_ssize_t)
    cdef void _constant(self, double value) noexcept
    @cython.locals(
        frame=Frame, rows="float[:, ::1]", row=cython.Py_ssize_t, one=cython.Py_ssize_t,
        chars=cython.double, words=cython.double, link=cython.double, links=cython.double,
    )
    cdef int _texts(self, str title) except -1
    @cython.locals(frame=Frame, wanted=Title, one=cython.Py_ssize_t)
    cdef int _likeness(self, str title, Py_ssize_t row) except -1
    @cython.locals(
        ends=cython.double[::1], row=cython.Py_ssize_t, place=cython.Py_ssize_t,
        step=cython.Py_ssize_t, one=cython.Py_ssize_t, other=cython.Py_ssize_t,
    )
    cdef void _neighbours(self) noexcept
    @cython.locals(
        frame=Frame, one=cython.Py_ssize_t, width=cython.Py_ssize_t, low=cython.Py_ssize_t,
        high=cython.Py_ssize_t, text=cython.double, linked=cython.double,
    )
    cdef int _windows(self) except -1
    @cython.locals(
        frame=Frame, page=Rows, n=cython.Py_ssize_t, room=cython.double[::1],
        stops=cython.double[::1], paragraphs=cython.double[::1], one=cython.Py_ssize_t,
        is_p=cython.int, block=cython.int, first=cython.int, end=cython.int,
        plain=cython.double, link=cython.double, segments=cython.double, parent=cython.int,
        upper=cython.int, is_general=cython.bint,
    )
    cdef int _blocks(self) except -1
    @cython.locals(
        page=Rows, rows="float[:, ::1]", row=cython.Py_ssize_t, n=cython.Py_ssize_t,
        first=cython.double, end=cython.double, before=cython.double, share=cython.double,
        one=cython.Py_ssize_t, plain=cython.double,
        behind=cython.double,
    )
    cdef int _positions(self) except -1
    @cython.locals(
        frame=Frame, page=Rows, rows="float[:, ::1]", row=cython.Py_ssize_t,
        one=cython.Py_ssize_t, block=cython.int, parent=cython.int,
    )
    cdef int _own_blocks(self) except -1
    @cython.locals(
        frame=Frame, page=Rows, rows="float[:, ::1]", row=cython.Py_ssize_t,
        count=cython.Py_ssize_t, one=cython.Py_ssize_t, block=cython.int, column=cython.int,
        bits=cython.uint, group=cython.Py_ssize_t,
    )
    cdef int _tags(self) except -1
    @cython.locals(
        frame=Frame, page=Rows, rows="float[:, ::1]", row=cython.Py_ssize_t,
        groups=cython.Py_ssize_t, everything=cython.uint, one=cython.Py_ssize_t,
        group=cython.Py_ssize_t, block=cython.int, seen=cython.uint, level=cython.int,
        bits=cython.uint,
    )
    cdef int _names(self) except -1
    @cython.locals(
        page=Rows, rows="float[:, ::1]", row=cython.Py_ssize_t, stops=cython.double,
        described="double[:, ::1]", block=cython.int, plain=cython.double,
        segments=cython.int, one=cython.Py_ssize_t, level=cython.int, which=cython.int,
        at=cython.Py_ssize_t,
    )
    cdef int _levels(self) except -1
    cdef double _link_share(self, int block) noexcept
    @cython.locals(
        rows="float[:, ::1]", row=cython.Py_ssize_t, best=cython.double, one=cython.Py_ssize_t,
        block=cython.int, general=cython.int, densest=cython.int,
    )
    cdef int _best_around(self) except -1
