cimport cython

from scrapy_mainblock.fields.about.choice cimport chosen, claim
from scrapy_mainblock.fields.sources.lines cimport Lines
from scrapy_mainblock.fields.sources.page_sources cimport PageSources
from scrapy_mainblock.fields.sources.properties cimport Properties
from scrapy_mainblock.fields.sources.pictures cimport shown_address
from scrapy_mainblock.fields.values.addresses cimport Base
from scrapy_mainblock.fields.values.pictures cimport (
    is_placeholder,
    last_part,
    marks_of,
    may_tell_width,
    name_of,
    plain,
)
from scrapy_mainblock.outline.css cimport first_behind
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport has_class_part_around, is_seen

cdef int _MOST_READ, _TOP, _ABOVE, _SMALL, _AROUND
cdef tuple _METAS, _PROPERTIES, _LINKED
cdef Parts _PORTRAIT

@cython.final
cdef class Picture:
    cdef readonly str url, source
    cdef readonly int element
    cdef readonly bint is_placeholder
    cdef list _marks
    cdef str _name, _plain

    cpdef str name(self)
    cdef bint is_like(self, Picture other, str address) except -1
    cdef list marks(self, str address)
    @cython.locals(mark=str)
    cdef bint has_any(self, list marks) except -1

@cython.final
cdef class Pictures:
    cdef PageSources _sources
    cdef Rows _rows
    cdef dict _read
    cdef list _elements
    cdef Base _base_of_page
    cdef int _start, _top, _end
    cdef object _main
    cdef Picture _leading

    @cython.locals(found=list, all_named=list, named=list, one=Picture)
    cdef list _candidates(self, bint only_first)
    @cython.locals(
        address=str, by_name=dict, parts=list, element=cython.int, one=Picture, other=Picture,
        same=Picture, both=str,
    )
    cdef tuple _named_and_shown(self, list named, int start, int end, int most, bint is_top)
    @cython.locals(
        sources=PageSources, lines=Lines, rows=Rows, first=cython.int, last=cython.int, kept=bytes,
        top=cython.int, more=cython.int, segment=cython.int,
    )
    cdef _find_content(self)
    @cython.locals(elements=list, behind=cython.Py_ssize_t, first=cython.Py_ssize_t)
    cdef list _between(self, int start, int end, int most)
    @cython.locals(found=Picture)
    cdef Picture _picture(self, int element, list parts)
    cdef Base _base(self)
    @cython.locals(rows=Rows, name=str)
    cdef bint _is_small(self, Picture one) except -1
    @cython.locals(found=dict, sources=PageSources, metas=dict, name=str)
    cdef list _named(self)
    @cython.locals(properties=Properties, name=str, element=cython.int)
    cdef _add_properties(self, dict found)
    cdef _add(self, dict found, str address, str source)

@cython.locals(found=list, one=Picture)
cdef list marks_of_named(list named)
@cython.locals(part=str)
cdef bint holds_any(str text, list parts) except -1
cdef bint is_narrow(str width) except -1
cdef int start_of(Rows rows, int segment) noexcept
