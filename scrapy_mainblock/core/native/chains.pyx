"""`places.chains`, and what a rule says of places, from what a walk wrote down (`walk`).

Many blocks of a page stand at the same place, and many pages of a site have the same places. So a
place is a number here, remembered from page to page, and what is asked of its chain is asked once.
"""

from sys import intern

cimport cython

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset, strcmp

from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    xmlAttr,
    xmlNode,
)

from scrapy_mainblock.core.native.walk cimport (
    BLOCK,
    BREAK_KIND,
    BlockRow,
    Buffer,
    Recording,
    Tag,
    add,
    add_value,
    attribute,
    tag_of,
    tags,
)

from scrapy_mainblock.core import places as in_python

cdef enum:
    MOST_REMEMBERED = 10_000  # places and steps
    COUNTED = 16              # tags that are told from each other by position, at most
    MOST_AROUND = 64          # blocks, at least DEEPEST

cetree.import_lxml__etree()

cdef int DEEPEST = in_python.DEEPEST
cdef Py_ssize_t LONGEST_CHAIN = in_python.LONGEST_CHAIN
cdef double MOSTLY = in_python.MOSTLY
cdef double LAYOUT_SHARE = in_python.LAYOUT_SHARE
cdef int LONG_CELLS = in_python.LONG_CELLS
cdef int LEAST_CELLS = in_python.LEAST_CELLS
cdef str UNDER = in_python.UNDER
cdef str OF_LINKS = in_python.OF_LINKS
cdef str ROOT = in_python.ROOT
cdef str OWN_TEXT = UNDER + in_python.OWN_TEXT

# --- tags ---------------------------------------------------------------------------------------

cdef enum:
    NUMBERED = 1
    LIST = 2
    TABLE_PART = 4
    CELL = 8
    TABLE = 16
    PARAGRAPH = 32

cdef unsigned char _roles[256]  # by the number of a tag
cdef unsigned char _counted[256]


cdef void _fill_roles():
    cdef int found = 0
    assert len(in_python.NUMBERED_TAGS) <= COUNTED and DEEPEST <= MOST_AROUND
    for number, tag in enumerate(tags):
        _roles[number] = (
            NUMBERED * (tag in in_python.NUMBERED_TAGS)
            + LIST * (tag in in_python.LINK_LISTS)
            + TABLE_PART * (tag in in_python.TABLE_PARTS)
            + CELL * (tag in in_python.CELLS)
            + TABLE * (tag == "table")
            + PARAGRAPH * (tag == "p")
        )
        if tag in in_python.NUMBERED_TAGS:
            _counted[number] = found
            found += 1


_fill_roles()


cdef inline unsigned char _role(BlockRow* row) noexcept nogil:
    return _roles[row.tag] if row.tag >= 0 else 0


# --- the places of a site -----------------------------------------------------------------------

cdef enum:
    NO_NUMBER = 0
    LINKS = -1

cdef struct Child:
    # A place under another one.
    uintptr_t step        # an address; 0 where there is none
    int32_t above
    int32_t number        # behind the step: one from 1 up, NO_NUMBER, or LINKS
    int32_t place


