cimport cython

from scrapy_mainblock.fields.values.day_shapes cimport days_at, may_hold_time

cdef int MOST, _NEAR_TIME
cdef dict _ZONES, _DIGITS

@cython.locals(hour=cython.int)
cdef tuple _time_by(str text, int start, int end)
cdef _day(int year, int month, int day)
@cython.locals(minutes=cython.int)
cdef _zone(text)
