cimport cython

cpdef double[::1] doubles(Py_ssize_t count)
