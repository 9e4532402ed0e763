"""`places.chains`, and what a rule says of places, from what a walk wrote down (`walk`).

Many blocks of a page stand at the same place. So each place of a page has a number here, and what
is asked of its chain is asked once.
"""

from sys import intern

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport strcmp

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
    MOST_STEPS = 20_000  # remembered
    COUNTED = 16         # tags that are told from each other by position, at most

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
    assert len(in_python.NUMBERED_TAGS) <= COUNTED
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


# --- steps --------------------------------------------------------------------------------------

cdef dict _steps = {}  # interned, so that one step is one object


cdef str _step(const char* name, Py_ssize_t id_size, Py_ssize_t class_size, list held):
    """A block's step by its name (`places.named_step`), remembered where it is short.

    `name` is an octet for the tag, the id, a NUL and the class. What is not remembered is `held`,
    so that its address stays its own.
    """
    cdef Py_ssize_t size = id_size + 1 + class_size
    cdef PyObject* known
    cdef str tag = <str> tags[<unsigned char> name[0]]
    if size == 1:
        return tag
    key = PyBytes_FromStringAndSize(name, size + 1)
    known = PyDict_GetItem(_steps, key)
    if known != NULL:
        return <str> known
    step = intern(
        in_python.named_step(
            tag, name[1:id_size + 1].decode("utf-8"), name[id_size + 2:size + 1].decode("utf-8")
        )
    )
    if size <= LONGEST_CHAIN:
        _steps[key] = step
    else:
        held.append(step)
    return step


# --- chains -------------------------------------------------------------------------------------

cdef enum:
    NO_NUMBER = 0
    LINKS = -1

cdef struct Child:
    # A place under another one.
    uintptr_t step        # an address; 0 where there is none
    int32_t above
    int32_t number        # behind the step: one from 1 up, NO_NUMBER, or LINKS
    int32_t place


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


cdef int _find(Recording page) except -1:
    """Find the places of all blocks, once."""
    if page.chains is not None:
        return 0
    cdef Py_ssize_t n = page.n_blocks
    cdef Py_ssize_t room = 64
    while room < 2 * n:
        room *= 2
    cdef int32_t* chain_of = <int32_t*> malloc((n + 1) * sizeof(int32_t))
    cdef Child* children = <Child*> calloc(room, sizeof(Child))
    cdef int32_t* depths = <int32_t*> malloc((n + 1) * sizeof(int32_t))
    cdef unsigned char* in_data = <unsigned char*> calloc(n + 1, 1)
    cdef int32_t* counts = <int32_t*> calloc(n + 1, COUNTED * sizeof(int32_t))
    try:
        if not (chain_of and children and depths and in_data and counts):
            raise MemoryError
        sums = _Sums(page)
        _mark_data(page, sums, in_data)
        chains = _find_all(page, sums, chain_of, children, room - 1, depths, in_data, counts)
        page.chain_of, chain_of = chain_of, NULL
        page.chains = chains
    finally:
        free(chain_of)
        free(children)
        free(depths)
        free(in_data)
        free(counts)
    return 0


cdef list _find_all(
    Recording page,
    _Sums sums,
    int32_t* chain_of,
    Child* children,
    Py_ssize_t mask,
    int32_t* depths,
    const unsigned char* in_data,
    int32_t* counts,
):
    cdef list chains = [ROOT]
    cdef dict numbers = {ROOT: 0}
    cdef list held = []
    cdef BlockRow* row
    cdef Py_ssize_t place
    cdef int32_t above, number
    cdef int32_t* count
    cdef unsigned char role
    cdef str step
    if len(_steps) >= MOST_STEPS:
        _steps.clear()
    for place in range(page.n_blocks):
        row = &page.blocks[place]
        if row.parent < 0:
            chain_of[place] = depths[place] = 0
            continue
        above = chain_of[row.parent]
        depths[place] = depths[row.parent] + 1
        role = _role(row)
        if depths[place] > DEEPEST or (in_data[place] and not role & TABLE):
            chain_of[place] = above
            continue
        step = _step(page.text.data + row.name - 1, row.id_size, row.class_size, held)
        number = NO_NUMBER
        if role & NUMBERED and not in_data[place] and step is <str> tags[row.tag]:
            count = &counts[COUNTED * row.parent + _counted[row.tag]]
            count[0] += 1
            number = count[0]
        elif role & LIST:
            if (
                sums.linked[row.end] - sums.linked[row.first]
                > MOSTLY * (sums.shown[row.end] - sums.shown[row.first])
            ):
                number = LINKS
        chain_of[place] = _place_of(chains, numbers, children, mask, above, step, number)
    return chains


cdef int32_t _place_of(
    list chains,
    dict numbers,
    Child* children,
    Py_ssize_t mask,
    int32_t above,
    str step,
    int32_t number,
) except -1:
    """The number of the place under another one by a step."""
    cdef uintptr_t address = <uintptr_t> <PyObject*> step
    cdef Py_ssize_t slot = (
        (address >> 4) * 0x9E3779B1U + <uintptr_t> above * 0x85EBCA6BU + <uintptr_t> number * 31
    ) & mask
    cdef Child* child
    cdef str chain, around
    while True:
        child = &children[slot]
        if child.step == 0:
            break
        if child.step == address and child.above == above and child.number == number:
            return child.place
        slot = (slot + 1) & mask
    if number == LINKS:
        step = step + OF_LINKS
    elif number:
        step = f"{step}[{number}]"
    around = chains[above]
    chain = around + UNDER + step if around else step
    child.step = address
    child.above = above
    child.number = number
    if len(chain) > LONGEST_CHAIN:
        child.place = above
    else:
        child.place = numbers.setdefault(chain, len(chains))
        if child.place == len(chains):
            chains.append(chain)
    return child.place


