cimport cython

from scrapy_mainblock.outline.html.scan cimport code_of
from scrapy_mainblock.outline.buffers.octets cimport Octets
from scrapy_mainblock.render.markdown_line cimport Line, Mark

cdef const int[::1] MARKDOWN, WHAT
cdef dict MARKS
cdef unsigned int HASH_FACTOR, HASH_MASK, HASH_START
cdef int CELL_LINE, EM, HEADING_LINE, LINK, PARAGRAPH_LINE, STRONG, TAG
cdef int A, BLOCKQUOTE, BR, CAPTION, CODE, DD, DL, H1, H6
cdef int HR, IMG, LI, OL, P, PRE, TABLE, TD, TH, THEAD, TR, UL
cdef int BOUNDARY, INLINE, INLINE_MARK, INLINE_CODE
cdef int LESS, GREATER, SLASH, SPACE, QUOTE, LINE_FEED, AMPERSAND
cdef bytes ADDRESS
cdef int MOST_INSIDE, LARGEST_NUMBER

@cython.final
cdef class Container:
    cdef int code, number
    cdef Py_ssize_t size
    cdef bytes bullet

@cython.final
cdef class MarkdownWriter:
    cdef bytes html
    cdef Octets out, prefix, lead
    cdef Line line
    cdef Py_ssize_t common, ended_size
    cdef list inside
    cdef int depth, heading
    cdef bint is_tight, is_in_p
    cdef bytes ended_list
    cdef object table

    @cython.locals(
        html=bytes, size=cython.Py_ssize_t, at=cython.Py_ssize_t, end=cython.Py_ssize_t,
        is_end=cython.bint, name=cython.Py_ssize_t, hashed=cython.uint, code=cython.int,
    )
    cpdef bytes run(self)
    @cython.locals(meaning=cython.int, line=Line, address=bytes)
    cdef int _tag(self, int code, Py_ssize_t at, Py_ssize_t end, bint is_end) except -1
    cdef int _block(self, int code, Py_ssize_t at, Py_ssize_t end, bint is_end) except -1
    @cython.locals(line=Line, is_text_of_item=cython.bint, is_whole=cython.bint)
    cdef void _end_line(self) except *
    @cython.locals(innermost=Container)
    cdef bint _is_in_item(self) except -1
    cdef int _separate(self) except -1
    @cython.locals(at=cython.Py_ssize_t)
    cdef bint _begins_item(self) noexcept
    cdef int _write_trimmed(self, Py_ssize_t size) except -1
    @cython.locals(lead=Octets, size=cython.Py_ssize_t)
    cdef int _begin_line(self) except -1
    @cython.locals(
        out=Octets, data="unsigned char[::1]", at=cython.Py_ssize_t,
        start=cython.Py_ssize_t, is_whole=cython.bint,
    )
    cdef bint _write_lines(self, Octets octets, bytes first) except -1
    @cython.locals(written=Octets)
    cdef int _write_block(self, bytes block) except -1
    @cython.locals(found=Container)
    cdef int _start_list(self, int code, Py_ssize_t at, Py_ssize_t end) except -1
    cdef int _set_apart(self, Container found) except -1
    @cython.locals(found=Container)
    cdef int _end_list(self) except -1
    @cython.locals(around=Container, mark=bytes)
    cdef void _start_inside(self, int code) except *
    @cython.locals(found=Container)
    cdef int _end_inside(self) except -1
    cdef Py_ssize_t _code_block(self, Py_ssize_t end) except -1
    @cython.locals(line=Line)
    cdef int _tag_in_table(
        self, object table, int code, Py_ssize_t at, Py_ssize_t end, bint is_end
    ) except -1

@cython.locals(
    length=cython.Py_ssize_t, place=cython.Py_ssize_t, first=cython.Py_ssize_t,
    last=cython.Py_ssize_t,
)
cdef bytes value_of(bytes html, bytes name, Py_ssize_t at, Py_ssize_t end)
@cython.locals(value=bytes, place=cython.Py_ssize_t)
cdef bytes address_of(bytes html, bytes name, Py_ssize_t at, Py_ssize_t end)
@cython.locals(
    text=Octets, at=cython.Py_ssize_t, size=cython.Py_ssize_t, octet=cython.int,
    end=cython.Py_ssize_t, following=bytes,
)
cdef bytes literal(bytes source)
@cython.locals(hashed=cython.uint, name=cython.Py_ssize_t, code=cython.int)
cdef bint is_within_line(bytes html, Py_ssize_t at) except -1
