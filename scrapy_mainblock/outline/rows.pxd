cimport cython

from scrapy_mainblock.outline.html.references cimport decoded

cdef int A, OPEN, RAW_TEXT, RP, RT, TEXT
cdef unsigned int BLOCK
cdef const unsigned int[::1] FLAGS
cdef bytes IN_TAG, LOWER
cdef int QUOTE, APOSTROPHE, EQUALS_SIGN, GREATER_THAN

@cython.final
cdef class Rows:
    cdef readonly bytes source
    cdef readonly int body, head
    cdef readonly bint is_full, has_too_many_segments
    cdef readonly Py_ssize_t button_content, noscript_content
    cdef readonly list item_types, properties
    cdef readonly int element_count, block_count, segment_count
    cdef readonly int[::1] tag, parent, start, inner, end
    cdef readonly int[::1] id_at, id_end, class_at, class_end, href_at, href_end
    cdef readonly int[::1] tape_at, tape_end
    cdef readonly int[::1] text_start, text_end, text_owner, text_flags, text_chars, text_gaps
    cdef readonly int[::1] text_segment
    cdef readonly int[::1] tape
    cdef readonly int[::1] block_element, block_parent, block_first, block_end, block_images
    cdef readonly int[::1] block_of
    cdef readonly int[::1] segment_block, segment_at, segment_to
    cdef readonly int[::1] segment_chars, segment_length, segment_link_chars, segment_links

    @cython.locals(code=cython.int, at=cython.Py_ssize_t, end=cython.Py_ssize_t)
    cpdef str name(self, int element)
    cpdef str identifier(self, int element)
    cpdef str classes(self, int element)
    cpdef address(self, int element)
    @cython.locals(
        source=bytes, size=cython.Py_ssize_t, at=cython.Py_ssize_t, octet=cython.int,
        start=cython.Py_ssize_t, is_wanted=cython.bint, value=cython.Py_ssize_t,
        value_end=cython.Py_ssize_t, quote=cython.int,
    )
    cpdef attribute(self, int element, bytes name)
    @cython.locals(found=list, element=cython.int)
    cpdef list with_tag(self, int code, Py_ssize_t most=*)
    cpdef bytes content(self, int element)
    @cython.locals(first=cython.int, last=cython.int)
    cpdef tuple source_of(self, int segment)
    cpdef str value(self, Py_ssize_t start, Py_ssize_t end)
    @cython.locals(low=cython.Py_ssize_t, high=cython.Py_ssize_t, middle=cython.Py_ssize_t)
    cpdef int element_at(self, Py_ssize_t at)
    @cython.locals(source=bytes)
    cpdef str text(self, int number)
    @cython.locals(found=set, parent=cython.int)
    cpdef set names_around(self, int element)
    @cython.locals(place=cython.Py_ssize_t, event=cython.int)
    cpdef bint has_link(self, int element)
    @cython.locals(
        pieces=list, octets=cython.Py_ssize_t, place=cython.Py_ssize_t, event=cython.int,
        number=cython.int, start=cython.Py_ssize_t, end=cython.Py_ssize_t, line=str,
        behind=cython.Py_ssize_t,
    )
    cpdef str line_of(self, int element, Py_ssize_t most)
    @cython.locals(found=list, place=cython.Py_ssize_t, event=cython.int, text=cython.int)
    cpdef list texts_in(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t most=*)

@cython.locals(place=cython.Py_ssize_t)
cdef bint spells(bytes source, Py_ssize_t at, bytes name) noexcept
