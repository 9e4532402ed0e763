cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport zeros

cdef unsigned long long START, FACTOR, EVERYTHING, MIX

cpdef unsigned long long hash_of(bytes octets) noexcept
@cython.locals(at=cython.Py_ssize_t)
cpdef unsigned long long extended(
    unsigned long long found, bytes octets, Py_ssize_t start, Py_ssize_t end
) noexcept
@cython.locals(
    found=cython.ulonglong, at=cython.Py_ssize_t, word=cython.ulonglong, place=cython.Py_ssize_t
)
cpdef unsigned long long of_words(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
cpdef unsigned long long mixed(unsigned long long key) noexcept

@cython.final
cdef class Numbers:
    cdef Py_ssize_t mask
    cdef unsigned long long[::1] slots
    cdef readonly int count

    @cython.locals(at=cython.Py_ssize_t)
    cpdef int number(self, unsigned long long key) noexcept
    @cython.locals(at=cython.Py_ssize_t)
    cpdef void put(self, unsigned long long key, int number) noexcept
    cpdef int find(self, unsigned long long key) noexcept
    @cython.locals(at=cython.Py_ssize_t)
    cdef Py_ssize_t _slot(self, unsigned long long key) noexcept
