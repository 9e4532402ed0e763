"""Parses days in texts: ISO, mail headers, and the forms that people use in some 40 languages.

Written by hand: date libraries expect a single string that is known to be a date, and spend as long
on it as we spend on a whole page. python-dateutil knows only English (see docs/fields.md).

A day is found by its shape (`day_shapes`): numbers, with or without a word between them. Whether
the word is a month is looked up in one table for all languages, since hardly any word means two
different months. The language and country of the page decide which number of 3/8/2014 is the month.
If neither number can be a month, or if both can and nothing decides, the day comes first, as in
most countries.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta, timezone
from typing import NamedTuple, Protocol

from scrapy_mainblock.fields.values.day_shapes import Found, days_at, may_hold_time
from scrapy_mainblock.fields.values.months import EARLIEST, LATEST
from scrapy_mainblock.page.bounded_cache import bounded_cache

LONGEST = 300
"""How many characters are searched for days."""
MOST = 6
"""Maximum number of days that are taken from one text."""


class Day(NamedTuple):
    """A day in a text, with its time if the text has one."""

    day: str
    """As ``YYYY-MM-DD``."""
    time: str
    """As ``hh:mm:ss``; empty if the text has no time."""
    zone: int | None
    """Minutes that the time is ahead of UTC; None if the text does not say."""
    start: int
    end: int
    """The position in the text."""
    is_sure: bool = True
    """Whether day and month cannot be confused."""

    def as_utc(self) -> str:
        """Return the day as ``YYYY-MM-DDThh:mm:ssZ``, the format of an article's dates.

        The result stays on the page's own day, by which readers and archives know the page: a time
        that falls on another day in UTC becomes the first or the last second of the page's day.
        """
        if not self.zone or not self.time:
            return f"{self.day}T{self.time or '00:00:00'}Z"
        there = datetime.fromisoformat(f"{self.day}T{self.time}")
        in_utc = (there - timedelta(minutes=self.zone)).isoformat()
        if in_utc[:10] == self.day:
            return f"{in_utc}Z"
        return f"{self.day}T{'23:59:59' if in_utc > self.day + 'T99' else '00:00:00'}Z"


_new = tuple.__new__
"""Makes a named tuple in a third of the time that its constructor takes, which is not compiled."""
_OTHER = Day("", "", None, 0, 0)
"""Stands for a text that is not in machine-readable form."""
MAY_HOLD = re.compile(r"\d{2}")
"""All shapes contain two adjacent digits, in any script; most lines do not."""
_TIME = re.compile(
    r"(?<![\d.])(?P<hour>[012]?\d)[:.h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
    r"(?:\s?(?P<half>[apAP])\.?\s?[mM]\b\.?)?"
    r"(?:\s?(?P<zone>Z\b|(?:UTC|GMT)?\s?[+-](?:0\d|1[0-4]):?[0-5]\d|UTC|GMT|[ECMP][SD]?T\b|CES?T\b))?"
)
_NEAR_TIME = 12
"""Maximum number of characters between a day and its time."""
_ZONES = {
    "EST": -300, "EDT": -240, "ET": -300, "CST": -360, "CDT": -300, "CT": -360, "MST": -420,
    "MDT": -360, "MT": -420, "PST": -480, "PDT": -420, "PT": -480, "CET": 60, "CEST": 120,
    "Z": 0, "UTC": 0, "GMT": 0,
}  # fmt: skip
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_EPOCH = re.compile(r"\s*(1\d{9}|9\d{8})(\d{3})?(?:\.\d+)?\s*")
_DIGITS = {
    zero + value: 48 + value
    for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10)
    for value in range(10)
}
"""The digits of Arabic, Persian, Hindi, Bengali, Thai and full width, mapped to ASCII."""
_OTHER_DIGIT = re.compile(f"[{''.join(map(chr, _DIGITS))}]")


_ISO = re.compile(
    r"((?:19|20)\d\d)-(\d\d)-(\d\d)"
    r"(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?"
    r"(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?",
    re.ASCII,
)
"""The usual machine-readable form of a day."""


class Country(Protocol):
    """A page, or anything else that says how its country writes days."""

    @property
    def is_month_first(self) -> bool:
        """Whether 3/8/2014 means March 8."""


def first_day(text: str, *, month_first: bool = False) -> Day | None:
    """Return the first day in a value that is a date, or None."""
    text = text[:LONGEST]
    day = _whole(text)
    return next(iter(days_in(text, month_first=month_first)), None) if day is _OTHER else day


def first_day_on(text: str, page: Country) -> Day | None:
    """Return the first day in a value of a page that is a date, or None.

    The page is asked for its country only if that makes a difference.
    """
    text = text[:LONGEST]
    day = _whole(text)
    if day is not _OTHER:
        return day
    days = days_on(text, page)
    return days[0] if days else None


def _whole(text: str) -> Day | None:
    """Return the day that is a whole text in the usual machine-readable form, or as a number.

    Return None if there is no such day, and `_OTHER` for a text of any other form.
    """
    whole = _ISO.fullmatch(text)
    if whole:
        year, month, day, hour, minute, second, zone = whole.groups()
        iso = _day(int(year), int(month), int(day))
        time = f"{hour}:{minute}:{second or '00'}" if hour else ""
        return _new(Day, (iso, time, _zone(zone), 0, 10, True)) if iso else None
    stamp = _EPOCH.fullmatch(text)
    if stamp:
        moment = datetime.fromtimestamp(int(stamp[1]), timezone.utc)
        iso = _day(moment.year, moment.month, moment.day)
        return Day(iso, f"{moment:%H:%M:%S}", 0, 0, len(text)) if iso else None
    return _OTHER


def days_in(text: str, *, month_first: bool = False) -> tuple[Day, ...]:
    """Return the days in a text; with `month_first`, 3/8/2014 is March 8."""
    text = text[:LONGEST]
    if not MAY_HOLD.search(text):
        return ()
    found = _days_in(text, False)
    return _days_in(text, True) if month_first and not _are_sure(found) else found


def days_on(text: str, page: Country) -> tuple[Day, ...]:
    """Return the days in a text of a page, which is asked for its country only if needed."""
    text = text[:LONGEST]
    if not MAY_HOLD.search(text):
        return ()
    found = _days_in(text, False)
    return found if _are_sure(found) or not page.is_month_first else _days_in(text, True)


def _are_sure(days: tuple[Day, ...]) -> bool:
    """Return whether day and month cannot be confused; if the month is first, then in all days."""
    for one in days:
        if not one.is_sure:
            return False
    return True


@bounded_cache(most=512, longest=LONGEST, measure=lambda text, _: len(text))
def _days_in(text: str, month_first: bool) -> tuple[Day, ...]:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _OTHER_DIGIT.search(text):
            text = text.translate(_DIGITS)
    shapes = days_at(text, month_first, MOST)
    return tuple(_with_times(text, shapes)) if shapes else ()


def _with_times(text: str, shapes: list[Found]) -> list[Day]:
    """Return the days of some shapes, each with the time beside it."""
    found: list[Day] = []
    is_timed = may_hold_time(text)
    for start, end, year, month, day, is_sure in shapes:
        time, zone = _time_by(text, start, end) if is_timed else ("", None)
        iso = f"{year}-{month:02}-{day:02}"
        found.append(_new(Day, (iso, time, zone, start, end, is_sure)))
    return found


def _day(year: int, month: int, day: int) -> str | None:
    if not EARLIEST <= year <= LATEST or not 1 <= month <= 12:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _time_by(text: str, start: int, end: int) -> tuple[str, int | None]:
    """Return the time and the zone that stand after a day, before it, or within it."""
    found = _TIME.search(text, end, end + 40)
    if found is None or found.start() > end + _NEAR_TIME:
        before = list(_TIME.finditer(text, max(start - 24, 0), start)) if start else []
        # compiled code does not count from the end
        found = before[len(before) - 1] if before else _TIME.search(text, start, end)
        if found and not before and not found["second"]:
            found = None
    if found is None:
        return "", None
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] in "pP" else 0)
    if hour > 23:
        return "", None
    time = f"{hour:02}:{found['minute']}:{found['second'] or '00'}"
    return time, _zone(found["zone"])


def _zone(text: str | None) -> int | None:
    if not text:
        return None
    offset = _OFFSET.search(text)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3])
        return -minutes if offset[1] == "-" else minutes
    return _ZONES.get(text.strip().upper())
