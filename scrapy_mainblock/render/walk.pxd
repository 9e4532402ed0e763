cimport cython

from scrapy_mainblock.outline.folding cimport Folder
from scrapy_mainblock.outline.buffers.octets cimport Octets
from scrapy_mainblock.outline.html.references cimport decoded
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.render.html cimport HtmlWriter
from scrapy_mainblock.render.text cimport TextWriter

cdef int CLOSE, EMPTY, LEADING_SPACE, OPEN, TEXT, TRAILING_SPACE
cdef unsigned int BLOCK, KEPT_INLINE
cdef const unsigned int[::1] FLAGS
cdef const int[::1] WHAT
cdef int CELL, FORMULA, PLAYER
cdef int A, BR, IMG, MATH, SCRIPT, SPAN
cdef int NUMBER_SIGN, ZERO, NINE, AMPERSAND, SLASH, LOWER_H, LOWER_T

@cython.final
cdef class Walk:
    cdef Rows rows
    cdef const unsigned char[::1] kept
    cdef readonly TextWriter text
    cdef readonly HtmlWriter html
    cdef Folder folder
    cdef int[::1] kept_before
    cdef public set muted
    cdef list embedded
    cdef bint has_formulas

    @cython.locals(
        rows=Rows, place=cython.int, end=cython.int, event=cython.int, kind=cython.int,
        number=cython.int, code=cython.int, links=list,
    )
    cpdef run(self, int root)
    cdef int _empty_cell(self, int code, int element) except -1
    @cython.locals(
        rows=Rows, end=cython.Py_ssize_t, element=cython.int, code=cython.int, links=list,
    )
    cdef list _find_embedded(self, int root)
    cdef int _pass_embedded(self, Py_ssize_t end) except -1
    @cython.locals(
        rows=Rows, embedded=list, kind=cython.int, number=cython.int, reached=cython.Py_ssize_t,
        element=cython.int, written=Octets, tex=bytes, title=bytes,
    )
    cdef int _write_embedded(self, int event) except -1
    @cython.locals(segment=cython.Py_ssize_t)
    cdef void _count(self) noexcept
    @cython.locals(rows=Rows, block=cython.int, first=cython.int, end=cython.int)
    cdef bint _is_left_out(self, int element) noexcept
    @cython.locals(rows=Rows, depth=cython.int, at=cython.int, event=cython.int)
    cdef int _behind_muted(self, int element, int place) noexcept
    @cython.locals(
        rows=Rows, folder=Folder, segment=cython.int, flags=cython.int, written=Octets
    )
    cdef void _text(self, int number) except *
    @cython.locals(rows=Rows, written=Octets, source=bytes, is_blank=cython.bint)
    cdef int _preformatted(self, int number) except -1

@cython.locals(at=cython.Py_ssize_t, octet=cython.int, has_digit=cython.bint)
cdef bint names_place(bytes source, Py_ssize_t start, Py_ssize_t end) except -1

@cython.locals(at=cython.Py_ssize_t, octet=cython.int)
cdef bint may_be_formula(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept

@cython.locals(text=str)
cdef int add_preformatted(Octets written, bytes source) except -1
