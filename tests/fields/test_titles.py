"""Titles of pages, and the parts they consist of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.fields import titles
from scrapy_mainblock.fields.titles import (
    Name,
    folded,
    key_of,
    likeness,
    site_test,
    without,
)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Rain in May", ["rain in may"]),
        ("Rain in May - News", ["rain in may", "news"]),
        ("Rain in May | Weather | News", ["rain in may", "weather", "news"]),
        ("News: Rain", ["news", "rain"]),
        ("Rain -- News", ["rain", "news"]),
        ("at 10:30 in snake_case co-op", ["at 10 30 in snake case co op"]),
        ("雨_天气-新浪", ["雨", "天 气", "新 浪"]),
        ("标题：副题", ["标 题", "副 题"]),
    ],
)
def test_title_is_split_at_separators(title: str, parts: list[str]) -> None:
    assert [" ".join(part) for part in Name(title).parts] == parts


def test_every_run_of_parts_has_its_cuts_and_joins() -> None:
    runs = {run.text: (run.cuts, run.joins) for run in Name("A - B | C").runs.values()}
    dash, pipe, none = frozenset({"dash"}), frozenset({"pipe"}), frozenset()
    assert runs == {
        "A": (dash, none),
        "A - B": (pipe, dash),
        "A - B | C": (none, dash | pipe),
        "B": (dash | pipe, none),
        "B | C": (dash, pipe),
        "C": (pipe, none),
    }


@given(st.text(max_size=60))
def test_whole_title_is_one_of_its_runs(title: str) -> None:
    name = Name(folded(title))
    assert not name.key or name.key in name.runs


@pytest.mark.parametrize(
    ("part", "host", "site_name", "is_site"),
    [
        ("The Daily Planet", "", "Daily Planet", True),
        ("Daily Planet", "www.dailyplanet.co.uk", "", True),
        ("DailyPlanet.com", "dailyplanet.com", "", True),
        ("Daily Planet News", "dailyplanet.com", "", True),
        ("British Broadcasting Corporation", "bbc.co.uk", "", True),
        ("MyFox Houston", "myfoxhouston.com", "", True),
        ("Rain in May", "www.dailyplanet.co.uk", "Daily Planet", False),
        ("Daily rain falls on the planet", "dailyplanet.com", "", False),
        ("co", "dailyplanet.co", "", False),
        ("雨", "dailyplanet.com", "", False),
        ("", "", "", False),
    ],
)
def test_site_name_is_recognized_by_metadata_or_host(
    part: str, host: str, site_name: str, is_site: bool
) -> None:
    assert site_test(host, site_name)(key_of(part)) is is_site


def test_site_name_is_cut_off_at_both_ends_but_not_the_whole_title() -> None:
    is_site = site_test("planet.com", "Planet")
    assert without(Name("Planet: Rain - The Planet | Planet"), is_site) == ("rain",)
    assert without(Name("Planet"), is_site) == ("planet",)


def test_site_test_works_beyond_its_cache_limit() -> None:
    is_site = site_test("planet.example", "The Planet", frozenset({("known",)}))
    for number in range(2 * titles._MOST_KNOWN):
        assert not is_site((f"word{number}", "story"))
    assert is_site(("known",))
    assert is_site(("the", "planet"))
    assert not is_site(())


@given(st.text(alphabet="ab \t\u00a0é\x01\x1f\u00ad~", max_size=8))
def test_folded_text_has_single_spaces_and_only_printable_characters(text: str) -> None:
    found = folded(text)
    assert found == folded(found) == " ".join(found.split())
    assert found.isprintable()
    assert [c for c in found if c in "abé~"] == [c for c in text if c in "abé~"]


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_likeness_is_symmetric_and_from_0_to_1(some: list[str], others: list[str]) -> None:
    a, b = tuple(some), tuple(others)
    assert likeness(a, b) == likeness(b, a)
    assert 0 <= likeness(a, b) <= 1
