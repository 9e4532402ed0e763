"""The segments of a page as rows of numbers: `core.features`, `core.context`, `content.weighed`.

A `Frame` is gathered once from a page's segments and blocks, as plain arrays: what each block is
called, what it is in, which blocks are alike. From that and from the characters of the texts the
three fill in their columns.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport Py_EQ, PyObject, PyObject_Hash, PyObject_RichCompareBool
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport log, log1p
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode

from scrapy_mainblock.core.native.walk cimport BlockRow, Recording, SegmentRow
from scrapy_mainblock.core.native.walk cimport tags as tags_of_walks

import os

cetree.import_lxml__etree()

cdef extern from "Python.h":
    int PyUnicode_1BYTE_KIND
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t place) nogil
    bint Py_UNICODE_ISALNUM(Py_UCS4 character) nogil
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 character) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 character) nogil

cdef enum:
    MARK  # has the place of those that are of no kind, which nobody counts
    UPPER, DIGIT, PAUSE, STOP, WIDE, SPACE  # the kinds of characters, as in `features`
    SIGN
    KINDS
cdef enum:  # what a tag is
    IS_P = 1
    IS_TITLE = 2
    IS_HEADING = 4
    IS_LIST = 8
    IS_TABLE = 16
cdef enum:
    LOGS = 1024  # logarithms of whole numbers below are looked up
    LEVELS = 4
    CONTEXT_LEVELS = 6
    PATTERN_LEVELS = 4
    LONGEST = 300  # characters of a text that a date or the copyright is looked for in
    LONGEST_TITLE = 500
    MOST_MARKS = 16
    MEANINGS = 8192  # of names, remembered: the latest at each place
cdef unsigned int SIGNATURE = 1u << 31
cdef double _LOGS[LOGS]
cdef Py_ssize_t _number
for _number in range(LOGS):
    _LOGS[_number] = log1p(_number)

ctypedef unsigned long long u64
# Nobody who writes a page knows which of its names fall together.
cdef u64 _SEED = int.from_bytes(os.urandom(8), "little")
cdef u64 _FACTOR = int.from_bytes(os.urandom(8), "little") | 1


cdef inline double _log1p(double value) noexcept nogil:
    """Of a whole number."""
    return _LOGS[<int>value] if value < LOGS else log1p(value)


cdef inline u64 _mixed(u64 value) noexcept nogil:
    value = (value ^ _SEED) * _FACTOR
    return (value ^ (value >> 29)) * 0xBF58476D1CE4E5B9ULL


cdef u64 _hashed(const char* text, Py_ssize_t length) noexcept nogil:
    cdef u64 found = _SEED ^ <u64>length
    cdef u64 word
    while length >= 8:
        memcpy(&word, text, 8)
        found = _mixed(found ^ word)
        text += 8
        length -= 8
    word = 0
    memcpy(&word, text, length)
    return _mixed(found ^ word)


cdef class Numbers:
    """Different whole numbers, numbered as they come: a table of as many as will be put in."""

    cdef u64* keys
    cdef int* numbers
    cdef u64 mask
    cdef int count

    def __cinit__(self, Py_ssize_t most):
        cdef u64 size = 8
        while size < <u64>(2 * most):
            size *= 2
        self.mask = size - 1
        self.keys = <u64*>malloc(size * sizeof(u64))
        self.numbers = <int*>calloc(size, sizeof(int))
        if not (self.keys and self.numbers):
            raise MemoryError

    def __dealloc__(self):
        free(self.keys)
        free(self.numbers)

    cdef int number(self, u64 key) noexcept nogil:
        """The key's number, from 0; a new one where it is new."""
        cdef u64 at = (_mixed(key) >> 20) & self.mask
        while self.numbers[at]:
            if self.keys[at] == key:
                return self.numbers[at] - 1
            at = (at + 1) & self.mask
        self.count += 1
        self.keys[at], self.numbers[at] = key, self.count
        return self.count - 1


cdef struct Meaning:
    u64 hashed
    unsigned int bits
    bint is_known


cdef class Vocabulary:
    """What is counted: kinds of characters, tags, names; what they mean is said by `features`."""

    cdef bytes _kinds
    cdef const unsigned char* kinds
    cdef u64 lanes[256]  # eight counts in a number: the kinds, and `SIGN`
    cdef Py_ssize_t known_characters
    cdef unsigned char lower[256]
    cdef unsigned char is_word[256]
    cdef str endings, far_pauses, far_stops, far_digits
    cdef unsigned char ends[256]
    cdef Py_UCS4 marks[MOST_MARKS]
    cdef int group_of_mark[MOST_MARKS]
    cdef Py_ssize_t mark_count, mark_groups
    cdef u64 far_marks  # by the last six bits of their numbers, of those beyond 255
    cdef dict tags
    cdef Py_ssize_t tag_count
    cdef int* of_walk  # the number here of each tag of a walk, -1 for none
    cdef int* tag_column
    cdef unsigned int* tag_bits
    cdef unsigned char* tag_is
    cdef Py_ssize_t tag_columns, tag_groups, name_groups, name_levels
    cdef object name_bits
    cdef Meaning* meanings

    def __cinit__(
        self, *, bytes kinds, str far_pauses, str far_stops, str far_digits, str endings, marks,
        tags, Py_ssize_t tag_columns, Py_ssize_t tag_groups, Py_ssize_t name_groups,
        Py_ssize_t name_levels, name_bits,
    ):
        """`kinds` is the kind of each character up to some, what is beyond is wide but for `far`
        ones; `marks` are characters in groups; `tags` are (tag, column or -1, bits of its groups, what it is). `name_bits` says of a
        class and an id what they mean.
        """
        cdef Py_ssize_t place
        self._kinds, self.kinds, self.known_characters = kinds, kinds, len(kinds)
        self.far_pauses, self.far_stops, self.far_digits = far_pauses, far_stops, far_digits
        self.endings = endings
        self.mark_count, self.mark_groups, self.far_marks = 0, len(marks), 0
        for place, group in enumerate(marks):
            for character in group:
                if self.mark_count == MOST_MARKS:
                    raise ValueError("too many marks")
                self.marks[self.mark_count] = ord(character)
                self.group_of_mark[self.mark_count] = <int>place
                self.mark_count += 1
                if ord(character) > 255:
                    self.far_marks |= 1ULL << (ord(character) & 63)
        for place in range(256):
            character = chr(place)
            lowered = character.lower()
            self.lower[place] = ord(lowered)
            self.is_word[place] = character.isalnum() or character == "_"
            self.ends[place] = character in endings
            self.lanes[place] = 1ULL << (self.kinds[place] << 3) if self.kinds[place] else 0
            if self.group_of(<Py_UCS4>place) >= 0:
                self.lanes[place] += 1
            if _is_sign(<unsigned char>place):
                self.lanes[place] |= 1ULL << (SIGN << 3)
        self.tags, self.tag_count = {}, len(tags)
        self.tag_column = <int*>malloc(self.tag_count * sizeof(int) + 1)
        self.tag_bits = <unsigned int*>malloc(self.tag_count * sizeof(int) + 1)
        self.tag_is = <unsigned char*>malloc(self.tag_count + 1)
        self.of_walk = <int*>malloc(len(tags_of_walks) * sizeof(int) + 1)
        if not (self.tag_column and self.tag_bits and self.tag_is and self.of_walk):
            raise MemoryError
        for place, (tag, column, bits, what) in enumerate(tags):
            self.tags[tag] = place
            self.tag_column[place], self.tag_bits[place], self.tag_is[place] = column, bits, what
        for place, tag in enumerate(tags_of_walks):
            self.of_walk[place] = self.tags.get(tag, -1)
        self.tag_columns, self.tag_groups = tag_columns, tag_groups
        self.name_groups, self.name_levels = name_groups, name_levels
        self.name_bits = name_bits
        self.meanings = <Meaning*>calloc(MEANINGS, sizeof(Meaning))
        if self.meanings == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.tag_column)
        free(self.tag_bits)
        free(self.tag_is)
        free(self.of_walk)
        free(self.meanings)

    cdef int group_of(self, Py_UCS4 character) noexcept nogil:
        """The group of a mark, -1 of any other character."""
        cdef Py_ssize_t place
        for place in range(self.mark_count):
            if self.marks[place] == character:
                return self.group_of_mark[place]
        return -1

    cdef int far_kind(self, Py_UCS4 character) noexcept:
        """The kind of a character beyond the known ones."""
        if 0xD800 <= character < 0xE000:
            return STOP  # half of a pair: shown as a question mark
        if character in self.far_pauses:
            return PAUSE
        if character in self.far_stops:
            return STOP
        return DIGIT if character in self.far_digits else WIDE


