"""`segments.segment`, over libxml2's own nodes.

The walk writes down what it comes by: numbers that say what begins, stands and ends, and the text
and addresses they speak of, as UTF-8. All else is made from that, and from no node: the chains of
the blocks (`chains`), the text and the HTML (`shown`). So a tree may be changed once it is read.
"""

from sys import intern

cimport cython
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memchr, memcmp, memcpy, memset, strcmp, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    const_xmlChar,
    xmlAttr,
    xmlNode,
)

from scrapy_mainblock.core.permalinks import is_mark
from scrapy_mainblock.core.tags import BLOCK_TAGS, KEPT_INLINE, UNPRINTED_TAGS

cetree.import_lxml__etree()

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) nogil

# --- tags ---------------------------------------------------------------------------------------

cdef enum:
    TABLE_SIZE = 1024
    LONGEST_TAG = 15

cdef Tag table[TABLE_SIZE]
cdef list tags = []
cdef list _names = []  # what `table` points to


cdef inline unsigned int _slot(const char* name, Py_ssize_t size) noexcept nogil:
    cdef unsigned int mixed = 2166136261U
    cdef Py_ssize_t at
    for at in range(size):
        mixed = (mixed ^ <unsigned char> name[at]) * 16777619U
    return mixed & (TABLE_SIZE - 1)


cdef void _fill_table():
    kinds = {
        **dict.fromkeys(KEPT_INLINE, INLINE),
        "a": LINK,
        "span": SPAN,
        "img": IMAGE_KIND,
        **dict.fromkeys(BLOCK_TAGS, BLOCK),
        "br": BREAK_KIND,
        **dict.fromkeys(UNPRINTED_TAGS, HIDDEN),
    }
    cdef bytes name
    cdef unsigned int slot
    for tag, kind in kinds.items():
        name = tag.encode()
        assert len(name) <= LONGEST_TAG
        slot = _slot(name, len(name))
        while table[slot].name != NULL:
            slot = (slot + 1) & (TABLE_SIZE - 1)
        table[slot].name = name
        table[slot].size = len(name)
        table[slot].number = len(tags)
        table[slot].kind = kind
        tags.append(intern(tag))
        _names.append(name)
    assert len(tags) < 255  # a tag is an octet, and one of them is none


_fill_table()


cdef Tag* tag_of(const xmlNode* node) noexcept nogil:
    """What is known of an element's tag; NULL for one that means nothing here."""
    cdef const char* name = <const char*> node.name
    cdef Py_ssize_t size = 0
    cdef unsigned int mixed = 2166136261U
    if node.ns != NULL and node.ns.href != NULL:
        return NULL
    while name[size]:
        if size == LONGEST_TAG:
            return NULL
        mixed = (mixed ^ <unsigned char> name[size]) * 16777619U
        size += 1
    cdef unsigned int slot = mixed & (TABLE_SIZE - 1)
    while table[slot].name != NULL:
        if table[slot].size == size and memcmp(table[slot].name, name, size) == 0:
            return &table[slot]
        slot = (slot + 1) & (TABLE_SIZE - 1)
    return NULL


cdef enum:
    KNOWN_TAGS = 64

cdef struct KnownTag:
    const char* name
    Tag* tag


cdef inline Tag* _known_tag(KnownTag* known, const xmlNode* node) noexcept nogil:
    """The same, remembered by the address of the name: a document has each name but once."""
    cdef KnownTag* one = &known[(<uintptr_t> node.name >> 3) % KNOWN_TAGS]
    if one.name != <const char*> node.name or node.ns != NULL:
        one.tag = tag_of(node)
        one.name = <const char*> node.name if node.ns == NULL else NULL
    return one.tag


# --- memory -------------------------------------------------------------------------------------

cdef enum:
    MOST_SPARE = 16
    LARGEST_SPARE = 256 * 1024

cdef struct Spare:
    void* data
    Py_ssize_t size

cdef Spare _spare[MOST_SPARE]
cdef int _spares = 0


