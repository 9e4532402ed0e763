"""A page is decoded and parsed, whatever it holds."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core.page import Page, decode, parse

MARK = "<p>Käse, 北京 ☃</p>"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (MARK, None, MARK),
        (MARK.encode(), None, MARK),
        (bytearray(MARK.encode()), None, MARK),
        (memoryview(MARK.encode()), None, MARK),
        (codecs.BOM_UTF8 + MARK.encode(), None, MARK),
        (MARK.encode("utf-16"), None, MARK),
        (codecs.BOM_UTF16_BE + MARK.encode("utf-16-be"), None, MARK),
        (MARK.encode("utf-16-le"), None, MARK),
        (MARK.encode("utf-16-be"), None, MARK),
        ("<p>Käse".encode("cp1252"), None, "<p>Käse"),
        (b"<p>\x93quoted\x94", None, "<p>“quoted”"),
        ("<p>北京".encode("gbk"), "text/html; charset=gb2312", "<p>北京"),
        ("<meta charset=gb2312><p>北京".encode("gbk"), None, "<meta charset=gb2312><p>北京"),
        ("<p>北京".encode(), "text/html; charset=no-such", "<p>北京"),
        # the header wins over the meta, a mark over both
        ("<meta charset=gbk><p>é".encode(), "x; charset=utf-8", "<meta charset=gbk><p>é"),
        (
            codecs.BOM_UTF8 + "<meta charset=gbk>é".encode(),
            "x; charset=big5",
            "<meta charset=gbk>é",
        ),
        # a page that could be read as ASCII to find its meta is not UTF-16
        ("<meta charset=utf-16><p>é".encode(), None, "<meta charset=utf-16><p>é"),
        # cut off inside of a character
        ("<p>Käse ☃".encode()[:-1], None, "<p>Käse \ufffd"),
        (b"", None, ""),
        (b"\xff\xfe", None, ""),
    ],
)
def test_a_page_is_decoded_as_a_browser_would(
    body: bytes | str, content_type: str | None, text: str
) -> None:
    assert decode(body, content_type) == text


@pytest.mark.parametrize(
    "encoding",
    ["hex", "base64", "rot13", "zlib", "uu", "idna", "undefined", "punycode", "unicode_escape", ""],
)
def test_pythons_own_codecs_are_no_encodings_of_pages(encoding: str) -> None:
    for page in (
        f"<meta charset={encoding}><p>a\\x3cb>é</p>",
        f'<?xml version="1.0" encoding="{encoding}"?><p>a\\x3cb>é</p>',
    ):
        assert decode(page.encode()) == page
        assert decode(page.encode(), f"text/html; charset={encoding}") == page


def test_punycode_cannot_be_made_to_take_minutes() -> None:
    before = time.monotonic()
    decode(b"<meta charset=punycode>" + b"ab-" * 100_000 + b"kva" * 100_000)
    assert time.monotonic() - before < 2


@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=30)))
def test_any_bytes_are_some_text(body: bytes, content_type: str | None) -> None:
    assert isinstance(decode(body, content_type), str)


@pytest.mark.parametrize("wrong", [None, 5, 10**12, ["<p>x</p>"], object()])
def test_what_is_neither_bytes_nor_text_is_the_callers_mistake(wrong: object) -> None:
    with pytest.raises(TypeError):
        decode(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "source", ["", " \n", "plain text", "1 < 2", "<", "<!-- only -->", "<!DOCTYPE html>", "</p>"]
)
def test_a_source_without_markup_has_no_tree(source: str) -> None:
    assert parse(source) is None
    assert Page(source).body is None


@given(st.text(max_size=100))
def test_any_text_has_a_tree_or_none(source: str) -> None:
    parse(source)
    parse(f"<{source}")


@pytest.mark.parametrize(
    "source",
    [
        "<p>Käse</p>",
        "<meta charset=gbk><p>Käse</p>",
        '<?xml version="1.0" encoding="utf-16"?><p>Käse</p>',
        "<p>K\x00äse</p>",
        "\x00<p>Käse",
        "<\x00p>Käse",
        "\ufeff<p>Käse",
    ],
)
def test_a_decoded_source_is_parsed_whatever_it_says_of_its_encoding(source: str) -> None:
    root = parse(source)
    assert root is not None
    assert root.text_content() == "Käse"


def test_lone_surrogates_do_not_stop_the_parser() -> None:
    root = parse("<p>a\ud800b</p>")
    assert root is not None
    assert root.text_content() == "a?b"


def test_a_page_is_parsed_once_and_may_bring_its_tree() -> None:
    page = Page.of(b"<p>x</p>", "http://e.com/")
    assert page.root is page.root
    assert page.url == "http://e.com/"
    assert page.root is not None
    given_tree = Page.parsed(page.source, page.root)
    assert given_tree.root is page.root


def test_the_body_of_a_page_without_one_is_its_root() -> None:
    page = Page.of("<frameset><frame src=x></frameset>")
    assert page.root is not None
    assert page.body is page.root
    with_body = Page.of("<p>x").body
    assert with_body is not None
    assert with_body.tag == "body"


def test_elements_may_be_nested_two_thousand_deep() -> None:
    root = parse("<div>" * 1900 + "x")
    assert root is not None
    assert root.text_content() == "x"


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", "http://e.com/a/b"),
        ("<base>", "http://e.com/a/b"),
        ("<base href=/c/>", "http://e.com/c/"),
        ("<base target=x><base href='http://f.com/'><base href=/no/>", "http://f.com/"),
        ("<base href=' https://f.com/d '>", "https://f.com/d"),
        ("<base href='javascript:x()//'>", "http://e.com/a/b"),
        ("<base href='data:text/html,'>", "http://e.com/a/b"),
        ("<base href='http://[x/'>", "http://e.com/a/b"),
        ("<base href='http://f.com/\x01\u202e'>", "http://e.com/a/b"),
        ("<base href='http://f.com/ x'>", "http://e.com/a/b"),
    ],
)
def test_addresses_are_relative_to_the_pages_base(head: str, base: str) -> None:
    page = Page(f"<html><head>{head}</head><body><p>x</p></body></html>", "http://e.com/a/b")
    assert page.base == base


def test_the_base_of_a_page_without_a_url_or_a_tree() -> None:
    assert Page("<head><base href='http://f.com/'></head><p>x").base == "http://f.com/"
    assert Page("<head><base href='/x'></head><p>x").base is None
    assert Page("no markup", "http://e.com/").base == "http://e.com/"
