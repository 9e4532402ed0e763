"""Finding the block of a rule (`rules`), over libxml2's own nodes."""

from libc.stdint cimport int32_t, int64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport strlen, strstr
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

from scrapy_mainblock.core.native.walk cimport Tag, attribute, shown_chars, tag_of, tags

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


def with_words(cetree._Element root not None, str name, words, bint all_of_them):
    """The elements whose attribute has these words: with `all_of_them`, these and no others in
    this order; else these among others."""
    cdef bytes attribute_name = name.encode()
    cdef bytes longest = max(words, key=len, default="").encode("utf-8", "surrogatepass")
    cdef const char* wanted_name = attribute_name
    cdef const char* wanted = longest
    cdef xmlNode* top = root._c_node
    cdef xmlNode* node = top
    cdef xmlNode* value
    cdef xmlAttr* one
    found = []
    while node != NULL:
        one = attribute(node, wanted_name) if node.type == XML_ELEMENT_NODE else NULL
        if one != NULL:
            value = one.children
            if (
                value == NULL
                or value.next != NULL
                or value.type != XML_TEXT_NODE
                or value.content == NULL
                or strstr(<const char*> value.content, wanted) != NULL
            ):
                said = cetree.attributeValue(node, one).split()
                if said == words if all_of_them else set(words).issubset(said):
                    found.append(cetree.elementFactory(root._doc, node))
        node = _next(node, top)
    return found


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
