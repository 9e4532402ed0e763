"""Whether anything of a page may be hidden as `core.repair` has it: hardly ever, so asked first."""

from libc.string cimport strcmp

from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    XML_TEXT_NODE,
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


cdef bint is_less_than_shown(const xmlNode* hidden, const xmlNode* top) noexcept nogil:
    """Whether a page surely shows as much text as an element for readers without scripts holds."""
    cdef long long held = 0, shown = 0
    cdef const xmlNode* node = behind(hidden, hidden)
    cdef const xmlNode* body = top.children
    while node is not NULL:
        if is_text(node):
            held += characters(node.content, False)
        node = behind(node, hidden)
    while body is not NULL and not is_named(body, "body"):
        body = body.next
    if body is NULL:
        return False
    node = body
    while node is not NULL:
        if is_text(node):
            shown += characters(node.content, True)
            if shown >= held:
                return True
        if node.type == XML_ELEMENT_NODE and (
            is_named(node, "noscript") or is_named(node, "script") or is_named(node, "style")
            or is_named(node, "template") or is_named(node, "textarea")
        ):
            node = after(node, body)
        else:
            node = behind(node, body)
    return False


cdef inline bint is_text(const xmlNode* node) noexcept nogil:
    return (
        node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE
    ) and node.content is not NULL


cdef long long characters(const unsigned char* at, bint is_shown) noexcept nogil:
    """No more than there are, of a text that is shown; no fewer, of another.

    Of one that is shown, none is counted that may be white space (some that begin with these octets
    are). Of another, XML's white space counts for one, however much there is of it.
    """
    cdef long long count = 0
    cdef bint was_white = False
    cdef unsigned char one
    while at[0]:
        one = at[0]
        at += 1
        if is_shown:
            if one >= 0x80:
                count += one > 0xC2 and one != 0xE1 and one != 0xE2 and one != 0xE3
            else:
                count += one > 0x20
        elif one == 0x20 or one == 9 or one == 10 or one == 13:
            count += not was_white
            was_white = True
        else:
            count += (one & 0xC0) != 0x80
            was_white = False
    return count


cdef inline const xmlNode* after(const xmlNode* node, const xmlNode* top) noexcept nogil:
    """The next node that is not in it."""
    while node is not top:
        if node.next is not NULL:
            return node.next
        node = node.parent
    return NULL


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
                    if not is_less_than_shown(node, top):
                        return True
                noscripts += 1
        node = behind(node, top)
    return False


def may_hide(root not None, int most, int in_button, int in_noscript):
    """Whether one of the first `most` buttons holds more paragraphs than `in_button`, or a
    `<main>` or `<article>`; or one of the first elements for readers without scripts more than
    `in_noscript`, and maybe more text than the page shows."""
    cdef cetree._Element element = root
    return may(element._c_node, most, in_button, in_noscript)
