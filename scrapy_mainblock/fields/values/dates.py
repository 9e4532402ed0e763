"""Reading days out of texts: ISO, mail headers, and how people write days in some 40 languages.

By hand, since the libraries are made for one string that is known to be a date, and take as long
for it as a whole page takes here; python-dateutil knows English alone (see docs/fields.md).

A day is found by its shape (`day_shapes`), with numbers and a word between them; that the word is
a month is looked up in one table of all languages, since hardly any word is two different months.
Of 3/8/2014
the page's language and country tell which is the month; where neither number can be a month or both
may be and nothing tells, the day comes first, as in most countries.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta, timezone
from typing import NamedTuple

from scrapy_mainblock.fields.values.day_shapes import days_at
from scrapy_mainblock.fields.values.months import EARLIEST, LATEST
from scrapy_mainblock.page.remembered import remembered

LONGEST = 300
"""Characters that are looked at for days."""
MOST = 6
"""Days that are taken from one text."""


class Day(NamedTuple):
    """A day in a text, with what time of it is said."""

    day: str
    """As ``YYYY-MM-DD``."""
    time: str
    """As ``hh:mm:ss``; empty where none is said."""
    zone: int | None
    """Minutes that the time is before UTC's; None where that is not said."""
    start: int
    end: int
    """Where it stands in the text."""
    is_sure: bool = True
    """Whether day and month cannot be taken for each other."""

    def as_utc(self) -> str:
        """The contract's form: ``YYYY-MM-DDThh:mm:ssZ``.

        It stays on the day that the page says, which is what readers and archives know the page by:
        a time that would be of another day in UTC becomes the first or the last second of its own.
        """
        if not self.zone or not self.time:
            return f"{self.day}T{self.time or '00:00:00'}Z"
        there = datetime.fromisoformat(f"{self.day}T{self.time}")
        in_utc = (there - timedelta(minutes=self.zone)).isoformat()
        if in_utc[:10] == self.day:
            return f"{in_utc}Z"
        return f"{self.day}T{'23:59:59' if in_utc > self.day + 'T99' else '00:00:00'}Z"


MAY_HOLD = re.compile(r"\d{2}")
"""All shapes hold two digits next to each other, in whatever script: most lines do not."""
_TIME = re.compile(
    r"(?<![\d.])(?P<hour>[012]?\d)[:.h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
    r"(?:\s?(?P<half>[apAP])\.?\s?[mM]\b\.?)?"
    r"(?:\s?(?P<zone>Z\b|(?:UTC|GMT)?\s?[+-](?:0\d|1[0-4]):?[0-5]\d|UTC|GMT|[ECMP][SD]?T\b|CES?T\b))?"
)
_NEAR_TIME = 12
"""Characters between a day and its time."""
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
"""The digits of Arabic, Persian, Hindi, Bengali, Thai and full width."""
_OTHER_DIGIT = re.compile(f"[{''.join(map(chr, _DIGITS))}]")


_ISO = re.compile(
    r"((?:19|20)\d\d)-(\d\d)-(\d\d)"
    r"(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?"
    r"(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)?",
    re.ASCII,
)
"""How most days are written for machines."""


def first_day(text: str, *, month_first: bool = False) -> Day | None:
    """The first day in a value that is a date."""
    text = text[:LONGEST]
    whole = _ISO.fullmatch(text)
    if whole:
        year, month, day, hour, minute, second, zone = whole.groups()
        iso = _day(int(year), int(month), int(day))
        time = f"{hour}:{minute}:{second or '00'}" if hour else ""
        return Day(iso, time, _zone(zone), 0, 10) if iso else None
    stamp = _EPOCH.fullmatch(text)
    if stamp:
        moment = datetime.fromtimestamp(int(stamp[1]), timezone.utc)
        iso = _day(moment.year, moment.month, moment.day)
        return Day(iso, f"{moment:%H:%M:%S}", 0, 0, len(text)) if iso else None
    return next(iter(days_in(text, month_first=month_first)), None)


def days_in(text: str, *, month_first: bool = False) -> tuple[Day, ...]:
    """The days in a text; with `month_first` 3/8/2014 is the eighth of March."""
    text = text[:LONGEST]
    return _days_in(text, month_first) if MAY_HOLD.search(text) else ()


@remembered(most=512, longest=LONGEST, measure=lambda text, _: len(text))
def _days_in(text: str, month_first: bool) -> tuple[Day, ...]:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _OTHER_DIGIT.search(text):
            text = text.translate(_DIGITS)
    found: list[Day] = []
    for one in days_at(text, month_first, MOST):
        day = f"{one.year}-{one.month:02}-{one.day:02}"
        time, zone = _time_by(text, one.start, one.end)
        found.append(Day(day, time, zone, one.start, one.end, one.is_sure))
    return tuple(found)


def _day(year: int, month: int, day: int) -> str | None:
    if not EARLIEST <= year <= LATEST or not 1 <= month <= 12:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _time_by(text: str, start: int, end: int) -> tuple[str, int | None]:
    """The time of the day behind a day, or before it."""
    found = _TIME.search(text, end, end + 40)
    if found is None or found.start() > end + _NEAR_TIME:
        before = list(_TIME.finditer(text, max(start - 24, 0), start))
        inside = _TIME.search(text, start, end)
        found = before[-1] if before else inside if inside and inside["second"] else None
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
