"""The counting rules of [Wang14], definition 2, in the scripts used on the web."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.wang14 import text_units
from scrapy_mainblock.papers.wang14.text_units import text_length


@pytest.mark.parametrize(
    ("text", "length"),
    [
        # the papers' own examples
        ("Bei Jing 2008", 3),
        ("北京 2008", 3),
        ("今天是 2014 年 3 月 8 日", 4),
        ("March 8th, 2014", 1),
        ("!!!", 1),
        ("!?", 2),
        # rule 1: words
        ("The quick brown fox", 4),
        ("Привет мир", 2),
        ("Καλημέρα κόσμε", 2),
        ("हिन्दी भाषा", 2),
        ("don't re-enter", 2),
        ("Cafe\u0301 noir", 2),
        # rule 2: characters
        ("东京塔", 3),
        ("東京タワー", 5),
        ("안녕하세요", 5),
        ("สวัสดี", 4),
        ("Python语言", 3),
        # rule 3: numbers
        ("1,234.5", 1),
        ("12:30", 1),
        ("3.14 2.71", 2),
        ("covid19 5G", 2),
        ("１２３", 1),
        # rule 4: dates
        ("2014年3月8日", 1),
        ("2014年3月8日 星期六", 1),
        ("3月8日", 1),
        ("二〇一四年三月八日", 1),
        ("2014년 3월 8일", 1),
        ("2014-03-08", 1),
        ("2014/3/8", 1),
        ("08.03.2014", 1),
        ("8 March 2014", 1),
        ("8th of March", 1),
        ("Saturday, March 8th, 2014", 1),
        ("Sept. 11, 2001", 1),
        ("March 2014", 1),
        ("2014-03-08 12:30", 2),
        ("on 2014-03-08 in Rome", 4),
        # not a date: a year, a version, a month's name as a word
        ("2014 年", 2),
        ("may I", 2),
        # rule 5: punctuation
        ("......", 1),
        ("a | b", 3),
        ("“quoted”", 3),
        ("。。，", 2),
        ("____", 1),
        # nothing
        ("", 0),
        (" \t\n\xa0", 0),
        ("\u200b\ufeff\u00ad", 0),
    ],
)
def test_text_length_follows_the_five_rules(text: str, length: int) -> None:
    assert text_length(text) == length


@given(st.text())
def test_text_length_is_at_most_the_number_of_characters(text: str) -> None:
    assert 0 <= text_length(text) <= len(text)


@given(st.text(), st.integers(1, 20))
def test_a_limit_stops_the_count(text: str, limit: int) -> None:
    assert text_length(text, limit) == min(text_length(text), limit)


@given(st.lists(st.sampled_from(["word", "слово", "字", "2008", "!", "?"]), max_size=20))
def test_separated_units_add_up(units: list[str]) -> None:
    assert text_length(" x ".join(units)) == sum(text_length(u) for u in units) + max(
        0, len(units) - 1
    )


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_the_ascii_pattern_matches_the_same_units_as_the_general_one(text: str) -> None:
    units = text_units._unit().finditer(text)
    assert [one[0] for one in units] == [one[0] for one in text_units._ASCII_UNIT.finditer(text)]


PARTS_OF_DATES = (
    *"1 2 31 2014 - / . , : 年 月 日 号 星期 一 二 〇 ○ 十 년 월 일 March Mar MAY Sept.".split(),
    *"September June JULY 8th 1st of Saturday, x 字 ٣ ' _ \u0301 Ж".split(),
    *(" ", "  ", "   ", "\n"),
)


@given(
    st.lists(st.sampled_from(PARTS_OF_DATES), max_size=30).map("".join) | st.text(max_size=80),
    st.integers(1, 30),
)
def test_a_limited_count_reaches_the_limit_exactly_if_the_full_count_does(
    text: str, limit: int
) -> None:
    assert (text_length(text, limit) >= limit) == (text_length(text) >= limit)


@pytest.mark.parametrize("text", ["0.0 May 8, 2014. ", "x May 8.5", "1.8 May, 2014.5"])
def test_a_limited_count_is_right_if_a_date_changes_the_units(text: str) -> None:
    for limit in range(1, 12):
        assert (text_length(text, limit) >= limit) == (text_length(text) >= limit)


@given(st.text("12390/.-年月日 MarchJulyth,of八二〇", max_size=40))
def test_every_date_contains_a_sign_of_a_date(text: str) -> None:
    dates = [found[0] for found in text_units._date().finditer(text)]
    assert all(map(text_units._SIGN_OF_DATE.search, dates))
    assert len(text_units._SIGN_OF_DATE.findall(text)) >= len(dates)
