"""The measure of accuracy: bags of tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.page.tokens import (
    Score,
    headline_matches,
    overlap,
    score,
    token_list,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick, brown FOX!", ["the", "quick", "brown", "fox"]),
        ("北京 2008", ["北", "京", "2008"]),
        ("Python语言", ["python", "语", "言"]),
        ("snake_case don't", ["snake", "case", "don", "t"]),
        ("안녕", ["안", "녕"]),
        (" \n.,!", []),
    ],
)
def test_token_is_a_word_or_a_character_of_a_script_without_spaces(
    text: str, expected: list[str]
) -> None:
    assert token_list(text) == expected
    assert sorted(tokens(text).elements()) == sorted(expected)


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ("a b c d", "a b", Score(0.5, 1.0, 2 / 3)),
        ("a a", "a", Score(0.5, 1.0, 2 / 3)),
        ("a", "b", Score(0, 0, 0)),
        ("", "", Score(1, 1, 1)),
        ("", "a", Score(0, 0, 0)),
        ("a", "", Score(0, 0, 0)),
    ],
)
def test_score_of_two_bags(found: str, gold: str, expected: Score) -> None:
    assert score(tokens(found), tokens(gold)) == pytest.approx(expected)


texts = st.lists(st.sampled_from(["a", "b", "c", "北"]), max_size=12).map(" ".join)


@given(texts, texts)
def test_score_is_in_0_to_1_and_symmetric(one: str, other: str) -> None:
    forth, back = score(tokens(one), tokens(other)), score(tokens(other), tokens(one))
    assert all(0 <= value <= 1 for value in forth)
    assert (forth.precision, forth.recall) == (back.recall, back.precision)
    assert forth.f1 == pytest.approx(back.f1) == overlap(tokens(one), tokens(other))
    assert score(tokens(one), tokens(one)).f1 == 1


@pytest.mark.parametrize(
    ("found", "wanted", "matches"),
    [
        ("Rain in May", "rain in  May!", True),
        ("“Don’t” – he said", '"Don\'t" - he said', True),
        ("Hub\u00adschrauber", "Hubschrauber", True),
        ("雨が降る", "雨が、降る", True),
        ("Rain in May", "Rain in May\nIt fell on Rome", True),
        ("Rain in May It fell on Rome", "Rain in May\nIt fell on Rome", True),
        ("It fell on Rome", "Rain in May\nIt fell on Rome", False),
        ("Rain in May | News", "Rain in May", False),
        ("Rain in", "Rain in May", False),
        ("May in Rain", "Rain in May", False),
        ("Rain", "", False),
        ("", "", False),
        ("...", "!", False),
        (None, "Rain", False),
    ],
)
def test_a_headline_matches_a_title_with_the_same_tokens_in_order(
    found: str | None, wanted: str, matches: bool
) -> None:
    assert headline_matches(found, wanted) is matches
