"""What a page says of its own kind is the same by compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import lxml.etree
import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_pages import readings, sources

from scrapy_mainblock.core import hints
from scrapy_mainblock.core.native import compiled

head = compiled("head")
pytestmark = pytest.mark.skipif(head is None, reason="core/native/head is not compiled")

READINGS = dict(readings()) if head else {}
Words = tuple[Mapping[str, str], str, Sequence[str]]


def plain(words: Words) -> tuple[dict[str, str], str, list[str]]:
    metas, data, itemtypes = words
    return dict(metas), data, list(itemtypes)


def assert_same(root: lxml.html.HtmlElement) -> None:
    assert plain(hints.words_of(root)) == plain(hints.words_in_python(root))


def is_read_in_c(root: lxml.html.HtmlElement) -> bool:
    return head is not None and head.words_of(root, frozenset(), 1, 1) is not None


@pytest.mark.parametrize("name", sources())
def test_a_page_says_the_same(name: str) -> None:
    if name in READINGS:
        assert_same(READINGS[name].root)


PIECES = (
    '<meta property="og:type" content="article">',
    '<meta name="og:type" content="">',
    '<meta property="" name="generator" content="WordPress 1">',
    "<meta property name=generator>",
    '<meta name="generator" content="' + "x" * 300 + '">',
    '<META NAME="description" CONTENT="no">',
    '<script type="application/ld+json">{"@type": "é <b> &amp;"}</script>',
    '<script type="application/ld+json"></script>',
    '<script type="text/javascript">"@type"</script>',
    "<script>x</script>",
    '<div itemscope itemtype="https://schema.org/Article &eacute;">',
    "<p itemtype>",
    "</div>",
    "<svg><script type='application/ld+json'>1</script></svg>",
    "text",
    "<!-- a comment -->",
)


@given(st.lists(st.sampled_from(PIECES), max_size=15))
def test_any_head_says_the_same(pieces: list[str]) -> None:
    root = lxml.html.document_fromstring(f"<html>{''.join(pieces)}</html>")
    assert_same(root)
    assert is_read_in_c(root)


def test_there_are_as_many_as_are_asked_for() -> None:
    metas = '<meta name="a">' * 199
    for count in (0, 1):
        source = f"<html>{metas}{metas[: 15 * count]}<meta name=generator content=x><p>text"
        root = lxml.html.document_fromstring(source)
        assert_same(root)
        assert bool(hints.words_of(root)[0]) == (count == 0)
    items = "".join(f"<i itemtype={one}>" for one in range(60))
    assert len(hints.words_of(lxml.html.document_fromstring(items))[2]) == 50


def test_an_odd_tree_says_the_same() -> None:
    source = (
        '<!DOCTYPE html [<!ENTITY a "article">]><!--c--><html xmlns:x="urn:x"><meta name="&a;"/>'
        '<x:meta name="generator" content="no"/><meta name="generator" content="&a; yes"/>'
        '<x:script type="application/ld+json">no</x:script><p x:itemtype="no" itemtype="&a;"/>'
        '<script type="application/ld+json">a<![CDATA[b]]><!--c-->d<i>e</i></script></html>'
    )
    for parser in (lxml.etree.XMLParser(resolve_entities=False), lxml.etree.XMLParser()):
        root = lxml.etree.fromstring(source, parser)
        assert_same(root)
        assert_same(root[-1])
    assert not is_read_in_c(root[-1])
    assert_same(lxml.html.Element("html"))
