cimport cython

from scrapy_mainblock.fields.sources.lines cimport Lines
from scrapy_mainblock.fields.sources.properties cimport Properties
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows

cdef int LESS, SMALL, H, T, M, L, _HEAD, _TIME
cdef Parts _BYLINES, _BREADCRUMBS, _NAMED
cdef tuple _MONTH_FIRST

@cython.final
cdef class PageSources:
    cdef dict __dict__
    cdef readonly object page, kept, headline
    cdef readonly int title
    cdef readonly Lines lines
    cdef readonly Properties properties

    cpdef list matching(self, wanted, Py_ssize_t most)
    cpdef absolute(self, str address)

@cython.locals(end=cython.Py_ssize_t, at=cython.Py_ssize_t, behind=cython.Py_ssize_t, tag=bytes)
cdef str _of_root(bytes source)
@cython.locals(at=cython.Py_ssize_t)
cdef Py_ssize_t _root_at(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
