cimport cython

from scrapy_mainblock.outline.arrays cimport ints

cdef int CLOSE, EMPTY, OPEN

@cython.locals(
    count=cython.int, at=cython.int, end=cython.int, event=cython.int, number=cython.int,
    kind=cython.int, is_first=cython.bint, result=cython.int[::1],
)
cpdef int[::1] moved(int[::1] tape, list fostered, int[::1] tape_at, int[::1] tape_end)
