"""HTML source without its markup, by regular expressions that are linear on any input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core import markup


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("plain", "plain"),
        ("<p>one</p><p>two</p>", "one two"),
        ("<b>S</b>ome <em>word</em>s", "Some words"),
        ("<br>a<br/>b<hr />c", "a b c"),
        ("a<!-- <p>not</p> -->b", "a b"),
        ("a<!-->b<!--->c", "a b c"),
        ("a<!-- x --!>b", "a b"),
        ("a<!-- open b", "a"),
        ("a<script>if (x<b) y()</script>b", "a b"),
        ("a<SCRIPT type='x'>no</Script >b", "a b"),
        ("a<script>'</scripture>' no</script>b", "a b"),
        ("a<style>p{}</style>b<textarea><p>no</textarea>c", "a b c"),
        ("a<script>open b", "a"),
        ("a<script>no</script", "a"),
        ("<scripted>yes</scripted>", "yes"),
        ("<noscript>yes</noscript>", "yes"),
        ("a<!DOCTYPE html>b<?xml version='1.0'?>c<![CDATA[x]]>d", "a b c d"),
        ('<p title="a > b">text</p>', "text"),
        ("<p title='<b>x</b>' class=\"y\">text</p>", "text"),
        ('<p title="open>text</p>', "text"),
        ('<p title="x"">text</p><p class="y">more</p>', "text more"),
        ("<p title='Gadkari's word'>text</p><p class='y'>more</p>", "text more"),
        ("1 < 2 > 1 &lt;p&gt;", "1 < 2 > 1 <p>"),
        ("&amp;&#65;&#x42;&nbsp;&eacute;&unknown;", "&AB\xa0é&unknown;"),
        ("&#" + "1" * 5000 + ";", "\ufffd"),
        ("<p", ""),
        ("a</p", "a"),
        ("a</", "a"),
        ("", ""),
    ],
)
def test_without_markup_only_the_text_is_left(source: str, text: str) -> None:
    assert _words(markup.without_markup(source)) == _words(text)


def _words(text: str) -> list[str]:
    return [word for word in text.split(" ") if word]


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
def test_without_attributes_a_tag_is_its_name(source: str, bare: str) -> None:
    assert markup.without_attributes(source) == bare


@pytest.mark.parametrize(
    ("source", "rest"),
    [("<!-- a -->b", "b"), ("<!-->b", "b"), ("<!--->b", "b"), ("<!-- --!>b", "b"), ("<!-- b", "")],
)
def test_a_comment_ends_where_a_browser_ends_it(source: str, rest: str) -> None:
    assert source[markup.end_of_comment(source, 0) :] == rest


@pytest.mark.parametrize(
    ("source", "rest"),
    [
        ("<script>a</script>b", "b"),
        ("<script>a</SCRIPT x=y>b", "b"),
        ("<script>a</script-x>b</script>c", "c"),
        ("<script>a", ""),
        ("<script>a</script", ""),
    ],
)
def test_a_raw_element_ends_at_its_own_end_tag(source: str, rest: str) -> None:
    assert source[markup.end_of_raw_element(source, "SCRIPT", len("<script")) :] == rest


html_like = st.text(
    st.sampled_from(
        ["<", ">", '"', "'", "=", "/", "a", "p", " ", "!", "-", "x", "&", ";", "#", "1"]
    ),
    max_size=60,
)


@given(html_like)
def test_nothing_becomes_longer(source: str) -> None:
    assert len(markup.without_markup(source)) <= len(source)
    assert len(markup.without_attributes(source)) <= len(source)


@given(st.text(st.characters(exclude_characters="<&"), max_size=60))
def test_a_text_without_markup_is_left_alone(text: str) -> None:
    assert markup.without_markup(text) == text
    assert markup.without_attributes(text) == text


MANY = 100_000
ADVERSARIAL = {
    **{
        repr(piece): piece * MANY
        for piece in (
            *("<a ", '<a "', "<a '\"", "<a href=1>", '<a href="', "<a \"<a '", "<a \"='<a '=\""),
            *("<!--", "<!-- -", "--", "<!", "<?", "</", "</a", "</a ", "<script", "<script ", "&"),
            *("<textarea>", "<p x=", '="', "<b '", "a ", "<", ">", "年", "&#1"),
        )
    },
    "ends without >": "<script>" + "</script " * MANY,
    "one long name": "<" + "a" * MANY + "<",
    "one long end name": "</" + "a" * MANY + "<",
    "spaces in a tag": "<a x" + " " * MANY + "href>",
    "attributes": "<a x " + "href2 " * MANY + ">",
    "equals": "<a x " + "= " * MANY + " href=1>",
    "a long number": "<a href=1>x</a>&#" + "1" * MANY + ";<a href=1>x</a>",
    "apostrophes": "<a href=1>x</a>" + "a'" * MANY + "<a href=1>x</a>",
}
"""Shared with test_linkblocks: what a quadratic pattern takes minutes for."""


@pytest.mark.parametrize("source", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_hostile_source_takes_linear_time(source: str) -> None:
    begun = time.process_time()
    markup.without_markup(source)
    markup.without_attributes(source)
    assert time.process_time() - begun < 2


_PIECES = (
    "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>", '<div class="a > b">', "<div title='<b>'>",
    "<br/>", "<script>", "</script>", "<SCRIPT>", "</SCRIPT>", "<style>if (a<b)</style>", "<!--",
    "-->", "<!-->", "--!>", "<iframe src=a></iframe>", "<", ">", '"', "'", "=", " ", "\n", "&amp;",
    "&am", "word", " two words ", "<x", "</", "<!", "<?", "北", "<img alt=\"a\" b c='d'>", "<a<b>",
)  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), st.integers(1, 40))
def test_the_quick_ways_to_a_text_agree_with_the_careful_one(source: str, size: int) -> None:
    text = markup.without_markup(source)
    beginning, is_all = markup.beginning_of_text(source, size)
    assert beginning.split() == text.split() if is_all else text.startswith(beginning.rstrip())
    most, is_plain = markup.at_most_text(source)
    assert len("".join(most.split())) >= len("".join(text.split()))
    if is_plain:
        assert markup.text_of_plain(source).split() == text.split()
