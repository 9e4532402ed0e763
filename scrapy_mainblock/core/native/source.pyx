"""What must be known of a page before it is parsed, of its source as a str or in UTF-8.

Whether it is UTF-8 at all, for `core.page`; and for `core.bounds`, whether one of its tags has too
many attributes. All that means something in a tag is ASCII, so that UTF-8 is read as it stands.
"""

from libc.string cimport memchr, memcpy

from scrapy_mainblock.core.native.characters cimport (
    Char,
    PyUnicode_DATA,
    PyUnicode_KIND,
    behind,
    end_of_comment,
    end_of_raw,
    ends_here,
    find,
    four_bytes,
    is_blank,
    is_letter,
    one_byte,
    starts_with,
    two_bytes,
)

from scrapy_mainblock.core import markup

cdef enum:
    MOST_NAMES = 10

cdef const char* RAW[MOST_NAMES]
cdef Py_ssize_t raw_size[MOST_NAMES]
_raw = [name.encode() for name in (*markup.RAW_ELEMENTS.split("|"), "title")]
cdef int raws = len(_raw)
if raws > MOST_NAMES:
    raise ImportError("there is room for fewer names")
cdef int _i
for _i in range(raws):
    RAW[_i], raw_size[_i] = _raw[_i], len(_raw[_i])