cdef inline bint _is_digit(unsigned char character) noexcept nogil:
    return 48 <= character <= 57


cdef bint _is_spelled(
    const unsigned char* text, Py_ssize_t length, Py_ssize_t at, const char* word,
    const unsigned char* lower,
) noexcept nogil:
    """Whether a word stands at a place of a text, in small letters or large ones."""
    cdef Py_ssize_t place, count = strlen(word)
    if at < 0 or at + count > length:
        return False
    for place in range(count):
        if lower[text[at + place]] != <unsigned char>word[place]:
            return False
    return True


cdef enum:
    TELLS_DATE = 1
    TELLS_COPYRIGHT = 2
    TELLS_SIGN = 4


cdef int _narrowed(text, unsigned char* narrow):
    """A text of wide characters in single octets, as far as dates and the copyright go: a digit of
    another script is any digit, a letter is any letter, and what tells one of them is returned.
    """
    cdef int kind = PyUnicode_KIND(text), told = 0
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at
    cdef Py_UCS4 character, before = 0
    for at in range(length):
        character = PyUnicode_READ(kind, data, at)
        if character < 256:
            narrow[at] = <unsigned char>character
            if _is_sign(narrow[at]):
                told |= TELLS_SIGN
        elif Py_UNICODE_ISDECIMAL(character):
            narrow[at] = b"3"
        elif Py_UNICODE_ISALNUM(character):
            narrow[at] = b"x"
            if character == 0x5E74 or character == 0x6708:  # year, month
                told |= TELLS_DATE
            elif character == 0x6743 and before == 0x7248:
                told |= TELLS_COPYRIGHT
        else:
            narrow[at] = b"-"
        before = character
    return told


cdef bint _has_date(const unsigned char* text, Py_ssize_t length, Vocabulary known) noexcept nogil:
    """`features._DATE`, in a text of single octets."""
    cdef Py_ssize_t at
    cdef unsigned char unit
    for at in range(length):
        if not _is_digit(text[at]):
            continue
        if at + 3 < length and (text[at + 1] == b":" or text[at + 1] == b"."):
            if _is_digit(text[at + 2]) and _is_digit(text[at + 3]):
                return True
        if (
            at + 3 < length
            and ((text[at] == b"1" and text[at + 1] == b"9")
                 or (text[at] == b"2" and text[at + 1] == b"0"))
            and _is_digit(text[at + 2]) and _is_digit(text[at + 3])
            and (at == 0 or not known.is_word[text[at - 1]])
            and (at + 4 == length or not known.is_word[text[at + 4]])
        ):
            return True
        if at + 8 < length and text[at + 1] == b" ":
            unit = text[at + 2]
            if (unit == b"h" and _is_ago(text, length, at + 2, b"hour")) or (
                unit == b"m" and _is_ago(text, length, at + 2, b"minute")
            ) or (unit == b"d" and _is_ago(text, length, at + 2, b"day")):
                return True
    return False


cdef bint _is_ago(
    const unsigned char* text, Py_ssize_t length, Py_ssize_t at, const char* unit
) noexcept nogil:
    cdef Py_ssize_t count = strlen(unit)
    if at + count > length or memcmp(text + at, unit, count):
        return False
    at += count
    if at < length and text[at] == b"s":
        at += 1
    return at + 4 <= length and memcmp(text + at, b" ago", 4) == 0


cdef inline bint _is_sign(unsigned char character) noexcept nogil:
    """Whether the copyright may be spoken of where this character is."""
    return (character | 0x20) == b"g" or character == b"(" or character == 0xA9


cdef bint _has_copyright(
    const unsigned char* text, Py_ssize_t length, const unsigned char* lower
) noexcept nogil:
    """`features._COPYRIGHT`, in a text of single octets; both words have a g for their seventh."""
    cdef Py_ssize_t at
    cdef unsigned char one
    for at in range(length):
        one = text[at]
        if not _is_sign(one):
            continue
        if one == 0xA9 or _is_spelled(text, length, at, b"(c)", lower):
            return True
        if at >= 6 and (
            _is_spelled(text, length, at - 6, b"copyright", lower)
            or _is_spelled(text, length, at - 6, b"all rights", lower)
        ):
            return True
    return False


