cimport cython

from scrapy_mainblock.fields.sources.line_marks cimport marks
from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport names_around

cdef int LONGEST, CLOSE, NAME, _AROUND

@cython.locals(
    found=list, segment=cython.int,
    at=cython.Py_ssize_t, to=cython.Py_ssize_t, its_marks=cython.int, is_kept=cython.bint,
    is_linked=cython.bint, is_behind=cython.bint, text=str, place=cython.int,
)
cpdef list read(Rows rows, Folded folded, bytes kept, object segments, int anchor, int last)
@cython.locals(first=cython.int, final=cython.int, segment=cython.int)
cpdef tuple outermost(Rows rows, object segments, int last)
@cython.locals(text=cython.int)
cpdef str names_around_segment(Rows rows, int segment)
