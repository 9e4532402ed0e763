cimport cython

@cython.locals(logit=cython.double, value=cython.double, weight=cython.double, name=str)
cpdef double probability(dict features, dict weights) except -1
