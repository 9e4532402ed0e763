cimport cython

from scrapy_mainblock.fields.about.choice cimport claim
from scrapy_mainblock.fields.sources.page_sources cimport PageSources
from scrapy_mainblock.fields.sources.properties cimport Properties, value_of
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport links_of

cdef int LONGEST, _MOST_CRUMBS, _LONGEST_CRUMB, _LONGEST_WRITTEN, _SHORTEST_WRITTEN
cdef int _LONGEST_OF_SITE, _SHORTEST_HOST, _CUT_WORDS
cdef dict _METAS
cdef tuple _ENDS

@cython.locals(found=list, best=list)
cpdef list description(PageSources sources, bint only_first)
@cython.locals(found=list, name=str, text=str, properties=Properties, shown=list)
cdef list _descriptions(PageSources sources, bint only_first)
@cython.locals(found=list, metas=dict, text=str)
cdef list _of_metas(PageSources sources, str name, bint only_first)
@cython.locals(contents=list)
cdef bint _is_repeated(dict metas, str source) except -1
cdef bint _is_worse(str first, str of_graph, PageSources sources) except -1
@cython.locals(site=str, host=str)
cdef bint _names_site(str text, PageSources sources) except -1
cdef str _plain(str text)
@cython.locals(found=list)
cpdef list canonical_url(PageSources sources, bint only_first)
cpdef list breadcrumbs(PageSources sources)
cdef dict _crumb(PageSources sources, one)
cdef dict _named(PageSources sources, str name, str address)
@cython.locals(rows=Rows, outer=cython.int, link=cython.int, found=list, name=str, crumb=dict)
cdef list _shown_crumbs(PageSources sources)