def of_blocks(Recording page not None):
    """The chain of each block."""
    cdef Py_ssize_t place
    _find(page)
    return [page.chains[page.chain_of[place]] for place in range(page.n_blocks)]


def with_text(Recording page not None):
    """The different chains of the blocks that hold text."""
    cdef Py_ssize_t place
    cdef unsigned char* held
    _find(page)
    held = <unsigned char*> calloc(len(page.chains), 1)
    if held == NULL:
        raise MemoryError
    try:
        for place in range(page.n_blocks):
            if page.blocks[place].end > page.blocks[place].first:
                held[page.chain_of[place]] = 1
        return [chain for place, chain in enumerate(page.chains) if held[place]]
    finally:
        free(held)


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
    cdef Py_ssize_t place, block, chain
    cdef unsigned char said
    cdef unsigned char* by_chain
    cdef bint is_kept
    cdef list result = []
    cdef list unsure = []
    _find(page)
    by_chain = <unsigned char*> calloc(len(page.chains), 1)
    if by_chain == NULL:
        raise MemoryError
    try:
        _ask(page, drop, keep, known, by_chain)
        for place in range(page.n_segments):
            said = by_chain[page.chain_of[page.segments[place].block]]
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
        free(by_chain)


cdef int _ask(
    Recording page, frozenset drop, frozenset keep, frozenset known, unsigned char* by_chain
) except -1:
    """What a rule says of each place. One is found before those under it."""
    cdef Py_ssize_t block
    cdef int32_t chain, above
    cdef unsigned char said
    cdef str name, last, own
    cdef bint is_asked
    cdef unsigned char* asked = <unsigned char*> calloc(len(page.chains), 1)
    if asked == NULL:
        raise MemoryError
    try:
        for block in range(page.n_blocks):
            chain = page.chain_of[block]
            if asked[chain]:
                continue
            asked[chain] = 1
            above = page.chain_of[page.blocks[block].parent] if block else -1
            said = by_chain[above] & (DROPPED | INSIDE) if block else 0
            name = page.chains[chain]
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
            by_chain[chain] = said
    finally:
        free(asked)
    return 0


# --- around a block -----------------------------------------------------------------------------

def around(cetree._Element body not None, cetree._Element block not None, int most_beside):
    """The chain of a block, and what stands beside it and the blocks around it.

    Of each of these blocks: its chain, the other one that it may have or None, and whether there
    is text in it. None where the block is not that simply in the body, or it would take too long.
    """
    cdef xmlNode* path[64]
    cdef int depth = 0
    cdef xmlNode* node = block._c_node
    cdef xmlNode* inside = body._c_node
    cdef Tag* tag
    cdef str chain = ROOT
    cdef list beside = []
    cdef list held = []
    cdef Buffer name
    if DEEPEST > 64:
        raise ValueError("too deep")
    while node != inside:
        if node == NULL or node.type != XML_ELEMENT_NODE or depth >= DEEPEST:
            return None
        tag = tag_of(node)
        if tag == NULL or tag.kind != BLOCK and tag.kind != BREAK_KIND:
            return None
        path[depth] = node
        depth += 1
        node = node.parent
    if len(_steps) >= MOST_STEPS:
        _steps.clear()
    name.data = NULL
    name.size = name.room = 0
    try:
        while depth:
            depth -= 1
            chain = _beside(inside, path[depth], chain, beside, held, &name, most_beside)
            if chain is None:
                return None
            inside = path[depth]
        return chain, beside
    finally:
        free(name.data)


cdef str _beside(
    xmlNode* around, xmlNode* inner, str chain, list beside, list held, Buffer* name,
    Py_ssize_t most_beside
):
    """Look at the children of a block; gives the chain of the inner one, None for too many."""
    cdef int32_t counts[COUNTED]
    cdef int at
    cdef xmlNode* node = around.children
    cdef Tag* tag
    cdef xmlAttr* one
    cdef Py_ssize_t id_size, class_size
    cdef unsigned char role
    cdef char mark
    cdef str step, other, found = None
    for at in range(COUNTED):
        counts[at] = 0
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
            step = _step(name.data, id_size, class_size, held)
            other = None
            role = _roles[tag.number]
            if role & NUMBERED and step is <str> tags[tag.number]:
                counts[_counted[tag.number]] += 1
                if role & TABLE:
                    other = step
                step = f"{step}[{counts[_counted[tag.number]]}]"
            elif role & LIST:
                other = step + OF_LINKS
            if node == inner:
                found = _under(chain, step)
            elif len(beside) >= most_beside:
                return None
            else:
                beside.append(
                    (
                        _under(chain, step),
                        None if other is None else _under(chain, other),
                        _holds_text(node),
                    )
                )
        node = node.next
    return found


cdef inline str _under(str chain, str step):
    return chain + UNDER + step if chain else step


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
