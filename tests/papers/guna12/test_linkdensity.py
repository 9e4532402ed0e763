"""The descent of [Guna12] on any tree (its examples: papers/test_guna12.py)."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from pages import tree

from scrapy_mainblock.core.counts import count
from scrapy_mainblock.core.linkdensity import content_nodes
from scrapy_mainblock.core.papers.guna12 import Thresholds
from scrapy_mainblock.core.text import to_text

soup = st.lists(
    st.sampled_from(
        (
            *("<div>", "</div>", "<ul><li>", "</ul>", "<p>", "</p>", "words " * 9, "words " * 30),
            *('<a href="/x">link</a> ' * 5, '<a href="/x">link</a>', "<form>", "</form>"),
        )
    ),
    max_size=50,
).map("".join)


@given(soup)
def test_content_nodes_are_in_order_apart_and_hold_text(source: str) -> None:
    nodes = count(tree(source))
    content = content_nodes(nodes)
    elements = [node.element for node in content]
    assert elements == [node.element for node in nodes if node.element in set(elements)]
    for element in elements:
        assert set(elements).isdisjoint(element.iterancestors())
        assert to_text([element])


@given(soup)
def test_where_content_is_found_a_node_meets_both_sets(source: str) -> None:
    content = content_nodes(count(tree(source)))
    assert not content or any(node.all_text >= 100 for node in content)


def test_thresholds_may_be_adjusted_to_a_site() -> None:
    nodes = count(tree('<p>text <a href="/x">link</a></p>'))
    assert content_nodes(nodes) == []
    anything = Thresholds(ltd=1, la=None, ntl=1, lad=1)
    assert [node.tag for node in content_nodes(nodes, anything, anything)] == ["body"]


def test_the_time_is_linear() -> None:
    nodes = count(tree("<div>" * 1800 + "<div>words words words</div>" * 50_000))
    before = time.process_time()
    content_nodes(nodes)
    assert time.process_time() - before < 2
