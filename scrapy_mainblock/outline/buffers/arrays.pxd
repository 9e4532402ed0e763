cimport cython

cdef Py_ssize_t FEW

cpdef int[::1] ints(Py_ssize_t count)
@cython.locals(found=cython.int[::1], place=cython.Py_ssize_t)
cpdef int[::1] filled(Py_ssize_t count, int value)
@cython.locals(room=cython.int[::1])
cpdef int[::1] longer(int[::1] numbers, Py_ssize_t count)
cpdef unsigned long long[::1] hashes(Py_ssize_t count)
cpdef unsigned long long[::1] zeros(Py_ssize_t count)
cpdef double[::1] doubles(Py_ssize_t count)
