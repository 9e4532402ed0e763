"""What a page says of its own kind, in one walk of its tree: `hints.words_of`."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport strcmp, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    xmlAttr,
    xmlNode,
)

cetree.import_lxml__etree()


class _NotLikeThat(Exception):
    """A tree that is not what a parser makes of a page."""


cdef str _decoded(const char* text):
    return PyUnicode_DecodeUTF8(text, strlen(text), "strict")


cdef const char* _value(xmlAttr* one) except NULL:
    cdef xmlNode* text = one.children
    if text == NULL:
        return b""
    if text.next != NULL or text.type != XML_TEXT_NODE:
        raise _NotLikeThat
    if text.content == NULL:
        return b""
    return <const char*>text.content


cdef const char* _attribute(xmlNode* node, const char* name) except? NULL:
    """An attribute's value, NULL where there is none."""
    cdef xmlAttr* one = node.properties
    while one != NULL:
        if one.ns == NULL and strcmp(<const char*>one.name, name) == 0:
            return _value(one)
        one = one.next
    return NULL


def words_of(cetree._Element root, wanted, Py_ssize_t most_metas, Py_ssize_t most_itemtypes):
    """`hints.words_of`; None where the element is not the one root of a tree as parsers make it."""
    cdef xmlNode* node = root._c_node
    cdef xmlNode* top = node
    cdef xmlNode* other
    cdef xmlAttr* one
    cdef const char* name
    cdef Py_ssize_t metas_seen = 0
    cdef dict metas = {}
    cdef list data = [], itemtypes = []
    if node == NULL or node.type != XML_ELEMENT_NODE or node.parent == NULL:
        return None
    if node.parent.type == XML_ELEMENT_NODE:
        return None
    other = node
    while other.prev != NULL:
        other = other.prev
    while other != NULL:
        if other.type == XML_ELEMENT_NODE and other != node:
            return None
        other = other.next
    try:
        while True:
            if node.type == XML_ELEMENT_NODE:
                one = node.properties
                while one != NULL:
                    name = <const char*>one.name
                    if (
                        name[0] == b"i" and one.ns == NULL and len(itemtypes) < most_itemtypes
                        and strcmp(name, b"itemtype") == 0
                    ):
                        itemtypes.append(_decoded(_value(one)))
                    one = one.next
                if node.ns == NULL:
                    name = <const char*>node.name
                    if name[0] == b"m" and strcmp(name, b"meta") == 0:
                        if metas_seen < most_metas:
                            _read_meta(node, wanted, metas)
                        metas_seen += 1
                    elif name[0] == b"s" and strcmp(name, b"script") == 0:
                        _read_script(node, data)
                if node.children != NULL:
                    node = node.children
                    continue
            while node != top and node.next == NULL:
                node = node.parent
            if node == top:
                break
            node = node.next
    except _NotLikeThat:
        return None
    return metas, "".join(data), itemtypes


cdef _read_meta(xmlNode* node, wanted, dict metas):
    cdef const char* name = _attribute(node, b"property")
    cdef const char* said
    if name == NULL or name[0] == 0:
        name = _attribute(node, b"name")
    if name == NULL:
        return
    read = _decoded(name)
    if read in wanted and read not in metas:
        said = _attribute(node, b"content")
        metas[read] = "" if said == NULL else _decoded(said)


cdef _read_script(xmlNode* node, list data):
    cdef const char* kind = _attribute(node, b"type")
    if kind == NULL or strcmp(kind, b"application/ld+json"):
        return
    cdef xmlNode* child = node.children
    while child != NULL:
        if child.type in (XML_TEXT_NODE, XML_CDATA_SECTION_NODE) and child.content != NULL:
            data.append(_decoded(<const char*>child.content))
        child = child.next
