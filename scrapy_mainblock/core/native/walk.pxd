from libc.stdint cimport int32_t
from lxml.includes.tree cimport xmlAttr, xmlNode


cdef struct Buffer:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct Ints:
    int32_t* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct BlockRow:
    int32_t tag      # its number in `tags`
    int32_t parent
    int32_t first
    int32_t end
    int32_t images
    int32_t behind   # the place in `codes` behind the code of its end
    int32_t name     # where in the text its id and class stand, a NUL between them
    int32_t id_size
    int32_t class_size
    int32_t number   # of the elements that the walk came by


cdef struct SegmentRow:
    int32_t block
    int32_t chars
    int32_t spaces
    int32_t link_chars
    int32_t links


# What a walk writes down, each followed by its numbers.
cdef enum Code:
    BEGIN          # a block: its place
    END            # a block: its place
    BREAK
    BLANK          # white space between two blocks: where it is in the text, its size
    RUN            # the number of its segment, how many codes up to its end
    TEXT           # where it is in the text, its size
    OPEN           # an inline element: its tag, where its address is and its size (-1: none)
    CLOSE
    IMAGE          # where its address is, its size, the same of what is said of it
    MUTE
    UNMUTE


cdef struct Tag:
    const char* name
    int32_t size
    int32_t number
    int32_t kind


cdef enum Kind:
    PLAIN
    SPAN
    INLINE
    LINK
    IMAGE_KIND
    BREAK_KIND
    BLOCK
    HIDDEN

cdef Tag* tag_of(const xmlNode* node) noexcept nogil
cdef xmlAttr* attribute(const xmlNode* node, const char* name) noexcept nogil
cdef Py_ssize_t add_value(Buffer* text, xmlNode* node, xmlAttr* one) except -1
cdef int32_t shown_chars(const unsigned char* at, Py_ssize_t size) noexcept nogil
cdef void* grown(void* data, Py_ssize_t needed, Py_ssize_t size, Py_ssize_t* room) except NULL
cdef void give_back(void* data, Py_ssize_t size) noexcept
cdef int reserve(Buffer* buffer, Py_ssize_t more) except -1
cdef int add(Buffer* buffer, const char* data, Py_ssize_t size) except -1
cdef int add_int(Ints* ints, int32_t value) except -1
cdef int wide_white(const unsigned char* at, const unsigned char* end) noexcept nogil
cdef unsigned char may_be_white[256]


cdef inline int white(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """How many octets of white space stand there, as `str.isspace` has it; 0 for none."""
    cdef unsigned char kind = may_be_white[at[0]]
    return kind if kind < 2 else wide_white(at, end)


cdef int last_is_white(const unsigned char* data, Py_ssize_t size) noexcept nogil


cdef class Recording:
    cdef Buffer text
    cdef Ints codes
    cdef Ints skipped
    cdef BlockRow* blocks
    cdef readonly Py_ssize_t n_blocks
    cdef Py_ssize_t blocks_room
    cdef SegmentRow* segments
    cdef readonly Py_ssize_t n_segments
    cdef Py_ssize_t segments_room
    cdef readonly object body
    cdef readonly bint is_muted
    cdef object root_tag
    cdef int32_t root_href  # where the address of a body that is a link itself is, -1 for none
    cdef int32_t root_href_size
    cdef list _elements
    # Found by `chains`: all places that it knows, and at which of them each block is.
    cdef object places
    cdef int32_t* place_of
    cdef object _stand_in(self, Py_ssize_t place)
    cdef list _found_again(self, set wanted=*)
    cdef Py_ssize_t _count_to(self, xmlNode* wanted, list found, set places=*) except -2
    cdef object tag_of(self, Py_ssize_t place)
    cdef BlockRow* new_block(self) except NULL
    cdef SegmentRow* new_segment(self) except NULL


cdef list tags
