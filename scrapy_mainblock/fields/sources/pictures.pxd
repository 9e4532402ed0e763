cimport cython

from scrapy_mainblock.outline.parts cimport Parts
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport tag_holds

cdef int NOSCRIPT, PICTURE, SOURCE, SMALLEST_DATA, FARTHEST, LONGEST_COPY, LONGEST_NAME
cdef tuple LAZY, LAZY_SETS
cdef Parts _WORDS
cdef str _BEGIN_WITHOUT_PATH

@cython.locals(lower=str)
cpdef shown_address(Rows rows, int element)
cpdef picture_address(Rows rows, int element)
@cython.locals(name=bytes)
cdef of_attributes(Rows rows, int element)
@cython.locals(parent=cython.int, number=cython.int)
cdef of_picture(Rows rows, int element)
@cython.locals(number=cython.int, content=bytes, copy=Rows, picture=cython.int)
cdef of_copy(Rows rows, int element)
@cython.locals(largest=cython.double, size=cython.double, words=list, url=str)
cpdef largest_of(str candidates)
cdef bint _is_address(str value) except -1
@cython.locals(scheme=str, at=cython.Py_ssize_t, end=cython.Py_ssize_t, name=str)
cpdef bint is_placeholder(str address) except -1
