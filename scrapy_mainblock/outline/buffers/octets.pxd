cimport cython

from scrapy_mainblock.outline.buffers.arrays cimport octets_of

cdef unsigned char BLANK, LAST_ASCII

@cython.final
cdef class Octets:
    cdef unsigned char[::1] data
    cdef Py_ssize_t room, size

    @cython.locals(longer="unsigned char[::1]")
    cdef int make_room(self, Py_ssize_t more) except -1
    cdef int put(self, int octet) except -1
    cdef int write(self, bytes octets) except -1
    cdef int extend(self, bytes source, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int extend_line(self, bytes source, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(
        data="unsigned char[::1]", from_="unsigned char[::1]", behind=cython.Py_ssize_t,
        at=cython.Py_ssize_t,
    )
    cdef int copy(self, Octets other, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(data="unsigned char[::1]", at=cython.Py_ssize_t)
    cdef int character(self, int code) except -1
    cpdef bytes bytes(self)

@cython.locals(behind=cython.Py_ssize_t, at=cython.Py_ssize_t)
cdef void paste(
    unsigned char[::1] data, Py_ssize_t size, bytes source, Py_ssize_t start, Py_ssize_t end
) noexcept
@cython.locals(behind=cython.Py_ssize_t, at=cython.Py_ssize_t)
cdef void paste_line(
    unsigned char[::1] data, Py_ssize_t size, bytes source, Py_ssize_t start, Py_ssize_t end
) noexcept
@cython.locals(at=cython.Py_ssize_t)
cpdef bint is_ascii(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
