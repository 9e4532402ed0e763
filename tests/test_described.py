"""What a page says of itself, where it shows nothing."""

from __future__ import annotations

import json

import pytest
from pages import told

from scrapy_mainblock.core.described import described
from scrapy_mainblock.core.mainblock import extract
from scrapy_mainblock.core.page import parse

LONG, LONGER = told(30, "long"), told(60, "longer")


def linked(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def meta(text: str) -> str:
    return f'<meta property="og:description" content="{text}">'


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", []),
        (meta("too short"), []),
        (meta(LONG.replace("\n\n", " ")), [LONG.replace("\n\n", " ")]),
        (linked({"@type": "Article", "articleBody": LONGER}), LONGER.split("\n\n")),
        (linked([{"@graph": [{"a": {"description": LONG}}]}]), LONG.split("\n\n")),
        (
            linked({"description": LONG}) + meta(LONGER.replace("\n\n", " ")),
            [LONGER.replace("\n\n", " ")],
        ),
        (linked({"name": LONG}), []),
        (linked({"text": f"<p>{LONG}</p><p>a &amp; b</p>"}), [*LONG.split("\n\n"), "a & b"]),
        (linked({"text": f"&lt;p&gt;{LONG}"}), LONG.split("\n\n")),
        ('<script type="application/ld+json">{"description": </script>', []),
        (f'<script type="application/ld+json">{"[" * 90_000}</script>', []),
    ],
)
def test_the_longest_text_for_machines_is_taken(head: str, expected: list[str]) -> None:
    root = parse(f"<html><head>{head}</head><body><p>x</body></html>")
    assert root is not None
    assert described(root) == expected


def test_a_page_that_shows_nothing_is_what_it_says_it_is() -> None:
    head = linked({"@type": "Product", "description": LONG})
    article = extract(f"<html><head>{head}</head><body><div id=app></div></body></html>")
    assert article.articleBody == LONG
    assert article.metadata["method"] == "page"
    assert article.metadata["probability"] < 0.5


def test_a_page_that_shows_more_than_it_says_is_not_replaced() -> None:
    links = "".join(f'<li><a href="/{n}">Link number {n}</a>' for n in range(200))
    article = extract(f"<html><head>{meta(LONG)}</head><body><ul>{links}</ul></body></html>")
    assert LONG.split("\n\n")[0] not in (article.articleBody or "")