cdef class Tree:
    """Places by their steps, remembered from page to page: those of a site are the same on most.

    A place is a number; it is found by that of the place around it and its own step.
    """

    cdef readonly list chains
    cdef list hashes            # None until somebody asks
    cdef dict numbers           # of the chains
    cdef dict steps             # interned, so that one step is one object
    cdef list held              # steps too long to be among those
    cdef dict under             # by the chain of a block: the hashes of the places under it
    cdef Child* children
    cdef Py_ssize_t mask
    cdef Py_ssize_t n_children
    cdef Py_ssize_t n_under
    cdef int32_t* seen          # by place: on which look it was met last
    cdef Py_ssize_t room
    cdef int32_t looks

    def __cinit__(self):
        self.chains, self.hashes, self.numbers = [ROOT], [None], {ROOT: 0}
        self.steps, self.held, self.under = {}, [], {}
        self.mask = 1023
        self.children = <Child*> calloc(self.mask + 1, sizeof(Child))
        if self.children == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.children)
        free(self.seen)

    cdef bint is_full(self):
        return len(self.chains) + len(self.steps) + len(self.held) > MOST_REMEMBERED

    cdef str step(self, const char* name, Py_ssize_t id_size, Py_ssize_t class_size):
        """A block's step by its name (`places.named_step`).

        `name` is an octet for the tag, the id, a NUL and the class.
        """
        cdef Py_ssize_t size = id_size + 1 + class_size
        cdef PyObject* known
        cdef str tag = <str> tags[<unsigned char> name[0]]
        if size == 1:
            return tag
        key = PyBytes_FromStringAndSize(name, size + 1)
        known = PyDict_GetItem(self.steps, key)
        if known != NULL:
            return <str> known
        step = intern(
            in_python.named_step(
                tag, name[1:id_size + 1].decode("utf-8"), name[id_size + 2:size + 1].decode("utf-8")
            )
        )
        if size <= LONGEST_CHAIN:
            self.steps[key] = step
        else:
            self.held.append(step)
        return step

    cdef int32_t place(self, int32_t above, str step, int32_t number) except -1:
        """The place under another one by a step; that one where the chain would be too long."""
        cdef uintptr_t address = <uintptr_t> <PyObject*> step
        cdef Child* child = self.slot(address, above, number)
        cdef str chain
        if child.step:
            return child.place
        chain = _under(self.chains[above], _numbered(step, number))
        place = above
        if len(chain) <= LONGEST_CHAIN:
            place = self.numbers.setdefault(chain, len(self.chains))
            if place == len(self.chains):
                self.chains.append(chain)
                self.hashes.append(None)
        child = self.slot(address, above, number)
        if child.step:  # another thread was faster
            return child.place
        child.step = address
        child.above = above
        child.number = number
        child.place = place
        self.n_children += 1
        if 2 * self.n_children > self.mask:
            self.grow()
        return place

    cdef Child* slot(self, uintptr_t step, int32_t above, int32_t number) noexcept:
        """Where a child is, or would be."""
        cdef uint64_t mixed = (
            <uint64_t> (step >> 4) * 0x9E3779B97F4A7C15U
            + <uint64_t> above * 0xC2B2AE3D27D4EB4FU
            + <uint64_t> number * 0x165667B19E3779F9U
        )
        cdef Py_ssize_t at = (mixed >> 24) & <uint64_t> self.mask
        cdef Child* child = &self.children[at]
        while child.step and (
            child.step != step or child.above != above or child.number != number
        ):
            at = (at + 1) & self.mask
            child = &self.children[at]
        return child

    cdef int grow(self) except -1:
        cdef Child* old = self.children
        cdef Py_ssize_t size = self.mask + 1, at
        cdef Child* grown = <Child*> calloc(2 * size, sizeof(Child))
        if grown == NULL:
            raise MemoryError
        self.children = grown
        self.mask = 2 * size - 1
        for at in range(size):
            if old[at].step:
                self.slot(old[at].step, old[at].above, old[at].number)[0] = old[at]
        free(old)
        return 0

    cdef object hash_of(self, int32_t place):
        """The number that stands for a place in sets (`places.hashed`)."""
        found = self.hashes[place]
        if found is None:
            found = self.hashes[place] = in_python.hashed(self.chains[place])
        return found

    cdef object hash_under(self, str around, dict known, int32_t place):
        """The same of a place that begins at a block."""
        found = known.get(place)
        if found is None:
            chain = self.chains[place]
            found = in_python.hashed(_under(around, chain) if chain else around)
            known[place] = found
            self.n_under += 1
        return found

    cdef dict known_under(self, str around):
        if self.n_under > MOST_REMEMBERED:
            self.under = {}
            self.n_under = 0
        return self.under.setdefault(around, {})

    cdef Py_ssize_t different(self, Recording page, bint with_text, int32_t* found) except -1:
        """The first block at each of the different places of a page; gives how many there are.

        No code of Python runs on the way, and so no other thread.
        """
        cdef Py_ssize_t block, n = 0
        cdef int32_t place
        self.look()
        for block in range(page.n_blocks):
            place = page.place_of[block]
            if with_text and page.blocks[block].end == page.blocks[block].first:
                continue
            if self.seen[place] != self.looks:
                self.seen[place] = self.looks
                found[n] = <int32_t> block
                n += 1
        return n

    cdef int look(self) except -1:
        """Begin to look at places, none of them seen yet."""
        cdef int32_t* grown
        cdef Py_ssize_t n = len(self.chains)
        if n > self.room or self.looks == 0x7FFFFFFF:
            grown = <int32_t*> calloc(2 * n, sizeof(int32_t))
            if grown == NULL:
                raise MemoryError
            free(self.seen)
            self.seen = grown
            self.room = 2 * n
            self.looks = 0
        self.looks += 1
        return 0


