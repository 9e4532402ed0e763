"""Finds the days in a text, by the shapes in which people write them.

    2014-03-08  2014/3/8  2014.3.8          a year, a month and a day, separated by the same sign
    2014年3月8日  2014년 3월 8일
    20140308  20140308T10  20140308101010
    8.3.2014  08/03/2014  8-3-14
    8 March 2014  8th of March, 2014  8. März 2014  8 de marzo de 2014  8-Mar-14
    March 8, 2014  Mar. 8th 2014
    2014 March 8
    Mar  8 10:11:12 UTC 2014

Each shape begins at a number, or at a month right before one, so that only these positions are
examined. tests/fields/test_shapes_of_days.py expresses the shapes as one regular expression, which
took four times as long.
"""

from __future__ import annotations

from typing import NamedTuple

from scrapy_mainblock.fields.values.months import EARLIEST, LATEST, MONTH_ENDS, MONTHS

BUDDHIST = 543
"""How many years the calendar of Thailand is ahead of ours."""
CENTURY = 60
"""Two-digit years from this one on belong to the last century."""
FAR = 31
"""Maximum number of characters between two numbers of a day: the longest suffix of a number,
``de``, a month in Thai, ``del``, and the separators between them."""
LONGEST_MONTH, MOST_SPACES = 16, 2
MARKED, BEHIND_MARKED = "\u0900", "\u0f00"
"""The range of the scripts, from India to Laos, whose months do not consist of letters alone."""
SUFFIXES = ("st", "nd", "rd", "th", "er", "ère", "º", "°", "ª", "ος", "-го", ".", "日")
"""Suffixes of a day's number; the first four are English, and also follow a day after its month."""
OF_MONTHS, OF_YEARS = ("de", "of", "d'"), ("de", "del", "di", "of")
"""Words between a day and its month, and between a month and its year."""
BEFORE_MONTHS, BEFORE_YEARS = " \t\n\r,/_-", " \t\n\r,/_'’-"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Found(NamedTuple):
    """A day, and its position in the text."""

    start: int
    end: int
    year: int
    month: int
    day: int
    is_sure: bool
    """Whether day and month cannot be confused."""


def days_at(text: str, month_first: bool, most: int) -> list[Found]:
    """Return the first days in a text; with `month_first`, 3/8/2014 is March 8."""
    return DayShapes(text, month_first).find(most)


