cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport filled, ints

cdef int CLOSE, EMPTY, OPEN

@cython.locals(
    moves=cython.Py_ssize_t, tables=cython.int[::1], starts=cython.int[::1], ends=cython.int[::1],
    count=cython.int, at=cython.int, end=cython.int, event=cython.int, number=cython.int,
    kind=cython.int, one=cython.int, is_first=cython.bint, result=cython.int[::1],
    behind=cython.int[::1], last_before=cython.int[::1], one_before=cython.int[::1],
)
cpdef int[::1] moved(
    int[::1] tape, int[::1] fostered, int[::1] tape_at, int[::1] tape_end
)