cdef void give_back(void* data, Py_ssize_t size) noexcept:
    """Free so many octets, or keep them for the next page.

    To ask for a few large pieces anew for each page, behind a tree that was freed in thousands of
    small ones, would cost as much as what is written into them.
    """
    global _spares
    if data == NULL:
        return
    if _spares == MOST_SPARE or size > LARGEST_SPARE:
        free(data)
        return
    _spare[_spares].data = data
    _spare[_spares].size = size
    _spares += 1


cdef void* grown(void* data, Py_ssize_t needed, Py_ssize_t size, Py_ssize_t* room) except NULL:
    """Room for so many of a size, at least twice of what there was."""
    global _spares
    cdef Py_ssize_t wanted = max(needed, 2 * room[0], 256)
    if wanted > 0x7FFFFFFF:
        raise MemoryError
    if data == NULL and _spares and _spare[_spares - 1].size >= needed * size:
        _spares -= 1
        room[0] = _spare[_spares].size // size
        return _spare[_spares].data
    data = realloc(data, wanted * size)
    if data == NULL:
        raise MemoryError
    room[0] = wanted
    return data


cdef int reserve(Buffer* buffer, Py_ssize_t more) except -1:
    if buffer.size + more > buffer.room:
        buffer.data = <char*> grown(buffer.data, buffer.size + more, 1, &buffer.room)
    return 0


cdef int add(Buffer* buffer, const char* data, Py_ssize_t size) except -1:
    reserve(buffer, size)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef int add_int(Ints* ints, int32_t value) except -1:
    if ints.size == ints.room:
        ints.data = <int32_t*> grown(ints.data, ints.size + 1, sizeof(int32_t), &ints.room)
    ints.data[ints.size] = value
    ints.size += 1
    return 0


# --- text ---------------------------------------------------------------------------------------

cdef unsigned char may_be_white[256]  # 1: it is, 2: with what comes behind it


cdef void _fill_white():
    for one in (*range(9, 14), *range(28, 33)):
        may_be_white[one] = 1
    for one in (0xC2, 0xE1, 0xE2, 0xE3):
        may_be_white[one] = 2


_fill_white()


