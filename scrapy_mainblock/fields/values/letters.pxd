cimport cython

cdef Py_UCS4 FIRST_BEHIND_ASCII

@cython.locals(
    found=dict, start=cython.Py_ssize_t, size=cython.Py_ssize_t, at=cython.Py_ssize_t,
    is_letter=cython.bint, letter=cython.Py_UCS4, word=str,
)
cpdef dict counts_of(str text, dict known, Py_ssize_t longest)
@cython.locals(found=cython.Py_ssize_t, letter=cython.Py_UCS4)
cpdef Py_ssize_t letters_in(str text) except -1
