from lxml.includes.tree cimport xmlNode

cdef bint has_children(const xmlNode* node) noexcept nogil
cdef bint holds(const xmlNode* top, int most_paragraphs, bint or_main) noexcept nogil
cdef bint is_less_than_shown(const xmlNode* hidden, const xmlNode* top) noexcept nogil
