"""Whether anything of a page may be hidden as `core.repair` has it: hardly ever, so asked first."""

from libc.string cimport strcmp

from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    xmlNode,
)

cetree.import_lxml__etree()


cdef inline bint is_named(const xmlNode* node, const char* name) noexcept nogil:
    return (
        node.type == XML_ELEMENT_NODE
        and node.ns is NULL
        and strcmp(<const char*> node.name, name) == 0
    )


cdef inline const xmlNode* behind(const xmlNode* node, const xmlNode* top) noexcept nogil:
    """The next node in document order within `top`; NULL behind the last."""
    if node.children is not NULL and node.type == XML_ELEMENT_NODE:
        return node.children
    while node is not top:
        if node.next is not NULL:
            return node.next
        node = node.parent
    return NULL


cdef bint has_children(const xmlNode* node) noexcept nogil:
    """`len()` of an element of lxml's."""
    cdef const xmlNode* child = node.children
    while child is not NULL:
        if (
            child.type == XML_ELEMENT_NODE
            or child.type == XML_COMMENT_NODE
            or child.type == XML_ENTITY_REF_NODE
            or child.type == XML_PI_NODE
        ):
            return True
        child = child.next
    return False


cdef bint holds(const xmlNode* top, int most_paragraphs, bint or_main) noexcept nogil:
    """Whether there are more paragraphs under an element, or what is said to be the content."""
    cdef const xmlNode* node = behind(top, top)
    cdef int paragraphs = 0
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE:
            if is_named(node, "p"):
                paragraphs += 1
                if paragraphs > most_paragraphs:
                    return True
            elif or_main and (is_named(node, "main") or is_named(node, "article")):
                return True
        node = behind(node, top)
    return False


cdef bint may(const xmlNode* top, int most, int in_button, int in_noscript) noexcept nogil:
    cdef const xmlNode* node = top
    cdef int buttons = 0, noscripts = 0
    while node is not NULL:
        if node.type == XML_ELEMENT_NODE:
            if node.name[0] == c"b" and is_named(node, "button"):
                if buttons < most and has_children(node):
                    buttons += 1
                    if holds(node, in_button, True):
                        return True
            elif node.name[0] == c"n" and is_named(node, "noscript"):
                if noscripts < most and holds(node, in_noscript, False):
                    return True
                noscripts += 1
        node = behind(node, top)
    return False


def may_hide(root not None, int most, int in_button, int in_noscript):
    """Whether one of the first `most` buttons holds more paragraphs than `in_button`, or a
    `<main>` or `<article>`; or one of the first elements for readers without scripts more than
    `in_noscript`."""
    cdef cetree._Element element = root
    return may(element._c_node, most, in_button, in_noscript)
