cimport cython

from scrapy_mainblock.outline.buffers.hashing cimport Numbers, extended
from scrapy_mainblock.outline.buffers.arrays cimport hashes, ints
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.html.references cimport decoded

cdef unsigned long long EVERYTHING, FACTOR, START
cdef int DEEPEST, LONGEST_NAME, LONGEST_CHAIN, LENGTH_OF_UNDER, LEAST_CELLS
cdef double MOSTLY, LAYOUT_SHARE, LONG_CELLS
cdef int OPENS, CLOSES, ZERO
cdef int BY_ID, BY_CLASS, NUMBER_SIGN, AMPERSAND, HYPHEN, FULL_STOP, UNDERSCORE, P, TABLE
cdef int LEAST_HASH, MOST_HASH, LEAST_SUFFIX, MOST_SUFFIX
cdef int IS_NUMBERED, IS_LIST, IS_PART, IS_CELL
cdef bytes KIND_OF_TAG, UNDER_OCTETS, OF_LINKS_OCTETS
cdef list TAG_NAMES

@cython.final
cdef class Places:
    cdef readonly Rows page
    cdef readonly int[::1] name_at, name_end, named_by, position, of_links, is_same
    cdef readonly int[::1] depth, length, twin
    cdef readonly unsigned long long[::1] hashes
    cdef list _chains

    @cython.locals(rows=cython.int[::1])
    cdef _make_rows(self, Py_ssize_t count)
    @cython.locals(
        page=Rows, in_data=cython.int[::1], siblings=Numbers, positions=cython.int[::1],
        block=cython.int, parent=cython.int, element=cython.int, tag=cython.int,
        length=cython.Py_ssize_t, number=cython.int, found=cython.int[::1], room=cython.int[::1],
        count=cython.int, latest=cython.int[::1], other=cython.int,
    )
    cpdef _find(self)
    @cython.locals(
        page=Rows, start=cython.Py_ssize_t, size=cython.Py_ssize_t, behind=cython.Py_ssize_t,
        at=cython.Py_ssize_t,
    )
    cdef bint _is_twin(self, int block, int other) noexcept
    cdef void _share_parent_place(self, int block, int parent) noexcept
    cpdef unsigned long long step_hash(self, int block) except? 0
    cdef unsigned long long _below(self, unsigned long long around, int block) except? 0
    @cython.locals(
        page=Rows, name=bytes, mark=cython.int, start=cython.Py_ssize_t,
        end=cython.Py_ssize_t,
    )
    cdef unsigned long long _with_step(self, unsigned long long found, int block) except? 0
    @cython.locals(
        page=Rows, chars=cython.Py_ssize_t, linked=cython.Py_ssize_t, segment=cython.Py_ssize_t
    )
    cdef bint _is_of_links(self, int block) except -1
    @cython.locals(
        found="unsigned long long[::1]", block=cython.int, around=cython.ulonglong
    )
    cpdef unsigned long long[::1] under(self, int first, int end)
    @cython.locals(
        page=Rows, seen=Numbers, found="unsigned long long[::1]", count=cython.int,
        block=cython.int,
    )
    cpdef unsigned long long[::1] with_text(self)
    cpdef str name(self, int block)
    @cython.locals(page=Rows, step=str)
    cpdef str step(self, int block)
    @cython.locals(found=str, inside=list, step=str)
    cpdef str chain(self, int block)

@cython.locals(unit=cython.int)
cdef unsigned long long with_position(unsigned long long found, int position) noexcept
@cython.locals(
    at=cython.Py_ssize_t, suffix=cython.Py_ssize_t, is_hash=cython.bint, before=cython.Py_ssize_t
)
cpdef bint is_made_by_tool(bytes octets, Py_ssize_t start, Py_ssize_t end) noexcept
cdef bint is_alphanumeric(int octet) noexcept
@cython.locals(at=cython.Py_ssize_t)
cdef bint has_reference(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(found=cython.int[::1], tag=str, name=str)
cpdef str step_of(Rows rows, int element)
@cython.locals(
    source=bytes, start=cython.Py_ssize_t, end=cython.Py_ssize_t, at=cython.Py_ssize_t,
    last=cython.Py_ssize_t, has_digit=cython.bint,
)
cdef int find_name(Rows rows, int element, int[::1] found) except -1
cdef int digits_of(int number) noexcept
@cython.locals(at=cython.Py_ssize_t)
cdef bint is_one_word(bytes source, Py_ssize_t start, Py_ssize_t end) noexcept
@cython.locals(
    count=cython.Py_ssize_t, table_of=cython.int[::1], is_layout=cython.int[::1], before=cython.int[::1],
    room=cython.int[::1], length=cython.Py_ssize_t, segment=cython.Py_ssize_t, block=cython.int, parent=cython.int,
    around=cython.int, tag=cython.int, above=cython.int, cells=cython.Py_ssize_t,
    held=cython.Py_ssize_t, is_large=cython.bint,
)
cdef int[::1] data_tables(Rows page)
