"""What libxml2 and a page's author misunderstand, and what is made of it."""

from __future__ import annotations

import lxml.html
import pytest

from scrapy_mainblock.core.page import Page, parse
from scrapy_mainblock.core.repair import MOST_LOOKED_AT, hidden_pages
from scrapy_mainblock.core.segments import segment

PARAGRAPHS = "<p>one</p><p>two</p><p>three</p>"


def shown(source: str) -> list[str]:
    body = Page.of(source).body
    assert body is not None
    return segment(body).texts


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("<button>Menu</button><p>a", ["a"]),
        ("<button><p>Menu</p></button><p>a", ["a"]),
        ("<button><svg><path></svg><main><p>a</main></button><p>b", ["a", "b"]),
        (f"<button>{'<p>a</p>' * 9}</button><p>b", ["b"]),
        (f"<button>{'<p>a</p>' * 10}</button><p>b", ["a"] * 10 + ["b"]),
    ],
)
def test_a_button_that_holds_the_page_is_none(inside: str, texts: list[str]) -> None:
    assert shown(f"<body>{inside}") == texts


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        (f"<noscript>{PARAGRAPHS}</noscript>", ["one", "two", "three"]),
        (f"<script>{'x' * 50}</script><noscript>{PARAGRAPHS}</noscript>", ["one", "two", "three"]),
        ("<noscript>Please switch JavaScript on.</noscript>", []),
        (f"<p>{'text ' * 9}</p><noscript>{PARAGRAPHS}</noscript>", [("text " * 9).strip()]),
    ],
)
def test_a_text_for_readers_without_scripts_counts_where_there_is_hardly_another(
    inside: str, texts: list[str]
) -> None:
    assert shown(f"<body>{inside}") == texts


def test_a_tree_that_is_given_is_not_changed() -> None:
    source = "<body><button><main><p>a</main></button><p>b"
    given = lxml.html.document_fromstring(source)
    before = lxml.html.tostring(given)
    page = Page.parsed(source, given)
    assert page.body is not None
    assert segment(page.body).texts == ["a", "b"]
    assert lxml.html.tostring(given) == before


def test_no_more_than_some_elements_are_looked_into() -> None:
    root = parse("<button>" * 1500 + "x")
    assert root is not None
    assert hidden_pages(root) == []
    many = parse(f"<button>{'<p>a</p>' * 10}</button>" * (MOST_LOOKED_AT + 5))
    assert many is not None
    assert len(many.findall(".//button")) == 5
