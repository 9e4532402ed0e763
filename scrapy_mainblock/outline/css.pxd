cimport cython

from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport with_classes, with_id

cdef int UNKNOWN, DEEPEST

@cython.final
cdef class Step:
    cdef readonly str tag, id
    cdef readonly list classes, words, attributes
    cdef readonly int number
    cdef readonly bint is_child

    @cython.locals(name=str)
    cpdef add(self, part)
    cdef bint has_name(self) noexcept

@cython.final
cdef class Siblings:
    cdef readonly Rows rows
    cdef dict _elements, _numbers, _counts
    cdef set _asked

    @cython.locals(name=str, rows=Rows, parent=cython.int, same=list, number=cython.int,
                   other=cython.int)
    cpdef int number_of(self, int element) except -1
    @cython.locals(name=str)
    cpdef bint has_several(self, int element) except -1
    @cython.locals(rows=Rows, code=cython.int, element=cython.int)
    cdef list _with(self, str name)
    @cython.locals(parent=cython.int, element=cython.int)
    cdef dict _of(self, str name)

@cython.locals(siblings=Siblings, found=set, steps=list)
cpdef list find_all(Rows rows, wanted, Py_ssize_t most=*)
@cython.locals(found=list, element=cython.int)
cdef list _matching(Siblings siblings, list steps, Py_ssize_t most)
@cython.locals(
    found=list, inside=list, end=cython.int, around=cython.int, number=cython.Py_ssize_t,
    step=Step, last=Step,
)
cdef list _candidates_of(Rows rows, list steps)
@cython.locals(
    found=list, code=cython.int, end=cython.int, is_shown=cython.bint, element=cython.int
)
cdef list _candidates_in(Rows rows, int around, Step step)
@cython.locals(
    first=cython.Py_ssize_t, end=cython.Py_ssize_t, middle=cython.Py_ssize_t, element=cython.int
)
cpdef Py_ssize_t first_behind(Rows rows, list elements, Py_ssize_t at) except -1
cdef list _candidates(Rows rows, Step step)
@cython.locals(
    rows=Rows, last=cython.Py_ssize_t, around=cython.int, just=set, below=set, fits=set,
    is_next=cython.bint, is_written=cython.bint, number=cython.Py_ssize_t, step=Step,
)
cdef bint _matches(Siblings siblings, list steps, int element) except -1
@cython.locals(rows=Rows, its_classes=list, name=str)
cdef bint _is(Siblings siblings, Step step, int element) except -1
cdef bint _has(value, wanted) except -1