class DayShapes:
    """A scanner of a text for days.

    A method that matches a shape returns whether the shape is there, and stores its day and its
    end.
    """

    def __init__(self, text: str, month_first: bool) -> None:
        self.text, self.size, self.month_first = text, len(text), month_first
        self.limit = self.end = self.year = self.month = self.day = 0
        self.is_sure = True

    def find(self, most: int) -> list[Found]:
        """Return the days from left to right; no day begins before the end of another."""
        found: list[Found] = []
        behind = start = 0
        while len(found) < most:
            start = self.next_number(start, self.size)
            if start == self.size:
                break
            last = self._end_of_near_numbers(start)
            self.limit = min(last + 1, self.size)
            while start < last and len(found) < most:
                end = self.end_of_number(start)
                begin = self._begin_of_day(start, end, behind)
                if begin >= 0:
                    shape = begin, self.end, self.year, self.month, self.day, self.is_sure
                    found.append(tuple.__new__(Found, shape))
                    behind = self.end
                start = self.next_number(end, last)
        return found

    # ---- numbers -------------------------------------------------------------------------------

    def next_number(self, at: int, end: int) -> int:
        """Return where the next number begins, or `end` if there is none before it."""
        while at < end and not is_digit(self.text[at]):
            at += 1
        return at

    def end_of_number(self, at: int) -> int:
        """Return where a number ends."""
        while at < self.size and is_digit(self.text[at]):
            at += 1
        return at

    def _end_of_near_numbers(self, start: int) -> int:
        """Return where the last number ends that may be of one day with the number at `start`."""
        end = self.end_of_number(start)
        while True:
            following = self.next_number(end, min(end + FAR + 1, self.size))
            if following == self.size or following > end + FAR:
                return end
            end = self.end_of_number(following)

    def value(self, start: int, end: int) -> int:
        """Return the value of some digits."""
        found = 0
        for at in range(start, end):
            found = 10 * found + ord(self.text[at]) - 0x30
        return found

    # ---- where a day begins --------------------------------------------------------------------

    def _begin_of_day(self, start: int, end: int, behind: int) -> int:
        """Return where the day begins whose first number is given, or -1 if there is no day.

        The day does not begin before `behind`.
        """
        length = end - start
        if length <= 2:
            month_end = start
            while month_end > behind and self.text[month_end - 1].isspace():
                month_end -= 1
            spaces = start - month_end
            if month_end > behind and self.text[month_end - 1] == ".":
                month_end -= 1
            if month_end > behind and self.is_of_month(self.text[month_end - 1]):
                begin = self._month_before(month_end, start, end, spaces, behind)
                if begin >= 0:
                    return begin
        if start < behind or not self._may_begin(start):
            return -1
        if length == 4:
            is_day = self._year_first(start, end)
        elif length == 8 or 12 <= length <= 14:
            is_day = self._in_one_number(start, end)
        else:
            is_day = length <= 2 and (self._of_numbers(start, end) or self._with_month(start, end))
        return start if is_day else -1

    def _may_begin(self, at: int) -> bool:
        """Return whether the character before a position allows a day to begin there."""
        return at == 0 or self.text[at - 1] not in "0123456789/.:-"

    def is_of_month(self, character: str) -> bool:
        """Return whether a character may be part of a month's name."""
        return character.isalpha() or MARKED <= character < BEHIND_MARKED

    def _month_before(self, month_end: int, start: int, end: int, spaces: int, behind: int) -> int:
        """Return where the month before a day begins, as in ``PostedMarch 5, 2014``, or -1."""
        first = max(month_end - LONGEST_MONTH, behind)
        month = self.text[first:month_end].lower()
        is_as_long = len(month) == month_end - first  # lowercasing may turn one letter into two
        if is_as_long and month[max(len(month) - 2, 0) :] not in MONTH_ENDS:
            return -1
        for begin in range(first, month_end - 1):
            name = month[begin - first :] if is_as_long else self.text[begin:month_end].lower()
            if name in MONTHS and self._may_begin(begin):
                self.month = MONTHS[name]
                self.day = self.value(start, end)
                if self._year_behind_day(end, spaces) or self._year_behind_time(begin, start, end):
                    return begin
        return -1

    # ---- the shapes ----------------------------------------------------------------------------

    def _year_first(self, start: int, end: int) -> bool:
        """Match ``2014-03-08``, ``2014年3月8日`` or ``2014 March 8``."""
        self.year = self.value(start, end)
        if self._with_signs(self.past_space(end)):
            return True
        if self.text[start : start + 2] not in ("19", "20"):
            return False
        return self._with_characters(self.past_space(end)) or self._with_month_between(end)

    def _with_signs(self, at: int) -> bool:
        """Match the month and the day after a year, with the same sign between them."""
        if at >= self.limit or self.text[at] not in "-/.":
            return False
        sign = self.text[at]
        month = self.past_space(at + 1)
        month_end = self.end_of_short(month)
        at = self.past_space(month_end)
        if month_end == month or not self.is_at(at, sign):
            return False
        day = self.past_space(at + 1)
        day_end = self.end_of_short(day)
        if day_end == day or self.is_digit_at(day_end):
            return False
        self.month, self.day = self.value(month, month_end), self.value(day, day_end)
        return self._ends(day_end, self.year, True)

    def _with_characters(self, at: int) -> bool:
        """Match the month and the day after a year, in Chinese, Japanese or Korean."""
        if at >= self.limit or self.text[at] not in "年년":
            return False
        month = self.past_space(at + 1)
        month_end = self.end_of_short(month)
        at = self.past_space(month_end)
        if month_end == month or at >= self.limit or self.text[at] not in "月월":
            return False
        day = self.past_space(at + 1)
        day_end = self.end_of_short(day)
        if day_end == day:
            return False
        self.month, self.day = self.value(month, month_end), self.value(day, day_end)
        return self._ends(day_end, self.year, True)

    def _with_month_between(self, at: int) -> bool:
        """Match the name of a month and the day after a year."""
        at += self.is_at(at, ".")
        at += self.is_at(at, ",")
        if not self.is_space_at(at) and not self.is_at(at, "-"):
            return False
        at = self._past_month(at + 1)
        if at < 0:
            return False
        at += self.is_at(at, ".")
        if not self.is_space_at(at) and not self.is_at(at, "-"):
            return False
        day_end = self.end_of_short(at + 1)
        if day_end == at + 1 or self.is_digit_at(day_end):
            return False
        self.day = self.value(at + 1, day_end)
        return self._ends(day_end, self.year, True)

    def _in_one_number(self, start: int, end: int) -> bool:
        """Match ``20140308``, with a time after it or without."""
        if self.text[start : start + 2] not in ("19", "20"):
            return False
        if end - start == 8:
            is_timed = self.is_at(end, "T") and self.is_digit_at(end + 1)
            if not is_timed and end < self.limit and self.is_word(self.text[end]):
                return False
        elif end < self.limit and self.is_word(self.text[end]):
            return False
        self.year, self.month = self.value(start, start + 4), self.value(start + 4, start + 6)
        self.day = self.value(start + 6, start + 8)
        return self._ends(start + 8, self.year, True)

    def _of_numbers(self, start: int, end: int) -> bool:
        """Match ``8.3.2014``.

        The day comes first, or, with `month_first` and a slash as the sign, the month.
        """
        at = self.past_space(end)
        if at >= self.limit or self.text[at] not in "-/.":
            return False
        sign = self.text[at]
        month = self.past_space(at + 1)
        month_end = self.end_of_short(month)
        at = self.past_space(month_end)
        if month_end == month or at >= self.limit or self.text[at] != sign:
            return False
        year = self.past_space(at + 1)
        year_end = self.end_of_year(year)
        if year_end < 0 or self.is_at(year_end, "/"):
            return False
        first, second = self.value(start, end), self.value(month, month_end)
        is_sure = first > 12 or second > 12 or first == second or sign == "."
        if year_end - year == 2 and not is_sure:
            return False
        if second > 12 or (self.month_first and sign == "/" and first <= 12):
            first, second = second, first
        self.day, self.month = first, second
        return self._ends(year_end, self.year_of(year, year_end), is_sure)

    def _with_month(self, start: int, end: int) -> bool:
        """Match ``8th of March, 2014``."""
        self.day = self.value(start, end)
        for suffix in SUFFIXES:
            if self.text.startswith(suffix, end, self.limit):
                if self._month_and_year(end + len(suffix)):
                    return True
                break
        return self._month_and_year(end)

    def _month_and_year(self, at: int) -> bool:
        signs = 0
        while signs < 2 and at < self.limit and self.is_among(self.text[at], BEFORE_MONTHS):
            at, signs = at + 1, signs + 1
        for word in OF_MONTHS:
            if self.text.startswith(word, at, self.limit):
                if self._year_behind_month(self._past_month(self.past_space(at + len(word)))):
                    return True
                break
        return self._year_behind_month(self._past_month(at))

    def _year_behind_month(self, at: int) -> bool:
        """Match the year after a month that ends at `at` (-1: there is no month)."""
        if at < 0:
            return False
        at += self.is_at(at, ".")
        behind_space = self.past_space(at)
        for word in OF_YEARS:
            if self.text.startswith(word, behind_space, self.limit):
                behind = behind_space + len(word)
                if self.is_space_at(behind) and self._is_year(behind + 1):
                    return True
        for _ in range(4):
            if self._is_year(at):
                return True
            if at >= self.limit or not self.is_among(self.text[at], BEFORE_YEARS):
                return False
            at += 1
        return False

    def _is_year(self, at: int) -> bool:
        """Match the year at `at`, which ends a day."""
        end = self.end_of_year(at)
        if end < 0:
            return False
        if end - at == 2 and end < self.limit:
            if not self.text[end].isspace() and self.text[end] != ",":
                return False
        return self._ends(end, self.year_of(at, end), True)

    def _year_behind_day(self, at: int, spaces: int) -> bool:
        """Match the year of ``March 8th, 2014``; the number of the day ends at `at`."""
        if spaces > MOST_SPACES:
            return False
        for suffix in SUFFIXES[:4]:
            if self.text.startswith(suffix, at, self.limit):
                at += 2
                break
        at += self.is_at(at, ".")
        if self.is_at(at, ",") or self.is_space_at(at):
            at += 1
        elif self.text.startswith("de", at, self.limit) or (
            self.text.startswith("of", at, self.limit) and self.text[at - 1] == "."
        ):
            if not self.is_space_at(at + 2):
                return False
            at += 3
        else:
            return False
        at = self.past_space(at)
        end = self.end_of_year(at)
        return end - at == 4 and self._ends(end, self.year_of(at, end), True)

    def _year_behind_time(self, begin: int, start: int, end: int) -> bool:
        """Match ``Mar  8 10:11:12 UTC 2014``."""
        text = self.text
        if end + 10 >= self.limit or not text[begin].isupper() or not text[start - 1].isspace():
            return False
        if not text[begin + 1 : begin + 3].islower() or not text[begin + 3].isspace():
            return False
        for place, sign in enumerate(" dd:dd:dd "):
            character = text[end + place]
            if sign == "d":
                if not is_digit(character):
                    return False
            elif character != sign and not (sign == " " and character.isspace()):
                return False
        at = end + 10
        zone = at
        while zone < self.limit and "A" <= text[zone] <= "Z":
            zone += 1
        if 3 <= zone - at <= 4 and self.is_space_at(zone):
            at = zone + 1
        year_end = self.end_of_year(at)
        return year_end - at == 4 and self._ends(year_end, self.year_of(at, year_end), True)

    # ---- parts of shapes -----------------------------------------------------------------------

    def _past_month(self, at: int) -> int:
        """Store the month whose name begins at `at`, and return where it ends, or -1."""
        text, end = self.text, at
        while end < self.limit and end - at < LONGEST_MONTH and self.is_letter(text[end]):
            end += 1
        if end - at < 2 and not self.is_marked_at(at):
            return -1
        if not self.is_marked_at(end) and not self.is_marked_at(at):
            self.month = MONTHS.get(text[at:end].lower(), 0)
            if self.month:
                return end
            for word in OF_YEARS:  # "8 marzode 2014"
                if text.endswith(word, at, end):
                    self.month = MONTHS.get(text[at : end - len(word)].lower(), 0)
                    if self.month:
                        return end - len(word)
            return -1
        end = min(at + LONGEST_MONTH, self.limit)
        while end > at:
            self.month = MONTHS.get(text[at:end].lower(), 0)
            if self.month:
                return end
            end -= 1
        return -1

    def past_space(self, at: int) -> int:
        """Return the position after a whitespace character, if there is one."""
        return at + 1 if self.is_space_at(at) else at

    def end_of_short(self, at: int) -> int:
        """Return where a number of one or two digits ends, or where it begins if there is none."""
        end = at
        while end < self.limit and end < at + 2 and is_digit(self.text[end]):
            end += 1
        return end

    def end_of_year(self, at: int) -> int:
        """Return where a number of two or four digits ends, or -1 for any other length."""
        end = at
        while end < self.limit and is_digit(self.text[end]):
            end += 1
        return end if end - at in (2, 4) else -1

    def year_of(self, start: int, end: int) -> int:
        """Return the year for two or four digits."""
        year = self.value(start, end)
        if end - start == 2:
            return 2000 + year if year < CENTURY else 1900 + year
        return year

    def _ends(self, end: int, year: int, is_sure: bool) -> bool:
        """Store the end and the year of a day, and return whether the day exists."""
        if EARLIEST + BUDDHIST <= year <= LATEST + BUDDHIST:
            year -= BUDDHIST
        if not EARLIEST <= year <= LATEST or not 1 <= self.month <= 12:
            return False
        days = _DAYS[self.month - 1]
        if self.month == 2 and year % 4 == 0 and (year % 100 or year % 400 == 0):
            days = 29
        self.end, self.year, self.is_sure = end, year, is_sure
        return 1 <= self.day <= days

    # ---- characters ----------------------------------------------------------------------------

    def is_at(self, at: int, character: str) -> bool:
        """Return whether a character stands at a position."""
        return at < self.limit and self.text[at] == character

    def is_space_at(self, at: int) -> bool:
        """Return whether whitespace stands at a position."""
        return at < self.limit and self.text[at].isspace()

    def is_digit_at(self, at: int) -> bool:
        """Return whether a digit stands at a position."""
        return at < self.limit and is_digit(self.text[at])

    def is_marked_at(self, at: int) -> bool:
        """Return whether a character of a `MARKED` script stands at a position."""
        return at < self.limit and MARKED <= self.text[at] < BEHIND_MARKED

    def is_among(self, character: str, signs: str) -> bool:
        """Return whether a character is one of some signs, or whitespace."""
        return character in signs or character.isspace()

    def is_letter(self, character: str) -> bool:
        """Return whether a character is a letter, or numeric without being a digit."""
        return character.isalpha() or (character.isalnum() and not character.isdecimal())

    def is_word(self, character: str) -> bool:
        """Return whether a character is part of a word."""
        return character.isalnum() or character == "_"


def may_hold_time(text: str) -> bool:
    """Return whether a text has a digit, a sign as between hours and minutes, and two digits."""
    for at in range(1, len(text) - 2):
        sign = text[at]
        if (sign == ":" or sign == "." or sign == "h") and text[at - 1].isdecimal():
            if text[at + 1].isdecimal() and text[at + 2].isdecimal():
                return True
    return False


def is_digit(character: str) -> bool:
    """Return whether a character is an ASCII digit."""
    return "0" <= character <= "9"
