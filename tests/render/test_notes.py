"""Footnotes: links within the content point to the same places as in the page."""

from __future__ import annotations

import time

import pytest
from hostile_laws import is_clean
from pages import outline, rendered

from scrapy_mainblock.render.markdown import markdown
from scrapy_mainblock.render.render import from_segments

URL = "http://e.com/d/p"
NOTES = {
    "an item of a list, and the way back": (
        "<p>so<sup id=fnref1><a href=#fn1>1</a></sup><ol><li id=fn1>n <a href=#fnref1>^</a></ol>",
        ('<p>so<sup id="fnref1"><a href="#fn1">1</a></sup></p>'
        '<ol><li id="fn1">n <a href="#fnref1">^</a></li></ol>'),
    ),
    "links that have the names themselves": (
        '<p>a<a href="#_ftn1" name="_ftnref1">[1]</a><p><a href="#_ftnref1" name="_ftn1">[1]</a> n',
        ('<p>a<a href="#_ftn1" id="_ftnref1">[1]</a></p>'
        '<p><a href="#_ftnref1" id="_ftn1">[1]</a> n</p>'),
    ),
    "what stands first in a block that is not written": (
        "<p>a<a href=#n1>1</a><div id=n1><p>b<p>c</div>",
        '<p>a<a href="#n1">1</a></p><p id="n1">b</p><p>c</p>',
    ),
    "text of such a block": (
        "<p>a<a href=#n1>1</a><div id=n1>b</div>d",
        '<p>a<a href="#n1">1</a></p><p id="n1">b</p><p>d</p>',
    ),
    "the paragraph of an element that is not written": (
        "<p>a<a href=#n1>1</a><p>b <span id=n1>c</span>",
        '<p>a<a href="#n1">1</a></p><p id="n1">b c</p>',
    ),
    "the paragraph of an empty one": (
        "<p>a<a href=#n1>1</a><p><a name=n1></a>b",
        '<p>a<a href="#n1">1</a></p><p id="n1">b</p>',
    ),
    "two names of one element": (
        "<p>a<a href=#n1>1</a><a href=#n2>2</a><p id=n1><span id=n2>b</span>",
        '<p>a<a href="#n1">1</a><a href="#n1">2</a></p><p id="n1">b</p>',
    ),
    "the page's own address": (
        "<p>a<a href=/d/p#n1>1</a><a href=/d/q#n1>2</a><p id=n1>b",
        '<p>a<a href="#n1">1</a><a href="http://e.com/d/q#n1">2</a></p><p id="n1">b</p>',
    ),
    "a place that is not there": (
        "<p>a<a href=#n1>1</a>", '<p>a<a href="http://e.com/d/p#n1">1</a></p>',
    ),
    "a block that turns out to be empty": (
        "<p>a<a href=#n1>1</a><div id=n1><p></p>b</div>",
        '<p>a<a href="http://e.com/d/p#n1">1</a></p><p>b</p>',
    ),
    "a chapter, whose name scripts might know": (
        "<p>a<a href=#top>1</a><h2 id=top>b</h2>",
        '<p>a<a href="http://e.com/d/p#top">1</a></p><h2>b</h2>',
    ),
    "names that nothing leads to": ("<p id=n1>a<p id=n2>b", "<p>a</p><p>b</p>"),
    "a name that is none": (
        "<p>a<a href='#1&quot;>'>1</a><p id='1&quot;>'>b",
        '<p>a<a href="http://e.com/d/p#1&quot;&gt;">1</a></p><p>b</p>',
    ),
    "text that reads like a tag": (
        '<p>a &lt;p id="n1"> <a href=#n1>1</a><p id=n1>b',
        '<p>a &lt;p id="n1"&gt; <a href="#n1">1</a></p><p id="n1">b</p>',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "expected"), NOTES.values(), ids=NOTES)
def test_link_points_to_its_place_in_the_content(inside: str, expected: str) -> None:
    found = rendered(outline(inside, URL)).html
    assert found == expected
    is_clean(found)


def test_link_to_a_dropped_note_points_to_the_page() -> None:
    page = outline("<p>a<a href=#n1>1</a></p><p id=n1>b <a href=#n2>^</a></p><p id=n2>c</p>", URL)
    body = page.rows.body
    found = from_segments(page, bytes([1, 0, 1]), body).html
    assert found == '<p>a<a href="http://e.com/d/p#n1">1</a></p><p>c</p>'


def test_markdown_has_the_same_links() -> None:
    inside = "<p>a<sup><a href=#n1>1</a></sup><p id=n1>b"
    found = markdown(rendered(outline(inside, URL)).html)
    assert found == "a<sup>[1](#n1)</sup>\n\nb"


def test_many_deeply_nested_footnotes_are_fast() -> None:
    """Looking up each name in each enclosing element took 216 s for this page."""
    links = "".join(f"<a href=#n{number}>{number}</a> " for number in range(1000))
    places = "".join(f"<span id=n{number}>x</span>" for number in range(1000))
    page = outline(f"<article><p>{'word ' * 180}{links}</p>{'<b>' * 400}{places}</article>", URL)
    start = time.process_time()
    html = rendered(page).html
    assert time.process_time() - start < 20
    assert (html.count('<a href="#n0"'), html.count(' id="n')) == (1000, 1)