cdef Tree _latest = Tree()


cdef Tree _tree():
    """The one that is remembered; a new one where it is full."""
    global _latest
    if _latest.is_full():
        _latest = Tree()
    return _latest


def remembered():
    """How many places and steps are remembered."""
    return len(_latest.chains) + len(_latest.steps) + len(_latest.held) + _latest.n_under


cdef inline str _under(str chain, str step):
    return chain + UNDER + step if chain else step


cdef str _numbered(str step, int32_t number):
    if number == LINKS:
        return step + OF_LINKS
    return f"{step}[{number}]" if number else step


# --- the places of a page -----------------------------------------------------------------------

cdef class _Sums:
    """Running sums over the segments of a page."""

    cdef int64_t* chars       # with spaces
    cdef int64_t* shown       # without
    cdef int64_t* linked

    def __dealloc__(self):
        free(self.chars)

    def __cinit__(self, Recording page):
        cdef Py_ssize_t n = page.n_segments
        cdef Py_ssize_t at
        self.chars = <int64_t*> calloc(3 * (n + 1), sizeof(int64_t))
        if self.chars == NULL:
            raise MemoryError
        self.shown = self.chars + n + 1
        self.linked = self.shown + n + 1
        for at in range(n):
            self.chars[at + 1] = self.chars[at] + page.segments[at].chars
            self.shown[at + 1] = (
                self.shown[at] + page.segments[at].chars - page.segments[at].spaces
            )
            self.linked[at + 1] = self.linked[at] + page.segments[at].link_chars


cdef int _mark_data(Recording page, _Sums sums, unsigned char* in_data) except -1:
    """`places._data_tables`."""
    cdef Py_ssize_t n = page.n_blocks
    cdef Py_ssize_t place
    cdef BlockRow* row
    cdef unsigned char role
    cdef int32_t around
    cdef int64_t held
    cdef int32_t cells
    cdef bint is_line, has_table = False
    for place in range(n):
        has_table |= (_role(&page.blocks[place]) & TABLE) != 0
    if not has_table:
        return 0
    cdef int32_t* table_of = <int32_t*> malloc(n * sizeof(int32_t))
    cdef unsigned char* layout = <unsigned char*> calloc(n, 1)
    try:
        if table_of == NULL or layout == NULL:
            raise MemoryError
        for place in range(n):
            row = &page.blocks[place]
            role = _role(row)
            around = table_of[row.parent] if row.parent >= 0 else -1
            if around >= 0 and not role & TABLE_PART:
                is_line = role & PARAGRAPH and _role(&page.blocks[row.parent]) & CELL
                if not is_line:
                    layout[around] = 1
            table_of[place] = <int32_t> place if role & TABLE else around
        for place in range(n):
            row = &page.blocks[place]
            if not _role(row) & TABLE:
                continue
            held = sums.chars[row.end] - sums.chars[row.first]
            cells = row.end - row.first
            if cells < LEAST_CELLS or (
                held > LAYOUT_SHARE * sums.chars[page.n_segments] and held > LONG_CELLS * cells
            ):
                layout[place] = 1
        for place in range(n):
            in_data[place] = table_of[place] >= 0 and not layout[table_of[place]]
    finally:
        free(table_of)
        free(layout)
    return 0