cdef class _Title:
    """A title that texts are compared with, in small letters."""

    cdef str text
    cdef Py_ssize_t length
    cdef Py_UCS4 characters[LONGEST_TITLE]
    cdef Vocabulary known

    def __cinit__(self, str title, Vocabulary known):
        cdef Py_ssize_t place
        self.text, self.length, self.known = title, len(title), known
        if self.length <= LONGEST_TITLE:
            for place in range(self.length):
                self.characters[place] = title[place]

    cdef double likeness(self, str text):
        """How like the title a text is."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        cdef int found = -1
        if length > 2 * self.length + 20 or length == 0 or self.length == 0:
            return 0
        if self.length <= LONGEST_TITLE:
            found = self._holds(PyUnicode_KIND(text), PyUnicode_DATA(text), length)
        if found < 0:
            lowered = text.lower()
            found = lowered in self.text or self.text in lowered
        if not found:
            return 0
        return <double>min(length, self.length) / <double>max(length, self.length)

    cdef int _holds(self, int kind, void* text, Py_ssize_t length) noexcept nogil:
        """Whether one holds the other; -1 where that is not to be said like this: small letters
        that are not written one for one, or a text that agrees with the title all too often.
        """
        cdef const unsigned char* lower = self.known.lower
        cdef const Py_UCS4* title = self.characters
        cdef Py_ssize_t at, place, work = 32 * (length + self.length)
        cdef Py_UCS4 begin
        if kind != PyUnicode_1BYTE_KIND:
            for at in range(length):
                begin = PyUnicode_READ(kind, text, at)
                if begin > 255 and Py_UNICODE_TOLOWER(begin) != begin:
                    return -1
        if length <= self.length:
            begin = _small(kind, text, 0, lower)
            for at in range(self.length - length + 1):
                if title[at] != begin:
                    continue
                place = 1
                while place < length and _small(kind, text, place, lower) == title[at + place]:
                    place += 1
                if place == length:
                    return 1
                work -= place
                if work < 0:
                    return -1
            return 0
        begin = title[0]
        for at in range(length - self.length + 1):
            if _small(kind, text, at, lower) != begin:
                continue
            place = 1
            while place < self.length and _small(kind, text, at + place, lower) == title[place]:
                place += 1
            if place == self.length:
                return 1
            work -= place
            if work < 0:
                return -1
        return 0


cdef inline Py_UCS4 _small(
    int kind, void* text, Py_ssize_t at, const unsigned char* lower
) noexcept nogil:
    cdef Py_UCS4 character = PyUnicode_READ(kind, text, at)
    return lower[character] if character < 256 else character


def headline_place(Vocabulary known, list texts, block_of, blocks, str title):
    """`features.headline_place`; the title is folded and in small letters."""
    cdef _Title sought = _Title(title, known)
    cdef double likeness, best = 0.5
    cdef Py_ssize_t place, headline = -1
    for place in range(len(texts)):
        likeness = sought.likeness(texts[place])
        if likeness > 0:
            if blocks[block_of[place]].tag in ("h1", "h2"):
                likeness += 0.3
            if likeness > best:
                best, headline = likeness, place
    return headline


cdef inline const char* _attribute(
    xmlNode* node, const char* name, Py_ssize_t* length
) noexcept nogil:
    """An attribute's value, "" where there is none; NULL where it is more than one text."""
    cdef xmlAttr* one = node.properties
    length[0] = 0
    while one != NULL:
        if one.ns == NULL and one.name != NULL and not _differ(<const char*>one.name, name):
            if one.children == NULL:
                return b""
            if one.children.next != NULL or one.children.type != XML_TEXT_NODE:
                return NULL
            if one.children.content == NULL:
                return b""
            length[0] = strlen(<const char*>one.children.content)
            return <const char*>one.children.content
        one = one.next
    return b""


cdef inline bint _differ(const char* a, const char* b) noexcept nogil:
    while a[0] == b[0]:
        if a[0] == 0:
            return False
        a += 1
        b += 1
    return True


