cdef object _store

cdef class CachedProperty:
    cdef dict __dict__
    cdef public object function
    cdef readonly str name
