cimport cython

from scrapy_mainblock.outline cimport places
from scrapy_mainblock.outline.buffers.arrays cimport ints
from scrapy_mainblock.outline.html.references cimport decoded
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.selectors cimport has_class, has_id

cdef int UNKNOWN, DEEPEST, MOST_CANDIDATES

@cython.final
cdef class Step:
    cdef readonly str tag
    cdef readonly int code, number
    cdef readonly bint is_child
    cdef readonly bytes id
    cdef readonly list classes, attributes

@cython.locals(step=Step, end=cython.Py_ssize_t)
cdef Step _whole_step(str text, bint is_child)
cdef tuple _step(str text, Py_ssize_t at, bint is_child)
cdef _add(Step step, part)

@cython.final
cdef class Siblings:
    cdef readonly Rows rows
    cdef dict _asked, _numbers, _steps
    cdef int[::1] _found

    cpdef str step(self, int element)
    @cython.locals(found=cython.int[::1], name=str)
    cdef str name_of(self, int element)
    @cython.locals(name=str, numbers=dict, number=cython.int, other=cython.int, asked=cython.int)
    cpdef int number_of(self, int element) except -1
    @cython.locals(other=cython.int)
    cpdef bint has_several(self, int element) except -1
    @cython.locals(rows=Rows)
    cdef bint _is_sibling(self, int other, int element) except -1
    @cython.locals(rows=Rows, found=dict, counts=dict, element=cython.int, parent=cython.int)
    cdef dict _count(self, str name)

@cython.locals(found=set, steps=tuple)
cpdef list find_all(Rows rows, wanted, Py_ssize_t most=*, Siblings siblings=*)
@cython.locals(
    rows=Rows, last=Step, is_visible=cython.bint, found=list, candidates=cython.int,
    element=cython.int,
)
cdef list _matching(Siblings siblings, tuple steps, Py_ssize_t most)
@cython.locals(first=cython.Py_ssize_t, end=cython.Py_ssize_t, middle=cython.Py_ssize_t)
cpdef Py_ssize_t first_behind(Rows rows, list elements, Py_ssize_t at) except -1
@cython.locals(
    rows=Rows, just=cython.uint, below=cython.uint, around=cython.int, fits=cython.uint,
    open_steps=cython.bint, number=cython.int, bit=cython.uint, step=Step, is_written=cython.bint,
)
cdef bint _matches(Siblings siblings, tuple steps, int element) except -1
@cython.locals(rows=Rows, name=bytes)
cdef bint _is(Siblings siblings, Step step, int element) except -1
cdef bint _has(value, wanted) except -1
@cython.locals(rows=Rows, steps=list, step=str, is_numbered=cython.bint)
cpdef str selector_of(Siblings siblings, int element, Py_ssize_t numbered=*, Py_ssize_t most=*)
@cython.locals(tag=str, name=str, step=str)
cdef str _step_for(Siblings siblings, int element, bint is_numbered)
cdef str _escaped(str name)
@cython.locals(character=cython.Py_UCS4)
cdef bint _is_plain(str name) noexcept