cdef Tree _find(Recording page):
    """Find the places of all blocks, once."""
    if page.places is not None:
        return page.places
    cdef Py_ssize_t n = page.n_blocks
    cdef int32_t* place_of = <int32_t*> malloc((n + 1) * sizeof(int32_t))
    cdef int32_t* depths = <int32_t*> malloc((n + 1) * sizeof(int32_t))
    cdef unsigned char* in_data = <unsigned char*> calloc(n + 1, 1)
    cdef int32_t* counts = <int32_t*> calloc(n + 1, COUNTED * sizeof(int32_t))
    cdef Tree tree = _tree()
    try:
        if not (place_of and depths and in_data and counts):
            raise MemoryError
        sums = _Sums(page)
        _mark_data(page, sums, in_data)
        _find_all(page, sums, tree, place_of, depths, in_data, counts)
        if page.places is None:
            page.place_of, place_of = place_of, NULL
            page.places = tree
        return page.places
    finally:
        free(place_of)
        free(depths)
        free(in_data)
        free(counts)


cdef int _find_all(
    Recording page,
    _Sums sums,
    Tree tree,
    int32_t* place_of,
    int32_t* depths,
    const unsigned char* in_data,
    int32_t* counts,
) except -1:
    cdef BlockRow* row
    cdef Py_ssize_t block
    cdef int32_t above, number
    cdef int32_t* count
    cdef unsigned char role
    cdef str step
    for block in range(page.n_blocks):
        row = &page.blocks[block]
        if row.parent < 0:
            place_of[block] = depths[block] = 0
            continue
        above = place_of[row.parent]
        depths[block] = depths[row.parent] + 1
        role = _role(row)
        if depths[block] > DEEPEST or (in_data[block] and not role & TABLE):
            place_of[block] = above
            continue
        step = tree.step(page.text.data + row.name - 1, row.id_size, row.class_size)
        number = NO_NUMBER
        if role & NUMBERED and not in_data[block] and step is <str> tags[row.tag]:
            count = &counts[COUNTED * row.parent + _counted[row.tag]]
            count[0] += 1
            number = count[0]
        elif role & LIST and _is_of_links(sums, row):
            number = LINKS
        place_of[block] = tree.place(above, step, number)
    return 0


cdef inline bint _is_of_links(_Sums sums, BlockRow* row) noexcept:
    return (
        sums.linked[row.end] - sums.linked[row.first]
        > MOSTLY * (sums.shown[row.end] - sums.shown[row.first])
    )


def of_blocks(Recording page not None):
    """The chain of each block."""
    cdef Tree tree = _find(page)
    cdef Py_ssize_t block
    return [tree.chains[page.place_of[block]] for block in range(page.n_blocks)]


def hashes_with_text(Recording page not None, str around):
    """What stands for the different places that hold text, in a page or under such a chain."""
    cdef Tree tree = _find(page)
    cdef Py_ssize_t n, at
    cdef dict known = tree.known_under(around) if around else None
    cdef list found = []
    cdef int32_t place
    cdef int32_t* blocks = <int32_t*> malloc((page.n_blocks + 1) * sizeof(int32_t))
    try:
        if blocks == NULL:
            raise MemoryError
        n = tree.different(page, True, blocks)
        for at in range(n):
            place = page.place_of[blocks[at]]
            found.append(
                tree.hash_under(around, known, place) if around else tree.hash_of(place)
            )
        return found
    finally:
        free(blocks)


# --- a rule -------------------------------------------------------------------------------------

cdef enum:
    DROPPED = 1
    INSIDE = 2
    OWN_DROPPED = 4
    OWN_KEPT = 8
    UNKNOWN = 16


