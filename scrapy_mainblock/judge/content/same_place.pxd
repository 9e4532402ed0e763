cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport doubles, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows

cdef double SHARE_OF_PLACE

@cython.locals(
    page=Rows, count=cython.Py_ssize_t, numbers=Numbers, number_of=cython.int[::1],
    room=cython.double[::1], likely=cython.double[::1], text=cython.double[::1],
    found=cython.double[::1], block=cython.int, number=cython.int, one=cython.Py_ssize_t,
    mean=cython.double,
)
cpdef judged_together(
    const double[::1] probability, const double[::1] sizes, Places places, double share=*
)
