"""Which lines of a page occur in its gold text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.bu14.labels import Gold, tokens

GOLD = """The headline
Share of the market: the team said on Monday that it would leave New Jersey for Brooklyn.
京城今天是2014年3月8日，天气晴朗。
The end"""


@pytest.mark.parametrize(
    ("line", "is_held"),
    [
        ("The headline", True),
        ("THE  HEADLINE!", True),
        ("headline", False),  # not a complete line
        ("Share", False),
        ("the team said on Monday that it would leave", True),
        ("Share of the market: the team said on Monday, that it would leave New-Jersey", True),
        ("the team said on Monday. Read more about the team and its plans on page two", False),
        ("京城今天是2014年3月8日", True),
        ("天气预报：今天是星期六", False),
        ("", False),
        ("...", False),
    ],
)
def test_whether_the_gold_text_holds_a_line(line, is_held):
    assert Gold(GOLD).holds(line) is is_held


def test_an_empty_gold_text_holds_nothing():
    assert not Gold("").holds("")
    assert not Gold("").holds("any line of many words")


@given(st.lists(st.text(max_size=30).map(lambda text: " ".join(text.split())), max_size=5))
def test_every_line_of_the_gold_text_that_has_words_is_held(lines):
    gold = Gold("\n".join(lines))
    assert all(gold.holds(line) for line in lines if tokens(line))


def test_tokens_are_words_and_characters():
    assert tokens("The Nets' 2nd; 北京2008") == ["the", "nets", "2nd", "北", "京", "2008"]
