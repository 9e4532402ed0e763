cimport cython

from scrapy_mainblock.fields.sources.page_sources cimport PageSources

cdef tuple _USUAL_METAS, _SHOWN

@cython.final
cdef class Place:
    cdef readonly str source, raw
    cdef readonly tuple names
    cdef readonly int element
    cdef readonly bint is_line

@cython.locals(one=Place)
cpdef list with_keys(list some)

@cython.final
cdef class _Kind:
    cdef readonly str feature, first, group
    cdef readonly bint is_shown

@cython.locals(
    found=dict, names=dict, groups=dict, shown=set, seen=set, place=Place, key=frozenset,
    features=dict, kind=_Kind, site=str, host=str, count=cython.int,
)
cpdef dict describe(PageSources sources, list known)
@cython.locals(
    told=set, people=set, singles=list, has_several=cython.bint, key=frozenset, other=frozenset,
    features=dict,
)
cdef _compare(dict found, dict names, set shown)
@cython.locals(whole=str, part=str)
cdef _mark_extensions(dict found, singles)
@cython.locals(name=str)
cdef bint _two_words(tuple names) except -1
@cython.locals(feature=str, one=str)
cdef _add_looks(dict features, tuple names, frozenset key, str site, str host)
