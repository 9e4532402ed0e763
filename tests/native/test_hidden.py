"""The first question of `repair`, compiled: nothing that is hidden is passed over."""

from __future__ import annotations

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_mainblock.core import repair
from scrapy_mainblock.core.native import compiled

hidden = compiled("hidden")
pytestmark = pytest.mark.skipif(hidden is None, reason="core/native/hidden is not compiled")

PIECES = st.sampled_from(
    [
        *("<button>", "</button>", "<noscript>", "</noscript>", "<p>", "<p>" * 3, "<p>x</p>" * 10),
        *("<main>", "<article>", "</article>", "<div>", "</div>", "text", "<!--p-->", "<x:p>"),
    ]
)


def some_may_be(root: lxml.html.HtmlElement, most: int) -> bool:
    """As Python asks, one element after the other."""
    buttons = [one for one in root.iter("button") if len(one)][:most]
    noscripts = list(root.iter("noscript"))[:most]
    return any(map(repair._HOLDS_A_PAGE, buttons)) or any(map(repair._HAS_PARAGRAPHS, noscripts))


@given(st.lists(PIECES, min_size=1, max_size=40).map("".join), st.integers(1, 3))
def test_what_may_be_hidden_is_what_python_finds(source: str, most: int) -> None:
    assert hidden is not None
    for root in (
        lxml.html.document_fromstring(f"<html><body>{source}"),
        *lxml.html.document_fromstring(f"<html><body>{source}").iter("button", "div"),
    ):
        found = hidden.may_hide(root, most, repair.IN_BUTTON, repair.IN_NOSCRIPT)
        assert found <= some_may_be(root, most)
        assert bool(repair._hidden_pages(root)) <= hidden.may_hide(root, 200, 9, 2)


def test_names_of_another_namespace_are_other_names() -> None:
    assert hidden is not None
    inside = "<main/>" * 3
    for xml, expected in (
        (f"<a><button>{inside}</button></a>", True),
        (f"<a xmlns='x'><button>{inside}</button></a>", False),
        (f"<a xmlns:y='x'><y:button>{inside}</y:button></a>", False),
        ("<a xmlns:y='x'><button><y:main/></button></a>", False),
    ):
        assert hidden.may_hide(etree.fromstring(xml), 200, 9, 2) is expected


def test_a_deep_tree_is_walked() -> None:
    assert hidden is not None
    root = top = etree.Element("div")
    for _ in range(100_000):
        top = etree.SubElement(top, "div")
    assert hidden.may_hide(root, 200, 9, 2) is False
    etree.SubElement(etree.SubElement(top, "button"), "main")
    assert hidden.may_hide(root, 200, 9, 2) is True
