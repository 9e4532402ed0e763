from lxml.includes.tree cimport xmlNode

cdef xmlNode* node_at(xmlNode* node, steps) except? NULL