def kept(Recording page not None, list texts, frozenset drop, frozenset keep, frozenset lines,
         frozenset known):
    """The segments that a rule keeps, and those of them of which it does not know.

    The first part of `places.Places.kept`.
    """
    cdef Py_ssize_t place
    cdef unsigned char said
    cdef unsigned char* by_place
    cdef bint is_kept
    cdef list result = []
    cdef list unsure = []
    if len(texts) != page.n_segments:
        raise ValueError("the texts of another page")
    cdef Tree tree = _find(page)
    cdef int32_t* blocks = <int32_t*> malloc((page.n_blocks + 1) * sizeof(int32_t))
    by_place = <unsigned char*> malloc(len(tree.chains))
    try:
        if by_place == NULL or blocks == NULL:
            raise MemoryError
        _ask(page, tree, drop, keep, known, by_place, blocks, tree.different(page, False, blocks))
        for place in range(page.n_segments):
            said = by_place[page.place_of[page.segments[place].block]]
            is_kept = (
                not said & (DROPPED | OWN_DROPPED)
                and said & (INSIDE | OWN_KEPT)
                and not (lines and texts[place] in lines)
            )
            result.append(is_kept)
            if is_kept and said & UNKNOWN:
                unsure.append(place)
        return result, unsure
    finally:
        free(by_place)
        free(blocks)


cdef int _ask(
    Recording page,
    Tree tree,
    frozenset drop,
    frozenset keep,
    frozenset known,
    unsigned char* by_place,
    const int32_t* blocks,
    Py_ssize_t n,
) except -1:
    """What a rule says of each place, by the first block there, which is behind those around it."""
    cdef Py_ssize_t at, block
    cdef int32_t place
    cdef unsigned char said
    cdef str name, last, own
    for at in range(n):
        block = blocks[at]
        place = page.place_of[block]
        said = 0
        if block:
            said = by_place[page.place_of[page.blocks[block].parent]] & (DROPPED | INSIDE)
        name = tree.chains[place]
        last = name.rpartition(UNDER)[2]
        if "#" not in last and "." not in last:
            last = None
        if name in drop or last in drop:
            said |= DROPPED
        if not keep or name in keep or last in keep:
            said |= INSIDE
        own = name + OWN_TEXT if name else in_python.OWN_TEXT
        if own in drop:
            said |= OWN_DROPPED
        if own in keep:
            said |= OWN_KEPT
        if known and name not in known:
            said |= UNKNOWN
        by_place[place] = said
    return 0


# --- around a block -----------------------------------------------------------------------------

def around(cetree._Element root not None, cetree._Element block not None, Py_ssize_t most_beside):
    """The chain of a block, and what stands beside it and the blocks around it, up to the body of a
    root, or the root without one.

    Of each of these blocks: what stands for its place and for the other one that it may be at, None
    where there is none, and whether there is text in it. None where the block is not that simply in
    the body, or it would take too long.
    """
    cdef xmlNode* path[MOST_AROUND]
    cdef int depth = 0
    cdef xmlNode* node = block._c_node
    cdef xmlNode* inside = _body_of(root._c_node)
    cdef Tag* tag
    cdef str chain = ROOT
    cdef list beside = []
    cdef Buffer name
    cdef Tree tree = _tree()
    while node != inside:
        if node == NULL or node.type != XML_ELEMENT_NODE or depth >= DEEPEST:
            return None
        tag = tag_of(node)
        if tag == NULL or tag.kind != BLOCK and tag.kind != BREAK_KIND:
            return None
        path[depth] = node
        depth += 1
        node = node.parent
    name.data = NULL
    name.size = name.room = 0
    try:
        while depth:
            depth -= 1
            chain = _beside(inside, path[depth], chain, tree, beside, &name, most_beside)
            if chain is None:
                return None
            inside = path[depth]
        return chain, beside
    finally:
        free(name.data)


