"""The descent of [Guna12] on arbitrary trees (for its examples see test_guna12.py)."""

from __future__ import annotations

from collections.abc import Callable

from growth import MOST_TAGS, assert_linear
from hypothesis import given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.papers.guna12.content_nodes import content_nodes
from scrapy_mainblock.papers.guna12.equations import Thresholds
from scrapy_mainblock.papers.nodes import Node, nodes_of
from scrapy_mainblock.render.render import from_segments

soup = st.lists(
    st.sampled_from(
        (
            *("<div>", "</div>", "<ul><li>", "</ul>", "<p>", "</p>", "words " * 9, "words " * 30),
            *('<a href="/x">link</a> ' * 5, '<a href="/x">link</a>', "<form>", "</form>"),
        )
    ),
    max_size=50,
).map("".join)


def count(inside: str) -> list[Node]:
    return nodes_of(outline(inside))


@given(soup)
def test_content_nodes_are_ordered_disjoint_and_have_text(source: str) -> None:
    page = outline(source)
    nodes = nodes_of(page)
    content = content_nodes(nodes)
    assert content == sorted(content, key=lambda node: page.rows.tape_at[node.element])
    for node in content:
        inside = [one.element for one in content if one.element != node.element]
        around = page.rows.parent[node.element]
        while around >= 0:
            assert around not in inside
            around = page.rows.parent[around]
        assert from_segments(page, b"\x01" * page.rows.segment_count, node.element).text


@given(soup)
def test_if_content_is_found_a_node_meets_both_sets(source: str) -> None:
    content = content_nodes(count(source))
    assert not content or any(node.all_text >= 100 for node in content)


def test_thresholds_can_be_passed() -> None:
    nodes = count('<p>text <a href="/x">link</a></p>')
    assert content_nodes(nodes) == []
    anything = Thresholds(ltd=1, la=None, ntl=1, lad=1)
    assert [node.tag for node in content_nodes(nodes, anything, anything)] == ["body"]


def test_the_time_is_linear() -> None:
    def work(times: int) -> Callable[[], object]:
        nodes = count("<div>" * times + "<div>words words words</div>" * times)
        return lambda: content_nodes(nodes)

    # 60,000 nodes exceed the caches of most processors: each then takes twice as long.
    assert_linear(work, 1000, MOST_TAGS // 12)