cdef class Frame:
    """A page's segments and blocks, as arrays."""

    cdef Vocabulary known
    cdef list texts
    cdef Py_ssize_t n, m
    cdef int* memory
    # Of the segments.
    cdef int* own
    cdef int* links
    cdef int* link_chars
    cdef int* sizes
    # Of the blocks.
    cdef int* parent
    cdef int* first
    cdef int* end
    cdef int* images
    cdef int* tag  # its number
    cdef int* kind  # the same for those of the same tag and class
    cdef int* alike  # how many blocks of its kind are in the same block as it
    cdef unsigned int* names
    cdef unsigned int* tags_around
    # Of the page.
    cdef long long marks[MOST_MARKS]
    cdef bint has_marks  # once its features are known

    def __cinit__(self, Vocabulary known, page):
        cdef Py_ssize_t place
        cdef list blocks = page.blocks
        cdef int parent
        self.known, self.texts = known, page.texts
        self.n, self.m = len(self.texts), len(blocks)
        self.memory = <int*>calloc(4 * self.n + 9 * self.m + 1, sizeof(int))
        if self.memory == NULL:
            raise MemoryError
        self.own = self.memory
        self.links = self.own + self.n
        self.link_chars = self.links + self.n
        self.sizes = self.link_chars + self.n
        self.parent = self.sizes + self.n
        self.first = self.parent + self.m
        self.end = self.first + self.m
        self.images = self.end + self.m
        self.tag = self.images + self.m
        self.kind = self.tag + self.m
        self.alike = self.kind + self.m
        self.names = <unsigned int*>(self.alike + self.m)
        self.tags_around = self.names + self.m
        cdef Recording recording = page.recording
        if recording is None:
            self._read_segments(page.block_of, page.links, page.link_chars)
        else:
            self._read_recorded_segments(recording)
        for place in range(self.n):
            self.sizes[place] = <int>PyUnicode_GET_LENGTH(<str>self.texts[place])
            if not 0 <= self.own[place] < self.m:
                raise ValueError("a segment in no block")
        self._read_blocks(blocks, recording)
        for place in range(self.m):
            parent = self.parent[place]
            if not (-1 <= parent < place and 0 <= self.first[place] <= self.end[place] <= self.n):
                raise ValueError("a block before the one around it")
            if parent >= 0:
                self.tags_around[place] |= self.tags_around[parent]

    def __dealloc__(self):
        free(self.memory)

    cdef _read_segments(self, list block_of, list links, list link_chars):
        cdef Py_ssize_t place
        if not len(block_of) == len(links) == len(link_chars) == self.n:
            raise ValueError("segments of different lengths")
        for place in range(self.n):
            self.own[place] = block_of[place]
            self.links[place] = links[place]
            self.link_chars[place] = link_chars[place]

    cdef _read_recorded_segments(self, Recording recording):
        cdef SegmentRow* row = recording.segments
        cdef Py_ssize_t place
        if recording.n_segments != self.n or recording.n_blocks != self.m:
            raise ValueError("a recording of another page")
        for place in range(self.n):
            self.own[place] = row.block
            self.links[place] = row.links
            self.link_chars[place] = row.link_chars
            row += 1

    cdef _read_blocks(self, list blocks, Recording recording):
        cdef dict strange = {}
        cdef Names names = Names(self.m, self.known)
        cdef Numbers kinds = Numbers(self.m), places = Numbers(self.m)
        cdef int* alike = <int*>calloc(self.m + 1, sizeof(int))
        cdef int* at = <int*>malloc(self.m * sizeof(int) + 1)
        cdef Py_ssize_t place
        cdef int tag
        if not (alike and at):
            free(alike)
            free(at)
            raise MemoryError
        try:
            for place in range(self.m):
                if recording is None:
                    tag = self._read_block(place, blocks[place], names, strange)
                else:
                    tag = self._read_recorded(place, recording, names, strange)
                self.tag[place] = tag
                if tag < self.known.tag_count:
                    self.tags_around[place] = self.known.tag_bits[tag]
                self.kind[place] = kinds.number((<u64>tag << 32) | <u64>names.latest)
                at[place] = places.number(
                    (<u64>(self.parent[place] + 1) << 32) | <u64>self.kind[place]
                )
                alike[at[place]] += 1
            for place in range(self.m):
                self.alike[place] = alike[at[place]]
        finally:
            free(alike)
            free(at)

    cdef int _read_block(
        self, Py_ssize_t place, block, Names names, dict strange
    ) except -1:
        """Read a block; its tag's number is returned."""
        self.parent[place] = block.parent
        self.first[place] = block.first
        self.end[place] = block.end
        self.images[place] = block.images
        self.names[place] = names.read(block.element)
        return self._number(block.tag, strange)

    cdef int _read_recorded(
        self, Py_ssize_t place, Recording recording, Names names, dict strange
    ) except -1:
        """The same, where it stands in a recording: nobody has to look for its element."""
        cdef BlockRow* row = &recording.blocks[place]
        cdef const char* name = recording.text.data + row.name
        self.parent[place] = row.parent
        self.first[place] = row.first
        self.end[place] = row.end
        self.images[place] = row.images
        self.names[place] = names.mean(
            name + row.id_size + 1, row.class_size, name, row.id_size
        )
        if place and self.known.of_walk[row.tag] >= 0:
            return self.known.of_walk[row.tag]
        return self._number(recording.tag_of(place), strange)

    cdef int _number(self, tag, dict strange) except -1:
        cdef int number
        known = self.known.tags.get(tag)
        if known is None:
            known = strange.setdefault(tag, self.known.tag_count + len(strange))
        number = known
        return number

    cdef inline unsigned char _is(self, Py_ssize_t block) noexcept nogil:
        """What a block's tag is."""
        cdef int tag = self.tag[block]
        return self.known.tag_is[tag] if tag < self.known.tag_count else 0

    def features(self, float[:, ::1] columns, str title, said):
        """Fill in `features.matrix`, a row of numbers for each feature."""
        cdef Vocabulary known = self.known
        cdef Py_ssize_t n = self.n, place
        cdef float value
        cdef Py_ssize_t expected = (
            len(said) + 16 + 12 + 4 + 11 + 4 + known.tag_columns + known.tag_groups
            + known.name_groups + 6 * LEVELS + 4
        )
        if columns.shape[0] != expected or columns.shape[1] != n or n == 0 or self.m == 0:
            raise ValueError("a matrix of another shape")
        cdef _Filling filling = _Filling(self, columns)
        for place in range(known.mark_groups):
            self.marks[place] = 0
        self.has_marks = True
        for one in said:
            value = one
            filling.constant(value)
        filling.texts(title)
        filling.neighbours()
        filling.windows()
        filling.blocks()
        filling.positions()
        filling.own_blocks()
        filling.tags()
        filling.names()
        filling.levels()
        filling.best_around()

    def context(
        self, float[:, ::1] columns, const float[:, ::1] own, const long long[::1] asked,
        const double[::1] first, expected, types,
    ):
        """Fill in `context.matrix`; `own` are the columns of `features`."""
        _context(self, columns, own, asked, first, expected, types)

    def describe(
        self, const float[:, ::1] columns, const double[::1] first, const double[::1] steps,
        double[::1] found,
    ):
        """Fill in what `pagetype.describe` says of the segments, but for the expected F1."""
        cdef Py_ssize_t n = self.n, width = columns.shape[0], one, step, at
        cdef Py_ssize_t steps_count = steps.shape[0]
        if not self.has_marks:
            raise ValueError("the features of the page are not known yet")
        if (
            not columns.shape[1] == first.shape[0] == n
            or found.shape[0] != 3 * width + 2 * steps_count + 8 + self.known.mark_groups
        ):
            raise ValueError("numbers of another shape")
        cdef double* by_text = <double*>malloc(2 * n * sizeof(double))
        cdef double* by_content = by_text + n
        cdef double length = 0, content = 0, bounded, unsure, unsure_text = 0, unsure_content = 0
        cdef double unsure_segments = 0, surest = 0, images = 0
        cdef Py_ssize_t kept = 0, runs = 0
        if by_text == NULL:
            raise MemoryError
        for one in range(n):
            length += self.sizes[one]
            content += self.sizes[one] * first[one]
        for one in range(n):
            by_text[one] = self.sizes[one] / (length + 1e-9)
            by_content[one] = self.sizes[one] * first[one] / (content + 1e-9)
            bounded = min(max(first[one], 1e-3), 1 - 1e-3)
            unsure = -(bounded * log(bounded) + (1 - bounded) * log(1 - bounded))
            unsure_text += unsure * by_text[one]
            unsure_content += unsure * by_content[one]
            unsure_segments += unsure
            surest = max(surest, first[one])
            if first[one] >= 0.5:
                kept += 1
                runs += one > 0 and first[one - 1] < 0.5
        for one in range(width):
            _averages(&columns[one, 0], by_text, by_content, n, &found[one], width)
        at = 3 * width
        for step in range(steps_count):
            found[at + step] = found[at + steps_count + step] = 0
        for one in range(n):
            for step in range(steps_count):
                if first[one] < steps[step]:
                    break
                found[at + step] += by_text[one]
                found[at + steps_count + step] += 1
        for step in range(steps_count):
            found[at + steps_count + step] /= n
        at += 2 * steps_count
        found[at], found[at + 1], found[at + 2] = log1p(content), unsure_text, unsure_content
        found[at + 3] = unsure_segments / n
        found[at + 4], found[at + 5], found[at + 6] = kept, runs, surest
        for one in range(self.m):
            images += self.images[one]
        found[at + 7] = log1p(images)
        for one in range(self.known.mark_groups):
            found[at + 8 + one] = 1000.0 * self.marks[one] / (length + (n - 1) + 100)
        free(by_text)

    def weighed(
        self, const double[::1] probability, double[::1] result, *, double likely, double lift,
        double few_links, int least_cells, int between, double among,
    ):
        """Fill in `content.weighed`."""
        cdef Py_ssize_t n = self.n, place, one, first, end, behind = -1
        if probability.shape[0] != n or result.shape[0] != n:
            raise ValueError("probabilities of other segments")
        cdef long long* sums = <long long*>malloc(3 * (n + 1) * sizeof(long long))
        if sums == NULL:
            raise MemoryError
        cdef long long* text = sums
        cdef long long* sure = sums + n + 1
        cdef long long* linked = sure + n + 1
        text[0] = sure[0] = linked[0] = 0
        for one in range(n):
            text[one + 1] = text[one] + self.sizes[one]
            sure[one + 1] = sure[one] + (self.sizes[one] if probability[one] >= likely else 0)
            linked[one + 1] = linked[one] + self.link_chars[one]
            result[one] = probability[one] / (1 - probability[one] + 1e-9)
        for place in range(self.m):
            first, end = self.first[place], self.end[place]
            if first == end:
                continue
            if self._is(place) & IS_TABLE and end - first < least_cells:
                if self._has_pictures(place):
                    for one in range(first, end):
                        result[one] /= lift
            elif self._is(place) & IS_LIST:
                if first >= behind and self._is_list_of_content(
                    place, &probability[0], text, sure, linked, likely, few_links, between, among
                ):
                    behind = end
                    for one in range(first, end):
                        result[one] *= lift
            elif self.names[place] & SIGNATURE:
                for one in range(first, end):
                    result[one] /= lift
        for one in range(n):
            result[one] = result[one] / (1 + result[one])
        free(sums)

    cdef bint _has_pictures(self, Py_ssize_t place) noexcept nogil:
        cdef int end = self.end[place]
        while place < self.m and self.first[place] < end:
            if self.images[place]:
                return True
            place += 1
        return False

    cdef bint _is_list_of_content(
        self, Py_ssize_t place, const double* probability, const long long* text,
        const long long* sure, const long long* linked, double likely, double few_links,
        int between, double among,
    ) noexcept nogil:
        cdef Py_ssize_t first = self.first[place], end = self.end[place], one, around
        cdef double before = 0, after = 0
        cdef long long content, held
        if not 0 < first < end < self.n:
            return False
        for one in range(max(first - between, 0), first):
            before = max(before, probability[one])
        for one in range(end, min(end + between, self.n)):
            after = max(after, probability[one])
        if min(before, after) < likely:
            around = self.parent[place]
            while (
                self.parent[around] >= 0 and self.first[around] == first and self.end[around] == end
            ):
                around = self.parent[around]  # nothing but a frame for it
            content = sure[self.end[around]] - sure[self.first[around]] - (sure[end] - sure[first])
            held = text[self.end[around]] - text[self.first[around]] - (text[end] - text[first])
            if not (content > 0 and content >= among * held):
                return False
        return linked[end] - linked[first] <= few_links * (text[end] - text[first])