cdef int wide_white(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """How many octets of white space stand there that are not ASCII."""
    cdef unsigned char first = at[0]
    if first == 0xC2:
        return 2 if end - at > 1 and (at[1] == 0x85 or at[1] == 0xA0) else 0
    if end - at < 3:
        return 0
    if first == 0xE2:
        if at[1] == 0x80:
            return 3 if at[2] <= 0x8A or at[2] == 0xA8 or at[2] == 0xA9 or at[2] == 0xAF else 0
        return 3 if at[1] == 0x81 and at[2] == 0x9F else 0
    if first == 0xE3:
        return 3 if at[1] == 0x80 and at[2] == 0x80 else 0
    return 3 if at[1] == 0x9A and at[2] == 0x80 else 0


cdef int last_is_white(const unsigned char* data, Py_ssize_t size) noexcept nogil:
    """Whether a text ends with white space."""
    cdef Py_ssize_t at = size - 1
    while at > 0 and (data[at] & 0xC0) == 0x80:
        at -= 1
    return white(data + at, data + size)


cdef bint _is_blank(const unsigned char* at, Py_ssize_t size) noexcept nogil:
    cdef const unsigned char* end = at + size
    cdef int step
    while at < end:
        step = white(at, end)
        if not step:
            return False
        at += step
    return True


cdef int32_t shown_chars(const unsigned char* at, Py_ssize_t size) noexcept nogil:
    """Characters but white space."""
    cdef const unsigned char* end = at + size
    cdef int32_t count = 0
    cdef int step
    while at < end:
        step = white(at, end)
        if step:
            at += step
        else:
            count += (at[0] & 0xC0) != 0x80
            at += 1
    return count


cdef inline bint _is_text(const xmlNode* node) noexcept nogil:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline bint _is_nothing(const xmlNode* node) noexcept nogil:
    return node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END


# --- attributes ---------------------------------------------------------------------------------

cdef xmlAttr* attribute(const xmlNode* node, const char* name) noexcept nogil:
    """An attribute of no namespace."""
    cdef xmlAttr* one = <xmlAttr*> node.properties
    while one != NULL:
        if one.ns == NULL and strcmp(<const char*> one.name, name) == 0:
            return one
        one = one.next
    return NULL


cdef Py_ssize_t add_value(Buffer* text, xmlNode* node, xmlAttr* one) except -1:
    """Write down an attribute's value; gives its size."""
    cdef xmlNode* value = one.children
    cdef Py_ssize_t size
    if value == NULL:
        return 0
    if value.next == NULL and value.type == XML_TEXT_NODE:
        if value.content == NULL:
            return 0
        size = strlen(<const char*> value.content)
        add(text, <const char*> value.content, size)
        return size
    said = cetree.attributeValueFromNsName(node, NULL, one.name)
    utf8 = said.encode("utf-8", "surrogatepass")
    add(text, utf8, len(utf8))
    return len(utf8)


# --- marks --------------------------------------------------------------------------------------

cdef bint _holds(const char* data, Py_ssize_t size, const char* word) noexcept nogil:
    cdef Py_ssize_t length = strlen(word)
    cdef const char* end = data + size
    cdef const char* at = data
    while end - at >= length:
        at = <const char*> memchr(at, word[0], end - at - length + 1)
        if at == NULL:
            return False
        if memcmp(at, word, length) == 0:
            return True
        at += 1
    return False


cdef bint _may_name_margin(const char* data, Py_ssize_t size) noexcept nogil:
    """Whether a class may be one that `permalinks` asks for in a cell or a span."""
    return (
        _holds(data, size, "line")
        or _holds(data, size, "gutter")
        or _holds(data, size, "crayon")
        or _holds(data, size, "mw-edit")
    )


cdef bint _may_name_link(const char* data, Py_ssize_t size) noexcept nogil:
    """Whether a class may be one that `permalinks` asks for in a link, in any case of letters."""
    cdef Py_ssize_t at
    for at in range(size):
        # What is not ASCII may be a letter in another case.
        if <unsigned char> data[at] >= 0x80:
            return True
        if _is_there(data, at + 1, "link", 4) or _is_there(data, at + 1, "anchor", 6):
            return True
    return False


cdef inline bint _is_there(
    const char* data, Py_ssize_t end, const char* word, Py_ssize_t length
) noexcept nogil:
    """Whether a word of small letters ends there."""
    cdef Py_ssize_t at
    if end < length or (data[end - 1] | 0x20) != word[length - 1]:
        return False
    for at in range(length - 1):
        if (data[end - length + at] | 0x20) != word[at]:
            return False
    return True


cdef bint _begins_with_word(xmlNode* link) noexcept nogil:
    """Whether the first text of a link begins with an ASCII letter or digit: no mark does."""
    cdef xmlNode* node = link.children
    cdef const unsigned char* at
    if node == NULL or not _is_text(node) or node.content == NULL:
        return False
    at = node.content
    while at[0] == 0x20 or 9 <= at[0] <= 13:
        at += 1
    return 48 <= at[0] <= 57 or 65 <= at[0] <= 90 or 97 <= at[0] <= 122


# --- the walk -----------------------------------------------------------------------------------

@cython.final
@cython.no_gc
@cython.freelist(512)
cdef class Block:
    """`segments.Block`, whose element is looked for when somebody asks for it."""

    cdef readonly str tag
    cdef readonly int parent
    cdef readonly int first
    cdef readonly int end
    cdef readonly int images
    cdef Recording _recording
    cdef int _place

    @property
    def element(self):
        return self._recording.elements()[self._place]

    @property
    def identifier(self):
        return self._recording.identifier(self._place)

    @property
    def css_class(self):
        return self._recording.css_class(self._place)

    def __repr__(self):
        return f"Block({self.tag}, {self.parent}, {self.first}, {self.end}, {self.images})"


@cython.final
@cython.no_gc
cdef class Recording:
    """A walk, written down."""

    def __dealloc__(self):
        give_back(self.segments, self.segments_room * sizeof(SegmentRow))
        give_back(self.blocks, self.blocks_room * sizeof(BlockRow))
        give_back(self.skipped.data, self.skipped.room * sizeof(int32_t))
        give_back(self.codes.data, self.codes.room * sizeof(int32_t))
        give_back(self.text.data, self.text.room)
        free(self.place_of)

    cdef object tag_of(self, Py_ssize_t place):
        return tags[self.blocks[place].tag] if place else self.root_tag

    cdef BlockRow* new_block(self) except NULL:
        if self.n_blocks == self.blocks_room:
            self.blocks = <BlockRow*> grown(
                self.blocks, self.n_blocks + 1, sizeof(BlockRow), &self.blocks_room
            )
        self.n_blocks += 1
        return &self.blocks[self.n_blocks - 1]

    cdef SegmentRow* new_segment(self) except NULL:
        if self.n_segments == self.segments_room:
            self.segments = <SegmentRow*> grown(
                self.segments, self.n_segments + 1, sizeof(SegmentRow), &self.segments_room
            )
        self.n_segments += 1
        return &self.segments[self.n_segments - 1]

    def identifier(self, Py_ssize_t place):
        """The id of a block, "" for none."""
        cdef BlockRow* row = &self.blocks[place]
        cdef const char* name = self.text.data + row.name
        return name[:row.id_size].decode("utf-8")

    def css_class(self, Py_ssize_t place):
        """The class of a block, "" for none."""
        cdef BlockRow* row = &self.blocks[place]
        cdef const char* name = self.text.data + row.name + row.id_size + 1
        return name[:row.class_size].decode("utf-8")

    def length(self):
        """Characters of all segments, white space not counted."""
        cdef Py_ssize_t place, length = 0
        for place in range(self.n_segments):
            length += self.segments[place].chars - self.segments[place].spaces
        return length

    def lengths(self, kept):
        """Characters of all segments, and of those that are kept: of all where that is None."""
        cdef Py_ssize_t place, whole = 0, held = 0
        if kept is not None and len(kept) != self.n_segments:
            raise ValueError("as many segments as were read must be kept or not")
        for place in range(self.n_segments):
            whole += self.segments[place].chars
            if kept is None or kept[place]:
                held += self.segments[place].chars
        return whole, held

    def without_orphans(self, list kept, frozenset headings, int far, double most_orphaned):
        """`segments.without_orphans`."""
        cdef Py_ssize_t place, next_kept = 2 * self.n_segments, text = 0, orphaned = 0
        cdef list result = list(kept)
        if len(kept) != self.n_segments:
            raise ValueError("as many segments as were read must be kept or not")
        for place in range(self.n_segments - 1, -1, -1):
            if not kept[place]:
                continue
            text += self.segments[place].chars
            if (
                next_kept - place > far + 1
                and self.tag_of(self.segments[place].block) in headings
            ):
                result[place] = False
                orphaned += self.segments[place].chars
            else:
                next_kept = place
        return list(kept) if orphaned > most_orphaned * text else result

    def link_chars(self):
        """Characters of all segments in links, white space not counted."""
        cdef Py_ssize_t place, length = 0
        for place in range(self.n_segments):
            length += self.segments[place].link_chars
        return length

    def elements(self):
        """The elements of all blocks, found again by counting.

        Where the tree was changed since it was read, what stands in for them is of the same name
        and stands nowhere.
        """
        if self._elements is None:
            found = self._found_again()
            if found is None:
                found = [self._stand_in(place) for place in range(self.n_blocks)]
            self._elements = found
        return self._elements

    cdef object _stand_in(self, Py_ssize_t place):
        names = {"id": self.identifier(place), "class": self.css_class(place)}
        return self.body.makeelement(self.tag_of(place), {k: v for k, v in names.items() if v})

    def elements_at(self, places):
        """The elements of some blocks; no others are made."""
        if self._elements is not None:
            return [self._elements[place] for place in places]
        found = self._found_again(set(places))
        if found is None:
            return [self._stand_in(place) for place in places]
        return [found[place] for place in places]

    cdef list _found_again(self, set wanted=None):
        """The element of each block, None for those that nobody wants; None for a changed tree."""
        found = [self.body] if self.n_blocks else []
        return found if self._count_to(NULL, found, wanted) == self.n_blocks else None

    def block_at(self, cetree._Element element not None):
        """The place of the block that an element is, None where it is none of them."""
        cdef Py_ssize_t place = self._count_to(element._c_node, None)
        return place if 0 <= place < self.n_blocks else None

    cdef Py_ssize_t _count_to(self, xmlNode* wanted, list found, set places=None) except -2:
        """Go the way of the walk once more, up to the block that is wanted: its place.

        The elements of the blocks are put into `found`, None for those that are not at `places`.
        Without one that is wanted, the number of blocks; -1 where the tree was changed since.
        """
        cdef cetree._Element body = self.body
        cdef xmlNode* root = body._c_node
        cdef xmlNode* node = root
        cdef Tag* tag
        cdef int32_t number = 0
        cdef Py_ssize_t next_block = 1, next_skipped = 0
        cdef bint is_skipped, is_wanted
        if not self.n_blocks or root == wanted:
            return 0
        while True:
            is_skipped = node.type != XML_ELEMENT_NODE
            if node != root and not is_skipped:
                number += 1
                if next_skipped < self.skipped.size and self.skipped.data[next_skipped] == number:
                    next_skipped += 1
                    is_skipped = True
                elif next_block < self.n_blocks and self.blocks[next_block].number == number:
                    tag = tag_of(node)
                    if tag == NULL or tag.number != self.blocks[next_block].tag:
                        return -1
                    if node == wanted:
                        return next_block
                    if found is not None:
                        is_wanted = places is None or next_block in places
                        found.append(cetree.elementFactory(body._doc, node) if is_wanted else None)
                    next_block += 1
            if not is_skipped and node.children != NULL:
                node = node.children
                continue
            while node != root and node.next == NULL:
                node = node.parent
            if node == root:
                break
            node = node.next
        return self.n_blocks if next_block == self.n_blocks else -1


cdef class _Walk:
    """The state of a walk that is on its way."""

    cdef Recording page
    cdef list texts
    cdef list block_of
    cdef list link_chars_of
    cdef list links_of
    cdef Buffer folded
    cdef Py_ssize_t run      # where the run that is open began in the codes, -1 for none
    cdef bint has_pieces
    cdef bint is_blank
    cdef int32_t link_chars
    cdef int32_t links
    cdef int32_t in_links
    cdef int32_t around      # the innermost block

    def __dealloc__(self):
        give_back(self.folded.data, self.folded.room)

    cdef int code(self, int32_t one) except -1:
        """A code of a run, which begins with it if none has begun."""
        cdef Ints* codes = &self.page.codes
        if self.run < 0:
            self.run = codes.size
            self.has_pieces = False
            add_int(codes, RUN)
            add_int(codes, -1)
            add_int(codes, 0)
        return add_int(codes, one)

    cdef int piece(self, Py_ssize_t begin, bint is_first) except -1:
        """A text stands: the last that was written down, from there on.

        The first one in the body begins a line even if it is blank.
        """
        cdef Recording page = self.page
        cdef Py_ssize_t size = page.text.size - begin
        cdef const unsigned char* text = <unsigned char*> page.text.data + begin
        if size == 0:
            return 0
        if self.run < 0 and not is_first and _is_blank(text, size):
            self.is_blank = True
            add_int(&page.codes, BLANK)
        else:
            self.code(TEXT)
            self.has_pieces = True
            if self.in_links:
                self.link_chars += shown_chars(text, size)
        add_int(&page.codes, <int32_t> begin)
        add_int(&page.codes, <int32_t> size)
        return 0

    cdef int end_run(self) except -1:
        """A boundary: what stood on the line before it is a segment, if there is text in it."""
        cdef bint has_text = self.run >= 0 and self.has_pieces
        if self.run >= 0:
            self.page.codes.data[self.run + 2] = <int32_t> (self.page.codes.size - self.run)
            if has_text:
                self.add_segment()
            self.run = -1
        if has_text or self.is_blank:
            self.link_chars = self.links = 0
        self.is_blank = False
        return 0

    cdef int add_segment(self) except -1:
        cdef Recording page = self.page
        cdef Ints* codes = &page.codes
        cdef Buffer* folded = &self.folded
        cdef Py_ssize_t at = self.run + 3
        cdef const unsigned char* text
        cdef const unsigned char* end
        cdef const unsigned char* plain
        cdef char* out
        cdef int32_t chars = 0, spaces = 0
        cdef bint gap = False
        cdef int step
        cdef SegmentRow* row
        folded.size = 0
        while at < codes.size:
            if codes.data[at] == TEXT:
                text = <unsigned char*> page.text.data + codes.data[at + 1]
                end = text + codes.data[at + 2]
                reserve(folded, 1 + codes.data[at + 2])
                out = folded.data + folded.size
                while text < end:
                    step = white(text, end) if may_be_white[text[0]] else 0
                    if step:
                        gap = True
                        text += step
                        continue
                    if gap:
                        if chars:
                            out[0] = c" "
                            out += 1
                            chars += 1
                            spaces += 1
                        gap = False
                    plain = text
                    while text < end:
                        if not may_be_white[text[0]]:
                            text += 1
                        elif text[0] == c" " and text + 1 < end and not may_be_white[text[1]]:
                            spaces += 1  # one between words, as nearly all are
                            text += 2
                        elif white(text, end):
                            break
                        else:
                            text += 1
                    memcpy(out, plain, text - plain)
                    out += text - plain
                    while plain < text:
                        chars += (plain[0] & 0xC0) != 0x80
                        plain += 1
                folded.size = out - folded.data
                at += 3
            elif codes.data[at] == OPEN:
                at += 4
            elif codes.data[at] == IMAGE:
                at += 5
            else:
                at += 1
        if not chars:
            return 0
        codes.data[self.run + 1] = <int32_t> page.n_segments
        row = page.new_segment()
        row.block = self.around
        row.chars = chars
        row.spaces = spaces
        row.link_chars = self.link_chars
        row.links = self.links
        self.texts.append(PyUnicode_DecodeUTF8(folded.data, folded.size, NULL))
        self.block_of.append(self.around)
        self.link_chars_of.append(self.link_chars)
        self.links_of.append(self.links)
        return 0

    cdef int begin_block(self, xmlNode* node, int32_t tag, int32_t number) except -1:
        cdef Recording page = self.page
        cdef BlockRow* row = page.new_block()
        cdef int32_t place = <int32_t> page.n_blocks - 1
        cdef xmlAttr* one
        cdef char mark
        row.tag = tag
        row.parent = self.around
        row.first = <int32_t> page.n_segments
        row.end = row.images = row.behind = 0
        row.number = number
        # One octet for the tag before them: together they are what the block's step is made of.
        mark = <char> tag
        add(&page.text, &mark, 1)
        row.name = <int32_t> page.text.size
        one = attribute(node, "id")
        row.id_size = 0 if one == NULL else <int32_t> add_value(&page.text, node, one)
        add(&page.text, "", 1)
        one = attribute(node, "class")
        row.class_size = 0 if one == NULL else <int32_t> add_value(&page.text, node, one)
        add_int(&page.codes, BEGIN)
        add_int(&page.codes, place)
        self.around = place
        return 0

    cdef int end_block(self) except -1:
        cdef Recording page = self.page
        cdef BlockRow* row = &page.blocks[self.around]
        self.end_run()
        row.end = <int32_t> page.n_segments
        add_int(&page.codes, END)
        add_int(&page.codes, self.around)
        row.behind = <int32_t> page.codes.size
        self.around = row.parent
        return 0

    cdef int value_code(self, xmlNode* node, xmlAttr* one) except -1:
        """Write down where an attribute is, which may not be there."""
        cdef Buffer* text = &self.page.text
        cdef Py_ssize_t begin = text.size
        cdef Py_ssize_t size
        if one == NULL:
            add_int(&self.page.codes, -1)
            return add_int(&self.page.codes, 0)
        size = add_value(text, node, one)
        add_int(&self.page.codes, <int32_t> begin)
        return add_int(&self.page.codes, <int32_t> size)


cdef bint _is_link_mark(cetree._Document doc, xmlNode* node, xmlAttr* href) except -1:
    """`permalinks.is_mark` of a link; asked there only of those that may be."""
    cdef xmlAttr* css_class
    cdef xmlNode* value = href.children
    cdef const char* address
    if value == NULL:
        return False
    if value.next == NULL and value.type == XML_TEXT_NODE:
        address = <const char*> value.content
        if address == NULL or memchr(address, c"#", strlen(address)) == NULL:
            return False
        css_class = attribute(node, "class")
        if css_class == NULL or not _value_may(css_class, _may_name_link):
            if address[0] != c"#" or _begins_with_word(node):
                return False
    return is_mark(cetree.elementFactory(doc, node))


ctypedef bint (*_Question)(const char*, Py_ssize_t) noexcept nogil


cdef bint _value_may(xmlAttr* one, _Question question) noexcept nogil:
    """Whether a value may be what is asked for; of one that is in pieces nobody knows."""
    cdef xmlNode* value = one.children
    if value == NULL:
        return False
    if value.next != NULL or value.type != XML_TEXT_NODE:
        return True
    return value.content != NULL and question(
        <const char*> value.content, strlen(<const char*> value.content)
    )


cdef bint _is_margin(cetree._Document doc, xmlNode* node) except -1:
    """`permalinks.is_mark` of a cell or a span."""
    cdef xmlAttr* css_class = attribute(node, "class")
    if css_class == NULL or not _value_may(css_class, _may_name_margin):
        return False
    return is_mark(cetree.elementFactory(doc, node))


def _nodes_of(elements):
    """Numbers that stand for elements during one walk."""
    return {<uintptr_t> (<cetree._Element?> one)._c_node for one in elements}


def segment(cetree._Element body not None, without=(), muted=()):
    """The walk, and what of a `Segments` there is in it: blocks, texts, and the numbers of these."""
    cdef set left_out = _nodes_of(without) if without else None
    cdef set silent = _nodes_of(muted) if muted else None
    cdef Recording page = Recording.__new__(Recording)
    cdef _Walk walk = _Walk.__new__(_Walk)
    cdef xmlNode* root = body._c_node
    cdef xmlNode* node
    cdef xmlNode* after
    cdef xmlAttr* href
    cdef Tag* tag
    cdef int32_t number = 0
    cdef int kind
    cdef Py_ssize_t begin
    cdef bint is_first
    cdef Buffer kinds  # of the elements that have begun
    cdef KnownTag known[KNOWN_TAGS]
    page.body = body
    page.root_tag = str(body.tag)
    page.is_muted = bool(muted)
    page.root_href = -1
    walk.page = page
    walk.texts, walk.block_of, walk.link_chars_of, walk.links_of = [], [], [], []
    walk.run = -1
    walk.around = -1
    tag = tag_of(root) if root.type == XML_ELEMENT_NODE else NULL
    if root.type != XML_ELEMENT_NODE or (tag != NULL and tag.kind == HIDDEN):
        return page, [], walk.texts, walk.block_of, walk.link_chars_of, walk.links_of
    kinds.data = NULL
    kinds.size = kinds.room = 0
    memset(known, 0, sizeof(known))
    try:
        reserve(&page.text, 16384)
        walk.begin_block(root, -1 if tag == NULL else tag.number, 0)
        node = root.children
        if tag != NULL and tag.kind == LINK and (href := attribute(root, "href")) != NULL:
            page.root_href = <int32_t> page.text.size
            page.root_href_size = <int32_t> add_value(&page.text, root, href)
        while node != NULL:
            prefetch(node.next)
            if _is_text(node) or _is_nothing(node):
                # Text in several nodes is one text, to lxml as well.
                begin = page.text.size
                is_first = node == root.children
                after = node
                while after != NULL:
                    if _is_text(after):
                        if after.content != NULL:
                            add(&page.text, <const char*> after.content,
                                strlen(<const char*> after.content))
                    elif not _is_nothing(after):
                        break
                    node = after
                    after = after.next
                walk.piece(begin, is_first)
            elif node.type == XML_ELEMENT_NODE:
                prefetch(node.children)
                number += 1
                if left_out is not None and <uintptr_t> node in left_out:
                    add_int(&page.skipped, number)
                    node = _behind(walk, node, root, &kinds, silent)
                    continue
                if silent is not None and <uintptr_t> node in silent:
                    walk.code(MUTE)
                tag = _known_tag(known, node)
                kind = _begin(walk, body._doc, node, tag, number)
                if kind == HIDDEN:
                    add_int(&page.skipped, number)
                elif node.children != NULL:
                    reserve(&kinds, 1)
                    kinds.data[kinds.size] = <char> kind
                    kinds.size += 1
                    node = node.children
                    continue
                _end(walk, node, kind, silent)
            elif node.type == XML_ENTITY_REF_NODE:
                begin = page.text.size
                add(&page.text, "&", 1)
                add(&page.text, <const char*> node.name, strlen(<const char*> node.name))
                add(&page.text, ";", 1)
                walk.piece(begin, False)
            node = _behind(walk, node, root, &kinds, silent)
        walk.end_block()
    finally:
        give_back(kinds.data, kinds.room)
    return (
        page, _blocks(page), walk.texts, walk.block_of, walk.link_chars_of, walk.links_of
    )


cdef xmlNode* _behind(
    _Walk walk, xmlNode* node, xmlNode* root, Buffer* kinds, set silent
) except? NULL:
    """What comes behind a node and all in it, NULL at the end; what it is the last of has ended."""
    while node.next == NULL:
        node = node.parent
        if node == root:
            return NULL
        kinds.size -= 1
        _end(walk, node, kinds.data[kinds.size], silent)
    return node.next


cdef int _begin(
    _Walk walk, cetree._Document doc, xmlNode* node, Tag* tag, int32_t number
) except -1:
    """An element begins; gives what kind of element it turned out to be."""
    cdef xmlAttr* href = NULL
    cdef int kind = PLAIN if tag == NULL else tag.kind
    if kind == PLAIN or kind == HIDDEN:
        return kind
    if kind == SPAN:
        return HIDDEN if _is_margin(doc, node) else PLAIN
    if kind == BREAK_KIND:
        walk.end_run()
        add_int(&walk.page.codes, BREAK)
        return kind
    if kind == BLOCK:
        if tag.size == 2 and memcmp(tag.name, "td", 2) == 0 and _is_margin(doc, node):
            return HIDDEN
        walk.end_run()
        walk.begin_block(node, tag.number, number)
        return kind
    if kind == IMAGE_KIND:
        walk.code(IMAGE)
        walk.value_code(node, attribute(node, "src"))
        walk.value_code(node, attribute(node, "alt"))
        walk.page.blocks[walk.around].images += 1
        return kind
    if kind == LINK:
        href = attribute(node, "href")
        if href == NULL:
            return PLAIN
        if _is_link_mark(doc, node, href):
            return HIDDEN
        walk.in_links += 1
        walk.links += 1
    walk.code(OPEN)
    add_int(&walk.page.codes, tag.number)
    walk.value_code(node, href)
    return kind


cdef int _end(_Walk walk, xmlNode* node, int kind, set silent) except -1:
    """An element ends."""
    if kind == BLOCK:
        walk.end_block()
    elif kind == INLINE or kind == LINK:
        walk.code(CLOSE)
        walk.in_links -= kind == LINK
    if silent is not None and <uintptr_t> node in silent:
        walk.code(UNMUTE)
    return 0


cdef list _blocks(Recording page):
    cdef Block block
    cdef BlockRow* row
    cdef Py_ssize_t place
    found = []
    for place in range(page.n_blocks):
        row = &page.blocks[place]
        block = Block.__new__(Block)
        block.tag = page.tag_of(place)
        block.parent = row.parent
        block.first = row.first
        block.end = row.end
        block.images = row.images
        block._recording = page
        block._place = <int> place
        found.append(block)
    return found
