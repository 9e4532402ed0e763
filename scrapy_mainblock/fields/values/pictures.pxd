cimport cython

from scrapy_mainblock.outline.parts cimport Parts

cdef int _SHORTEST_NAME, _MARK_WITH_DIGIT, _MARK_OF_LETTERS
cdef Parts _OF_PLACEHOLDERS

@cython.locals(path=str, name=str)
cpdef str name_of(str url)
@cython.locals(path=str, host=cython.Py_ssize_t, begins=cython.Py_ssize_t)
cdef str _path(str url)
@cython.locals(
    text=str, found=set, start=cython.Py_ssize_t, size=cython.Py_ssize_t, at=cython.Py_ssize_t,
    letter=cython.Py_UCS4, mark=str,
)
cpdef set marks_of(str url)
cpdef str plain(str url)
@cython.locals(letter=cython.Py_UCS4)
cdef bint _tells(str mark) except -1
@cython.locals(at=cython.Py_ssize_t, behind=cython.Py_UCS4)
cpdef bint may_tell_width(str url) except -1
cpdef str last_part(str url)
cpdef bint is_placeholder(str url) except -1
