cimport cython
from libc cimport math

from scrapy_mainblock.outline.buffers.arrays cimport octets_of

cdef Py_ssize_t AT_ONCE
cdef double MOST_ODDS

@cython.final
cdef class Trees:
    cdef readonly Py_ssize_t trees, depth, outputs, questions
    cdef int[::1] features, asked
    cdef float[::1] thresholds, leaves
    cdef const double[::1] bias
    cdef readonly Py_ssize_t most_feature

    @cython.locals(
        width=cython.Py_ssize_t, room="unsigned char[::1]", answers="unsigned char[::1]",
        leaf="unsigned char[::1]", start=cython.Py_ssize_t, output=cython.Py_ssize_t,
        one=cython.Py_ssize_t,
    )
    cdef _ask(self, const float[:, ::1] columns, double[:, ::1] found, Py_ssize_t count)

@cython.locals(
    question=cython.Py_ssize_t, feature=cython.Py_ssize_t, threshold=cython.float,
    place=cython.Py_ssize_t, one=cython.Py_ssize_t, outputs=cython.Py_ssize_t,
    tree=cython.Py_ssize_t, level=cython.Py_ssize_t, output=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
)
cdef void add_scores(
    const float[:, ::1] columns, double[:, ::1] found, int[::1] features, float[::1] thresholds,
    int[::1] asked, float[::1] leaves, unsigned char[::1] answers, unsigned char[::1] leaf,
    Py_ssize_t depth, Py_ssize_t start, Py_ssize_t count
) noexcept

@cython.locals(one=cython.Py_ssize_t, odds=cython.double)
cdef void to_probability(double[:, ::1] found, Py_ssize_t count) noexcept
@cython.locals(
    one=cython.Py_ssize_t, output=cython.Py_ssize_t, most=cython.double, total=cython.double,
)
cdef int to_shares(double[:, ::1] found, Py_ssize_t count) except -1