cdef void _averages(
    const float* column, const double* by_text, const double* by_content, Py_ssize_t n,
    double* found, Py_ssize_t apart,
) noexcept nogil:
    """A column's average over the segments, over their text, over what is likely content."""
    cdef double sums[3][4]  # a sum of its own for every fourth: one would have to wait for itself
    cdef double value
    cdef Py_ssize_t one = 0, lane, which
    for which in range(3):
        for lane in range(4):
            sums[which][lane] = 0
    while one + 4 <= n:
        for lane in range(4):
            value = column[one + lane]
            sums[0][lane] += value
            sums[1][lane] += value * by_text[one + lane]
            sums[2][lane] += value * by_content[one + lane]
        one += 4
    while one < n:
        value = column[one]
        sums[0][0] += value
        sums[1][0] += value * by_text[one]
        sums[2][0] += value * by_content[one]
        one += 1
    for which in range(3):
        found[which * apart] = (sums[which][0] + sums[which][1]) + (sums[which][2] + sums[which][3])
    found[0] /= n


cdef class Names:
    """The classes and ids of a page's blocks: what they mean, and which classes are the same."""

    cdef Vocabulary known
    cdef u64* hashes
    cdef const char** texts
    cdef Py_ssize_t* lengths
    cdef int* numbers
    cdef unsigned int* bits
    cdef u64 mask
    cdef int count
    cdef int latest  # the number of the class that was read last, 0 for none
    cdef list kept  # what was not read from the tree, and is pointed to

    def __cinit__(self, Py_ssize_t most, Vocabulary known):
        cdef u64 size = 8
        while size < <u64>(2 * most):
            size *= 2
        self.mask = size - 1
        self.known, self.kept = known, []
        self.hashes = <u64*>malloc(size * sizeof(u64))
        self.texts = <const char**>malloc(size * sizeof(char*))
        self.lengths = <Py_ssize_t*>malloc(size * sizeof(Py_ssize_t))
        self.numbers = <int*>calloc(size, sizeof(int))
        self.bits = <unsigned int*>malloc(size * sizeof(int))
        if not (self.hashes and self.texts and self.lengths and self.numbers and self.bits):
            raise MemoryError

    def __dealloc__(self):
        free(self.hashes)
        free(self.texts)
        free(self.lengths)
        free(self.numbers)
        free(self.bits)

    cdef unsigned int read(self, element) except? 0xFFFFFFFF:
        """What the class and the id of an element mean."""
        cdef const char* css_class = NULL
        cdef const char* identifier = NULL
        cdef Py_ssize_t class_length = 0, id_length = 0
        cdef xmlNode* node
        if isinstance(element, cetree._Element):
            node = (<cetree._Element>element)._c_node
            if node != NULL and node.type == XML_ELEMENT_NODE:
                css_class = _attribute(node, b"class", &class_length)
                identifier = _attribute(node, b"id", &id_length)
        if css_class == NULL or identifier == NULL:
            read_class = (element.get("class") or "").encode("utf-8", "surrogatepass")
            read_id = (element.get("id") or "").encode("utf-8", "surrogatepass")
            self.kept += (read_class, read_id)
            css_class, class_length = PyBytes_AS_STRING(read_class), PyBytes_GET_SIZE(read_class)
            identifier, id_length = PyBytes_AS_STRING(read_id), PyBytes_GET_SIZE(read_id)
        return self.mean(css_class, class_length, identifier, id_length)

    cdef unsigned int mean(
        self, const char* css_class, Py_ssize_t class_length, const char* identifier,
        Py_ssize_t id_length,
    ) except? 0xFFFFFFFF:
        """The same of a class and an id; they have to stay where they are."""
        if class_length == 0:
            self.latest = 0
            if id_length == 0:
                return 0
            return self._meaning(
                _mixed(_hashed(identifier, id_length)), b"", 0, identifier, id_length
            )
        cdef u64 hashed = _hashed(css_class, class_length)
        cdef u64 at = (hashed >> 20) & self.mask
        while self.numbers[at]:
            if (
                self.hashes[at] == hashed
                and self.lengths[at] == class_length
                and memcmp(self.texts[at], css_class, class_length) == 0
            ):
                break
            at = (at + 1) & self.mask
        if not self.numbers[at]:
            self.bits[at] = self._meaning(hashed, css_class, class_length, b"", 0)
            self.count += 1
            self.hashes[at], self.numbers[at] = hashed, self.count
            self.texts[at], self.lengths[at] = css_class, class_length
        self.latest = self.numbers[at]
        if id_length:
            return self._meaning(
                _mixed(hashed ^ _mixed(_hashed(identifier, id_length))),
                css_class, class_length, identifier, id_length,
            )
        return self.bits[at]

    cdef unsigned int _meaning(
        self, u64 hashed, const char* css_class, Py_ssize_t class_length, const char* identifier,
        Py_ssize_t id_length,
    ) except? 0xFFFFFFFF:
        """Remembered from page to page by the hash alone, so that one look into memory will do."""
        cdef Meaning* known = &self.known.meanings[hashed & (MEANINGS - 1)]
        cdef unsigned int bits
        if known.hashed != hashed or not known.is_known:
            known.is_known = False  # until it is: to find out is to call Python
            bits = self.known.name_bits(
                PyUnicode_DecodeUTF8(css_class, class_length, "surrogatepass"),
                PyUnicode_DecodeUTF8(identifier, id_length, "surrogatepass"),
            )
            known.hashed, known.bits, known.is_known = hashed, bits, True
            return bits
        return known.bits


