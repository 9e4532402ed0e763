cimport cython

from scrapy_mainblock.fields.sources.lines cimport Lines
from scrapy_mainblock.fields.sources.properties cimport Properties
from scrapy_mainblock.fields.values.addresses cimport Base
from scrapy_mainblock.outline.css cimport Siblings
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows

cdef int LESS, SMALL, H, T, M, L, _HEAD, _TIME
cdef Parts _BYLINES, _BREADCRUMBS, _NAMED
cdef tuple _MONTH_FIRST

@cython.final
cdef class PageSources:
    cdef readonly object page, kept, headline
    cdef readonly int title
    cdef readonly Rows rows
    cdef readonly Lines lines
    cdef readonly Properties properties
    cdef Siblings _siblings
    cdef dict _metas
    cdef tuple _meta_names
    cdef object _linked
    cdef list _named, _times
    cdef Base _base
    cdef str _url, _site_name, _host, _tag_of_language

    cdef _read_linked(self)

    cpdef list matching(self, wanted, Py_ssize_t most)
    cpdef absolute(self, str address)

cdef str _of_body(Rows rows)
@cython.locals(
    source=bytes, end=cython.Py_ssize_t, at=cython.Py_ssize_t, behind=cython.Py_ssize_t, tag=bytes,
)
cdef str _of_root(Rows rows)
@cython.locals(at=cython.Py_ssize_t)
cdef Py_ssize_t _root_at(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
