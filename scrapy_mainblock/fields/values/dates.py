"""Reading days out of texts: ISO, mail headers, and how people write days in some 40 languages.

By hand, since the libraries are made for one string that is known to be a date, and take as long
for it as a whole page takes here; python-dateutil knows English alone (see docs/fields.md).

A day is found by its shape, with numbers and a word between them; that the word is a month is
looked up in one table of all languages, since hardly any word is two different months. Of 3/8/2014
the page's language and country tell which is the month; where neither number can be a month or both
may be and nothing tells, the day comes first, as in most countries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from typing import NamedTuple

from scrapy_mainblock.fields.values.months import MONTHS
from scrapy_mainblock.page.remembered import remembered

EARLIEST, LATEST = 1990, 2100
"""Years of pages; others are something else."""
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


_WORD = (
    r"[^\W\d_][^\W\d_.ก-๙]{1,14}|[ก-๙]{1,4}\.?[ก-๙]{0,12}"
    r"|[^\W\d_](?:[^\W\d_]|[\u0900-\u09ff]){1,14}"
)
_SHAPES = re.compile(
    rf"""
    (?<![\d/.:-])(?:
      (?P<y1>\d{{4}})\s?(?P<s1>[-/.])\s?(?P<m1>\d{{1,2}})\s?(?P=s1)\s?(?P<d1>\d{{1,2}})(?!\d)
    | (?P<y2>(?:19|20)\d\d)\s?[年년]\s?(?P<m2>\d{{1,2}})\s?[月월]\s?(?P<d2>\d{{1,2}})
    | (?P<y3>(?:19|20)\d\d)(?P<m3>[01]\d)(?P<d3>[0-3]\d)(?=T\d|\d{{4,6}}\b|\b)
    | (?P<d4>\d{{1,2}})\s?(?P<s4>[-/.])\s?(?P<m4>\d{{1,2}})\s?(?P=s4)\s?
      (?P<y4>\d{{4}}|\d\d)(?![\d/])
    | (?P<d5>\d{{1,2}})(?:st|nd|rd|th|er|ère|º|°|ª|ος|-го|\.|日)?[\s,/_-]{{0,2}}
      (?:(?:de|of|d')\s?)?(?P<m5>{_WORD})\.?(?:\s?(?:de|del|di|of)\s|[\s,/_'’-]{{0,3}})
      (?P<y5>\d{{4}}|\d\d(?=\s|$|,))(?!\d)
    | (?P<m6>{_WORD})\.?\s{{0,2}}(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\.?
      (?:,|\s|\bde\b|\bof\b|de\s)\s?(?P<y6>\d{{4}})(?!\d)
    | (?P<y7>(?:19|20)\d\d)\.?,?[\s-](?P<m7>{_WORD})\.?[\s-](?P<d7>\d{{1,2}})(?!\d)
    | (?P<m8>[A-Z][a-z]{{2}})\s+(?P<d8>\d{{1,2}})\s\d\d:\d\d:\d\d\s(?:[A-Z]{{3,4}}\s)?
      (?P<y8>\d{{4}})(?!\d)
    )""",
    re.VERBOSE,
)
MAY_HOLD = re.compile(r"\d{2}")
"""All shapes hold two digits next to each other, in whatever script: most lines do not."""
_FAR = 31
"""Characters between two numbers of a day at most: the eleventh shape of a number, ``de``, a month
in Thai, ``del``, and what is put between them."""
_NUMBERS = re.compile(rf"\d+(?:\D{{1,{_FAR}}}\d+)+|\d{{8,}}")
"""Numbers that may be of one day: near each other, or a day in one."""
_NUMBER = re.compile(r"\d+")
_LONGEST_MONTH = 16
"""Characters of a word in a shape: ``_WORD``."""
_BEFORE_DIGITS = 20
"""Characters of a shape before the space before its first digit: a word, and a full stop."""
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
_BUDDHIST = 543
_DIGITS = {
    zero + value: 48 + value
    for zero in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10)
    for value in range(10)
}
"""The digits of Arabic, Persian, Hindi, Bengali, Thai and full width."""
_MARKED = re.compile("[\u0130\u0900-\u0eff]")
"""Scripts whose months are not of letters alone, from India to Laos, and the letter that becomes
two in small letters."""
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
    iso = _ISO.fullmatch(text)
    if iso:
        year, month, day, hour, minute, second, zone = iso.groups()
        said = _day(int(year), int(month), int(day))
        time = f"{hour}:{minute}:{second or '00'}" if hour else ""
        return Day(said, time, _zone(zone), 0, 10) if said else None
    stamp = _EPOCH.fullmatch(text)
    if stamp:
        moment = datetime.fromtimestamp(int(stamp[1]), timezone.utc)
        said = _day(moment.year, moment.month, moment.day)
        return Day(said, f"{moment:%H:%M:%S}", 0, 0, len(text)) if said else None
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
    for shape in _shapes(text) if _MARKED.search(text) else _shapes_of_letters(text):
        read = _read(shape, month_first=month_first)
        if read:
            day, is_sure = read
            time, zone = _time_by(text, shape.start(), shape.end())
            found.append(Day(day, time, zone, shape.start(), shape.end(), is_sure))
            if len(found) == MOST:
                break
    return tuple(found)


def _shapes(text: str) -> Iterator[re.Match[str]]:
    """What has the shape of a day; behind one that is none, another may begin in it.

    Shapes begin shortly before a digit, end with one, and look one character ahead: the rest of the
    text is not searched, since that takes longest where there are words alone.
    """
    at = looks = 0
    for numbers in _NUMBERS.finditer(text):
        before = text[: numbers.start()].rstrip()
        at, end = max(len(before) - _BEFORE_DIGITS, at), numbers.end() + 1
        while looks < 20 * MOST and (shape := _SHAPES.search(text, at, end)):
            looks += 1
            yield shape
            at = shape.end() if _read(shape) else shape.start() + 1


def _shapes_of_letters(text: str) -> Iterator[re.Match[str]]:
    """The same of a text that is not `_MARKED`, but for shapes with a word that is no month.

    They are tried only where one may begin, which takes a third of the time of a search.
    """
    at = 0
    for numbers in _NUMBERS.finditer(text):
        for number in _NUMBER.finditer(text, numbers.start(), numbers.end()):
            for begin in (*_months_before(text, number.start()), number.start()):
                shape = _SHAPES.match(text, begin, numbers.end() + 1) if begin >= at else None
                if shape:
                    yield shape
                    at = shape.end() if _read(shape) else at


def _months_before(text: str, at: int) -> Iterator[int]:
    """Where the months begin that end right before a number: ``PostedMarch 5`` holds one."""
    before = text[:at].rstrip()
    end = len(before) - before.endswith(".")
    if end and text[end - 1].isalpha():
        first = max(end - _LONGEST_MONTH, 0)
        month = text[first:end].lower()
        for skipped in range(len(month) - 1):
            if month[skipped:] in MONTHS:
                yield first + skipped


def _read(shape: re.Match[str], *, month_first: bool = False) -> tuple[str, bool] | None:
    """The day of a shape, and whether day and month are told apart."""
    kind = (shape.lastgroup or " ")[1]
    year, month, day = shape[f"y{kind}"], shape[f"m{kind}"], shape[f"d{kind}"]
    is_sure = True
    is_word = kind in "5678"
    number = MONTHS.get(month.lower().rstrip("."), 0) if is_word else int(month)
    first = int(day)
    if kind == "4":
        is_sure = first > 12 or number > 12 or first == number or shape["s4"] == "."
        if number > 12 or (month_first and shape["s4"] == "/" and first <= 12):
            first, number = number, first
        if len(year) == 2 and shape["s4"] != "." and not is_sure:
            return None
    said = _day(_year(year), number, first)
    return (said, is_sure) if said else None


def _year(text: str) -> int:
    year = int(text)
    if len(text) == 2:
        return 2000 + year if year < 60 else 1900 + year
    return year - _BUDDHIST if EARLIEST + _BUDDHIST <= year <= LATEST + _BUDDHIST else year


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
