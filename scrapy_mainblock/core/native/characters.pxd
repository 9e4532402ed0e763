# Reading the source of a page character by character, whichever of its three kinds a str is.
# What a name, a space or a raw element is, `core.markup` says: all of it is the same here.

from libc.string cimport memchr

cdef extern from "Python.h":
    bint is_space "Py_UNICODE_ISSPACE"(Py_UCS4 character) nogil
    bint is_alnum "Py_UNICODE_ISALNUM"(Py_UCS4 character) nogil
    bint is_decimal "Py_UNICODE_ISDECIMAL"(Py_UCS4 character) nogil
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)

ctypedef unsigned char one_byte
ctypedef unsigned short two_bytes
ctypedef unsigned int four_bytes

ctypedef fused Char:
    one_byte
    two_bytes
    four_bytes


cdef enum:
    MOST_MISSES = 3  # before a text is taken for one of a script that has many such halves


cdef inline Py_ssize_t find(
    const Char* s, Py_ssize_t position, Py_ssize_t end, four_bytes wanted
) noexcept nogil:
    """Where a character of ASCII stands next; `end` where it does not."""
    cdef const void* found
    cdef int misses
    if position >= end:
        return end
    if Char is one_byte:
        found = memchr(s + position, <int> wanted, end - position)
        return end if found is NULL else <const one_byte*> found - s
    else:
        if Char is two_bytes:
            for misses in range(MOST_MISSES):
                found = memchr(s + position, <int> wanted, 2 * (end - position))
                if found is NULL:
                    return end
                # It may be half of another character.
                position = (<const one_byte*> found - <const one_byte*> s) // 2
                if s[position] == wanted:
                    return position
                position += 1
                if position >= end:
                    return end
        while position < end and s[position] != wanted:
            position += 1
        return position


cdef inline four_bytes lower(four_bytes character) noexcept nogil:
    """The lower case of a letter of ASCII."""
    return character + 32 if c"A" <= character <= c"Z" else character


cdef inline bint is_letter(four_bytes character) noexcept nogil:
    return c"a" <= lower(character) <= c"z"


cdef inline bint is_blank(four_bytes character) noexcept nogil:
    """A space of HTML's."""
    return character == c" " or c"\t" <= character <= c"\r"


cdef inline bint ends_name(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    r"""(?=[\s/>]): a space, a slash or the end of the tag."""
    return position < end and (
        s[position] == c">" or s[position] == c"/" or is_space(s[position])
    )


cdef inline bint ends_here(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """The same, where a space is one of HTML's."""
    return position < end and (
        s[position] == c">" or s[position] == c"/" or is_blank(s[position])
    )


cdef inline bint starts_with(
    const Char* s, Py_ssize_t position, Py_ssize_t end, const char* name, Py_ssize_t size
) noexcept nogil:
    """Whether a name in lower case stands there, in any case."""
    cdef Py_ssize_t i
    if end - position < size:
        return False
    for i in range(size):
        if lower(s[position + i]) != <four_bytes> name[i]:
            return False
    return True


cdef inline Py_ssize_t end_of_name(
    const Char* s, Py_ssize_t position, Py_ssize_t end
) noexcept nogil:
    r"""Behind [^\s/<>]*."""
    cdef four_bytes character
    while position < end:
        character = s[position]
        if character == c">" or character == c"/" or character == c"<" or is_space(character):
            break
        position += 1
    return position


cdef inline Py_ssize_t behind(
    const Char* s, Py_ssize_t position, Py_ssize_t end, four_bytes wanted
) noexcept nogil:
    """Behind the next such character; the end where there is none."""
    position = find(s, position, end, wanted)
    return position + 1 if position < end else end


cdef inline Py_ssize_t end_of_comment(
    const Char* s, Py_ssize_t position, Py_ssize_t end
) noexcept nogil:
    """Of the one that begins at `position`, as `markup.end_of_comment`."""
    cdef Py_ssize_t dashes, first
    position += 4
    first = position
    if position < end and s[position] == c">":
        return position + 1
    if position + 1 < end and s[position] == c"-" and s[position + 1] == c">":
        return position + 2
    while True:
        position = find(s, position, end, c">")
        if position >= end:
            return end
        dashes = position - 1
        if dashes > first and s[dashes] == c"!":
            dashes -= 1
        # Not the two that it begins with.
        if dashes > first and s[dashes] == c"-" and s[dashes - 1] == c"-":
            return position + 1
        position += 1


cdef inline Py_ssize_t end_of_raw(
    const Char* s, Py_ssize_t position, Py_ssize_t end, const char* name, Py_ssize_t size, bint ascii
) noexcept nogil:
    """Of a raw element, sought from `position`, as `markup.end_of_raw_element`; or as `bounds`, to
    which a space is one of ASCII."""
    while True:
        position = find(s, position, end, c"<")
        if position >= end:
            return end
        position += 1
        if (
            position < end
            and s[position] == c"/"
            and starts_with(s, position + 1, end, name, size)
            and (
                ends_here(s, position + 1 + size, end)
                if ascii
                else ends_name(s, position + 1 + size, end)
            )
        ):
            return behind(s, position + 1 + size, end, c">")
