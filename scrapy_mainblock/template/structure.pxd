cimport cython

from scrapy_mainblock.outline.buffers.hashing cimport Numbers

@cython.locals(size=cython.Py_ssize_t, at=cython.Py_ssize_t, half=cython.Py_ssize_t)
cpdef Py_ssize_t position(const unsigned long long[::1] places, unsigned long long place) noexcept
@cython.locals(count=cython.Py_ssize_t, place=cython.ulonglong)
cpdef Py_ssize_t shared(const unsigned long long[::1] places, object others) except -1
@cython.locals(
    at=cython.Py_ssize_t, count=cython.Py_ssize_t, number=cython.Py_ssize_t,
    other=cython.ulonglong,
)
cpdef Py_ssize_t shared_in_order(
    const unsigned long long[::1] places, const unsigned long long[::1] others
) except -1
@cython.locals(count=cython.Py_ssize_t, at=cython.Py_ssize_t)
cpdef Py_ssize_t count_of(
    const unsigned long long[::1] places, const unsigned long long[::1] others
) except -1
@cython.locals(found=Numbers, at=cython.Py_ssize_t)
cpdef Numbers table_of(const unsigned long long[::1] places)
