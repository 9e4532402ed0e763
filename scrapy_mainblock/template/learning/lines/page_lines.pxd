cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport hashes, ints
from scrapy_mainblock.outline.buffers.hashing cimport Numbers, mixed, of_words

@cython.final
cdef class PageLines:
    cdef readonly bytes octets
    cdef dict _texts
    cdef readonly int[::1] starts, stops, ends
    cdef readonly unsigned long long[::1] keys
    cdef readonly object first, distinct, order

    @cython.locals(
        octets=bytes, starts=cython.int[::1], stops=cython.int[::1],
        keys="unsigned long long[::1]", seen=Numbers, at=cython.Py_ssize_t, count=cython.int,
        mask=cython.ulonglong, telling=cython.Py_ssize_t,
        is_telling=cython.bint, number=cython.Py_ssize_t,
        end=cython.Py_ssize_t, start=cython.Py_ssize_t,
        stop=cython.Py_ssize_t, key=cython.ulonglong,
    )
    cdef Py_ssize_t _hash(self, const unsigned long long[::1] places) except -1
    @cython.locals(numbers=Numbers, once=cython.int, at=cython.Py_ssize_t)
    cdef Py_ssize_t _find_distinct(
        self, Py_ssize_t count, int[::1] first, long long[::1] distinct
    ) except -1
    @cython.locals(octets=bytes, text=str)
    cpdef str text(self, Py_ssize_t line)
    @cython.locals(first=cython.Py_ssize_t, line=cython.Py_ssize_t)
    cpdef list texts(self, Py_ssize_t place)
    @cython.locals(places=cython.Py_ssize_t)
    cpdef numbered(self, list chains, dict known, Py_ssize_t most)
    @cython.locals(
        at=cython.Py_ssize_t, place=cython.Py_ssize_t, upper=cython.longlong, bits=cython.int
    )
    cdef _number(self, list chains, dict known, Py_ssize_t places, long long[::1] found)

@cython.locals(at=cython.Py_ssize_t, count=cython.Py_ssize_t)
cpdef Py_ssize_t characters(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(at=cython.Py_ssize_t)
cpdef Py_ssize_t cut_off(
    bytes octets, Py_ssize_t start, Py_ssize_t end, Py_ssize_t most
) noexcept
