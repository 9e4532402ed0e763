cimport cython
from cpython cimport array

cdef array.array INTS, HASHES, DOUBLES, OCTETS

@cython.locals(found=cython.int[::1])
cpdef int[::1] ints(Py_ssize_t count)
@cython.locals(found=cython.int[::1], place=cython.Py_ssize_t)
cpdef int[::1] filled(Py_ssize_t count, int value)
@cython.locals(room=cython.int[::1])
cpdef int[::1] longer(int[::1] numbers, Py_ssize_t count)
@cython.locals(found="unsigned long long[::1]")
cpdef unsigned long long[::1] hashes(Py_ssize_t count)
@cython.locals(found="unsigned long long[::1]")
cpdef unsigned long long[::1] zeros(Py_ssize_t count)
@cython.locals(found=cython.double[::1])
cpdef double[::1] doubles(Py_ssize_t count)
@cython.locals(found="unsigned char[::1]")
cpdef unsigned char[::1] octets_of(Py_ssize_t count)
