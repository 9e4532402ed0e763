cimport cython

cdef Py_ssize_t AT_ONCE

@cython.final
cdef class Trees:
    cdef readonly Py_ssize_t trees, depth, outputs, questions
    cdef int[::1] features, asked
    cdef float[::1] thresholds, leaves
    cdef double[::1] bias
    cdef readonly Py_ssize_t most_feature

@cython.final
cdef class _Asking:
    cdef Trees forest
    cdef const float[:, ::1] columns
    cdef double[:, ::1] found
    cdef Py_ssize_t count
    cdef short[::1] answers, leaf

    @cython.locals(
        start=cython.Py_ssize_t, end=cython.Py_ssize_t, question=cython.Py_ssize_t,
        output=cython.Py_ssize_t, one=cython.Py_ssize_t, tree=cython.Py_ssize_t,
    )
    cpdef ask(self)
    @cython.locals(
        feature=cython.Py_ssize_t, threshold=cython.float, place=cython.Py_ssize_t,
        one=cython.Py_ssize_t,
    )
    cdef void _answer(self, Py_ssize_t question, Py_ssize_t start, Py_ssize_t count) noexcept
    @cython.locals(
        asked=cython.int[::1], depth=cython.int, place=cython.Py_ssize_t, one=cython.Py_ssize_t,
        level=cython.int,
    )
    cdef void _find_leaves(self, Py_ssize_t tree, Py_ssize_t count) noexcept
    @cython.locals(leaves=cython.float[::1], first=cython.Py_ssize_t, one=cython.Py_ssize_t)
    cdef void _add(
        self, Py_ssize_t tree, Py_ssize_t output, Py_ssize_t start, Py_ssize_t count
    ) noexcept
