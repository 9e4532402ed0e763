# ruff: noqa: E501 - texts in several scripts
"""Dates, names and languages in the forms that people write."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.fields.values.dates import days_in, first_day
from scrapy_mainblock.fields.values.languages import language_of
from scrapy_mainblock.fields.values.letters import letters_by
from scrapy_mainblock.fields.values.months import MONTHS
from scrapy_mainblock.fields.values.names import names_in

EIGHTH_OF_MARCH = [
    "2014-03-08",
    "2014/3/8",
    "20140308",
    "20140308T101010Z",
    "8.3.2014",
    "08.03.14",
    "13:45 Uhr, 8. März 2014",
    "March 8th, 2014 at 3:05 pm EST",
    "Mar. 8, 2014",
    "Sat, 08 Mar 2014 10:00:00 GMT",
    "Sat Mar  8 23:30:00 2014",
    "le 8 mars 2014",
    "8 de marzo de 2014",
    "8 de março de 2014",
    "8 marzo 2014",
    "8 марта 2014 г.",
    "8 Μαρτίου 2014",
    "8 marca 2014",
    "8 Mart 2014",
    "2014年3月8日",
    "2014년 3월 8일",
    "٨ مارس ٢٠١٤",
    "८ मार्च २०१४",
    "8 มีนาคม 2557",
    "2014. március 8.",
    "1394271000",
    "1394271000000",
]


@pytest.mark.parametrize("text", EIGHTH_OF_MARCH)
def test_date_is_read_in_many_languages(text: str) -> None:
    found = first_day(text)
    assert found is not None
    assert found.day == "2014-03-08"


@pytest.mark.parametrize(
    ("text", "month_first", "day"),
    [
        ("3/8/2014", True, "2014-03-08"),
        ("3/8/2014", False, "2014-08-03"),
        ("13/8/2014", True, "2014-08-13"),
        ("8/13/2014", False, "2014-08-13"),
    ],
)
def test_order_of_day_and_month_follows_month_first(text: str, month_first: bool, day: str) -> None:
    found = first_day(text, month_first=month_first)
    assert found is not None
    assert found.day == day


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2014-03-08T10:00:00+02:00", "2014-03-08T08:00:00Z"),
        ("2014-03-08", "2014-03-08T00:00:00Z"),
        ("2014-03-08T10:00", "2014-03-08T10:00:00Z"),
        # The day stays the one on the page, even if it is another day in UTC.
        ("2014-03-08T23:30:00-05:00", "2014-03-08T23:59:59Z"),
        ("2014-03-08T01:00:00+05:00", "2014-03-08T00:00:00Z"),
    ],
)
def test_time_is_converted_to_utc_on_the_same_day(text: str, utc: str) -> None:
    found = first_day(text)
    assert found is not None
    assert found.as_utc() == utc


@pytest.mark.parametrize(
    "text", ["", "no date", "12345", "31.02.2014", "2014-13-01", "8 apples 2014", "10.1.2.3", "9/9"]
)
def test_text_without_a_valid_date_has_none(text: str) -> None:
    assert first_day(text) is None


def test_month_names_cover_twelve_months() -> None:
    assert set(MONTHS.values()) == set(range(1, 13))
    assert all(word == word.lower() for word in MONTHS)


@given(st.text(max_size=400))
def test_dates_in_any_text_are_valid(text: str) -> None:
    for one in days_in(text):
        date.fromisoformat(one.day)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one.as_utc())


@given(st.dates(date(1991, 1, 1), date(2090, 1, 1)))
def test_iso_date_is_read_unchanged(day: date) -> None:
    assert [one.day for one in days_in(f"on {day.isoformat()}.")] == [day.isoformat()]


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By Anna Berg and Ben Falk", ("Anna Berg", "Ben Falk")),
        ("Von Anna Berg, Ben Falk und Cem Gül", ("Anna Berg", "Ben Falk", "Cem Gül")),
        ("Anna Berg, Senior Editor", ("Anna Berg",)),
        ("Par Anna Berg | 3 mai 2014", ("Anna Berg",)),
        ("Posted on May 3, 2014 by Anna Berg", ("Anna Berg",)),
        ("By Anna Berg, anna@news.example", ("Anna Berg",)),
        ("Автор: Анна Берг", ("Анна Берг",)),
        ("作者：王小明", ("王小明",)),
        ("Anna Berg/dpa", ("Anna Berg",)),
        ("Anna Berg / Ben Falk", ("Anna Berg", "Ben Falk")),
        ("AFP/Reuters", ("AFP/Reuters",)),
        ("By anna on May 3, 2014", ("anna",)),
        ("von anna am 26/10/13, 03:48 pm", ("anna",)),
        ("Veröffentlicht am 19.10.2019 um 14:34 Uhr", ()),
        ("By Anna Berg, MS, R.D. and Ben Falk, Ph.D.", ("Anna Berg", "Ben Falk")),
        ("By Md Anna Berg", ("Md Anna Berg",)),
        ("MS", ("MS",)),
        ("By Anna Berg ⋅ Founder", ("Anna Berg",)),
        ("Von An\xadna Berg", ("Anna Berg",)),
        ("Text: Anna Berg Foto: Ben Falk", ("Anna Berg",)),
        ("Posted in Rain by anna", ("anna",)),
        ("Posted by anna under Rain, Hills", ("anna",)),
        ("By admin", ()),
        ("Ben says:", ()),
        ("https://social.example/anna", ()),
        ("3 May 2014", ()),
    ],
)
def test_names_of_a_byline(byline: str, names: tuple[str, ...]) -> None:
    assert names_in(byline) == names


@given(st.text(max_size=600))
def test_names_in_any_text_have_a_limited_length(text: str) -> None:
    assert all(0 < len(name) <= 60 for name in names_in(text))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The rain in the hills was the first that fell for months, and it is not the last." * 2, "en"),
        ("Der Regen in den Bergen war der erste seit Monaten, und es ist nicht der letzte." * 2, "de"),
        ("La pluie dans les collines est la première depuis des mois, et ce n'est pas la fin." * 2, "fr"),
        ("今日は雨が降りましたが、明日は晴れるでしょう。山の上では雪が積もっています。寒い日が続きます。", "ja"),
        ("오늘은 비가 왔지만 내일은 맑을 것입니다. 산 위에는 눈이 쌓여 있습니다. 추운 날이 이어지고 있습니다.", "ko"),
        ("Сегодня шёл дождь, но завтра будет солнечно. На вершинах гор лежит снег.", "ru"),
        ("Σήμερα έβρεξε αλλά αύριο θα έχει λιακάδα. Στις κορυφές των βουνών υπάρχει χιόνι.", "el"),
    ],
)  # fmt: skip
def test_language_of_a_text(text: str, language: str) -> None:
    assert language_of(text)[0] == language


@given(st.text())
def test_letters_are_counted_by_their_kind_in_the_table(text: str) -> None:
    kinds = bytes([1]) * 8 + bytes([0]) * 0x38 + bytes([2]) * 0x10  # ASCII, and Cyrillic
    assert letters_by(text, kinds, 2) == [
        sum(map(str.isalpha, text)),
        sum("\x00" <= one <= "\x7f" for one in text),
        sum("\u0400" <= one <= "\u04ff" for one in text),
    ]
