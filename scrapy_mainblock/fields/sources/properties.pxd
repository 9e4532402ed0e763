cimport cython

from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport ancestors

cdef int MOST, LONGEST, _DEEPEST
cdef tuple _OF_OTHERS

@cython.final
cdef class Properties:
    cdef dict __dict__
    cdef Rows _rows
    cdef object _names

    @cython.locals(one=cython.int)
    cpdef list of(self, str name)
    @cython.locals(around=list, element=cython.int)
    cdef bint _is_of_other(self, int element) except -1
    cpdef str value(self, int element)
    @cython.locals(start=cython.int, end=cython.int, one=cython.int)
    cpdef list inside(self, int outer, str name)

@cython.locals(
    rows=Rows, source=bytes, start=cython.Py_ssize_t, end=cython.Py_ssize_t, element=cython.int,
    found=dict,
)
cdef dict elements_by_property(Rows rows, names)
cpdef str value_of(Rows rows, int element)
