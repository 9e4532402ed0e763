cimport cython

cdef object _MISSING

cdef class BoundedCache:
    cdef dict __dict__
    cdef readonly object function
    cdef readonly Py_ssize_t most, longest
    cdef object _measure
    cdef Py_ssize_t _most_recent
    cdef dict _recent, _older

    @cython.locals(length=cython.Py_ssize_t)
    cdef _from_older(self, key, tuple texts)
