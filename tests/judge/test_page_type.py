"""Page types, determined by the models and by links alone."""

from __future__ import annotations

import numpy as np
import pytest
from pages import outline

from scrapy_mainblock.judge import page_type
from scrapy_mainblock.judge.judgement import judge
from scrapy_mainblock.judge.page_type import TYPES, likeliest


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
def test_index_is_recognized_by_the_share_of_text_in_links(inside: str, expected: str) -> None:
    assert page_type.by_links(outline(inside).rows) == expected


def test_part_of_a_page_has_its_own_type() -> None:
    rows = outline('<p><a href="/x">link</a><p>text<p>text').rows
    assert page_type.by_links(rows, 0, 1) == "index"
    assert page_type.by_links(rows, 1, 3) == "article"
    assert page_type.by_links(rows, 1, 1) == "empty"


PROSE = "<p>" + "text " * 50
LINKS = '<a href="/x">link</a> ' * 20
SOME_LINKS = f'{PROSE}<a href="/x">{"link " * 15}</a>'


def by_cluster(inside: str, *types: tuple[str, float]) -> str:
    rows = outline(inside).rows
    return page_type.by_cluster(rows, 0, rows.segment_count, types)


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
def test_page_has_the_type_of_its_cluster_unless_links_contradict(
    inside: str, kind: str, share: float, expected: str
) -> None:
    assert by_cluster(inside, (kind, share)) == expected


def test_page_of_a_cluster_without_types_is_judged_by_links() -> None:
    assert by_cluster(SOME_LINKS) == "article"
    assert by_cluster(LINKS) == "index"


@pytest.mark.parametrize("best", range(len(TYPES)))
def test_likeliest_type_is_returned(best: int) -> None:
    share = np.full(len(TYPES), 0.5 / (len(TYPES) - 1))
    share[best] = 0.5
    assert likeliest(share) == TYPES[best]


def test_page_without_a_likely_type_is_other() -> None:
    assert likeliest(np.full(len(TYPES), 1 / len(TYPES))) == "other"


@pytest.mark.parametrize(
    ("label", "expected"),
    [("forum", "forum"), ("listing", "index"), ("collection", "index"), ("Jobs", None), ("", None)],
)
def test_dataset_labels_are_mapped_to_page_types(label: str, expected: str | None) -> None:
    assert page_type.named(label) == expected


def test_page_without_text_is_empty() -> None:
    assert judge(outline("<img src=x>")).page_type == "empty"
