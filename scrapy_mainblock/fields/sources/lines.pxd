cimport cython

from scrapy_mainblock.outline.folding cimport Folded
from scrapy_mainblock.outline.rows cimport Rows

cdef int LONGEST

@cython.locals(
    found=list, start=cython.int, end=cython.int, folded=Folded, segment=cython.int, is_kept=cython.bint, is_linked=cython.bint,
    is_behind=cython.bint, text=str,
)
cpdef list read(Rows rows, bytes kept, object segments, int anchor, int last)