cdef xmlNode* _body_of(xmlNode* root) noexcept:
    cdef xmlNode* node = root.children if root.type == XML_ELEMENT_NODE else NULL
    while node != NULL:
        if (
            node.type == XML_ELEMENT_NODE
            and strcmp(<const char*> node.name, "body") == 0
            and (node.ns == NULL or node.ns.href == NULL)
        ):
            return node
        node = node.next
    return root


@cython.final
cdef class Around:
    """The places under a block, and those beside it and the blocks around it: `_PlacesAround`."""

    cdef list under
    cdef list beside

    def __init__(self, reading, block, Py_ssize_t most_beside):
        found = around(reading.root, block, most_beside)
        if found is None:
            self.under, self.beside = [], []
        else:
            chain, self.beside = found
            self.under = hashes_with_text(reading.under(block).recording, chain)

    def are_of(self, frozenset paths, Py_ssize_t least, double sure):
        """Whether most of these places are among the paths."""
        cdef Py_ssize_t known = 0, other = 0
        for place in self.under:
            if place in paths:
                known += 1
            else:
                other += 1
        for one, or_this, holds_text in self.beside:
            if one in paths or (or_this is not None and or_this in paths):
                known += 1
            elif holds_text:
                other += 1
        return known >= least and known > sure * (known + other)


cdef str _beside(
    xmlNode* around, xmlNode* inner, str chain, Tree tree, list beside, Buffer* name,
    Py_ssize_t most_beside
):
    """Look at the children of a block; gives the chain of the inner one, None for too many."""
    cdef int32_t counts[COUNTED]
    cdef int32_t number, other
    cdef xmlNode* node = around.children
    cdef Tag* tag
    cdef xmlAttr* one
    cdef Py_ssize_t id_size, class_size
    cdef unsigned char role
    cdef char mark
    cdef str step, found = None
    cdef dict known = tree.known_under(chain)
    memset(counts, 0, sizeof(counts))
    while node != NULL:
        tag = tag_of(node) if node.type == XML_ELEMENT_NODE else NULL
        if tag != NULL and tag.kind == BLOCK:
            name.size = 0
            mark = <char> tag.number
            add(name, &mark, 1)
            one = attribute(node, "id")
            id_size = 0 if one == NULL else add_value(name, node, one)
            add(name, "", 1)
            one = attribute(node, "class")
            class_size = 0 if one == NULL else add_value(name, node, one)
            step = tree.step(name.data, id_size, class_size)
            role = _roles[tag.number]
            # Of what depends on what is in the block, both are possible.
            number = other = NO_NUMBER
            if role & NUMBERED and step is <str> tags[tag.number]:
                counts[_counted[tag.number]] += 1
                number = counts[_counted[tag.number]]
                if not role & TABLE:
                    other = number
            elif role & LIST:
                other = LINKS
            if node == inner:
                found = _under(chain, _numbered(step, number))
            elif len(beside) >= most_beside:
                return None
            else:
                beside.append(
                    (
                        tree.hash_under(chain, known, tree.place(0, step, number)),
                        None if other == number else
                        tree.hash_under(chain, known, tree.place(0, step, other)),
                        _holds_text(node),
                    )
                )
        node = node.next
    return found


cdef bint _holds_text(xmlNode* root) noexcept nogil:
    """Whether there is text in an element that is not a script's."""
    cdef xmlNode* node = root
    cdef const char* text
    while True:
        if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
            text = <const char*> node.content
            if text != NULL and not _is_of_script(node.parent):
                while text[0] == c" " or text[0] == c"\t" or text[0] == c"\n" or text[0] == c"\r":
                    text += 1
                if text[0]:
                    return True
        elif node.type == XML_ELEMENT_NODE and node.children != NULL:
            node = node.children
            continue
        while node != root and node.next == NULL:
            node = node.parent
        if node == root:
            return False
        node = node.next


cdef bint _is_of_script(const xmlNode* node) noexcept nogil:
    cdef const char* name = <const char*> node.name
    return node.ns == NULL and (
        strcmp(name, "script") == 0 or strcmp(name, "style") == 0 or strcmp(name, "noscript") == 0
    )
