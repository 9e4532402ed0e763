"""A source without the attributes that nobody here reads, for the parser.

Of a page's attributes a third or more (`width`, `srcset`, `data-…`, `style`, `onclick`) are read by
nobody, and each takes the parser as long as half an element, when the tree is built and when it is
freed. So they are left out before it reads them. All else stays as it is, octet by octet.

What is a tag must be known as the parser knows it, and the versions of libxml2 do not agree about
odd ones. So this goes on only as long as all of them must agree; at the first place where they may
not, the rest is left as it is. That costs time and nothing else.
"""

from cpython.bytes cimport PyBytes_AS_STRING, _PyBytes_Resize
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF
from libc.string cimport memchr, memcpy

cdef extern from "Python.h":
    PyObject* new_bytes "PyBytes_FromStringAndSize"(const char* data, Py_ssize_t size) except NULL

ctypedef unsigned char octet

cdef enum:
    BLANK = 1     # of HTML's white space
    WORD = 2      # what names are made of
    LETTER = 4
    ENDS_NAME = 8
    NAME = 16     # what other names may be made of
    VALUE = 32    # what stands in a value without quotes
    LONGEST_NAME = 90

cdef octet _kind[256]


cdef void _fill():
    cdef int one
    for one in b" \t\n\f\r":
        _kind[one] |= BLANK | ENDS_NAME
    for one in b"/>":
        _kind[one] |= ENDS_NAME
    for one in range(ord("a"), ord("z") + 1):
        _kind[one] |= WORD | LETTER
        _kind[one - 32] |= WORD | LETTER
    for one in b"0123456789-_":
        _kind[one] |= WORD
    for one in range(256):
        if _kind[one] & WORD or one in b":.":
            _kind[one] |= NAME
        if _kind[one] & NAME or one in b"#%,;?&+()/!*@$|~[]{}=" or one >= 0x80:
            _kind[one] |= VALUE


_fill()


cdef inline bint _is(const octet* at, Py_ssize_t size, const char* name, Py_ssize_t length) noexcept nogil:
    """Whether a name of so many octets is this one, in small letters, in any case."""
    cdef Py_ssize_t i
    if size != length:
        return False
    for i in range(length):
        if (at[i] | 0x20) != <octet> name[i]:
            return False
    return True


cdef inline bint _is_read(const octet* name, Py_ssize_t size) noexcept nogil:
    """Whether anybody reads an attribute of an element other than those of `_is_left_alone`."""
    cdef octet first = name[0] | 0x20
    if first == c"c":
        return _is(name, size, "class", 5)
    if first == c"i":
        return (
            _is(name, size, "id", 2)
            or _is(name, size, "itemprop", 8)
            or _is(name, size, "itemtype", 8)
        )
    if first == c"h":
        return _is(name, size, "href", 4)
    if first == c"s":
        return _is(name, size, "src", 3)
    if first == c"a":
        return _is(name, size, "alt", 3)
    return False


cdef inline bint _is_left_alone(const octet* name, Py_ssize_t size) noexcept nogil:
    """Whether other attributes of such an element are read as well, or it is like no other."""
    cdef octet first = name[0] | 0x20
    if first == c"m":
        return _is(name, size, "meta", 4)
    if first == c"l":
        return _is(name, size, "link", 4)
    if first == c"b":
        return _is(name, size, "base", 4) or _is(name, size, "body", 4)
    if first == c"h":
        return _is(name, size, "html", 4) or _is(name, size, "head", 4)
    if first == c"f":
        return _is(name, size, "frameset", 8)
    if first == c"s":
        return _is(name, size, "script", 6)
    return False


cdef enum Raw:
    NOT_RAW
    SCRIPT        # its text is its own, to all versions
    TEXT_ALONE    # to some it may hold elements
    ENDLESS       # all that comes is its text, to some

cdef inline int _is_raw(const octet* name, Py_ssize_t size) noexcept nogil:
    cdef octet first = name[0] | 0x20
    if first == c"s":
        return SCRIPT if _is(name, size, "script", 6) or _is(name, size, "style", 5) else NOT_RAW
    if first == c"t":
        if _is(name, size, "title", 5) or _is(name, size, "textarea", 8):
            return TEXT_ALONE
    elif first == c"x":
        return TEXT_ALONE if _is(name, size, "xmp", 3) else NOT_RAW
    elif first == c"i":
        return TEXT_ALONE if _is(name, size, "iframe", 6) else NOT_RAW
    elif first == c"n":
        if _is(name, size, "noembed", 7) or _is(name, size, "noframes", 8):
            return TEXT_ALONE
    elif first == c"p":
        return ENDLESS if _is(name, size, "plaintext", 9) else NOT_RAW
    return NOT_RAW


cdef inline const octet* _find(const octet* at, const octet* end, int wanted) noexcept nogil:
    return <const octet*> memchr(at, wanted, end - at) if at < end else NULL


