cimport cython

from scrapy_mainblock.outline.rows cimport Rows

cdef unsigned int HEADING
cdef const unsigned int[::1] FLAGS
cdef Py_ssize_t FAR
cdef double MOST_ORPHANED
cdef int LONGEST_INTRODUCTION

@cython.locals(
    found=list, next_kept=cython.Py_ssize_t, text=cython.longlong, orphaned=cython.longlong,
    place=cython.Py_ssize_t, segment=cython.Py_ssize_t, length=cython.Py_ssize_t, tag=cython.int,
)
cpdef list orphaned_headings(Rows rows, unsigned char[::1] kept, Py_ssize_t first)
@cython.locals(
    found=list, next_kept=cython.Py_ssize_t, place=cython.Py_ssize_t, is_followed=cython.bint,
    segment=cython.Py_ssize_t, text=str,
)
cpdef list orphaned_introductions(Rows rows, unsigned char[::1] kept, Py_ssize_t first)
