"""`text.show`, from what a walk wrote down (`walk`).

The two writers are those of `text`, name by name; what they do and why is said there. A part of
what they write is a stretch of one long text in UTF-8.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from scrapy_mainblock.core.native.walk cimport (
    BEGIN,
    BLANK,
    BREAK,
    CLOSE,
    END,
    IMAGE,
    MUTE,
    OPEN,
    RUN,
    TEXT,
    UNMUTE,
    BlockRow,
    Buffer,
    Ints,
    Recording,
    add,
    add_int,
    give_back,
    grown,
    last_is_white,
    may_be_white,
    reserve,
    tags,
    white,
)

import re

from scrapy_mainblock.core import text as in_python
from scrapy_mainblock.core.addresses import safe_url
from scrapy_mainblock.core.tags import CELL_TAGS, KEPT_INLINE

# --- tags ---------------------------------------------------------------------------------------

cdef enum:
    NO_TAG = 255
    KEPT_BLOCK = 1
    PARAGRAPHS = 2
    HOLDS_TEXT = 4
    INLINE = 8
    PART = 16
    CELL = 32
    HAS_PARTS = 64

cdef unsigned char _flags[256]
cdef unsigned char _gaps[256]
cdef unsigned char _missing[256]      # what to open in a tag for what is none of its parts
cdef unsigned char _is_part[256][256]  # of the first is the second one
cdef int A, HR, P, PRE, TABLE, TR


cdef void _fill():
    global A, HR, P, PRE, TABLE, TR
    cdef dict number = {tag: place for place, tag in enumerate(tags)}
    A, HR, P, PRE = number["a"], number["hr"], number["p"], number["pre"]
    TABLE, TR = number["table"], number["tr"]
    for flag, names in (
        (KEPT_BLOCK, in_python.KEPT_BLOCKS),
        (PARAGRAPHS, in_python.PARAGRAPHS),
        (HOLDS_TEXT, in_python.HOLDS_TEXT),
        (INLINE, KEPT_INLINE),
        (PART, in_python.PART_TAGS),
        (CELL, CELL_TAGS),
        (HAS_PARTS, in_python.PARTS),
    ):
        for tag in names:
            _flags[<int> number[tag]] |= <int> flag
    for tag, gap in in_python.GAPS.items():
        _gaps[<int> number[tag]] = gap
    for tag, (parts, missing) in in_python.PARTS.items():
        _missing[<int> number[tag]] = number[missing]
        for part in parts:
            _is_part[<int> number[tag]][<int> number[part]] = True


_fill()

_SITE = re.compile(r"https?://[a-z0-9.:-]+(?=[/?#]|\Z)")

cdef enum:
    NONE = 0
    SPACE = 1
    CELL_GAP = 2
    LINE = 3
    PARAGRAPH = 4

# --- parts --------------------------------------------------------------------------------------

cdef struct Part:
    int32_t begin
    int32_t size


cdef class _Parts:
    """A text in parts, of which some may yet be taken back."""

    cdef Buffer text
    cdef Part* parts
    cdef Py_ssize_t n
    cdef Py_ssize_t room

    def __dealloc__(self):
        give_back(self.parts, self.room * sizeof(Part))
        give_back(self.text.data, self.text.room)

    cdef int append(self, Py_ssize_t begin, Py_ssize_t size) except -1:
        """What stands there in the text is the next part."""
        if self.n == self.room:
            self.parts = <Part*> grown(self.parts, self.n + 1, sizeof(Part), &self.room)
        self.parts[self.n].begin = <int32_t> begin
        self.parts[self.n].size = <int32_t> size
        self.n += 1
        return 0

    cdef int append_from(self, Py_ssize_t begin) except -1:
        """All from there on is the next part."""
        return self.append(begin, self.text.size - begin)

    cdef int write(self, const char* data, Py_ssize_t size) except -1:
        add(&self.text, data, size)
        return self.append(self.text.size - size, size)

    cdef str joined(self):
        cdef Py_ssize_t place, size = 0
        cdef Buffer whole
        whole.data = NULL
        whole.size = whole.room = 0
        try:
            for place in range(self.n):
                size += self.parts[place].size
            reserve(&whole, size)
            for place in range(self.n):
                memcpy(whole.data + whole.size, self.text.data + self.parts[place].begin,
                       self.parts[place].size)
                whole.size += self.parts[place].size
            return whole.data[:whole.size].decode("utf-8")
        finally:
            give_back(whole.data, whole.room)


cdef inline int _control(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """How many octets of a control character stand there that is not to be shown."""
    cdef unsigned char first = at[0]
    if first >= 0x20 and first != 0x7F and first != 0xC2:
        return 0
    if first == 0xC2:
        return 2 if end - at > 1 and at[1] <= 0x9F and at[1] != 0x85 else 0
    return first != 9 and first != 10 and first != 13


cdef unsigned char _stops[2][256]  # where a plain text ends: of text, of HTML


cdef void _fill_stops():
    for one in range(256):
        _stops[0][one] = may_be_white[one] or one <= 0x20 or one == 0x7F
        _stops[1][one] = _stops[0][one] or one in b"&<>"


_fill_stops()


cdef int _add_escaped(Buffer* out, unsigned char one, bint quote) except -1:
    """One octet; there is room for a plain one."""
    if one == c"&":
        return add(out, "&amp;", 5)
    if one == c"<":
        return add(out, "&lt;", 4)
    if one == c">":
        return add(out, "&gt;", 4)
    if quote and one == c'"':
        return add(out, "&quot;", 6)
    if quote and one == c"'":
        return add(out, "&#x27;", 6)
    return add(out, <char*> &one, 1)


cdef bint _fold(
    Buffer* out, const unsigned char* at, Py_ssize_t size, Py_ssize_t begin, bint gap, bint escaped
) except -1:
    """Write a text with white space folded, without control characters.

    `begin` is where the line begins; `gap`, whether white space came before. Gives the same again.
    """
    cdef const unsigned char* end = at + size
    cdef const unsigned char* plain
    cdef const unsigned char* stops = _stops[escaped]
    cdef int step
    reserve(out, size + 1)
    while at < end:
        step = white(at, end) if may_be_white[at[0]] else 0
        if step:
            gap = True
            at += step
            continue
        step = _control(at, end)
        if step:
            at += step
            continue
        if gap:
            if out.size > begin:
                add(out, " ", 1)
            gap = False
        if escaped and (at[0] == c"&" or at[0] == c"<" or at[0] == c">"):
            _add_escaped(out, at[0], False)
            at += 1
            continue
        plain = at
        at += 1
        while at < end:
            if not stops[at[0]]:
                at += 1
            elif at[0] == c" " and at + 1 < end and not stops[at[1]]:
                at += 2  # one space between words, as nearly all are
            else:
                break
        add(out, <const char*> plain, at - plain)
    return gap


cdef bint _raw(
    Buffer* out, const unsigned char* at, Py_ssize_t size, bint escaped, bint quote, bint lines
) except -1:
    """Write a text as it is, without control characters; whether there is more than white space.

    With `lines`, a carriage return before the end of a line is left out.
    """
    cdef const unsigned char* end = at + size
    cdef int step
    cdef bint has_text = False
    reserve(out, size)
    while at < end:
        step = _control(at, end)
        if step:
            at += step
            continue
        if lines and at[0] == c"\r" and end - at > 1 and at[1] == c"\n":
            at += 1
            continue
        step = white(at, end)
        if not step:
            has_text = True
            step = 1
        if escaped and step == 1:
            _add_escaped(out, at[0], quote)
        else:
            add(out, <const char*> at, step)
        at += step
    return has_text


# --- text ---------------------------------------------------------------------------------------

cdef struct Row:
    int32_t begins
    int32_t first
    int32_t edges       # where its own begin among those of all rows
    bint at_edge
    bint has_lines


cdef class _TextWriter:
    cdef _Parts parts
    cdef int gap
    cdef bint last_was_break
    cdef int in_pre
    cdef Buffer rows
    cdef Ints edges
    cdef int32_t row_ended

    def __cinit__(self):
        self.parts = _Parts()
        # The gaps: all are taken from here.
        add(&self.parts.text, " | \n\n", 5)
        self.row_ended = -1

    def __dealloc__(self):
        give_back(self.rows.data, self.rows.room)
        give_back(self.edges.data, self.edges.room * sizeof(int32_t))

    cdef Row* row(self) noexcept:
        """The innermost row, NULL for none."""
        if not self.rows.size:
            return NULL
        return <Row*> (self.rows.data + self.rows.size) - 1

    cdef int block(self, int tag, int step) except -1:
        cdef int gap = _gaps[tag]
        if gap > self.gap:
            self.gap = min(gap, <int> LINE) if self.in_pre else gap
        if tag == PRE:
            self.in_pre += step
            self.gap = PARAGRAPH
        elif tag == TR:
            self.row_step(step)
        elif _flags[tag] & CELL:
            if self.rows.size:
                self.row().at_edge = True
        elif tag == TABLE:
            self.row_ended = -1
        return 0

    cdef int row_step(self, int step) except -1:
        cdef Row one
        cdef Py_ssize_t edge
        if step > 0:
            if self.rows.size:
                self.row().has_lines = True
            one.begins = <int32_t> self.parts.n
            one.first = -1
            one.edges = <int32_t> self.edges.size
            one.at_edge = one.has_lines = False
            return add(&self.rows, <char*> &one, sizeof(Row))
        if not self.rows.size:
            return 0
        one = self.row()[0]
        self.rows.size -= sizeof(Row)
        if not one.has_lines:
            for edge in range(one.edges, self.edges.size):
                self.set_gap(self.edges.data[edge], CELL_GAP)
            if one.first > 0 and one.begins == self.row_ended:
                self.set_gap(one.first, LINE)
            self.row_ended = <int32_t> self.parts.n
        self.edges.size = one.edges
        return 0

    cdef void set_gap(self, Py_ssize_t place, int gap) noexcept:
        if place < self.parts.n:
            self.parts.parts[place] = _gap_part(gap)

    cdef void line_break(self) noexcept:
        self.gap = max(self.gap, <int> (PARAGRAPH if self.last_was_break else LINE))
        self.last_was_break = True

    cdef int preformatted(self, const unsigned char* text, Py_ssize_t size) except -1:
        cdef Buffer* out = &self.parts.text
        cdef Py_ssize_t begin = out.size
        if _raw(out, text, size, False, False, True):
            if self.gap >= LINE:
                while out.data[begin] == c"\n":
                    begin += 1
            self.put(begin)
        elif self.parts.n and not self.gap:
            self.parts.append_from(begin)
        else:
            out.size = begin
        return 0

    cdef int put(self, Py_ssize_t begin) except -1:
        """What was written from there on stands next."""
        cdef Row* row
        cdef Part gap
        if self.parts.n and self.gap >= LINE:
            self.end_line()
        if self.rows.size:
            row = self.row()
            if row.first < 0:
                row.first = <int32_t> self.parts.n
            elif row.at_edge:
                add_int(&self.edges, <int32_t> self.parts.n)
            elif self.gap >= LINE:
                row.has_lines = True
            row.at_edge = False
        if self.parts.n:
            gap = _gap_part(self.gap)
            self.parts.append(gap.begin, gap.size)
        self.parts.append_from(begin)
        self.gap = 0
        self.last_was_break = False
        return 0

    cdef void end_line(self) noexcept:
        cdef Part* last
        while self.parts.n:
            last = &self.parts.parts[self.parts.n - 1]
            if not last.size or self.parts.text.data[last.begin + last.size - 1] != c"\n":
                return
            while last.size and self.parts.text.data[last.begin + last.size - 1] == c"\n":
                last.size -= 1
            if last.size:
                return
            self.parts.n -= 1


cdef int32_t* _GAP_SIZES = [0, 1, 3, 1, 2]


cdef Part _gap_part(int gap) noexcept:
    cdef Part part
    part.begin = 3 if gap >= LINE else 0
    part.size = _GAP_SIZES[gap]
    return part


# --- HTML ---------------------------------------------------------------------------------------

cdef struct Open:
    int32_t tag
    int32_t part        # the place of what was written for it
    bint supplied
    bint after_text


cdef class _HtmlWriter:
    cdef object base
    cdef bytes site      # what stands before an address that begins with a slash
    cdef bint knows_site
    cdef _Parts parts
    cdef Buffer opened
    cdef int top
    cdef Ints levels
    cdef int in_a, in_pre
    cdef bint space, text_stands, parted
    cdef Py_ssize_t line_end   # how many parts there were once a `<br>` was written last

    def __cinit__(self, base):
        self.base = base
        self.parts = _Parts()
        self.top = NO_TAG

    def __dealloc__(self):
        give_back(self.levels.data, self.levels.room * sizeof(int32_t))
        give_back(self.opened.data, self.opened.room)

    cdef inline Py_ssize_t n_opened(self) noexcept:
        return self.opened.size // <Py_ssize_t> sizeof(Open)

    cdef inline Open* innermost(self) noexcept:
        return <Open*> (self.opened.data + self.opened.size) - 1

    cdef inline bint at_break(self) noexcept:
        return self.parts.n > 0 and self.line_end == self.parts.n

    cdef int write_break(self) except -1:
        self.parts.write("<br>", 4)
        self.line_end = self.parts.n
        return 0

    cdef int start(self, int tag, const char* href, Py_ssize_t href_size) except -1:
        add_int(&self.levels, -1)
        if _flags[tag] & KEPT_BLOCK:
            self.start_block(tag)
        elif tag == HR:
            self.close_paragraph()
            self.make_room(HR)
            self.parts.write("<hr>", 4)
            self.end_line()
        elif _flags[tag] & INLINE:
            self.start_inline(tag, href, href_size)
        elif _gaps[tag]:
            self.close_paragraph()
        return 0

    cdef int end(self, int tag) except -1:
        self.levels.size -= 1
        cdef int32_t level = self.levels.data[self.levels.size]
        if level >= 0:
            self.close_down_to(level)
        elif tag != HR and _gaps[tag]:
            self.close_paragraph()
        return 0

    cdef int end_inline(self) except -1:
        self.levels.size -= 1
        cdef int32_t level = self.levels.data[self.levels.size]
        if level >= 0:
            self.close_down_to(level)
        return 0

    cdef int blank(self, const unsigned char* text, Py_ssize_t size) except -1:
        cdef Py_ssize_t begin = self.parts.text.size
        if self.in_pre:
            _raw(&self.parts.text, text, size, True, False, False)
            self.parts.append_from(begin)
        else:
            self.space = True
        return 0

    cdef int line_break(self) except -1:
        if _flags[self.top] & HOLDS_TEXT:
            self.write_break()
            self.end_line()
        return 0

    cdef int close(self) except -1:
        self.close_down_to(0)
        self.space = False
        return 0

    cdef int add_text(self, const unsigned char* text, Py_ssize_t size) except -1:
        cdef Buffer* out = &self.parts.text
        cdef Py_ssize_t begin
        if self.in_pre:
            return self.preformatted(text, size)
        if white(text, text + size):
            self.space = True
        if not _has_shown(text, size):
            return 0
        self.make_room_for_text()
        begin = out.size
        _fold(out, text, size, begin, False, True)
        self.parts.append_from(begin)
        self.space = last_is_white(text, size) != 0
        self.text_stands = True
        return 0

    cdef int preformatted(self, const unsigned char* text, Py_ssize_t size) except -1:
        cdef Py_ssize_t begin
        if _has_shown(text, size):
            self.make_room(NO_TAG)
            if self.parted:
                self.parts.write("\n", 1)
            self.text_stands, self.parted = True, False
        begin = self.parts.text.size
        _raw(&self.parts.text, text, size, True, False, False)
        return self.parts.append_from(begin)

    cdef int start_block(self, int tag) except -1:
        self.close_paragraph()
        if _flags[tag] & PART:
            while self.opened.size and self.innermost().supplied and not self.fits(tag):
                self.pop()
            if not self.fits(tag):
                return 0
        self.levels.data[self.levels.size - 1] = <int32_t> self.n_opened()
        if _flags[self.top] & HAS_PARTS:
            self.make_room(tag)
        return self.push(tag, False, -1, -1)

    cdef bint fits(self, int tag) noexcept:
        if not _flags[self.top] & HAS_PARTS:
            return False
        return _is_part[self.top][tag] or _is_part[_missing[self.top]][tag]

    cdef int start_inline(self, int tag, const char* href, Py_ssize_t size) except -1:
        cdef Py_ssize_t begin = -1, end = -1
        if tag == A:
            begin = self.parts.text.size
            add(&self.parts.text, '<a href="', 9)
            if not self.add_address(href, size, False) or self.in_a:
                self.parts.text.size = begin
                return 0
            add(&self.parts.text, '">', 2)
            end = self.parts.text.size
        self.make_room_for_text()
        self.levels.data[self.levels.size - 1] = <int32_t> self.n_opened()
        return self.push(tag, False, begin, end)

    cdef int image(
        self, const char* source, Py_ssize_t size, const char* alt, Py_ssize_t alt_size
    ) except -1:
        cdef Buffer* out = &self.parts.text
        cdef Py_ssize_t begin = out.size
        cdef Py_ssize_t end
        add(out, '<img src="', 10)
        if not self.add_address(source, size, True):
            out.size = begin
            return 0
        add(out, '" alt="', 7)
        _raw(out, <const unsigned char*> alt, alt_size, True, True, False)
        add(out, '">', 2)
        end = out.size
        self.make_room_for_text()
        self.parts.append(begin, end - begin)
        self.text_stands = True
        return 0

    cdef bint add_address(self, const char* value, Py_ssize_t size, bint image) except -1:
        """Write what `safe_url` makes of an address, escaped; False where that is nothing."""
        cdef Buffer* out = &self.parts.text
        cdef bytes utf8
        cdef Py_ssize_t at
        if _is_whole(value, size):
            return self.add_quoted(value, size)
        if self.base and _is_of_site(value, size) and self.site_begins():
            self.add_quoted(self.site, len(self.site))
            return self.add_quoted(value, size)
        url = safe_url(value[:size].decode("utf-8"), self.base, image=image)
        if not url:
            return False
        utf8 = url.encode("utf-8", "surrogatepass")
        return self.add_quoted(utf8, len(utf8))

    cdef bint add_quoted(self, const char* value, Py_ssize_t size) except -1:
        cdef Py_ssize_t at
        for at in range(size):
            _add_escaped(&self.parts.text, <unsigned char> value[at], True)
        return True

    cdef bint site_begins(self) except -1:
        """Whether it is known what to write before an address that begins with a slash."""
        if not self.knows_site:
            self.knows_site = True
            begin = _SITE.match(self.base)
            if begin is not None:
                self.site = begin[0].encode()
        return self.site is not None

    cdef int make_room(self, int tag) except -1:
        while _flags[self.top] & HAS_PARTS:
            if _is_part[self.top][tag]:
                return 0
            self.push(_missing[self.top], True, -1, -1)
        return 0

    cdef int make_room_for_text(self) except -1:
        cdef bint begins
        if _flags[self.top] & HAS_PARTS:
            self.make_room(NO_TAG)
        if not _flags[self.top] & HOLDS_TEXT:
            self.push(P, False, -1, -1)
        if self.parted:
            if self.in_pre:
                self.parts.write("\n", 1)
            else:
                self.write_break()
        elif self.space and not self.at_break():
            begins = (
                not _flags[self.top] & INLINE and self.innermost().part == self.parts.n - 1
            )
            if not begins:
                self.parts.write(" ", 1)
        self.space = self.parted = False
        return 0

    cdef int close_paragraph(self) except -1:
        if self.opened.size:
            while _flags[self.top] & INLINE:
                self.pop()
            if _flags[self.top] & PARAGRAPHS or (
                _flags[self.top] & HOLDS_TEXT and self.innermost().supplied
            ):
                self.pop()
        self.space = False
        self.parted = self.text_stands
        return 0

    cdef void end_line(self) noexcept:
        self.space = self.text_stands = self.parted = False

    cdef int close_down_to(self, Py_ssize_t level) except -1:
        while self.n_opened() > level:
            self.pop()
        return 0

    cdef int push(self, int tag, bint supplied, Py_ssize_t begin, Py_ssize_t end) except -1:
        """Open an element; what is written for it stands there already where it is a link."""
        cdef Open one
        cdef bytes name
        cdef Buffer* out = &self.parts.text
        one.tag = tag
        one.part = <int32_t> self.parts.n
        one.supplied = supplied
        one.after_text = self.text_stands
        add(&self.opened, <char*> &one, sizeof(Open))
        self.top = tag
        if begin < 0:
            begin = out.size
            name = _name(tag)
            add(out, "<", 1)
            add(out, name, len(name))
            add(out, ">", 1)
            end = out.size
        self.parts.append(begin, end - begin)
        if not _flags[tag] & INLINE:
            self.end_line()
            self.in_pre += tag == PRE
        elif tag == A:
            self.in_a += 1
        return 0

    cdef int pop(self) except -1:
        cdef Open one = self.innermost()[0]
        cdef bint is_empty = one.part == self.parts.n - 1
        cdef bytes name
        cdef Py_ssize_t begin = self.parts.text.size
        self.opened.size -= sizeof(Open)
        self.top = self.innermost().tag if self.opened.size else <int> NO_TAG
        if is_empty:
            self.parts.n -= 1
        else:
            name = _name(one.tag)
            add(&self.parts.text, "</", 2)
            add(&self.parts.text, name, len(name))
            add(&self.parts.text, ">", 1)
            self.parts.append_from(begin)
        if not _flags[one.tag] & INLINE:
            self.end_line()
            self.text_stands = self.parted = is_empty and one.after_text
            self.in_pre -= one.tag == PRE
        elif one.tag == A:
            self.in_a -= 1
        return 0


cdef list _names = [tag.encode() for tag in tags]


cdef inline bytes _name(int tag):
    return <bytes> _names[tag]


cdef bint _has_shown(const unsigned char* at, Py_ssize_t size) noexcept nogil:
    """Whether there is more in a text than white space and control characters."""
    cdef const unsigned char* end = at + size
    cdef int step
    while at < end:
        step = white(at, end) or _control(at, end)
        if not step:
            return True
        at += step
    return False


cdef bint _is_whole(const char* value, Py_ssize_t size) noexcept nogil:
    """Whether an address is one that `safe_url` gives back as it is: absolute, and nothing odd."""
    cdef Py_ssize_t at
    if size < 8 or memcmp(value, "http", 4) != 0:
        return False
    at = 5 if value[4] == c"s" else 4
    if memcmp(value + at, "://", 3) != 0:
        return False
    for at in range(size):
        if not 0x20 < <unsigned char> value[at] < 0x7F:
            return False
    return True


cdef bint _is_of_site(const char* value, Py_ssize_t size) noexcept nogil:
    """Whether an address begins with a slash, and `urljoin` has nothing to do but to put the site
    before it."""
    cdef Py_ssize_t at
    cdef char one
    if not size or value[0] != c"/":
        return False
    for at in range(size):
        one = value[at]
        if not (
            c"a" <= one <= c"z" or c"A" <= one <= c"Z" or c"0" <= one <= c"9"
            or one == c"-" or one == c"_" or one == c"%" or one == c"=" or one == c"&"
            or one == c"~" or one == c"," or one == c"+"
            or (one == c"/" and (at == 0 or value[at - 1] != c"/"))
            or (one == c"." and value[at - 1] != c"/")
            or (one == c"#" and at < size - 1)
            or (one == c"?" and at < size - 1 and value[at + 1] != c"#")
        ):
            return False
    return True


# --- both ---------------------------------------------------------------------------------------

def show(pages, base):
    """The kept segments of blocks as text and as HTML."""
    cdef _TextWriter text = _TextWriter.__new__(_TextWriter)
    cdef _HtmlWriter markup = _HtmlWriter.__new__(_HtmlWriter, base)
    for page, kept in pages:
        text.gap = PARAGRAPH
        _write(page, kept, text, markup)
        markup.close()
    return text.parts.joined().strip(), markup.parts.joined()


cdef int _write(Recording page, kept, _TextWriter text, _HtmlWriter markup) except -1:
    cdef Py_ssize_t n = page.n_segments
    cdef Py_ssize_t place = 0
    cdef unsigned char* is_kept = <unsigned char*> calloc(n + 1, 1)
    cdef int32_t* so_far = <int32_t*> calloc(n + 1, sizeof(int32_t))
    try:
        if is_kept == NULL or so_far == NULL:
            raise MemoryError
        if kept is None:
            memset(is_kept, 1, n)
        else:
            if len(kept) != n:
                raise ValueError("as many segments as were read must be kept or not")
            for one in kept:
                is_kept[place] = bool(one)
                place += 1
        for place in range(n):
            so_far[place + 1] = so_far[place] + is_kept[place]
        return _write_codes(page, is_kept, so_far, kept is None, text, markup)
    finally:
        free(is_kept)
        free(so_far)


cdef bint _is_left_out(BlockRow* row, const int32_t* so_far, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t first = row.first, end = row.end
    if first == end:  # nothing but pictures is of what stands next to it
        first = max(first - 1, 0)
        end = min(end + 1, n)
    return so_far[end] == so_far[first]


cdef int _write_codes(
    Recording page,
    const unsigned char* is_kept,
    const int32_t* so_far,
    bint is_whole,
    _TextWriter text,
    _HtmlWriter markup,
) except -1:
    cdef const int32_t* codes = page.codes.data
    cdef const unsigned char* source = <unsigned char*> page.text.data
    cdef Py_ssize_t at = 0
    cdef int32_t code, number
    cdef int tag
    cdef int depth = 0  # in muted elements
    cdef BlockRow* row
    while at < page.codes.size:
        code = codes[at]
        if code == RUN:
            number = codes[at + 1]
            depth = _write_run(
                page, at + 3, at + codes[at + 2], number < 0 or is_kept[number],
                depth, text, markup
            )
            at += codes[at + 2]
        elif code == BEGIN:
            number = codes[at + 1]
            row = &page.blocks[number]
            if number and not is_whole and _is_left_out(row, so_far, page.n_segments):
                at = row.behind
                continue
            if not depth:
                tag = row.tag if row.tag >= 0 else <int> NO_TAG
                text.block(tag, 1)
                if number or page.root_href < 0:
                    markup.start(tag, "", 0)
                else:
                    markup.start(tag, <const char*> source + page.root_href, page.root_href_size)
            at += 2
        elif code == END:
            if not depth:
                row = &page.blocks[codes[at + 1]]
                tag = row.tag if row.tag >= 0 else <int> NO_TAG
                text.block(tag, -1)
                markup.end(tag)
            at += 2
        elif code == BREAK:
            if not depth:
                text.line_break()
                markup.line_break()
            at += 1
        else:  # BLANK
            if not depth:
                if text.in_pre:
                    text.preformatted(source + codes[at + 1], codes[at + 2])
                elif not text.gap:
                    text.gap = SPACE
                markup.blank(source + codes[at + 1], codes[at + 2])
            at += 3
    return 0


cdef int _write_run(
    Recording page, Py_ssize_t begin, Py_ssize_t end, bint is_kept, int depth,
    _TextWriter text, _HtmlWriter markup
) except -1:
    """What stands on a line; gives how deep it ends in muted elements."""
    cdef const int32_t* codes = page.codes.data
    cdef const char* source = page.text.data
    cdef const unsigned char* piece
    cdef Buffer* out = &text.parts.text
    cdef Py_ssize_t line = out.size
    cdef Py_ssize_t at = begin
    cdef Py_ssize_t size
    cdef bint gap = False
    cdef bint has_pieces = False, begins_white = False, ends_white = False
    while at < end:
        if codes[at] == TEXT:
            if is_kept and not depth:
                piece = <const unsigned char*> source + codes[at + 1]
                size = codes[at + 2]
                if text.in_pre:
                    text.preformatted(piece, size)
                else:
                    if not has_pieces:
                        begins_white = white(piece, piece + size) != 0
                    has_pieces = True
                    ends_white = last_is_white(piece, size) != 0
                    gap = _fold(out, piece, size, line, gap, False)
                markup.add_text(piece, size)
            at += 3
        elif codes[at] == OPEN:
            if not depth:
                add_int(&markup.levels, -1)
                markup.start_inline(codes[at + 1], source + max(codes[at + 2], 0), codes[at + 3])
            at += 4
        elif codes[at] == CLOSE:
            if not depth:
                markup.end_inline()
            at += 1
        elif codes[at] == IMAGE:
            if not depth:
                markup.image(source + max(codes[at + 1], 0), codes[at + 2],
                             source + max(codes[at + 3], 0), codes[at + 4])
            at += 5
        else:
            depth += 1 if codes[at] == MUTE else -1
            at += 1
    if text.in_pre:
        return depth
    if out.size == line:
        if has_pieces and not text.gap:
            text.gap = SPACE
        return depth
    if not text.gap and text.parts.n and begins_white:
        text.gap = SPACE
    text.put(line)
    if ends_white:
        text.gap = SPACE
    return depth
