cimport cython

from scrapy_mainblock.outline.parts cimport Parts

cdef int LEAST_SENTENCE
cdef Parts _WORDS_AT_END
cdef frozenset _CREDENTIALS, _GENERIC, _LAST_OF_SAYS, _BEFORE_DAYS, _ARTICLES, _OTHER_WORDS
cdef dict _UNSEEN, _SIGNS

cpdef str _plain_name(str text)
cpdef str without_by(str text)
cdef _by(str text)
cpdef bint begins_like_byline(str text) except -1
@cython.locals(days=tuple, pieces=list)
cdef list _between_days(str text)
cdef str _without_preposition(str piece)
@cython.locals(found=list, part=str, name=str)
cpdef tuple _names_in(str text)
@cython.locals(lower=str)
cpdef _end_of_names(str text)
@cython.locals(names=list, people=list)
cdef list _beside_slashes(str part)
@cython.locals(words=list)
cdef bint _is_person(str name) except -1
@cython.locals(name=str)
cpdef str clean_name(str part)
