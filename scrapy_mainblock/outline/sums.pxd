cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport filled, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers
from scrapy_mainblock.outline.places cimport Places
from scrapy_mainblock.outline.rows cimport Rows

cdef int KINDS, TEXT

@cython.locals(chars=cython.Py_ssize_t, linked=cython.Py_ssize_t, segment=cython.Py_ssize_t)
cpdef tuple lengths(Rows rows, Py_ssize_t first, Py_ssize_t end)
@cython.locals(length=cython.Py_ssize_t, of_kept=cython.Py_ssize_t, segment=cython.Py_ssize_t)
cpdef tuple length_of_kept(Rows rows, bytes kept, Py_ssize_t first, Py_ssize_t end)
@cython.locals(
    found=cython.int[::1], segment=cython.Py_ssize_t, plain=cython.int, kind=cython.int
)
cpdef list plain_by(Rows rows, bytes kinds, Places places, Numbers known)
@cython.locals(
    seen=Numbers, count=cython.int, segment=cython.Py_ssize_t, length=cython.longlong
)
cpdef bint may_be_equal(Rows rows, bytes kept, int least) except -1
@cython.locals(
    size=cython.int, before=cython.int[::1], place=cython.int, event=cython.int, count=cython.int,
    segment=cython.int,
)
cpdef int[::1] kept_texts(Rows rows, const unsigned char[::1] kept)