cdef class _Filling:
    """The columns of `features`, one after the other."""

    cdef Frame page
    cdef float* out
    cdef Py_ssize_t n, column
    cdef double* memory
    # Of the segments.
    cdef double* plain
    cdef double* link
    cdef double* stops
    cdef double* log_chars
    cdef double* link_share
    cdef double* ends
    cdef double* plain_before  # running sums
    cdef double* link_before
    # Of the blocks.
    cdef double* held_plain
    cdef double* held_link
    cdef double* held_stops
    cdef double* in_paragraphs
    cdef double* density
    cdef int* general
    cdef int* densest
    cdef int* depth
    cdef float* described
    cdef double page_plain, page_link
    cdef Py_ssize_t headline, best

    def __cinit__(self, Frame page, float[:, ::1] columns):
        cdef Py_ssize_t n = page.n, m = page.m
        self.page, self.out, self.n, self.column = page, &columns[0, 0], n, 0
        self.memory = <double*>calloc(8 * (n + 1) + 10 * m, sizeof(double))
        if self.memory == NULL:
            raise MemoryError
        self.plain = self.memory
        self.link = self.plain + n
        self.stops = self.link + n
        self.log_chars = self.stops + n
        self.link_share = self.log_chars + n
        self.ends = self.link_share + n
        self.plain_before = self.ends + n
        self.link_before = self.plain_before + n + 1
        self.held_plain = self.link_before + n + 1
        self.held_link = self.held_plain + m
        self.held_stops = self.held_link + m
        self.in_paragraphs = self.held_stops + m
        self.density = self.in_paragraphs + m
        self.general = <int*>(self.density + m)
        self.densest = self.general + m
        self.depth = self.densest + m
        self.described = <float*>(self.depth + m)

    def __dealloc__(self):
        free(self.memory)

    cdef inline float* next(self) noexcept:
        self.column += 1
        return self.out + (self.column - 1) * self.n

    cdef void constant(self, float value) noexcept:
        cdef Py_ssize_t one
        cdef float* column = self.next()
        for one in range(self.n):
            column[one] = value

    cdef texts(self, str title):
        cdef Frame page = self.page
        cdef Vocabulary known = page.known
        cdef list texts = page.texts
        cdef Py_ssize_t n = self.n, one
        cdef float* out = self.out + self.column * n
        cdef int counts[KINDS]
        cdef double length, words, links, best = 0.5, likeness
        cdef Py_ssize_t size
        cdef const unsigned char* octets
        cdef unsigned char narrowed[LONGEST]
        cdef bint is_narrow
        cdef int told
        cdef Py_UCS4 last
        cdef _Title sought = _Title(title, known)
        self.column += 16
        self.headline = -1
        for one in range(n):
            text = texts[one]
            size = page.sizes[one]
            is_narrow = PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND
            _count(text, known, counts)
            if counts[MARK]:
                _count_marks(text, known, page.marks)
            length = max(size - counts[SPACE], 1)
            words = counts[SPACE] + 1 + counts[WIDE]
            links = page.link_chars[one]
            self.link[one] = min(links, length)
            self.plain[one] = length - self.link[one]
            self.stops[one] = counts[STOP]
            self.log_chars[one] = _log1p(length)
            self.link_share[one] = self.link[one] / length
            last = (<str>text)[size - 1]
            self.ends[one] = known.ends[last] if last < 256 else last in known.endings
            out[one] = <float>self.log_chars[one]
            out[n + one] = <float>_log1p(words)
            out[2 * n + one] = <float>self.link_share[one]
            out[3 * n + one] = <float>min(page.links[one], 20)
            out[4 * n + one] = <float>_log1p(self.plain[one])
            out[5 * n + one] = <float>(counts[PAUSE] / length)
            out[6 * n + one] = <float>(counts[STOP] / length)
            out[7 * n + one] = <float>(counts[UPPER] / length)
            out[8 * n + one] = <float>(counts[DIGIT] / length)
            out[9 * n + one] = <float>(counts[WIDE] / length)
            out[10 * n + one] = <float>(length / words)
            out[11 * n + one] = <float>self.ends[one]
            out[12 * n + one] = 0
            out[13 * n + one] = 0
            if size <= LONGEST:
                octets = <const unsigned char*>PyUnicode_DATA(text)
                told = 0
                if not is_narrow:
                    told = _narrowed(text, narrowed)
                    octets = narrowed
                if counts[DIGIT] or counts[WIDE]:
                    out[12 * n + one] = (told & TELLS_DATE) != 0 or _has_date(octets, size, known)
                if counts[SIGN] or told:
                    out[13 * n + one] = (told & TELLS_COPYRIGHT) != 0 or _has_copyright(
                        octets, size, known.lower
                    )
            likeness = sought.likeness(text)
            out[14 * n + one] = <float>likeness
            if likeness > 0:
                if page._is(page.own[one]) & IS_TITLE:
                    likeness += 0.3
                if likeness > best:
                    best, self.headline = likeness, one
        _count_same(texts, out + 15 * n)

    cdef void neighbours(self) noexcept:
        cdef double* values
        cdef float* column
        cdef Py_ssize_t one, other, which
        cdef int step
        for which in range(3):
            values = self.log_chars if which == 0 else self.link_share if which == 1 else self.ends
            for step in range(-2, 3):
                if step == 0:
                    continue
                column = self.next()
                for one in range(self.n):
                    other = one + step
                    column[one] = <float>values[other] if 0 <= other < self.n else -1

    cdef void windows(self) noexcept:
        cdef Py_ssize_t one, low, high, width, which
        cdef double text, linked
        cdef float* plain
        cdef float* share
        for one in range(self.n):
            self.plain_before[one + 1] = self.plain_before[one] + self.plain[one]
            self.link_before[one + 1] = self.link_before[one] + self.link[one]
        for which in range(2):
            width = 3 if which == 0 else 8
            plain, share = self.next(), self.next()
            for one in range(self.n):
                low, high = max(one - width, 0), min(one + width + 1, self.n)
                text = self.plain_before[high] - self.plain_before[low]
                linked = self.link_before[high] - self.link_before[low]
                plain[one] = <float>_log1p(text)
                share[one] = <float>(linked / (text + linked + 1))

    cdef blocks(self):
        """What is in each block, and around it."""
        cdef Frame page = self.page
        cdef Py_ssize_t n = self.n, m = page.m, one, above, upper
        cdef double plain, link, segments
        cdef double* sums = <double*>malloc(2 * (n + 1) * sizeof(double))
        if sums == NULL:
            raise MemoryError
        cdef double* stops = sums
        cdef double* paragraphs = sums + n + 1
        stops[0] = paragraphs[0] = 0
        for one in range(n):
            stops[one + 1] = stops[one] + self.stops[one]
            paragraphs[one + 1] = paragraphs[one]
            if page._is(page.own[one]) & IS_P:
                paragraphs[one + 1] += self.plain[one]
        for one in range(m):
            self.held_plain[one] = (
                self.plain_before[page.end[one]] - self.plain_before[page.first[one]]
            )
            self.held_link[one] = (
                self.link_before[page.end[one]] - self.link_before[page.first[one]]
            )
            self.held_stops[one] = stops[page.end[one]] - stops[page.first[one]]
            self.in_paragraphs[one] = paragraphs[page.end[one]] - paragraphs[page.first[one]]
        free(sums)
        self.page_plain, self.page_link = self.held_plain[0] + 1, self.held_link[0] + 1
        self.best = 0
        for one in range(m):
            plain, link = self.held_plain[one], self.held_link[one]
            segments = page.end[one] - page.first[one]
            self.density[one] = (
                (plain / self.page_plain)
                * (1 - link / self.page_link)
                * (plain / (1 + plain + link))
                / (1 + SIZE_WEIGHT * segments)
            )
            if self.density[one] > self.density[self.best]:
                self.best = one
            above = page.parent[one]
            if above < 0:
                continue
            upper = self.densest[above]
            self.depth[one] = self.depth[above] + 1
            self.general[one] = (
                <int>one if plain / self.page_plain > GENERAL_SHARE else self.general[above]
            )
            self.densest[one] = <int>(one if self.density[one] > self.density[upper] else upper)

    cdef void positions(self) noexcept:
        cdef Py_ssize_t n = self.n, one
        cdef double first = self.page.first[self.best], end = self.page.end[self.best]
        cdef double before = 0, behind
        cdef float* out = self.out + self.column * n
        self.column += 2
        self.constant(<float>log1p(n))
        self.constant(<float>log1p(self.page_plain))
        self.constant(<float>(self.page_link / (self.page_plain + self.page_link)))
        self.column += 6
        for one in range(n):
            before += self.plain[one]
            out[one] = <float>(<double>one / n)
            out[n + one] = <float>((before - self.plain[one] / 2) / self.page_plain)
            out[5 * n + one] = first <= one < end
            out[6 * n + one] = <float>((one - first) / n)
            out[7 * n + one] = <float>((end - one) / n)
            behind = one - self.headline if self.headline >= 0 else -99
            out[8 * n + one] = behind == 0
            out[9 * n + one] = <float>min(max(behind, -99), 60)
            out[10 * n + one] = <float>(behind / n) if behind > -99 else -1

    cdef void own_blocks(self) noexcept:
        cdef Frame page = self.page
        cdef Py_ssize_t one
        cdef int own
        cdef float* depth = self.next()
        cdef float* alike = self.next()
        cdef float* images = self.next()
        cdef float* above = self.next()
        for one in range(self.n):
            own = page.own[one]
            depth[one] = self.depth[own]
            alike[one] = page.alike[own]
            images[one] = min(page.images[own], 3)
            above[one] = min(page.images[max(page.parent[own], 0)], 3)

    cdef void tags(self) noexcept:
        cdef Frame page = self.page
        cdef Vocabulary known = page.known
        cdef Py_ssize_t n = self.n, one, group
        cdef int tag
        cdef unsigned int bits
        cdef float* out = self.out + self.column * n
        for group in range(known.tag_columns + known.tag_groups):
            self.constant(0)
        for one in range(n):
            tag = page.tag[page.own[one]]
            if tag < known.tag_count and known.tag_column[tag] >= 0:
                out[known.tag_column[tag] * n + one] = 1
            bits = page.tags_around[page.own[one]]
            group = known.tag_columns
            while bits:
                if bits & 1:
                    out[group * n + one] = 1
                bits >>= 1
                group += 1

    cdef void names(self) noexcept:
        """For each group of names, how many blocks up the nearest block with one is."""
        cdef Frame page = self.page
        cdef Py_ssize_t n = self.n, one, group, level, levels = page.known.name_levels
        cdef int block
        cdef unsigned int all_groups = (1u << page.known.name_groups) - 1, seen, bits
        cdef float* out = self.out + self.column * n
        for group in range(page.known.name_groups):
            self.constant(<float>levels)
        for one in range(n):
            block = page.own[one]
            seen = 0
            level = 0
            while level < levels and block >= 0:
                bits = page.names[block] & all_groups & ~seen
                seen |= bits
                group = 0
                while bits:
                    if bits & 1:
                        out[group * n + one] = level
                    bits >>= 1
                    group += 1
                block = page.parent[block]
                level += 1

    cdef void levels(self) noexcept:
        cdef Frame page = self.page
        cdef Py_ssize_t n = self.n, one, level, which
        cdef int block
        cdef double plain, segments
        cdef float* out = self.out + self.column * n
        cdef float* of_block
        self.column += 6 * LEVELS
        for block in range(page.m):
            self.described[6 * block] = -2  # not yet
        for one in range(n):
            block = page.own[one]
            for level in range(LEVELS):
                if block < 0:
                    for which in range(6):
                        out[(6 * level + which) * n + one] = -1
                    continue
                of_block = self.described + 6 * block
                if of_block[0] == -2:
                    plain = self.held_plain[block]
                    segments = page.end[block] - page.first[block]
                    of_block[0] = <float>(plain / self.page_plain)
                    of_block[1] = self._link_share(block)
                    of_block[2] = <float>_log1p(segments)
                    of_block[3] = <float>(self.held_stops[block] / (self.held_stops[0] + 1))
                    of_block[4] = <float>log1p(plain / max(segments, 1))
                    of_block[5] = <float>(self.in_paragraphs[block] / (plain + 1))
                for which in range(6):
                    out[(6 * level + which) * n + one] = of_block[which]
                block = page.parent[block]

    cdef inline float _link_share(self, int block) noexcept:
        cdef double link = self.held_link[block]
        return <float>(link / (self.held_plain[block] + link + 1))

    cdef void best_around(self) noexcept:
        cdef Py_ssize_t one
        cdef int own, general, densest
        cdef double best = self.density[self.best] + 1e-9
        cdef float* share = self.next()
        cdef float* links = self.next()
        cdef float* dense = self.next()
        cdef float* dense_share = self.next()
        for one in range(self.n):
            own = self.page.own[one]
            general, densest = self.general[own], self.densest[own]
            share[one] = <float>(self.held_plain[general] / self.page_plain)
            links[one] = self._link_share(general)
            dense[one] = <float>(self.density[densest] / best)
            dense_share[one] = <float>(self.held_plain[densest] / self.page_plain)


