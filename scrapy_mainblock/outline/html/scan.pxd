cimport cython

from scrapy_mainblock.outline.html.nesting cimport Nesting
from scrapy_mainblock.outline.rows cimport Rows
from scrapy_mainblock.outline.html.references cimport is_control, is_space, reference, wide_space

cdef bytes IN_TAG, KIND, LOWER, SENTINEL
cdef int CONTINUATION, CONTROL, NEXT_CONTROLS, LESS, REFERENCE, SPACE, WIDE
cdef int LEADING_SPACE, LENGTH, RAW_TEXT, SECOND, TRAILING_SPACE
cdef long long CHARACTER
cdef unsigned int BLOCK, RAW, HASH_FACTOR, HASH_MASK, HASH_START
cdef int SLOTS, UNKNOWN
cdef const unsigned int[::1] FLAGS, SLOT_HASH
cdef const int[::1] SLOT_CODE
cdef Py_ssize_t MOST_ELEMENTS
cdef unsigned long long ONES, HIGHS
cdef int QUOTE, APOSTROPHE, HYPHEN, SLASH
cdef int LESS_THAN, EQUALS, GREATER_THAN, QUESTION_MARK, EXCLAMATION_MARK
cdef int LISTING, NOSCRIPT, PLAINTEXT, PRE, SCRIPT, TEMPLATE, TEXTAREA, XMP
cdef list NAMES_IN_SOURCE

@cython.final
cdef class Scan:
    cdef bytes source, page_source
    cdef Py_ssize_t size, word_count
    cdef const unsigned long long[::1] words
    cdef Nesting nesting
    cdef bint shows_noscript

    @cython.locals(source=bytes, at=cython.Py_ssize_t, size=cython.Py_ssize_t, octet=cython.int)
    cpdef Rows run(self)
    @cython.locals(octet=cython.int)
    cdef bint _begins_markup(self, Py_ssize_t at) noexcept

    @cython.locals(
        source=bytes, kinds=bytes, size=cython.Py_ssize_t, start=cython.Py_ssize_t,
        chars=cython.int, words=cython.int, flags=cython.int, spaced=cython.int, kind=cython.int,
        space=cython.int, less=cython.int, length=cython.Py_ssize_t, count=cython.int,
        found=cython.longlong,
    )
    cdef Py_ssize_t _text(self, Py_ssize_t at) except -1
    @cython.locals(at=cython.Py_ssize_t, kind=cython.int)
    cdef bint _holds_space(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(source=bytes, kind=cython.int)
    cdef bint _begins_with_space(self, Py_ssize_t at) except -1
    @cython.locals(
        source=bytes, chars=cython.int, words=cython.int, spaced=cython.bint,
        at=cython.Py_ssize_t, kind=cython.int, wide=cython.Py_ssize_t,
    )
    cdef int _raw_text(self, Py_ssize_t start, Py_ssize_t end) except -1

    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, end=cython.Py_ssize_t, hashed=cython.uint,
        inner=cython.Py_ssize_t, code=cython.int, nesting=Nesting,
    )
    cdef Py_ssize_t _start_tag(self, Py_ssize_t at) except -1
    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, end=cython.Py_ssize_t, hashed=cython.uint,
        code=cython.int,
    )
    cdef Py_ssize_t _end_tag(self, Py_ssize_t at) except -1
    @cython.locals(
        source=bytes, in_tag=bytes, size=cython.Py_ssize_t, octet=cython.int,
        name=cython.Py_ssize_t, name_end=cython.Py_ssize_t, value=cython.Py_ssize_t,
        value_end=cython.Py_ssize_t, quote=cython.int, length=cython.Py_ssize_t,
    )
    cdef Py_ssize_t _attributes(self, Py_ssize_t at) except -2
    @cython.locals(nesting=Nesting, first=cython.int)
    cdef int _attribute(
        self, Py_ssize_t name, Py_ssize_t length, Py_ssize_t value, Py_ssize_t value_end
    ) except -1
    @cython.locals(end=cython.Py_ssize_t)
    cdef Py_ssize_t _start_of_line(self, int code, Py_ssize_t at, Py_ssize_t inner) except -1

    @cython.locals(source=bytes, end=cython.Py_ssize_t, found=cython.Py_ssize_t)
    cdef Py_ssize_t _declaration(self, Py_ssize_t at) except -1
    @cython.locals(source=bytes, size=cython.Py_ssize_t, least=cython.Py_ssize_t)
    cdef Py_ssize_t _comment(self, Py_ssize_t at) except -1
    @cython.locals(
        source=bytes, element=cython.int, end=cython.Py_ssize_t, behind=cython.Py_ssize_t,
        paragraphs=cython.Py_ssize_t,
    )
    cdef Py_ssize_t _raw_element(
        self, int code, int hashed, Py_ssize_t at, Py_ssize_t inner
    ) except -1
    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, name=bytes, position=cython.Py_ssize_t,
        in_comment=cython.bint,
    )
    cdef Py_ssize_t _end_of_raw(self, int code, Py_ssize_t at) except -1
    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, depth=cython.Py_ssize_t, is_end=cython.bint,
        end=cython.Py_ssize_t, hashed=cython.uint, code=cython.int, behind=cython.Py_ssize_t,
    )
    cdef Py_ssize_t _end_of_template(self, int number, Py_ssize_t at) except -1

    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, place=cython.Py_ssize_t, count=cython.Py_ssize_t,
        pattern=cython.ulonglong, word=cython.ulonglong, ones=cython.ulonglong,
        highs=cython.ulonglong,
    )
    cdef Py_ssize_t _next(self, int octet, Py_ssize_t at) noexcept
    cdef Py_ssize_t _past(self, int octet, Py_ssize_t at) noexcept
    @cython.locals(source=bytes)
    cdef Py_ssize_t _past_line_feed(self, Py_ssize_t at) noexcept
    @cython.locals(source=bytes, place=cython.Py_ssize_t)
    cdef bint _spells(self, Py_ssize_t at, bytes word) noexcept

@cython.locals(slot=cython.uint)
cpdef int code_of(unsigned int hashed) noexcept
