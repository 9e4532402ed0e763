cimport cython

from scrapy_mainblock.fields.about.choice cimport claim
from scrapy_mainblock.fields.sources.lines cimport Lines
from scrapy_mainblock.fields.sources.page_sources cimport PageSources
from scrapy_mainblock.outline.folding cimport beginning
from scrapy_mainblock.outline.rows cimport Rows

cdef int _FIRST_LOOK
cdef tuple _SOURCES
cdef str _OF_TAG, _OF_META, _OF_DATA

@cython.locals(declared=list, found=str)
cpdef list language(PageSources sources, bint only_first)
@cython.locals(overruled=list)
cdef list _weighed(PageSources sources, list declared, str found)
cdef _alike(list declared, str found)
@cython.locals(found=list, source=str, raw=str, code=str)
cdef list _declared(PageSources sources, bint only_first)
cdef str _raw(PageSources sources, str source)
@cython.locals(rows=Rows, lines=Lines)
cdef str _text(PageSources sources, int most)
