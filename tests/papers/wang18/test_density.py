"""The densest block of a page, and the path set of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.papers.nodes import Node, nodes_of
from scrapy_mainblock.papers.wang18.densest_block import (
    MOST_PATHS,
    blocks,
    densest_block,
    path_set,
    scored_blocks,
)
from scrapy_mainblock.papers.wang18.equations import PAPER, TODAY, Settings, similarity


def count(inside: str) -> list[Node]:
    return nodes_of(outline(inside))


soup = st.lists(
    st.sampled_from(
        (
            *("<div>", "</div>", "<table><tr><td>", "</table>", "<p>", "</p>", "some text "),
            *('<a href="/x">link</a>', "<article>", "</article>"),
        )
    ),
    max_size=50,
).map("".join)


@pytest.mark.parametrize(
    ("settings", "tags"),
    [
        (PAPER, ["div", "table"]),
        (TODAY, ["body", "main", "div", "article", "table", "td", "section"]),
    ],
)
def test_blocks_are_the_elements_named_in_the_settings(settings: Settings, tags: list[str]) -> None:
    nodes = count("<main><div><p>x</p></div></main><article></article><table><tr><td><section>x")
    assert [node.tag for node in blocks(nodes, settings)] == tags


def test_the_path_set_does_not_depend_on_the_text() -> None:
    one, other = (
        path_set(count(f"<div><p>{text}</p><div>{text}<b>x</b></div></div>"), PAPER)
        for text in ("a", "quite another text")
    )
    assert one == other
    assert len(one) == 2


def test_paths_with_other_numbers_are_different_paths() -> None:
    one = path_set(count("<div></div><p></p>"), PAPER)
    other = path_set(count("<p></p><div></div><div></div>"), PAPER)
    assert similarity(one, other) == 1  # the smaller set is a subset of the larger
    assert len(other) == 2


def test_two_huge_similar_pages_keep_mostly_the_same_paths() -> None:
    huge, larger = (
        path_set(count("<div></div>" * size), PAPER)
        for size in (MOST_PATHS + 1000, MOST_PATHS + 1100)
    )
    assert len(huge) == len(larger) == MOST_PATHS
    assert similarity(huge, larger) > 0.9


@given(soup)
def test_h_is_between_0_and_1(source: str) -> None:
    for settings in (PAPER, TODAY):
        for scored in scored_blocks(count(source), settings):
            assert 0 <= scored.density < 1


@given(soup)
def test_the_densest_block_is_the_first_with_the_highest_h(source: str) -> None:
    nodes = count(source)
    scored = list(scored_blocks(nodes, PAPER))
    best = densest_block(nodes, PAPER)
    highest = max((one.density for one in scored), default=0)
    if highest == 0:
        assert best is None
    else:
        assert best == next(one for one in scored if one.density == highest)


def test_alpha_decides_between_a_block_and_its_denser_inner_block() -> None:
    inside = f"<div id=outer><p>{'x' * 60}</p><p>y</p><div id=inner>{'z' * 90}</div></div>"
    page = outline(inside)
    nodes = nodes_of(page)
    for alpha, expected in [(0.0, "outer"), (0.3, "inner"), (3.0, "inner")]:
        best = densest_block(nodes, Settings(frozenset({"div"}), alpha))
        assert best is not None
        assert page.rows.identifier(best.node.element) == expected


def test_an_empty_list_of_nodes_has_no_densest_block() -> None:
    assert densest_block([], PAPER) is None
