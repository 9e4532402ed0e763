"""A source without the attributes that nobody reads makes the same tree, less these."""

from __future__ import annotations

from collections.abc import Iterator

import lxml.html
import made_pages
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement

from scrapy_mainblock.core import bounds
from scrapy_mainblock.core.native import compiled

unread = compiled("unread")
pytestmark = pytest.mark.skipif(unread is None, reason="nothing is compiled")

READ = {"id", "class", "href", "src", "alt", "itemprop", "itemtype"}
LEFT_ALONE = {"base", "body", "frameset", "head", "html", "link", "meta", "script"}

NAMES = st.sampled_from(
    "a p div td br img i script style title textarea iframe xmp noframes noembed noscript plaintext"
    " svg meta body html head button o:p x-y SCRIPT Style".split()
)
VALUES = st.sampled_from(
    ["x", "a b", "", "1/", "/", "=", "é", "a>b", "<p>", "it's", 'say "so"', "-->", "<!--", "&amp;"]
)
QUOTES = st.sampled_from(["'{}'", '"{}"', "{}", "'{}", '{}"', " {}"])
ATTRIBUTES = st.sampled_from(
    "id class href src alt width title data-x style onclick ID Width :class @click v:on x.y _a 1a"
    " -b = / \" ' ( itemprop type name".split()
)
EQUALS = st.sampled_from(["=", " = ", "= ", " =", "", " "])
SPACES = st.sampled_from([" ", " ", " ", "", "\n", "\t ", "/", " / ", "\f"])
ENDS = st.sampled_from([">", ">", ">", "/>", " >", " / >", "", "/"])


@st.composite
def tags(draw: st.DrawFn) -> str:
    """A tag, odd or not."""
    parts = [f"<{draw(NAMES)}"]
    for _ in range(draw(st.integers(0, 5))):
        value = draw(QUOTES).format(draw(VALUES))
        parts += (draw(SPACES), draw(ATTRIBUTES), draw(EQUALS), value)
    return "".join((*parts, draw(ENDS)))


PIECES = st.one_of(
    tags(),
    tags(),
    st.builds("</{}>".format, NAMES),
    st.sampled_from(
        [
            "text ", "<!-- a <b width=1> -->", "<!-->", "<!--->", "<!-- x --!>", "<!--", "-->",
            "<!doctype html>", "<!DOCTYPE html PUBLIC '-//W3C//DTD' \"x>y\">",
            "<![CDATA[<a title=1>]]>",
            "<?php echo '<a title=1>' ?>", "<?x", "</>", "</ a>", "<", "< a title=1>", "<3", "&lt;",
            "<script>document.write('<script src=1><\\/script>')</script>",
            "<script><!-- x='<script title=1>' //--></script>",
            "<script>a</scripty></script>", "<title>a <b title=1>c</b></title>", "\n  ", "'", '"',
            "<textarea><a title=1>x</a></textarea>", "<iframe><!-- </iframe> --></iframe>",
        ]
    ),
)  # fmt: skip


def nodes(source: bytes) -> Iterator[tuple[object, ...]]:
    """What a tree is made of, but for attributes that nobody reads."""
    root: HtmlElement = lxml.html.document_fromstring(source, parser=bounds.new_parser())
    for element in root.iter():
        attributes = [
            (name, value)
            for name, value in element.items()
            if name in READ or element.tag in LEFT_ALONE
        ]
        yield len(element), element.tag, element.text, element.tail, attributes


def check(source: bytes) -> bytes:
    assert unread is not None
    lean: bytes
    lean, is_within = unread.without_unread(source, bounds.MOST_ATTRIBUTES)
    if is_within:
        assert bounds.is_within(source + b" " * bounds.LONG_PAGE, bounds.LONG_PAGE + 1)
    assert list(nodes(lean)) == list(nodes(source))
    return lean


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_tree_is_the_same_but_for_what_nobody_reads(source: str) -> None:
    check(f"<html><body>{source}<p width=1 class='x'>end</p>".encode())


@pytest.mark.parametrize("name", sorted(made_pages.sources()))
def test_so_it_is_of_whole_pages(name: str) -> None:
    source = made_pages.sources()[name]
    given = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    if b"\x00" not in given and given.strip():
        check(given)


@pytest.mark.parametrize(
    ("source", "lean"),
    [
        ('<p title="a" id=b>x', "<p id=b>x"),
        ("<IMG WIDTH=100 SRC=a.png HEIGHT='1'>", "<IMG SRC=a.png>"),
        ("<img src=a.png height='1'/>", "<img src=a.png height='1'/>"),
        ("<img src=a.png height='1' />", "<img src=a.png />"),
        ('<a data-x="1"class="b">', '<a data-x="1"class="b">'),
        ("<meta name=a content=b><p name=a>", "<meta name=a content=b><p>"),
        ("<script type=a src=b></script><i style=a>", "<script type=a src=b></script><i>"),
        ("<title>a</title><p width=1>", "<title>a</title><p>"),
        ("<style>p{}</style><p width=1>", "<style>p{}</style><p>"),
        ("<!-- <p width=1> --><p width=1>", "<!-- <p width=1> --><p>"),
        ("<p disabled width=1 hidden>", "<p disabled hidden>"),
        ('<img width="1" / alt="a" height="2"><p width=1>', '<img / alt="a" height="2"><p>'),
        ("<p @click='a>b' width=1>", "<p @click='a>b' width=1>"),
        ("<p width='1", "<p width='1"),
        ("<p hidden width='1' ='2'>", "<p hidden width='1' ='2'>"),
        ("<script><!-- <script></script> --><p width=1>",) * 2,
        ("<iframe><p width=1></iframe><p width=1>", "<iframe><p width=1></iframe><p>"),
        ("<plaintext></plaintext><p width=1>",) * 2,
        ("<style/><p width=1></style>",) * 2,
        ("<![CDATA[<p width=1>",) * 2,
        ("", ""),
    ],
)
def test_what_is_left_out(source: str, lean: str) -> None:
    assert unread is not None
    padding = "<p>some text"  # a tag at the very end is left as it is
    found, _ = unread.without_unread(f"{source}{padding}".encode(), bounds.MOST_ATTRIBUTES)
    assert found == f"{lean}{padding}".encode()


@pytest.mark.parametrize("most", range(1, 5))
@given(st.lists(PIECES, max_size=6).map("".join))
def test_where_it_finds_no_long_tag_there_is_none(most: int, source: str) -> None:
    assert unread is not None
    given = f"<html><body>{source}<p>end</p>".encode()
    if unread.without_unread(given, most)[1]:
        root: HtmlElement = lxml.html.document_fromstring(given, parser=bounds.new_parser())
        assert max(len(element.attrib) for element in root.iter()) <= most


def test_a_tag_with_many_attributes_is_told_from_others() -> None:
    assert unread is not None
    few, many = (" ".join(f"a{number}=1" for number in range(size)) for size in (500, 501))
    assert unread.without_unread(f"<p {few}>x</p>".encode(), 500)[1]
    assert not unread.without_unread(f"<p {many}>x</p>".encode(), 500)[1]
