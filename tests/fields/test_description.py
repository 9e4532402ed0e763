"""The description of a page: which of several is chosen."""

from __future__ import annotations

import pytest
from pages import told_in_html

from scrapy_mainblock import explain, extract

BODY = f"<body><h1>Rain in the hills</h1><article>{told_in_html(120, 'word')}</article></body>"
WRITTEN = "It rains in the hills, for the first time since March."
BEGINNING = "Rain fell in the hills this morning, and " + "it went on falling " * 20
SITE = '<meta property="og:site_name" content="Hill News">'


def description_of(meta: str, of_graph: str, more: str = "") -> str | None:
    html = (
        f'<html><head>{more}<meta name="description" content="{meta}">'
        f'<meta property="og:description" content="{of_graph}"></head>{BODY}</html>'
    )
    found = extract(html, url="https://news.example/rain", fields=["description"]).description
    rejected = explain(html, url="https://news.example/rain").fields["description"].rejected
    assert {one.value for one in rejected} >= {meta.strip(), of_graph.strip()} - {found, ""}
    return found


def test_description_of_the_site_is_recognized_by_its_host() -> None:
    head = (
        '<meta name="description" content="The Hill-News are a blog about hills">'
        f'<meta property="og:description" content="{WRITTEN}">'
    )
    found = extract(f"<head>{head}</head>{BODY}", url="https://www.hill-news.example/rain")
    assert found.description == WRITTEN


@pytest.mark.parametrize(
    ("meta", "of_graph", "expected"),
    [
        (WRITTEN, "Read on.", WRITTEN),
        (WRITTEN, BEGINNING.strip(), WRITTEN),
        (BEGINNING, WRITTEN, WRITTEN),
        (BEGINNING, BEGINNING + "and falling.", BEGINNING.strip()),
        ("By Anna Berg", WRITTEN, WRITTEN),
        ("Short, but it ends here!", "Read.", "Short, but it ends here!"),
        ("Hill News - all the news", WRITTEN, WRITTEN),
        (WRITTEN[:40], WRITTEN, WRITTEN),
        (WRITTEN[:40] + "...", WRITTEN, WRITTEN[:40] + "..."),
        ("", WRITTEN, WRITTEN),
    ],
    ids=[
        "what is written for search engines comes first",
        "even where the other is longer",
        "but not the beginning of the text",
        "unless the other is one too, and longer",
        "no name of an author",
        "a short one before one that is shorter",
        "not what is said of the site",
        "not what is cut off",
        "what a person has cut off on purpose",
        "the only one",
    ],
)
def test_chosen_description(meta: str, of_graph: str, expected: str) -> None:
    assert description_of(meta, of_graph, SITE) == expected
