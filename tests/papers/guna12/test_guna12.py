"""[Guna12]: the four numbers, the thresholds, the descent and the sibling step."""

from __future__ import annotations

import pytest
from pages import outline, outline_of, words

from scrapy_mainblock import Article
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.guna12 import equations as guna12
from scrapy_mainblock.papers.guna12.content_nodes import content_nodes
from scrapy_mainblock.papers.guna12.equations import BASIC, PRECISE, Thresholds
from scrapy_mainblock.papers.methods import extract_by
from scrapy_mainblock.papers.nodes import Node, nodes_of


def _named_content_nodes(inside: str) -> list[tuple[str, Node]]:
    """Return the content nodes of a page, each with its id or else its tag."""
    page = outline(inside)
    nodes = content_nodes(nodes_of(page))
    return [(page.rows.identifier(node.element) or node.tag, node) for node in nodes]


def _content_ids(inside: str) -> list[str]:
    """Return the ids of the content nodes of a page."""
    return [name for name, _ in _named_content_nodes(inside)]


def extracted(html: str) -> Article:
    return extract_by("linkdensity", outline_of(html))


def div(name: str, *, text: int = 0, links: int = 0, inside: str = "", holder: str = "div") -> str:
    """Return a node with this much text and this many links of ten characters each."""
    anchors = '<a href="/x">abcdefghij</a>' * links
    return f'<{holder} id="{name}">{"t" * text}{anchors}{inside}</{holder}>'


@pytest.mark.parametrize(
    ("link_text", "all_text", "expected"), [(0, 0, 0), (0, 10, 0), (5, 20, 0.25), (10, 10, 1)]
)
def test_ltd_is_link_text_over_all_text(link_text: int, all_text: int, expected: float) -> None:
    assert guna12.link_text_density(link_text, all_text) == expected


@pytest.mark.parametrize(("links", "nodes", "expected"), [(0, 0, 0), (1, 4, 0.25), (3, 3, 1)])
def test_lad_is_links_over_nodes(links: int, nodes: int, expected: float) -> None:
    assert guna12.link_amount_density(links, nodes) == expected


def test_the_thresholds_are_as_printed_except_for_the_basic_la() -> None:
    assert Thresholds(0.4, None, 100, 0.5) == BASIC
    assert Thresholds(0.1, 10, 50, 0.1) == PRECISE


@pytest.mark.parametrize(
    ("numbers", "holds"),
    [
        ((0.1, 10, 50, 0.1), True),
        ((0.11, 10, 50, 0.1), False),
        ((0.1, 11, 50, 0.1), False),
        ((0.1, 10, 49, 0.1), False),
        ((0.1, 10, 50, 0.11), False),
    ],
)
def test_ltd_la_and_lad_are_maxima_and_ntl_is_a_minimum(
    numbers: tuple[float, int, int, float], holds: bool
) -> None:
    assert PRECISE.hold(*numbers) is holds


def test_without_a_bound_on_la_any_number_of_links_is_allowed() -> None:
    assert BASIC.hold(0.4, 10_000, 100, 0.5)


def test_the_four_numbers_of_a_node_are_its_counts() -> None:
    inside = div("x", text=30, links=2, inside="<p>ab <b>cd</b></p>")
    page = outline(inside)
    (node,) = [one for one in nodes_of(page) if page.rows.identifier(one.element) == "x"]
    assert (node.link_text, node.all_text, node.links, node.size) == (20, 54, 2, 4)


def test_the_descent_goes_from_the_body_to_the_content() -> None:
    menu = div("menu", links=15)
    article = div("article", text=400)
    assert _content_ids(menu + div("wrap", inside=menu + article)) == ["article"]


def test_a_body_that_meets_the_precise_set_is_the_content() -> None:
    assert _content_ids("<p>" + "t" * 200 + "</p>") == ["body"]


def test_short_siblings_that_meet_the_precise_set_are_content() -> None:
    parts = (
        div("menu", links=20)
        + div("first", text=300)
        + div("short", text=60)
        + div("tiny", text=40)
        + div("linked", text=100, links=4)
    )
    assert _content_ids(parts) == ["first", "short"]


def test_a_sibling_that_meets_only_the_basic_set_is_descended_into() -> None:
    more = div("more", links=6, inside="<p>t</p>" * 8)
    mixed = div("mixed", inside=div("second", text=200) + more)
    assert _content_ids(div("menu", links=20) + div("first", text=300) + mixed) == [
        "first",
        "second",
    ]


def test_short_nodes_alone_are_not_content() -> None:
    assert _content_ids(div("menu", links=20) + div("short", text=60)) == []


@pytest.mark.parametrize(
    "inside",
    [
        "",
        div("menu", links=30),
        div("menu", links=30) + div("few", text=30),
        f"<form>{'t' * 300}</form>" + div("menu", links=30),
        f"<marquee>{'t' * 300}</marquee>" + div("menu", links=30),
    ],
)
def test_a_page_without_a_content_node_is_not_suitable(inside: str) -> None:
    assert _content_ids(inside) == []
    article = extracted(f"<html><body>{inside}</body></html>")
    assert article.articleBody is None
    assert article.metadata["reason"] == "no main block found"


def test_a_node_with_too_many_links_is_descended_into() -> None:
    wrapper = div("wrap", inside=div("menu", links=30) + div("article", text=300))
    assert _content_ids(wrapper) == ["article"]


def test_content_nodes_are_not_nested_and_in_document_order() -> None:
    parts = "".join(
        div(f"n{number}", text=200, links=number % 3, inside=div(f"i{number}", text=150))
        for number in range(8)
    )
    page = outline(div("menu", links=40) + parts)
    nodes = nodes_of(page)
    content = content_nodes(nodes)
    places = [nodes.index(node) for node in content]
    assert places == sorted(places)
    elements = {node.element for node in content}
    assert all(elements.isdisjoint(ancestors(page, element)) for element in elements)
    names = [page.rows.identifier(node.element) for node in content]
    assert names[:4] == ["n0", "i1", "n3", "i4"]


def ancestors(page: Outline, element: int) -> set[int]:
    """Return the ancestors of an element."""
    found: set[int] = set()
    while (element := page.rows.parent[element]) >= 0:
        found.add(element)
    return found


@pytest.mark.parametrize("tag", ["form", "marquee"])
def test_forms_and_marquees_are_ignored(tag: str) -> None:
    inside = f"<{tag}>label<p>more</p>{'<a href=x>abcdefghij</a>' * 9}</{tag}>"
    ((name, node),) = _named_content_nodes(
        div("menu", links=20) + div("a", text=300, inside=f"<p>t</p>{inside}")
    )
    numbers = (node.text, node.link_text, node.links, node.size)
    assert (name, *numbers) == ("a", 301, 0, 0, 1)

    html = f"<body>{div('menu', links=20)}<div>{words(60)}{inside}<p>end</p></div></body>"
    assert extracted(html).articleBody == f"{words(60)}\n\nend"


def test_the_method_renders_all_of_the_nodes() -> None:
    html = f"<html><body>{div('menu', links=20)}<p>{words(60, 'one')}</p><p>{words(60, 'two')}</p>"
    article = extracted(html)
    assert article.articleBody == f"{words(60, 'one')}\n\n{words(60, 'two')}"
