cimport cython

from scrapy_mainblock.fields.about.choice cimport choose, claim, is_sure, probability
from scrapy_mainblock.fields.about.author_features cimport Place
from scrapy_mainblock.fields.sources.lines cimport Line, Lines
from scrapy_mainblock.fields.sources.page_sources cimport PageSources
from scrapy_mainblock.fields.sources.properties cimport Properties
from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport (
    addresses,
    block_of_segment,
    first_segment_of,
    is_within,
    links_between,
    links_of,
    names_around,
    texts_of,
    with_address_part,
)

cdef int _MOST_CALLED, _LONGEST, _LONGEST_ADDRESS, _CLOSE, _NEAR, BYLINE, DAY, NAME
cdef Parts _IN_ADDRESSES
cdef frozenset _HEADINGS, _SIGNS_BETWEEN
cdef dict _OF_DATA, _RANKS

@cython.final
cdef class Authors:
    cdef dict __dict__
    cdef PageSources _sources

cdef bint _are_people(choice) except -1
@cython.locals(
    known=list, found=list, key=frozenset, its_key=frozenset, features=dict, first=Place,
    place=Place, where=str, weights=dict, sure=cython.double,
)
cdef _chosen(PageSources sources, list some, str field)
@cython.locals(place=Place, other=frozenset)
cdef str _sources_of(list known, frozenset key)
@cython.locals(names=tuple)
cdef _add(list found, str source, str raw, int segment=*)
cdef _add_linked(list found, PageSources sources)
@cython.locals(found=list, kinds=set)
cpdef list of_node(PageSources sources, str source, value)
@cython.locals(one=str)
cdef _add_new(list found, tuple names)
@cython.locals(metas=dict, found=list, contents=list)
cdef _add_metas(list places, PageSources sources)
@cython.locals(
    rows=Rows, properties=Properties, elements=list, found=dict, raws=dict, last=cython.int,
    element=cython.int, inner=list, raw=str, source=str, names=list, known=set,
)
cdef _add_properties(list places, PageSources sources)
@cython.locals(
    found=list, rows=Rows, bylines=list, first=cython.int, last=cython.int, anchor=cython.int,
    outer=cython.int, element=cython.int, around=str, text=str, segment=cython.int, where=str,
    linked=Place, names=tuple,
)
cdef list _named_elements(PageSources sources)
@cython.locals(one=str, first_names=tuple)
cdef _add_first_names(list found, Rows rows, int element, tuple names, str where)
@cython.locals(texts=list, names=list, link=cython.int, text=str)
cdef Place _names_of_links(Rows rows, int element, str where)
@cython.locals(
    rows=Rows, first=cython.int, last=cython.int, links=list, found=list, of_first=cython.int,
    element=cython.int, address=bytes,
)
cdef _add_links(list places, PageSources sources)
@cython.locals(distance=cython.int)
cdef str _where(str around, int segment, int anchor, int last)
@cython.locals(
    lines=Lines, last=cython.int, line=Line, text=str, is_close=cython.bint, where=str, kind=str,
    source=str,
)
cdef _add_lines(list found, PageSources sources)
cdef _add_name_alone(list found, Rows rows, Line line)
@cython.locals(days=tuple, begin=cython.int, pieces=list, parts=list, piece=str, part=str, text=str)
cdef _add_beside_day(list found, Line line)
@cython.locals(words=list, word=str)
cpdef bint _is_like_name(str text) except -1
