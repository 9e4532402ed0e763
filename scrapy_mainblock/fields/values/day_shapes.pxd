cimport cython

cdef int EARLIEST, LATEST, BUDDHIST, CENTURY, FAR, LONGEST_MONTH, MOST_SPACES
cdef Py_UCS4 MARKED, BEHIND_MARKED
cdef tuple SUFFIXES, OF_MONTHS, OF_YEARS, _DAYS
cdef str BEFORE_MONTHS, BEFORE_YEARS
cdef dict MONTHS
cdef object MONTH_ENDS

@cython.final
cdef class DayShapes:
    cdef str text
    cdef Py_ssize_t size, limit, end
    cdef int year, month, day
    cdef bint month_first, is_sure

    @cython.locals(
        found=list, behind=cython.Py_ssize_t, start=cython.Py_ssize_t, last=cython.Py_ssize_t,
        end=cython.Py_ssize_t, begin=cython.Py_ssize_t,
    )
    cpdef list find(self, Py_ssize_t most)
    cdef Py_ssize_t next_number(self, Py_ssize_t at, Py_ssize_t end) noexcept
    cdef Py_ssize_t end_of_number(self, Py_ssize_t at) noexcept
    @cython.locals(end=cython.Py_ssize_t, following=cython.Py_ssize_t)
    cdef Py_ssize_t _end_of_near_numbers(self, Py_ssize_t start) noexcept
    @cython.locals(found=cython.int, at=cython.Py_ssize_t)
    cdef int value(self, Py_ssize_t start, Py_ssize_t end) noexcept
    @cython.locals(
        length=cython.Py_ssize_t, month_end=cython.Py_ssize_t, spaces=cython.Py_ssize_t,
        begin=cython.Py_ssize_t, is_day=cython.bint,
    )
    cdef Py_ssize_t _begin_of_day(
        self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t behind
    ) except -2
    cdef bint _may_begin(self, Py_ssize_t at) except -1
    cdef bint is_of_month(self, Py_UCS4 character) noexcept
    @cython.locals(
        first=cython.Py_ssize_t, month=str, is_as_long=cython.bint, begin=cython.Py_ssize_t,
        name=str,
    )
    cdef Py_ssize_t _month_before(
        self, Py_ssize_t month_end, Py_ssize_t start, Py_ssize_t end, Py_ssize_t spaces,
        Py_ssize_t behind,
    ) except -2
    cdef bint _year_first(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(
        sign=cython.Py_UCS4, month=cython.Py_ssize_t, month_end=cython.Py_ssize_t,
        day=cython.Py_ssize_t, day_end=cython.Py_ssize_t,
    )
    cdef bint _with_signs(self, Py_ssize_t at) except -1
    @cython.locals(
        month=cython.Py_ssize_t, month_end=cython.Py_ssize_t, day=cython.Py_ssize_t,
        day_end=cython.Py_ssize_t,
    )
    cdef bint _with_characters(self, Py_ssize_t at) except -1
    @cython.locals(day_end=cython.Py_ssize_t)
    cdef bint _with_month_between(self, Py_ssize_t at) except -1
    @cython.locals(is_timed=cython.bint)
    cdef bint _in_one_number(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(
        at=cython.Py_ssize_t, sign=cython.Py_UCS4, month=cython.Py_ssize_t,
        month_end=cython.Py_ssize_t, year=cython.Py_ssize_t, year_end=cython.Py_ssize_t,
        first=cython.int, second=cython.int, is_sure=cython.bint,
    )
    cdef bint _of_numbers(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(suffix=str)
    cdef bint _with_month(self, Py_ssize_t start, Py_ssize_t end) except -1
    @cython.locals(signs=cython.int, word=str)
    cdef bint _month_and_year(self, Py_ssize_t at) except -1
    @cython.locals(behind_space=cython.Py_ssize_t, behind=cython.Py_ssize_t, word=str)
    cdef bint _year_behind_month(self, Py_ssize_t at) except -1
    @cython.locals(end=cython.Py_ssize_t)
    cdef bint _is_year(self, Py_ssize_t at) except -1
    @cython.locals(end=cython.Py_ssize_t, suffix=str)
    cdef bint _year_behind_day(self, Py_ssize_t at, Py_ssize_t spaces) except -1
    @cython.locals(
        text=str, place=cython.Py_ssize_t, sign=cython.Py_UCS4, character=cython.Py_UCS4,
        at=cython.Py_ssize_t, zone=cython.Py_ssize_t, year_end=cython.Py_ssize_t,
    )
    cdef bint _year_behind_time(
        self, Py_ssize_t begin, Py_ssize_t start, Py_ssize_t end
    ) except -1
    @cython.locals(text=str, end=cython.Py_ssize_t, word=str)
    cdef Py_ssize_t _past_month(self, Py_ssize_t at) except -2
    cdef Py_ssize_t past_space(self, Py_ssize_t at) noexcept
    @cython.locals(end=cython.Py_ssize_t)
    cdef Py_ssize_t end_of_short(self, Py_ssize_t at) noexcept
    @cython.locals(end=cython.Py_ssize_t)
    cdef Py_ssize_t end_of_year(self, Py_ssize_t at) noexcept
    @cython.locals(year=cython.int)
    cdef int year_of(self, Py_ssize_t start, Py_ssize_t end) noexcept
    @cython.locals(days=cython.int)
    cdef bint _ends(self, Py_ssize_t end, int year, bint is_sure) except -1
    cdef bint is_at(self, Py_ssize_t at, Py_UCS4 character) noexcept
    cdef bint is_space_at(self, Py_ssize_t at) noexcept
    cdef bint is_digit_at(self, Py_ssize_t at) noexcept
    cdef bint is_marked_at(self, Py_ssize_t at) noexcept
    cdef bint is_among(self, Py_UCS4 character, str signs) except -1
    cdef bint is_letter(self, Py_UCS4 character) noexcept
    cdef bint is_word(self, Py_UCS4 character) noexcept

cpdef list days_at(str text, bint month_first, Py_ssize_t most)
@cython.locals(at=cython.Py_ssize_t, sign=cython.Py_UCS4)
cpdef bint may_hold_time(str text) except -1
cdef bint is_digit(Py_UCS4 character) noexcept
