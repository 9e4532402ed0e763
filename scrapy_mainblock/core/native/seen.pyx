"""What learning keeps of a page: `places.places_seen` and `paths.path_of`."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport calloc, free
from libc.string cimport strcmp, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlNode

cetree.import_lxml__etree()


def places_seen(
    list texts, list block_of, list link_chars, chain_of, probability, Py_ssize_t headline,
    Py_ssize_t longest, make,
):
    """`places.places_seen`: `make` puts one together, of lines no longer than `longest`."""
    cdef Py_ssize_t n = len(texts), m = len(chain_of), one, block, group, length
    cdef const double[::1] likely = probability
    cdef dict groups = {}
    cdef list lines = []
    cdef dict of_group
    cdef str text
    if not len(block_of) == len(link_chars) == likely.shape[0] == n:
        raise ValueError("segments of different lengths")
    cdef int* group_of = <int*>calloc(m + 1, sizeof(int))  # of a block, plus 1
    cdef Py_ssize_t* lengths = <Py_ssize_t*>calloc(n + 1, sizeof(Py_ssize_t))
    cdef double* sums = <double*>calloc(n + 1, sizeof(double))
    cdef Py_ssize_t* counts = <Py_ssize_t*>calloc(n + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t* places = <Py_ssize_t*>calloc(n + 1, sizeof(Py_ssize_t))  # their sum
    cdef Py_ssize_t* linked = <Py_ssize_t*>calloc(n + 1, sizeof(Py_ssize_t))
    try:
        if not (group_of and lengths and sums and counts and places and linked):
            raise MemoryError
        for one in range(n):
            block = block_of[one]
            if not 0 <= block < m:
                raise ValueError("a segment in no block")
            if not group_of[block]:
                chain = chain_of[block]
                number = groups.get(chain)
                if number is None:
                    number = groups[chain] = len(lines)
                    lines.append({})
                group_of[block] = <int>number + 1
            group = group_of[block] - 1
            text = texts[one]
            length = len(text)
            sums[group] += likely[one] * length
            lengths[group] += length
            counts[group] += 1
            places[group] += one
            linked[group] += <Py_ssize_t>link_chars[one]
            of_group = lines[group]
            of_group[text if length <= longest else text[:longest]] = None
        return {
            chain: make(
                sums[group] / lengths[group],
                lengths[group],
                tuple(lines[group]),
                (places[group] - headline * counts[group]) / <double>(counts[group] * n),
                linked[group],
            )
            for group, chain in enumerate(groups)
        }
    finally:
        free(group_of)
        free(lengths)
        free(sums)
        free(counts)
        free(places)
        free(linked)


def path_of(cetree._Element element):
    """`paths.path_of`; None where a tag is in a namespace or no tag."""
    cdef xmlNode* node = element._c_node
    cdef xmlNode* before
    cdef Py_ssize_t number, size
    cdef list steps = []
    if node == NULL:
        return None
    while node.parent != NULL and node.parent.type == XML_ELEMENT_NODE:
        if node.type != XML_ELEMENT_NODE or node.ns != NULL:
            return None
        number = 1
        before = node.prev
        while before != NULL:
            if before.type == XML_ELEMENT_NODE and (
                before.name == node.name
                or strcmp(<const char*>before.name, <const char*>node.name) == 0
            ):
                if before.ns != NULL:
                    return None
                number += 1
            before = before.prev
        size = strlen(<const char*>node.name)
        tag = PyUnicode_DecodeUTF8(<const char*>node.name, size, "strict")
        last = tag[len(tag) - 1]
        steps.append(f"{tag}.{number}" if last == "." or last.isdecimal() else f"{tag}{number}")
        node = node.parent
    steps.reverse()
    return "/".join(steps)
