cimport cython

cpdef claim(value, str source, probability, str raw=*)
cpdef chosen(one)
@cython.locals(logit=cython.double, value=cython.double, weight=cython.double, name=str)
cpdef double probability(dict features, dict weights) except -1
@cython.locals(found=list)
cpdef choose(candidates, double least)
cpdef bint is_sure(choice, double least) except -1
cpdef first_of(list candidates)
