cimport cython

from scrapy_mainblock.fields.sources.page_sources cimport PageSources

cdef frozenset _KEEP_FULL_NAME

@cython.final
cdef class Place:
    cdef readonly str source, raw, date
    cdef readonly object day
    cdef readonly int element
    cdef readonly bint is_line

    cpdef bint is_same(self, Place other) except -1

@cython.locals(
    found=dict, place=Place, features=dict, kind=str, days=list, count=cython.int,
    rank=cython.int, day=str, kinds=set,
)
cpdef dict describe(PageSources sources, list known)
cdef set months_in(str address)
@cython.locals(
    told=set, strong=set, is_in_url=cython.bint, day=str, features=dict, one=str,
)
cdef _compare(dict found, list known)
@cython.locals(name=str)
cdef bint _is_strong_line(dict features) except -1
cpdef bint near_days(str one, str other) except -1