cdef double GENERAL_SHARE = 0.4
cdef double SIZE_WEIGHT = 0.02


cdef _count(text, Vocabulary known, int* counts):
    """How many characters of each kind are in a text."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0, end
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef const unsigned char* octets
    cdef u64 lanes
    cdef int which
    cdef Py_UCS4 character
    for which in range(KINDS):
        counts[which] = 0
    if kind == PyUnicode_1BYTE_KIND:
        octets = <const unsigned char*>data
        while at < length:
            end = min(at + 255, length)  # more would not fit into eight bits
            lanes = 0
            while at < end:
                lanes += known.lanes[octets[at]]
                at += 1
            for which in range(KINDS):
                counts[which] += (lanes >> (8 * which)) & 255
        return
    for at in range(length):
        character = PyUnicode_READ(kind, data, at)
        if character < 256:
            lanes = known.lanes[character]
            counts[MARK] += lanes & 1
            counts[known.kinds[character]] += known.kinds[character] != 0
            continue
        counts[MARK] += (known.far_marks >> (<unsigned int>character & 63)) & 1  # there may be one
        if character < <Py_UCS4>known.known_characters:
            counts[known.kinds[character]] += known.kinds[character] != 0
        elif character < 0xD800:
            counts[WIDE] += 1
        else:
            counts[known.far_kind(character)] += 1


cdef _count_marks(text, Vocabulary known, long long* counts):
    cdef int kind = PyUnicode_KIND(text), group
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at
    for at in range(PyUnicode_GET_LENGTH(text)):
        group = known.group_of(PyUnicode_READ(kind, data, at))
        if group >= 0:
            counts[group] += 1


cdef _count_same(list texts, float* counts):
    """How often each of the texts is there."""
    cdef Py_ssize_t n = len(texts), one
    cdef u64 size = 8, at, mask
    cdef Py_hash_t hashed
    cdef int other
    while size < <u64>(2 * n):
        size *= 2
    mask = size - 1
    cdef int* table = <int*>calloc(size + 2 * n, sizeof(int))  # by hash, the first of each, plus 1
    cdef int* first = table + size
    cdef int* count = first + n
    if table == NULL:
        raise MemoryError
    try:
        for one in range(n):
            text = texts[one]
            hashed = PyObject_Hash(text)
            at = <u64>hashed & mask
            while table[at]:
                other = table[at] - 1
                if PyObject_Hash(texts[other]) == hashed and PyObject_RichCompareBool(
                    texts[other], text, Py_EQ
                ):
                    break
                at = (at + 1) & mask
            else:
                table[at] = <int>(one + 1)
            first[one] = table[at] - 1
            count[first[one]] += 1
        for one in range(n):
            counts[one] = count[first[one]]
    finally:
        free(table)


def describe_kept(
    const double[::1] likely, const double[::1] sizes, const unsigned char[::1] kept,
    const double[::1] steps, double[::1] found,
):
    """Fill in what `confidence.describe` says of the segments, but for the best expected F1."""
    cdef Py_ssize_t n = likely.shape[0], one, step, at = steps.shape[0]
    if not sizes.shape[0] == kept.shape[0] == n or found.shape[0] != at + 13 or n == 0:
        raise ValueError("numbers of another shape")
    cdef double all_text = 0, content = 0, kept_text = 0, right = 0, unsure
    cdef double unsure_kept = 0, unsure_left = 0, surest = 0, sum_kept = 0
    cdef Py_ssize_t count = 0, runs = 0
    for step in range(at):
        found[step] = 0
    for one in range(n):
        all_text += sizes[one]
        content += likely[one] * sizes[one]
        unsure = min(likely[one], 1 - likely[one]) * sizes[one]
        surest = max(surest, likely[one])
        if kept[one]:
            kept_text += sizes[one]
            right += likely[one] * sizes[one]
            unsure_kept += unsure
            sum_kept += likely[one]
            count += 1
            runs += one > 0 and not kept[one - 1]
        else:
            unsure_left += unsure
        for step in range(at):
            if likely[one] < steps[step]:
                break
            found[step] += sizes[one]
    all_text, content, kept_text = all_text + 1e-9, content + 1e-9, kept_text + 1e-9
    for step in range(at):
        found[step] /= all_text
    found[at], found[at + 1] = right / kept_text, right / content
    found[at + 2] = 2 * right / (kept_text + content)
    found[at + 3], found[at + 4] = kept_text / all_text, log1p(kept_text)
    found[at + 5], found[at + 6] = log1p(all_text), log1p(n)
    found[at + 7], found[at + 8] = count, runs
    found[at + 9], found[at + 10] = unsure_kept / kept_text, unsure_left / kept_text
    found[at + 11] = surest
    found[at + 12] = sum_kept / count if count else 0.0


cdef double OUTSIDE = -9.0
cdef double LEAST = 0.003
cdef u64[PATTERN_LEVELS] MIX = [1, 1_000_003, 999_983_000_033, 7_919_777_003]


cdef _context(
    Frame page, float[:, ::1] columns, const float[:, ::1] own, const long long[::1] asked,
    const double[::1] first, expected, types,
):
    cdef Py_ssize_t n = page.n, one, other, width, low, high, which, level
    cdef Py_ssize_t count = len(types)
    cdef Py_ssize_t described = 1 + 6 + 2 + 6 + 2 * CONTEXT_LEVELS + 3 + 3 + count + 1
    if (
        n == 0
        or columns.shape[0] != described + asked.shape[0]
        or not columns.shape[1] == own.shape[1] == first.shape[0] == n
    ):
        raise ValueError("a matrix of another shape")
    for one in range(asked.shape[0]):
        if not 0 <= asked[one] < own.shape[0]:
            raise ValueError("a feature that is not there")
    cdef double* memory = <double*>calloc(12 * (n + 1) + 2 * page.m, sizeof(double))
    cdef Numbers patterns = Numbers(n)
    if memory == NULL:
        raise MemoryError
    cdef double* odds = memory
    cdef double* content = odds + n + 1  # running sums
    cdef double* text = content + n + 1
    cdef double* section_content = text + n + 1
    cdef double* section_text = section_content + n + 1
    cdef double* section_odds = section_text + n + 1
    cdef double* alike_content = section_odds + n + 1
    cdef double* alike_text = alike_content + n + 1
    cdef double* alike_count = alike_text + n + 1
    cdef int* section = <int*>(alike_count + n + 1)
    cdef int* pattern = section + n + 1
    cdef float* shares = <float*>(pattern + n + 1)
    cdef float* likely = shares + page.m
    cdef double bounded, size, surest = 0, all_content, held
    cdef float* out = &columns[0, 0]
    cdef float* second
    cdef int sections = 0, block
    cdef int step
    cdef u64 code
    cdef float value
    for one in range(n):
        bounded = min(max(first[one], LEAST), 1 - LEAST)
        odds[one] = log(bounded / (1 - bounded))
        size = page.sizes[one]
        content[one + 1] = content[one] + first[one] * size
        text[one + 1] = text[one] + size
        surest = max(surest, first[one])
        out[one] = <float>odds[one]
    all_content = content[n] + 1e-9
    for step in range(-3, 4):
        if step:
            out += n
            for one in range(n):
                other = one + step
                out[one] = <float>(odds[other] if 0 <= other < n else OUTSIDE)
    for which in range(2):
        width = 4 if which == 0 else 12
        out += n
        for one in range(n):
            low, high = max(one - width, 0), min(one + width + 1, n)
            out[one] = <float>((content[high] - content[low]) / (text[high] - text[low] + 1e-9))
    out += n
    for one in range(n):
        out[one] = <float>(content[one] / all_content)
    for number in (log1p(content[n]), content[n] / (text[n] + 1e-9), *expected, surest):
        value = number
        out += n
        for one in range(n):
            out[one] = value
    # The blocks around.
    for one in range(page.m):
        held = content[page.end[one]] - content[page.first[one]]
        shares[one] = <float>(held / all_content)
        likely[one] = <float>(held / (text[page.end[one]] - text[page.first[one]] + 1e-9))
    out += n
    for one in range(n):
        block = page.own[one]
        for level in range(CONTEXT_LEVELS):
            if block >= 0:
                out[2 * level * n + one] = shares[block]
                out[(2 * level + 1) * n + one] = likely[block]
                block = page.parent[block]
            else:
                out[2 * level * n + one] = out[(2 * level + 1) * n + one] = -1
    out += 2 * CONTEXT_LEVELS * n
    # The sections, each with its heading, and the patterns.
    section_odds[0] = OUTSIDE
    for one in range(n):
        size = page.sizes[one]
        block = page.own[one]
        if page._is(block) & IS_HEADING:
            sections += 1
            section_odds[sections] = odds[one]
        section[one] = sections
        section_content[sections] += first[one] * size
        section_text[sections] += size
        code = 0
        for level in range(PATTERN_LEVELS):
            code += (<u64>page.kind[block] if block >= 0 else <u64>-1) * MIX[level]
            block = page.parent[block] if block >= 0 else -1
        which = patterns.number(code)
        pattern[one] = <int>which
        alike_content[which] += first[one] * size
        alike_text[which] += size
        alike_count[which] += 1
    for one in range(n):
        which = section[one]
        out[one] = <float>(section_content[which] / (section_text[which] + 1e-9))
        out[n + one] = <float>(section_content[which] / all_content)
        out[2 * n + one] = <float>section_odds[which]
        which = pattern[one]
        out[3 * n + one] = <float>(alike_content[which] / (alike_text[which] + 1e-9))
        out[4 * n + one] = <float>_log1p(alike_count[which])
        out[5 * n + one] = <float>(alike_content[which] / all_content)
    out += 6 * n
    for number in types:
        value = number
        for one in range(n):
            out[one] = value
        out += n
    for one in range(n):
        out[one] = <float>_log1p(page.sizes[one])
    for which in range(asked.shape[0]):
        out += n
        memcpy(out, &own[asked[which], 0], n * sizeof(float))
    free(memory)
