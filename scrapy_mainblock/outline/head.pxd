cimport cython

from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport tag_has_part, with_tags

cdef int _LEAST_TAG, _BASE, _LINK, _META, _SCRIPT, _TITLE
cdef Parts _READ
cdef bytes _TAGS

@cython.final
cdef class Head:
    cdef dict __dict__
    cdef Rows _page

    cpdef str link(self, str relation)
    cpdef base(self, url)

@cython.locals(inside=dict, outside=dict, found=dict, element=cython.int, name=str, contents=list)
cdef dict contents_by_name(Rows page, list elements)
@cython.locals(found=list, element=cython.int, kind=str)
cdef list sources_of_linked_data(Rows page, list elements)
@cython.locals(found=dict, element=cython.int, said=str, relation=str)
cdef dict first_by_relation(Rows page, list elements)
cdef _joined(str said, url)
