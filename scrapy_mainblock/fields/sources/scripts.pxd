cimport cython

from scrapy_mainblock.outline.parts cimport Parts

cdef tuple KEYS
cdef int MOST_LOOKS
cdef Parts _PARTS

@cython.locals(places=list, at=cython.Py_ssize_t, number=cython.int)
cpdef first_value(bytes source)
