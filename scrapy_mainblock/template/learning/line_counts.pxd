cimport cython

from scrapy_mainblock.outline.buffers.hashing cimport Numbers

@cython.locals(
    at=cython.Py_ssize_t, number=cython.Py_ssize_t, place=str, line=str, key=cython.Py_hash_t,
    telling=cython.Py_ssize_t, mask=cython.longlong,
)
cpdef keys_of(list places, const int[::1] ends, list lines, long long[::1] keys)
@cython.locals(at=cython.Py_ssize_t, count=cython.int, numbers=Numbers)
cpdef Py_ssize_t find_distinct(const long long[::1] keys, int[::1] found) except -1
@cython.locals(
    at=cython.Py_ssize_t, place=cython.Py_ssize_t, upper=cython.longlong, bits=cython.int
)
cpdef at_places(
    const int[::1] numbers, const int[::1] ends, const long long[::1] keys, long long[::1] found
)

@cython.final
cdef class Counts:
    cdef public object keys, counts, since
    cdef int added

    cpdef list add(self, object added, object order=*)
    @cython.locals(
        keys="long long[::1]", counts=cython.int[::1], size=cython.Py_ssize_t,
        at=cython.Py_ssize_t, new=cython.Py_ssize_t, number=cython.Py_ssize_t, key=cython.longlong,
    )
    cpdef Py_ssize_t _count_known(
        self, const long long[::1] added, const Py_ssize_t[::1] order, list twice
    ) except -1
    @cython.locals(
        keys="const long long[::1]", counts="const int[::1]", since="const int[::1]",
        size=cython.Py_ssize_t, to_keys="long long[::1]", to_counts=cython.int[::1],
        to_since=cython.int[::1], at=cython.Py_ssize_t, end=cython.Py_ssize_t,
        number=cython.Py_ssize_t, key=cython.longlong,
    )
    cpdef _insert(
        self, const long long[::1] added, const Py_ssize_t[::1] order, Py_ssize_t new
    )
