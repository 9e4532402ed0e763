cimport cython

cdef const double[::1] ENTROPY, LEAST_LIKELY
cdef int COUNT, FINE

@cython.final
cdef class Summary:
    cdef Py_ssize_t n
    cdef const double[::1] likely, sizes
    cdef const unsigned char[::1] kept
    cdef readonly double text, content, kept_text, kept_content, unsure_kept, unsure_left, surest
    cdef readonly double kept_likely, unsure_text, unsure_content, unsure_segments
    cdef readonly Py_ssize_t kept_segments, kept_runs
    cdef readonly double[::1] text_from, segments_from

    @cython.locals(
        was_kept=cython.bint, is_kept=cython.bint, one=cython.Py_ssize_t, step=cython.Py_ssize_t,
        likely=cython.double, size=cython.double, doubt=cython.double, place=cython.double,
        unsure=cython.double,
    )
    cdef _add_up(self)
    @cython.locals(found=list, step=cython.Py_ssize_t, text=cython.double, n=cython.double)
    cpdef list distribution(self)
    @cython.locals(
        one=cython.Py_ssize_t, text=cython.double, content=cython.double, by_text=cython.double,
        count=cython.double,
    )
    cdef int _weigh(self, float[:, ::1] found) except -1
