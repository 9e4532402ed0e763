"""The counts of a subtree, against a naive recursive count of the same tree."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement
from pages import tree

from scrapy_mainblock.core.counts import INVISIBLE_TAGS, count
from scrapy_mainblock.core.page import parse
from scrapy_mainblock.core.paths import path_of

TAGS = ("div", "p", "a", 'a href="/x"', "span", "script", "svg", "table", "td", "ul", "li", "h2")

soup = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS]),
        st.sampled_from([f"</{tag.split()[0]}>" for tag in TAGS]),
        st.sampled_from(["text", " two words ", "<!-- no -->", "<?no?>", "&amp;", "中文", "<br>"]),
    ),
    max_size=60,
).map("".join)


class Counts(NamedTuple):
    text: int
    link_text: int
    links: int
    size: int


def naive(element: HtmlElement, in_link: bool = False) -> Counts:
    """What stands under an element, by recursion."""
    is_link = element.tag == "a" and element.get("href") is not None
    in_link = in_link or is_link
    text = link_text = size = 0
    links = int(is_link)

    def add(piece: str | None) -> None:
        nonlocal text, link_text
        length = sum(not character.isspace() for character in piece or "")
        text, link_text = (text, link_text + length) if in_link else (text + length, link_text)

    add(element.text)
    for child in element:
        if isinstance(child.tag, str) and child.tag not in INVISIBLE_TAGS:
            under = naive(child, in_link)
            text += under.text
            link_text += under.link_text
            links += under.links
            size += 1 + under.size
        add(child.tail)
    return Counts(text, link_text, links, size)


@given(soup)
def test_one_pass_counts_what_a_recursion_counts(source: str) -> None:
    for node in count(tree(source)):
        in_link = any(
            above.tag == "a" and above.get("href") is not None
            for above in node.element.iterancestors()
        )
        expected = naive(node.element, in_link)
        assert Counts(node.text, node.link_text, node.links, node.size) == expected
        assert node.all_text == node.text + node.link_text


@given(soup)
def test_nodes_are_the_visible_elements_in_document_order_and_know_their_parents(
    source: str,
) -> None:
    root = tree(source)
    nodes = count(root)
    visible = [
        element
        for element in root.iter("*")
        if INVISIBLE_TAGS.isdisjoint(
            [element.tag, *(above.tag for above in element.iterancestors())]
        )
    ]
    assert [node.element for node in nodes] == visible
    for node in nodes[1:]:
        assert nodes[node.parent].element is node.element.getparent()
    assert nodes[0].parent == -1


@given(soup)
def test_a_path_hash_stands_for_one_path_of_the_page(source: str) -> None:
    nodes = count(tree(source))
    hashes = {node.path_hash for node in nodes}
    assert len(hashes) == len(nodes) == len({path_of(node.element) for node in nodes})


@given(soup, soup)
def test_equal_paths_have_equal_hashes_on_any_page(one: str, other: str) -> None:
    paths = [
        {path_of(node.element): node.path_hash for node in count(tree(source))}
        for source in (one, other)
    ]
    for path in paths[0].keys() & paths[1].keys():
        assert paths[0][path] == paths[1][path]
    shared = set(paths[0].values()) & set(paths[1].values())
    assert len(shared) == len(paths[0].keys() & paths[1].keys())


def test_what_is_not_seen_does_not_number_its_siblings() -> None:
    with_script = tree("<div>a</div><script>x</script><div>b</div>")
    without = tree("<div>a</div><div>b</div>")
    assert [n.path_hash for n in count(with_script)] == [n.path_hash for n in count(without)]


@pytest.mark.parametrize(
    ("inside", "text", "link_text", "links"),
    [
        (" a \n b ", 2, 0, 0),
        ("x\xa0y\u3000z", 3, 0, 0),
        ('<a href="/x">in</a>out', 3, 2, 1),
        ('<a href="">in</a>', 0, 2, 1),
        ("<a name=x>named</a>", 5, 0, 0),
        ('<a href="/x">a<b>b</b>c<!-- d -->e</a>', 0, 4, 1),
        ("<script>var x</script>after<style>y</style>", 5, 0, 0),
        ("<noscript>no</noscript><svg><text>s</text></svg><iframe>i</iframe>", 0, 0, 0),
        ("<select><option>one<option>two</select>", 6, 0, 0),
    ],
)
def test_a_text_is_counted_without_white_space_and_without_what_is_not_seen(
    inside: str, text: int, link_text: int, links: int
) -> None:
    page = count(tree(inside))[0]
    assert (page.text, page.link_text, page.links) == (text, link_text, links)


def test_a_deep_page_needs_no_recursion() -> None:
    root = parse("<div>x" * 50_000)
    assert root is not None
    nodes = count(root)
    assert nodes[0].text > 1000
    assert nodes[0].size == len(nodes) - 1


def test_an_element_nobody_sees_has_no_nodes() -> None:
    (script,) = tree("<script>x</script>").iter("script")
    assert count(script) == []
