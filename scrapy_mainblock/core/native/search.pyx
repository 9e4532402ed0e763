"""Finding the block of a rule (`rules`), over libxml2's own nodes."""

from libc.stdint cimport int32_t, int64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport strcmp, strlen, strncmp
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)

from scrapy_mainblock.core.native.walk cimport Tag, shown_chars, tag_of, tags

from scrapy_mainblock.core.tags import INVISIBLE_TAGS

cetree.import_lxml__etree()

cdef unsigned char _is_invisible[256]


cdef void _fill():
    for number, tag in enumerate(tags):
        _is_invisible[<int> number] = tag in INVISIBLE_TAGS


_fill()


cdef inline xmlNode* _next(xmlNode* node, xmlNode* root) noexcept nogil:
    """The next node in the order of the document, NULL at the end of the root."""
    if node.type == XML_ELEMENT_NODE and node.children != NULL:
        return node.children
    return _behind(node, root)


cdef inline xmlNode* _behind(xmlNode* node, xmlNode* root) noexcept nogil:
    """The next one that is not in it."""
    while node != root and node.next == NULL:
        node = node.parent
    return NULL if node == root else node.next


cdef struct Question:
    const char* wanted     # the longest of the words
    Py_ssize_t size
    bint is_id


cdef bint _may_hold(const xmlAttr* one, const Question* question) noexcept nogil:
    """Whether a word may be in an attribute's value; of one in pieces nobody knows."""
    cdef const xmlNode* value = one.children
    cdef const char* at
    cdef char first = question.wanted[0]
    if value == NULL or value.next != NULL or value.type != XML_TEXT_NODE or value.content == NULL:
        return True
    if not question.size:
        return True
    at = <const char*> value.content
    while at[0]:
        if at[0] == first and strncmp(at, question.wanted, question.size) == 0:
            return True
        at += 1
    return False


def with_words(cetree._Element root not None, list asked not None):
    """For each question, an attribute's name and words, the elements that have them there.

    An id must be these words and no others, in this order; a class has them among others.
    """
    cdef Py_ssize_t n = len(asked), at
    cdef list longest = [
        max(words, key=len, default="").encode("utf-8", "surrogatepass") for _, words in asked
    ]
    cdef list found = [[] for _ in asked]
    cdef Question* questions = <Question*> malloc((n + 1) * sizeof(Question))
    cdef xmlNode* top = root._c_node
    cdef xmlNode* node = top
    cdef xmlAttr* one
    cdef bint is_id
    if questions == NULL:
        raise MemoryError
    try:
        for at in range(n):
            questions[at].wanted = <bytes> longest[at]
            questions[at].size = len(<bytes> longest[at])
            questions[at].is_id = asked[at][0] == "id"
        while node != NULL:
            one = <xmlAttr*> node.properties if node.type == XML_ELEMENT_NODE else NULL
            while one != NULL:
                is_id = strcmp(<const char*> one.name, "id") == 0
                if one.ns == NULL and (is_id or strcmp(<const char*> one.name, "class") == 0):
                    for at in range(n):
                        if questions[at].is_id == is_id and _may_hold(one, &questions[at]):
                            words = asked[at][1]
                            said = cetree.attributeValue(node, one).split()
                            if said == words if is_id else set(words).issubset(said):
                                (<list> found[at]).append(cetree.elementFactory(root._doc, node))
                one = one.next
            node = _next(node, top)
        return found
    finally:
        free(questions)


def at_path(cetree._Element root not None, steps not None):
    """The element that is found by steps of a tag and a number among its siblings of that tag."""
    cdef xmlNode* found = node_at(root._c_node, steps)
    return None if found == NULL else cetree.elementFactory(root._doc, found)


cdef xmlNode* node_at(xmlNode* node, steps) except? NULL:
    """The same as a node, NULL where there is none."""
    cdef int number
    cdef bytes tag
    cdef const char* name
    for tag, number in steps:
        name = tag
        node = node.children if node.type == XML_ELEMENT_NODE else NULL
        while node != NULL:
            if (
                node.type == XML_ELEMENT_NODE
                and (node.ns == NULL or node.ns.href == NULL)
                and strcmp(<const char*> node.name, name) == 0
            ):
                number -= 1
                if not number:
                    break
            node = node.next
        if node == NULL:
            return NULL
    return node


def with_most_text(cetree._Element root not None, list matches not None):
    """Of elements in the order of the document, the one with the most text, the first of equals.

    One inside of another is not asked: it has no more text than that.
    """
    cdef xmlNode* top = root._c_node
    cdef xmlNode* node = top
    cdef xmlNode* upper = NULL
    cdef xmlNode* best = NULL
    cdef int64_t text, most = -1
    cdef Py_ssize_t at = 0
    cdef cetree._Element match
    while node != NULL and at < len(matches):
        match = matches[at]
        if node == match._c_node:
            at += 1
            text = _text_length(node)
            if text > most:
                most, best = text, node
            upper = node
            # Those in it come next.
            while at < len(matches):
                match = matches[at]
                node = _next_until(node, match._c_node, upper)
                if node == NULL:
                    break
                at += 1
            node = _behind(upper, top)
        else:
            node = _next(node, top)
    return None if best == NULL else cetree.elementFactory(root._doc, best)


cdef xmlNode* _next_until(xmlNode* node, xmlNode* wanted, xmlNode* root) noexcept nogil:
    """A node behind another in the root, NULL where it is none of it."""
    while node != NULL and node != wanted:
        node = _next(node, root)
    return node


cdef int64_t _text_length(xmlNode* root) noexcept nogil:
    """`counts.count`'s `all_text`: characters that a reader sees, white space left out.

    What stands behind a comment, in a tree that holds any, does not count there.
    """
    cdef xmlNode* node = root
    cdef int64_t length = 0
    cdef bint counts = False
    cdef Tag* tag = tag_of(root)
    if tag != NULL and _is_invisible[tag.number]:
        return 0
    while True:
        if node.type == XML_ELEMENT_NODE:
            tag = tag_of(node)
            counts = True
            if node.children != NULL and not (tag != NULL and _is_invisible[tag.number]):
                node = node.children
                continue
        elif node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
            if counts and node.content != NULL:
                length += shown_chars(node.content, strlen(<const char*> node.content))
        elif node.type != XML_XINCLUDE_START and node.type != XML_XINCLUDE_END:
            counts = False
        while node != root and node.next == NULL:
            node = node.parent
            counts = True
        if node == root:
            return length
        node = node.next


def tags_around(cetree._Element element not None):
    """The tags of the elements around one, of those tags that mean something here."""
    cdef xmlNode* node = element._c_node.parent
    cdef Tag* tag
    cdef set found = set()
    while node != NULL and node.type == XML_ELEMENT_NODE:
        tag = tag_of(node)
        if tag != NULL:
            found.add(tags[tag.number])
        node = node.parent
    return found