cdef const octet* _end_of_raw(
    const octet* at, const octet* end, const octet* name, Py_ssize_t size
) noexcept nogil:
    """Where the end tag of a raw element begins; NULL where the versions may not agree.

    Of a script, to newer ones, it does not where the script writes another one in a comment.
    """
    cdef bint is_comment = False, has_script = False
    cdef const octet* begin = at
    while at + size + 2 < end:
        if at[0] == c"<":
            if at[1] == c"/":
                if _is_same(at + 2, name, size):
                    return NULL if has_script or not _kind[at[2 + size]] & ENDS_NAME else at
            elif at[1] == c"!":
                if at[2] == c"-" and at[3] == c"-":
                    is_comment = True
                    begin = at + 4
            elif is_comment and _is_same(at + 1, name, size):
                has_script = True
            at += 1
        elif at[0] == c">":
            if is_comment and at - begin >= 2 and at[-1] == c"-" and at[-2] == c"-":
                is_comment = has_script = False
            at += 1
        elif is_comment:
            at += 1
        else:
            at = _find(at, end, c"<")
            if at == NULL:
                return NULL
    return NULL


cdef inline bint _is_same(const octet* at, const octet* name, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(size):
        if (at[i] | 0x20) != (name[i] | 0x20):
            return False
    return True


cdef const octet* _behind_comment(const octet* at, const octet* end) noexcept nogil:
    """Behind the comment that begins there; NULL where the versions may not agree."""
    cdef const octet* begin = at + 4
    cdef const octet* found
    if end - at < 7 or begin[0] == c">" or (begin[0] == c"-" and begin[1] == c">"):
        return NULL
    at = begin
    while True:
        found = _find(at, end, c">")
        if found == NULL or found - begin < 2:
            return NULL
        if found[-1] == c"-" and found[-2] == c"-":
            return found + 1
        if found[-1] == c"!" and found[-2] == c"-":
            return NULL
        at = found + 1


cdef struct Out:
    octet* data
    Py_ssize_t size
    const octet* copied  # up to where all that is kept is written
    int most             # attributes that a tag may have
    bint is_within       # whether all was gone over, and no tag had more


cdef inline void _leave_out(Out* out, const octet* begin, const octet* end) noexcept nogil:
    memcpy(out.data + out.size, out.copied, begin - out.copied)
    out.size += begin - out.copied
    out.copied = end


cdef inline const octet* _behind_blanks(const octet* at, const octet* end) noexcept nogil:
    while at < end and _kind[at[0]] & BLANK:
        at += 1
    return at


cdef const octet* _behind_name(const octet* at, const octet* end) noexcept nogil:
    """Behind a name that all versions read alike; NULL where it is none."""
    cdef const octet* begin = at
    if at >= end or not (_kind[at[0]] & LETTER or at[0] == c"_" or at[0] == c":"):
        return NULL
    while at < end and _kind[at[0]] & NAME:
        at += 1
    return NULL if at >= end or at - begin > LONGEST_NAME else at


cdef bint _is_word(const octet* at, const octet* end) noexcept nogil:
    while at < end:
        if not _kind[at[0]] & WORD:
            return False
        at += 1
    return True


cdef const octet* _behind_value(const octet* at, const octet* end) noexcept nogil:
    """Behind a value that all versions read alike; NULL where it is none."""
    cdef const octet* begin = at
    if at >= end:
        return NULL
    if at[0] == c'"' or at[0] == c"'":
        at = _find(at + 1, end, at[0])
        if at == NULL:
            return NULL
        at += 1
    else:
        while at < end and _kind[at[0]] & VALUE:
            at += 1
        if at == begin:
            return NULL
    return at if at < end and _kind[at[0]] & ENDS_NAME else NULL


cdef const octet* _behind_odd_tag(
    const octet* at, const octet* end, Py_ssize_t most
) noexcept nogil:
    """Behind a tag that is odd from there on; NULL where the versions may not agree, and where it
    may have more than so many attributes.

    What they make of the attributes differs, but all of them end the tag at the first `>` that is
    in no quotes. So none of it may be in such as any of them may take for quotes: those behind a
    `=`.
    """
    cdef const octet* closed
    cdef const octet* inside
    cdef const octet* begin = at
    cdef octet other
    while at < end and at[0] != c">":
        if at[0] == c"<":
            return NULL
        if (at[0] == c'"' or at[0] == c"'") and _is_behind_equals(at):
            other = c"'" if at[0] == c'"' else c'"'
            closed = _find(at + 1, end, at[0])
            if closed == NULL or (closed > at + 1 and _is_behind_equals(closed)):
                return NULL
            inside = at + 1
            while inside < closed:
                if inside[0] == c">" or (inside[0] == other and _is_behind_equals(inside)):
                    return NULL
                inside += 1
            at = closed
        at += 1
    return at + 1 if at < end and at - begin <= most else NULL


cdef inline bint _is_behind_equals(const octet* at) noexcept nogil:
    """Whether a `=` stands before it, maybe with spaces between; a tag begins with none."""
    at -= 1
    while _kind[at[0]] & BLANK:
        at -= 1
    return at[0] == c"="


cdef const octet* _behind_tag(
    const octet* at, const octet* end, Out* out, bint may_drop
) noexcept nogil:
    """Behind a start tag whose name ends there, less what nobody reads; NULL where the versions
    may not agree."""
    cdef const octet* begin  # of the space before an attribute
    cdef const octet* name
    cdef const octet* name_end
    cdef const octet* next_one
    cdef int attributes = 0
    while True:
        begin = at
        at = _behind_blanks(at, end)
        if at >= end:
            return NULL
        if at[0] == c">":
            return at + 1
        if at[0] == c"/" and at + 1 < end and at[1] == c">":
            return at + 2
        attributes += 1
        if attributes > out.most:
            return NULL
        name = at
        name_end = _behind_name(at, end)
        if name == begin or name_end == NULL:
            return _behind_odd_tag(begin, end, out.most - attributes)
        at = _behind_blanks(name_end, end)
        if at >= end:
            return NULL
        if at[0] != c"=":
            at = name_end  # without a value: the space behind it is that before what comes next
            continue
        at = _behind_value(_behind_blanks(at + 1, end), end)
        if at == NULL:
            return _behind_odd_tag(begin, end, out.most - attributes)
        if may_drop and not _is_read(name, name_end - name) and _is_word(name, name_end):
            # What comes next must not become part of what stands before.
            next_one = _behind_blanks(at, end)
            if at[0] != c"/" and next_one < end and next_one[0] != c"=":
                _leave_out(out, begin, at)


cdef const octet* _behind_other(const octet* at, const octet* end) noexcept nogil:
    """Behind an end tag or a declaration that begins there; NULL where the versions may not
    agree."""
    cdef octet first = at[1]
    cdef bint is_quoted = False, is_quoted_once = False
    if first == c"/" and not _kind[at[2]] & LETTER:
        return NULL
    at += 2
    while at < end:
        if at[0] == c">":
            return NULL if is_quoted or is_quoted_once else at + 1
        if at[0] == c"<" or at[0] == c"[":
            return NULL
        if at[0] == c'"' or at[0] == c"'":
            if first == c"/":
                return NULL
            if first == c"!" and at[0] == c'"':
                is_quoted = not is_quoted
            elif first == c"!":
                is_quoted_once = not is_quoted_once
        at += 1
    return NULL


cdef const octet* _rewrite(
    const octet* at, const octet* end, Out* out, const octet* until
) noexcept nogil:
    """Go over a source tag by tag, as long as all versions agree: up to `until`, if that is where a
    tag begins, or else NULL."""
    cdef const octet* name
    cdef const octet* name_end
    cdef const octet* closed
    cdef int raw
    while at != NULL:
        at = _find(at, end, c"<")
        if at == NULL or end - at < 4:
            out.is_within = until == NULL
            return NULL
        if until != NULL and at >= until:
            return until if at == until else NULL
        name = at + 1
        if _kind[name[0]] & LETTER:
            name_end = _behind_name(name, end)
            if name_end == NULL or not _kind[name_end[0]] & ENDS_NAME:
                return NULL
            raw = _is_raw(name, name_end - name)
            if raw == ENDLESS or (raw == TEXT_ALONE and until != NULL):
                return NULL
            at = _behind_tag(
                name_end, end, out,
                until == NULL and not _is_left_alone(name, name_end - name),
            )
            if raw and at != NULL:
                if at[-2] == c"/":
                    return NULL  # it may be empty, and have no end
                closed = _end_of_raw(at, end, name, name_end - name)
                if raw == TEXT_ALONE and closed != NULL:
                    closed = _rewrite(at, end, out, closed)
                at = closed
        elif name[0] == c"!" and name[1] == c"-" and name[2] == c"-":
            at = _behind_comment(at, end)
        elif name[0] == c"!" or name[0] == c"?" or name[0] == c"/":
            at = _behind_other(at, end)
        else:
            at = name
    return NULL


def without_unread(bytes source not None, int most):
    """The same source without the attributes that nobody reads, as far as all versions agree; and
    whether it was gone over to its end, and no tag has more attributes than `most`."""
    cdef Py_ssize_t size = len(source)
    cdef const octet* begin = <const octet*> PyBytes_AS_STRING(source)
    cdef PyObject* result = new_bytes(NULL, size)
    cdef Out out
    out.data = <octet*> PyBytes_AS_STRING(<object> result)
    out.size = 0
    out.copied = begin
    out.most = most
    out.is_within = False
    _rewrite(begin, begin + size, &out, NULL)
    _leave_out(&out, begin + size, begin + size)
    _PyBytes_Resize(&result, out.size)
    lean = <object> result
    Py_DECREF(lean)
    return lean, out.is_within
