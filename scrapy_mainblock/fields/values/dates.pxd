cimport cython

from scrapy_mainblock.fields.values.day_shapes cimport days_at, may_hold_time

cdef int MOST, _NEAR_TIME
cdef dict _ZONES, _DIGITS

@cython.locals(
    found=list, is_timed=cython.bint, start=cython.int, end=cython.int, year=cython.int,
    month=cython.int, day=cython.int,
)
cdef list _with_times(str text, list shapes)
@cython.locals(hour=cython.int, before=list)
cdef tuple _time_by(str text, int start, int end)
cpdef first_day_on(str text, page)
cdef _whole(str text)
cpdef tuple days_on(str text, page)
cdef bint _are_sure(tuple days) except -1
cpdef _day(int year, int month, int day)
@cython.locals(minutes=cython.int)
cdef _zone(text)
