"""Code without attributes, by regular expressions that are linear on any input."""

from __future__ import annotations

import time

import pytest
from hostile_sources import ADVERSARIAL
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.wang14.code_distance import without_attributes


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ('<div id="main"> ABC </div>', "<div> ABC </div>"),  # definition 1's own example
        ("<p>x</p>", "<p>x</p>"),
        ("<DIV CLASS=x>y</DIV >", "<DIV>y</DIV>"),
        ("<img src='a>b' alt=\"c\"/>", "<img>"),
        ('<a title="x"">y', "<a>y"),
        ('<a title="open>y', "<a>y"),
        ('x<a href="cut', "x<a"),
        ("x<b", "x<b"),
        ("1 < 2", "1 < 2"),
        ("<!-- c --> t", "<!-- c --> t"),
        ("", ""),
    ],
)
def test_attributes_are_removed_from_tags(source: str, bare: str) -> None:
    assert without_attributes(source) == bare


html_like = st.text(
    st.sampled_from(
        ["<", ">", '"', "'", "=", "/", "a", "p", " ", "!", "-", "x", "&", ";", "#", "1"]
    ),
    max_size=60,
)


@given(html_like)
def test_the_result_is_not_longer_than_the_source(source: str) -> None:
    assert len(without_attributes(source)) <= len(source)


@given(st.text(st.characters(exclude_characters="<&"), max_size=60))
def test_text_without_markup_is_unchanged(text: str) -> None:
    assert without_attributes(text) == text


@pytest.mark.parametrize("source", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_hostile_source_takes_linear_time(source: str) -> None:
    begun = time.process_time()
    without_attributes(source)
    assert time.process_time() - begun < 2
