"""Types of pages, by the models and by links alone."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainblock.core import pagetype
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.pagetype import TYPES, likeliest
from scrapy_mainblock.core.reading import Reading


def reading(inside: str) -> Reading:
    page = Page.of(f"<html><body>{inside}</body></html>")
    assert page.root is not None
    return Reading(page, page.root)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<p>" + "text " * 50, "article"),
        ('<a href="/x">link</a> ' * 20, "index"),
        ('<a href="/x">123456</a>1234', "article"),
        ('<a href="/x">1234567</a>1234', "index"),
        ("<a name=x>123456</a>", "article"),
        ("", "empty"),
        ("<script>x</script> \n", "empty"),
    ],
)
def test_the_share_of_text_in_links_tells_an_index(inside: str, expected: str) -> None:
    assert pagetype.by_links(reading(inside).segments) == expected


PROSE = "<p>" + "text " * 50
LINKS = '<a href="/x">link</a> ' * 20
SOME_LINKS = f'{PROSE}<a href="/x">{"link " * 15}</a>'


@pytest.mark.parametrize(
    ("inside", "kind", "share", "expected"),
    [
        (PROSE, "documentation", 0.7, "documentation"),
        (PROSE, "forum", 0.5, "forum"),
        (LINKS, "documentation", 0.9, "index"),
        (PROSE, "index", 0.9, "article"),
        (SOME_LINKS, "index", 0.9, "index"),
        (SOME_LINKS, "product", 0.3, "other"),
        (PROSE, "product", 0.3, "article"),
        (SOME_LINKS, "of another version", 0.9, "article"),
        ("", "article", 0.9, "empty"),
    ],
)
def test_a_page_of_a_cluster_is_of_its_type_unless_its_links_say_otherwise(
    inside: str, kind: str, share: float, expected: str
) -> None:
    assert pagetype.by_cluster(reading(inside).segments, ((kind, share),)) == expected


def test_a_page_of_a_cluster_of_unknown_types_is_told_by_its_links() -> None:
    assert pagetype.by_cluster(reading(SOME_LINKS).segments, ()) == "article"
    assert pagetype.by_cluster(reading(LINKS).segments, ()) == "index"


@pytest.mark.parametrize("best", range(len(TYPES)))
def test_the_likeliest_type_is_named(best: int) -> None:
    share = np.full(len(TYPES), 0.5 / (len(TYPES) - 1))
    share[best] = 0.5
    assert likeliest(share) == TYPES[best]


def test_a_page_that_is_like_no_type_is_something_else() -> None:
    assert likeliest(np.full(len(TYPES), 1 / len(TYPES))) == "other"


@pytest.mark.parametrize(
    ("label", "expected"),
    [("forum", "forum"), ("listing", "index"), ("collection", "index"), ("Jobs", None), ("", None)],
)
def test_labels_of_sets_are_taken_for_what_they_mean(label: str, expected: str | None) -> None:
    assert pagetype.named(label) == expected


def test_a_page_without_text_is_of_no_type() -> None:
    assert reading("<img src=x>").page_type == "empty"