cdef Py_ssize_t behind_name(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    r"""Behind [^\s/>]*, as in `bounds._START`."""
    while position < end and not ends_here(s, position, end):
        position += 1
    return position


cdef Py_ssize_t behind_value(
    const Char* s, Py_ssize_t position, Py_ssize_t end, bint* is_quoted
) noexcept nogil:
    """Behind a value in quotes, if there is one at `position` and it is closed; else there."""
    cdef Py_ssize_t closed
    while position < end and is_blank(s[position]):
        position += 1
    is_quoted[0] = False
    if position < end and (s[position] == c'"' or s[position] == c"'"):
        closed = find(s, position + 1, end, s[position])
        if closed < end:
            is_quoted[0] = True
            return closed + 1
    return position


cdef Py_ssize_t behind_tag(const Char* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """Behind the tag whose attributes begin at `position`: `bounds._end_of_tag`."""
    cdef bint is_quoted
    while position < end:
        if s[position] == c">":
            return position + 1
        if s[position] == c"=":
            position = behind_value(s, position + 1, end, &is_quoted)
        else:
            position += 1
    return end


cdef bint has_more(
    const Char* s, Py_ssize_t position, Py_ssize_t end, Py_ssize_t most
) noexcept nogil:
    """Whether there are more attributes than `most` in a tag: `bounds._cut_at`."""
    cdef Py_ssize_t found = 0, value
    cdef bint is_quoted
    while True:
        while position < end and (ends_here(s, position, end) or s[position] == c"="):
            position += 1
        if position >= end:
            return False
        found += 1
        if found > most:
            return True
        while position < end and not (ends_here(s, position, end) or s[position] == c"="):
            position += 1
        value = position
        while value < end and is_blank(s[value]):
            value += 1
        if value < end and s[value] == c"=":
            position = behind_value(s, value + 1, end, &is_quoted)
            if not is_quoted:
                while position < end and s[position] != c">" and not is_blank(s[position]):
                    position += 1


cdef bint has_long(
    const Char* s, Py_ssize_t end, Py_ssize_t longest, Py_ssize_t most
) noexcept nogil:
    """`bounds._has_long_tag`."""
    cdef Py_ssize_t position = 0, start, inside
    cdef four_bytes character
    cdef bint closes
    cdef int number
    while True:
        start = find(s, position, end, c"<")
        position = start + 1
        if position >= end:
            return False
        character = s[position]
        closes = character == c"/"
        inside = position + closes
        if inside < end and is_letter(s[inside]):
            inside = behind_name(s, inside, end)
            position = behind_tag(s, inside, end)
            if position - start > longest and has_more(s, inside, position, most):
                return True
            if not closes:
                for number in range(raws):
                    if inside - start - 1 == raw_size[number] and starts_with(
                        s, start + 1, inside, RAW[number], raw_size[number]
                    ):
                        position = end_of_raw(s, position, end, RAW[number], raw_size[number], True)
        elif character == c"!" and starts_with(s, start, end, b"<!--", 4):
            position = end_of_comment(s, start, end)
        elif closes or character == c"!" or character == c"?":
            position = behind(s, position, end, c">")


def has_long_tag(source not None, Py_ssize_t longest, Py_ssize_t most):
    """Whether a tag has more than `longest` characters and more than `most` attributes."""
    cdef int kind
    if isinstance(source, bytes):
        return has_long(<const one_byte*> <const char*> source, len(source), longest, most)
    kind = PyUnicode_KIND(source)
    if kind == 1:
        return has_long(<const one_byte*> PyUnicode_DATA(source), len(source), longest, most)
    if kind == 2:
        return has_long(<const two_bytes*> PyUnicode_DATA(source), len(source), longest, most)
    return has_long(<const four_bytes*> PyUnicode_DATA(source), len(source), longest, most)


# ---- UTF-8 -------------------------------------------------------------------------------------


cdef inline bint goes_on(one_byte octet) noexcept nogil:
    return octet & 0xC0 == 0x80


cdef inline int octets_at(const one_byte* s, Py_ssize_t left) noexcept nogil:
    """How many octets the character has that begins there; 0 where none does, as in Python."""
    cdef one_byte first = s[0]
    if first < 0x80:
        return 1
    if first < 0xC2 or left < 2 or not goes_on(s[1]):
        return 0
    if first < 0xE0:
        return 2
    if left < 3 or not goes_on(s[2]):
        return 0
    if first < 0xF0:
        if (first == 0xE0 and s[1] < 0xA0) or (first == 0xED and s[1] > 0x9F):
            return 0
        return 3
    if first > 0xF4 or left < 4 or not goes_on(s[3]):
        return 0
    if (first == 0xF0 and s[1] < 0x90) or (first == 0xF4 and s[1] > 0x8F):
        return 0
    return 4


cdef inline bint is_ascii(const one_byte* s) noexcept nogil:
    """Whether the next 64 octets are: looked at many at a time."""
    cdef int at
    cdef one_byte all_of_them = 0
    for at in range(64):
        all_of_them |= s[at]
    return all_of_them < 0x80


cdef Py_ssize_t characters_in(const one_byte* s, Py_ssize_t end) noexcept nogil:
    """How many characters there are; -1 if that is no UTF-8."""
    cdef Py_ssize_t position = 0, characters = 0
    cdef unsigned long long eight
    cdef int octets
    cdef Py_ssize_t rounds
    while position < end:
        rounds = 0
        while position + 8 <= end:
            memcpy(&eight, s + position, 8)
            if eight & 0x8080808080808080ULL:
                break
            position += 8
            rounds += 1
            if rounds == 8:  # there may be many more
                while position + 64 <= end and is_ascii(s + position):
                    position += 64
                    characters += 64
        characters += 8 * rounds
        if position >= end:
            break
        octets = octets_at(s + position, end - position)
        if octets == 0:
            return -1
        position += octets
        characters += 1
    return characters


cdef bint has_odd(const one_byte* s, Py_ssize_t end) noexcept nogil:
    """Whether there is anything for `is_binary` to count. All are looked at: many at a time."""
    cdef Py_ssize_t position
    cdef one_byte octet, odd = 0
    for position in range(end):
        octet = s[position]
        odd |= (octet < 9) | ((octet > 13) & (octet < 0x20)) | (octet == 0x7F) | (octet == 0xEF)
    return odd != 0


cdef bint is_binary(
    const one_byte* s, Py_ssize_t end, Py_ssize_t most, Py_ssize_t least, double share
) noexcept nogil:
    """`page.is_binary`, of what is UTF-8."""
    cdef Py_ssize_t position = 0, number = 0, nuls = 0, controls = 0
    cdef one_byte octet
    if not has_odd(s, min(end, 4 * most)):
        return False
    while position < end and number < most:
        octet = s[position]
        if octet < 0x20:
            nuls += octet == 0
            controls += 0 < octet < 9 or octet > 13
        elif octet == 0x7F:
            controls += 1
        elif octet == 0xEF and s[position + 1] == 0xBF and s[position + 2] == 0xBD:
            controls += 1
        position += octets_at(s + position, end - position)
        number += 1
    number -= nuls
    return number > least and controls > share * number


cdef bint says_utf8(const one_byte* s, Py_ssize_t position, Py_ssize_t end) noexcept nogil:
    """Whether `"utf-8"` stands there, with or without the quote, and nothing behind it."""
    while position < end and is_blank(s[position]):
        position += 1
    if position < end and (s[position] == c'"' or s[position] == c"'"):
        position += 1
    if not starts_with(s, position, end, b"utf", 3):
        return False
    position += 3
    if position < end and s[position] == c"-":
        position += 1
    if position + 1 >= end or s[position] != c"8":
        return False
    position += 1
    return s[position] in b"\"' \t\r\n;>/?"


cdef bint may_declare(const one_byte* s, Py_ssize_t end, Py_ssize_t head) noexcept nogil:
    """Whether an encoding other than UTF-8 may be declared; never wrong when it says no.

    A declaration has one of two words in it, with the name of the encoding behind a "=".
    """
    cdef Py_ssize_t equals = 0, position
    head = min(head, end)
    while True:
        equals = find(s, equals, head, c"=")
        if equals >= head:
            break
        position = equals
        while position and is_blank(s[position - 1]):
            position -= 1
        if (
            position >= 8
            and (
                starts_with(s, position - 7, position, b"charset", 7)
                or starts_with(s, position - 8, position, b"encoding", 8)
            )
            and not says_utf8(s, equals + 1, end)
        ):
            return True
        equals += 1
    return end >= 3 and s[0] == 0xEF and s[1] == 0xBB and s[2] == 0xBF


cdef Py_ssize_t number_of(const Char* s, Py_ssize_t end, Char wanted) noexcept nogil:
    """How many of a character there are; counted in octets, which a compiler does many at a time."""
    cdef Py_ssize_t start = 0, position, number = 0
    cdef Char some
    while start < end:
        some = 0
        for position in range(start, min(start + 255, end)):
            some += s[position] == wanted
        number += some
        start += 255
    return number


cdef bint has_markup(const one_byte* s, Py_ssize_t end) noexcept nogil:
    """`page._TAG`."""
    cdef Py_ssize_t position = 0
    while True:
        position = find(s, position, end, c"<") + 1
        if position >= end:
            return False
        if is_letter(s[position]) or s[position] in b"!/?":
            return True


def looks(bytes body not None, Py_ssize_t head, Py_ssize_t least_head, double most_controls):
    """Of what may be a page in UTF-8: whether it may declare another encoding in its head, its
    length in characters, and whether it is a text with markup in it, and without a NUL; None if it
    is no UTF-8."""
    cdef const one_byte* s = <const one_byte*> <const char*> body
    cdef Py_ssize_t end = len(body), characters = characters_in(s, end)
    if characters < 0:
        return None
    return (
        may_declare(s, end, head),
        characters,
        has_markup(s, end)
        and memchr(s, 0, end) is NULL
        and not is_binary(s, end, head, least_head, most_controls),
    )


def less_thans(source not None):
    """How many there are."""
    cdef int kind
    if isinstance(source, bytes):
        return number_of(<const one_byte*> <const char*> source, len(source), <one_byte> c"<")
    kind = PyUnicode_KIND(source)
    if kind == 1:
        return number_of(<const one_byte*> PyUnicode_DATA(source), len(source), <one_byte> c"<")
    if kind == 2:
        return number_of(<const two_bytes*> PyUnicode_DATA(source), len(source), <two_bytes> c"<")
    return number_of(<const four_bytes*> PyUnicode_DATA(source), len(source), <four_bytes> c"<")
