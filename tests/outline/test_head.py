"""The machine-readable part of a page's head, and the base of its relative URLs."""

from __future__ import annotations

import pytest
from pages import outline_of

from scrapy_mainblock.outline.head import MOST_ITEM_TYPES, MOST_METAS, Head


def head(source: str) -> Head:
    return outline_of(source).head


@pytest.mark.parametrize(
    ("inside", "base"),
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
        ("<base href='http://f.com/?a&amp;b'>", "http://f.com/?a&b"),
        ("<svg><base href='http://f.com/'></svg>", "http://e.com/a/b"),
    ],
)
def test_base_of_relative_urls(inside: str, base: str) -> None:
    source = f"<html><head>{inside}</head><body><p>x</p></body></html>"
    assert outline_of(source, "http://e.com/a/b").base == base


def test_base_of_a_page_without_a_url() -> None:
    assert outline_of("<head><base href='http://f.com/'></head><p>x").base == "http://f.com/"
    assert outline_of("<head><base href='/x'></head><p>x").base is None


@pytest.mark.parametrize(
    ("metas", "found"),
    [
        ('<meta property="og:type" content="article">', {"og:type": "article"}),
        ('<meta name="og:type" content="">', {"og:type": ""}),
        ('<meta property="" name="generator" content="x">', {"generator": "x"}),
        ("<meta property name=generator>", {"generator": ""}),
        ('<META NAME=" Description " CONTENT="a &amp; b">', {"description": "a & b"}),
        ("<meta name=a content=1><meta name=a content=2>", {"a": "1"}),
        ("<meta charset=utf-8>", {}),
        ("<meta name=a content='x\ny'>", {"a": "x\ny"}),
    ],
)
def test_metas_are_keyed_by_property_or_name(metas: str, found: dict[str, str]) -> None:
    assert head(f"<head>{metas}</head><p>x").metas == found


def test_meta_in_the_head_wins_over_a_later_one() -> None:
    source = "<meta name=a content=1><p>stray<meta name=a content=2><meta name=b content=3>"
    assert head(source).metas == {"a": "1", "b": "3"}


def test_number_of_metas_is_limited() -> None:
    source = "".join(f"<meta name=a{number} content=x>" for number in range(MOST_METAS + 5))
    assert len(head(source).metas) == MOST_METAS


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("<title>a &amp; b</title>", "a & b"),
        ("<title></title><p>x", ""),
        ("<p>x", ""),
        ("<svg><title>Icon</title></svg>", ""),
        ("<title>a</title><title>b</title>", "a"),
        ("<p>x<title>in the body</title>", "in the body"),
        ("<head><title>a</title></head><body><title>b</title>", "a"),
        ("<title>never <b>closed", "never <b>closed"),
    ],
)
def test_title_is_that_of_the_head_or_else_the_first(source: str, title: str) -> None:
    assert head(source).title == title


def test_linked_data_is_recognized_by_script_type() -> None:
    source = (
        '<script type="application/ld+json">{"@type": "é <b> &amp;"}</script>'
        "<script type=' APPLICATION/LD+JSON '>1</script><script>2</script>"
        "<script type=text/json>3</script><p>x<script type=application/ld+json>4</script>"
    )
    assert head(source).linked_data == ['{"@type": "é <b> &amp;"}', "1", "4"]


def test_microdata_item_types_are_collected_up_to_a_limit() -> None:
    source = "<div itemscope itemtype='https://schema.org/A'><p itemtype=b><i itemtype=\"c d\">"
    assert head(source).item_types == ["https://schema.org/A", "b", "c d"]
    many = "".join(f"<i itemtype={number}>" for number in range(60))
    assert len(head(many).item_types) == MOST_ITEM_TYPES


@pytest.mark.parametrize(
    ("links", "address"),
    [
        ("<link rel=canonical href=https://a.example/x>", "https://a.example/x"),
        ("<link rel='nofollow Canonical' href=/x>", "/x"),
        ("<link rel=canonical>", ""),
        ("<link rel=icon href=/x>", ""),
        ("<p>x<link rel=canonical href=/y>", "/y"),
    ],
)
def test_link_is_found_by_its_relation(links: str, address: str) -> None:
    assert head(links).link("canonical") == address
