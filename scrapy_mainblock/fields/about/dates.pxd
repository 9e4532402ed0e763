cimport cython

from scrapy_mainblock.fields.about.choice cimport choose, claim, is_sure, probability
from scrapy_mainblock.fields.about.day_features cimport Place
from scrapy_mainblock.fields.sources.lines cimport Line, Lines, has_any_name_part_around
from scrapy_mainblock.fields.sources.page_sources cimport PageSources
from scrapy_mainblock.fields.sources.properties cimport Properties
from scrapy_mainblock.fields.sources.scripts cimport first_value
from scrapy_mainblock.fields.values.dates cimport days_on, first_day_on
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport names_around, segment_of_first_text
from scrapy_mainblock.outline.parts cimport Parts

cdef int _CLOSE, _LATE, _MOST_COUNTED, DAY, NAMED_CHANGE, SAYS_CHANGE
cdef tuple _PROPERTIES_PUBLISHED, _PROPERTIES_MODIFIED, _LINKED_PUBLISHED, _LINKED_MODIFIED
cdef dict _RANKS_PUBLISHED, _RANKS_MODIFIED
cdef Parts IN_NAMES

@cython.final
cdef class Dates:
    cdef dict __dict__
    cdef PageSources _sources

cdef bint _is_among(Place one, list places) except -1
cdef bint _has_time(choice) except -1
@cython.locals(
    found=list, one=Place, best=Place, where=str, count=cython.int, features=dict, weights=dict,
    day=str, sure=cython.double,
)
cdef _chosen(PageSources sources, list known, str field)
cdef int _exactness(Place place) except -1
@cython.locals(found=list, properties=Properties, element=cython.int, name=str)
cdef list _machine_readable(PageSources sources)
@cython.locals(found=list, properties=Properties, element=cython.int, name=str)
cdef list _machine_changes(PageSources sources)
cdef _add(list found, PageSources sources, str source, raw)
@cython.locals(key=str, kind=str, node=dict, main=dict)
cdef _add_linked(list found, PageSources sources, tuple keys)
cdef _add_metas(list found, PageSources sources, tuple which)
cdef tuple _ranked(tuple names, dict ranks)
@cython.locals(found=list, rows=Rows, times=list, lines=Lines)
cdef list _read_shown(PageSources sources, bint changes_only)
@cython.locals(
    first=cython.int, last=cython.int, anchor=cython.int, count=cython.int, element=cython.int,
    names=str, segment=cython.int, kind=str, raw=str,
)
cdef _add_times(list found, PageSources sources, Rows rows, list times, bint changes_only)
@cython.locals(found=list, address=str)
cpdef list in_address(PageSources sources)
@cython.locals(line=Line, days=tuple, label=str, kind=str)
cdef _add_lines(list found, PageSources sources, Lines lines, bint changes_only)
cdef bint _may_mention_change(Lines lines, Line line) except -1
@cython.locals(where=str, kind=str)
cdef str _kind_of_line(Line line, str label, named, day)
@cython.locals(found=list)
cdef list _scripts(PageSources sources)
