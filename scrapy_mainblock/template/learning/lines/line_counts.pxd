cimport cython

@cython.final
cdef class Counts:
    cdef public object keys, counts, since
    cdef int added

    cpdef list add(self, object added, object order=*)
    @cython.locals(
        keys="long long[::1]", counts=cython.int[::1], size=cython.Py_ssize_t,
        at=cython.Py_ssize_t, new=cython.Py_ssize_t, number=cython.Py_ssize_t, key=cython.longlong,
    )
    cdef _add(self, const long long[::1] added, const Py_ssize_t[::1] order, list twice)
    @cython.locals(
        since="const int[::1]", size=cython.Py_ssize_t, room=cython.Py_ssize_t,
        to_keys="long long[::1]", to_counts=cython.int[::1], to_since=cython.int[::1],
        at=cython.Py_ssize_t, end=cython.Py_ssize_t, number=cython.Py_ssize_t, key=cython.longlong,
    )
    cdef _insert(
        self, const long long[::1] added, const Py_ssize_t[::1] order, long long[::1] keys,
        int[::1] counts, Py_ssize_t new
    )
