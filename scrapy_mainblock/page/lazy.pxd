cimport cpython.object as storing

cdef class CachedProperty:
    cdef dict __dict__
    cdef public object function
    cdef readonly str name
