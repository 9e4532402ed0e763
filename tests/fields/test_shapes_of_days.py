"""Dates found by the hand-written scan equal those found by a regular expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainblock.fields.values import dates
from scrapy_mainblock.fields.values.day_shapes import days_at
from scrapy_mainblock.fields.values.months import EARLIEST, LATEST, MONTHS

WORD = (
    r"[^\W\d_][^\W\d_.ก-๙]{1,14}|[ก-๙]{1,4}\.?[ก-๙]{0,12}"
    r"|[^\W\d_](?:[^\W\d_]|[\u0900-\u09ff]){1,14}"
)
SHAPES = re.compile(
    rf"""
    (?<![\d/.:-])(?:
      (?P<y1>\d{{4}})\s?(?P<s1>[-/.])\s?(?P<m1>\d{{1,2}})\s?(?P=s1)\s?(?P<d1>\d{{1,2}})(?!\d)
    | (?P<y2>(?:19|20)\d\d)\s?[年년]\s?(?P<m2>\d{{1,2}})\s?[月월]\s?(?P<d2>\d{{1,2}})
    | (?P<y3>(?:19|20)\d\d)(?P<m3>[01]\d)(?P<d3>[0-3]\d)(?=T\d|\d{{4,6}}\b|\b)
    | (?P<d4>\d{{1,2}})\s?(?P<s4>[-/.])\s?(?P<m4>\d{{1,2}})\s?(?P=s4)\s?
      (?P<y4>\d{{4}}|\d\d)(?![\d/])
    | (?P<d5>\d{{1,2}})(?:st|nd|rd|th|er|ère|º|°|ª|ος|-го|\.|日)?[\s,/_-]{{0,2}}
      (?:(?:de|of|d')\s?)?(?P<m5>{WORD})\.?(?:\s?(?:de|del|di|of)\s|[\s,/_'’-]{{0,3}})
      (?P<y5>\d{{4}}|\d\d(?=\s|$|,))(?!\d)
    | (?P<m6>{WORD})\.?\s{{0,2}}(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\.?
      (?:,|\s|\bde\b|\bof\b|de\s)\s?(?P<y6>\d{{4}})(?!\d)
    | (?P<y7>(?:19|20)\d\d)\.?,?[\s-](?P<m7>{WORD})\.?[\s-](?P<d7>\d{{1,2}})(?!\d)
    | (?P<m8>[A-Z][a-z]{{2}})\s+(?P<d8>\d{{1,2}})\s\d\d:\d\d:\d\d\s(?:[A-Z]{{3,4}}\s)?
      (?P<y8>\d{{4}})(?!\d)
    )""",
    re.VERBOSE,
)
"""The forms that `day_shapes` has to find, in any text; the months are those of `months`."""

PIECES = (
    *("12", "3", "2014", "14", "20140312", "2563", "T10", "-", "/", ".", ",", ":", "$", "x"),
    *(" ", "  ", "\n", "of", "de", "th", "th.", "年", "月", "Mon", "মার্চ", "ก.ค.", "มกราคม"),
    *("March", "September.", "ABCDEFGHIJKLMNOPQ", "Sep 3 10:11:12 2013", "Mar" + 30 * " "),
    *("März", "марта", "Μαρτίου", "février", "am", "года", "日", "مارس", "ª", "½", "_", "ß"),
)


def _by_expression(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the dates of a text, found by repeated searches for the expression."""
    at = 0
    while shape := SHAPES.search(text, at):
        kind = (shape.lastgroup or " ")[1]
        year, month, day = shape[f"y{kind}"], shape[f"m{kind}"], shape[f"d{kind}"]
        said = _day_of(year, month, int(day), shape[f"s{kind}"] if kind == "4" else "")
        if said:
            yield shape.start(), shape.end(), said
        at = shape.end() if said else shape.start() + 1


def _day_of(year: str, month: str, day: int, sign: str) -> str:
    """Return the date given by the parts of a match, or an empty string."""
    number = int(month) if month.isdecimal() else MONTHS.get(month.lower().rstrip("."), 0)
    is_sure = sign in ("", ".") or day > 12 or number > 12 or day == number
    if sign and number > 12:
        day, number = number, day
    if len(year) == 2 and sign and not is_sure:
        return ""
    whole = int(year)
    if len(year) == 2:
        whole += 2000 if whole < 60 else 1900
    elif EARLIEST + 543 <= whole <= LATEST + 543:
        whole -= 543
    return dates._day(whole, number, day) or ""


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_dates_equal_those_of_the_expression(text: str) -> None:
    found = days_at(text, False, 1000)
    days = [(one.start, one.end, f"{one.year}-{one.month:02}-{one.day:02}") for one in found]
    assert days == list(_by_expression(text))


@settings(max_examples=500)
@given(
    st.lists(
        st.sampled_from([*PIECES, "3/8/2014", "13/8/2014", "8/13/2014", "3/3/14", " "]), max_size=9
    ).map("".join)
)
def test_days_with_the_month_first_are_read_once_if_all_are_sure(text: str) -> None:
    found = dates.days_in(text, month_first=True)
    assert found == (dates._days_in.function(text, True) if dates.MAY_HOLD.search(text) else ())


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("am 3. März 14x", []),
        ("am 3. März 14", ["2014-03-03"]),
        ("am 3. März 14, abends", ["2014-03-03"]),
        ("มกรา.มกราคมมกราค. 12, 2014", []),
        ("12 ก.ค. 2557, 13 มกราคม 2557", ["2014-07-12", "2014-01-13"]),
        ("PostedMarch 5, 2014 by", ["2014-03-05"]),
        (f"Sep{40 * ' '}3 10:11:12 2013", ["2013-09-03"]),
        ("on Sept. 3, 2014", ["2014-09-03"]),
        # The expression takes the "de" of "desember" for a word before the month.
        ("Sist oppdatert 1. desember 2018", ["2018-12-01"]),
        ("8 dekabr 2018, 8 de diciembre de 2018", ["2018-12-08"]),
        ("29.2.2014, 29.2.2016, 31.4.2016", ["2016-02-29"]),
    ],
)
def test_dates_of_examples(text: str, days: list[str]) -> None:
    assert [one.day for one in dates.days_in(text)] == days
