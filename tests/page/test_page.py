"""Pages made from any supported source: text, bytes, trees and responses."""

from __future__ import annotations

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_mainblock import extract
from scrapy_mainblock.page import page as module
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.source.limits import is_binary

URL = "http://e.com/a/b"


class Response:
    """The part of a Scrapy response that is used."""

    def __init__(self, body: bytes, encoding: str, url: str) -> None:
        self.body, self.url = body, url
        self.text = body.decode(encoding)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "the page is empty"),
        (" \n", "the page is empty"),
        ("\ufeff\x00", "the page is empty"),
        (b"\xff\xfe", "the page is empty"),
        ("plain text", "the page contains no markup"),
        ("1 < 2", "the page contains no markup"),
        ("<", "the page contains no markup"),
        (bytes(range(256)) * 9, "the page is binary"),
        ("<p>" + "\x01a" * 99, "the page is binary"),
        ("<p>" + "\x01a" * 9, None),
        ("<!-- only -->", None),
        ("<!DOCTYPE html>", None),
        ("</p>", None),
        ("<p>a\x00b", None),
        ("<p>Käse".encode("utf-16"), None),
    ],
)
def test_unreadable_source_has_a_reason(source: bytes | str, reason: str | None) -> None:
    assert Page.of(source).why_unreadable == reason


@given(st.binary(max_size=300))
def test_any_bytes_make_a_page(body: bytes) -> None:
    page = Page.of(body, URL)
    page.source.decode()
    assert page.why_unreadable is None or page.why_unreadable.startswith("the page ")


def test_a_short_text_is_never_binary() -> None:
    assert not is_binary(b"\x01" * 64)
    assert is_binary(b"\x01" * 65)


def test_page_has_the_given_url() -> None:
    assert Page.of("<p>x", URL) == Page(b"<p>x", URL)
    assert Page.of(bytearray(b"<p>x")).url is None


def test_page_of_a_tree_has_its_base_url() -> None:
    root = lxml.html.document_fromstring("<!DOCTYPE html><p>Käse", base_url=URL)
    page = Page.of(root)
    assert page.url == URL
    assert page.source.decode().startswith("<!DOCTYPE html>")
    assert "<p>Käse</p>" in page.source.decode()
    assert Page.of(root, "http://other.example/").url == "http://other.example/"


def test_declared_encoding_of_a_tree_is_ignored() -> None:
    root = lxml.html.document_fromstring("<meta charset=gbk><p>北京")
    assert "北京" in Page.of(root).source.decode()


XHTML = b"""<!DOCTYPE html [<!ENTITY who "you &amp;amp; me">]>
<html xmlns:h="urn:h"><body>a<![CDATA[ <b> ]]>c &who; d
<p class="x">e<!-- f -->g<?h i?>j</p><h:p id="k">l<script>m</script></h:p>
<P>n</P><div id="p"> <i/> </div><x.y>q</x.y></body></html>"""


@pytest.mark.parametrize("resolves", [True, False])
def test_xml_tree_is_accepted(resolves: bool) -> None:
    parser = etree.XMLParser(resolve_entities=resolves)
    page = Page.of(etree.fromstring(XHTML, parser))
    assert page.why_unreadable is None
    source = page.source.decode()
    for text in ("&lt;b&gt;", '<p class="x">e', "q</x.y>"):
        assert text in source


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_response_is_decoded_by_its_encoding(encoding: str) -> None:
    page = Page.of(Response("<p>北京".encode(encoding), encoding, URL))
    assert (page.source.decode(), page.url) == ("<p>北京", URL)


def test_page_over_the_size_limit_is_cut_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)
    page = Page.of("<p>" + "x" * 20)
    assert page.source == b"<p>xxxxxxx"
    assert page.cut == "the page has more than 10 bytes: the rest was not read"
    assert Page.of("<p>xxxxxxx").cut is None


@pytest.mark.parametrize(
    "nothing",
    [etree.Comment("x"), etree.ProcessingInstruction("x", "y"), etree.ElementTree()],
    ids=["comment", "instruction", "empty tree"],
)
def test_tree_node_without_an_element_is_an_empty_page(nothing: object) -> None:
    assert Page.of(nothing, URL).why_unreadable == "the page is empty"
    assert Page.of(nothing).why_unreadable == "the page is empty"


def test_charset_that_is_not_a_text_encoding_is_ignored() -> None:
    headers = {"Content-Type": "text/html; charset=hex"}
    response = HtmlResponse(URL, body="<p>Käse".encode(), headers=headers)
    assert Page.of(response).source.decode() == "<p>Käse"


class Address(str):
    """A URL as lxml's XPath and NumPy give it."""


def test_url_may_be_a_kind_of_string() -> None:
    source = (
        "<link rel=canonical href=/2014/3/8/x><h1>Rain</h1>"
        + "<p>It rained for a week, and <a href=/x>nobody</a> went out." * 9
    )
    url = "http://news.example/x"
    assert type(Page.of(source, Address(url)).url) is str
    assert extract(source, Address(url)) == extract(source, url)
