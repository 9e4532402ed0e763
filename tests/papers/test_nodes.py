"""The counts of a subtree equal the sums over the segments and texts under its element."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import assert_linear, most_of
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, outline_of

from scrapy_mainblock.outline.html.tags import HIDDEN_TAGS
from scrapy_mainblock.outline.layout import CLOSE, LINKED, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import path_of
from scrapy_mainblock.papers.nodes import Node, nodes_of

TAGS = ("div", "p", "a", 'a href="/x"', "span", "script", "svg", "table", "td", "ul", "li", "h2")

soup = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS]),
        st.sampled_from([f"</{tag.split()[0]}>" for tag in TAGS]),
        st.sampled_from(["text", " two words ", "<!-- no -->", "<?no?>", "&amp;", "中文", "<br>"]),
    ),
    max_size=60,
).map("".join)


def _counts_by_traversal(page: Outline, element: int) -> tuple[int, int, int, int]:
    """Return the text outside and inside links, the links and the elements under an element."""
    rows = page.rows
    text = [0, 0]
    elements = set()
    for place in range(rows.tape_at[element], rows.tape_end[element]):
        event = rows.tape[place]
        if event & 3 == TEXT:
            is_linked = rows.text_flags[event >> 2] & LINKED != 0
            text[is_linked] += rows.text_chars[event >> 2]
        elif event & 3 != CLOSE and not _is_implied(rows, event >> 2):
            elements.add(event >> 2)
    links = sum(rows.name(one) == "a" and rows.href_at[one] > 0 for one in elements)
    return (*text, links, len(elements - {element}))  # type: ignore[return-value]


def _is_implied(rows: Rows, element: int) -> bool:
    """Return whether this is a table row or section without a tag of its own."""
    return rows.name(element) in {"tbody", "tr"} and rows.start[element] == rows.inner[element]


@given(soup)
def test_counts_of_one_pass_equal_counts_by_traversal(source: str) -> None:
    page = outline(source)
    for node in nodes_of(page):
        expected = _counts_by_traversal(page, node.element)
        assert (node.text, node.link_text, node.links, node.size) == expected
        assert node.all_text == node.text + node.link_text


@given(soup)
def test_nodes_are_visible_elements_with_their_parents(source: str) -> None:
    page = outline(source)
    nodes = nodes_of(page)
    rows = page.rows
    assert [rows.tape_at[node.element] for node in nodes] == sorted(
        rows.tape_at[node.element] for node in nodes
    )
    assert nodes[0].parent == -1
    for node in nodes:
        assert node.tag == rows.name(node.element)
        assert node.tag not in HIDDEN_TAGS
        if node.parent >= 0:
            around = nodes[node.parent].element
            assert rows.tape_at[around] < rows.tape_at[node.element] < rows.tape_end[around]


@given(soup)
def test_path_hashes_are_unique_within_a_page(source: str) -> None:
    page = outline(source)
    nodes = nodes_of(page)
    assert len({node.path_hash for node in nodes}) == len(nodes)
    assert len({path_of(page.rows, node.element) for node in nodes}) == len(nodes)


def test_equal_paths_have_equal_hashes_on_any_page() -> None:
    def hashes(inside: str) -> dict[str, int]:
        page = outline(inside)
        return {path_of(page.rows, node.element): node.path_hash for node in nodes_of(page)}

    one, other = hashes("<div>a<p>b</div><ul><li>c"), hashes("<div><p></div><p>x<ul><li>y<li>z")
    shared = one.keys() & other.keys()
    assert shared == {"", "body1", "body1/div1", "body1/div1/p1", "body1/ul1", "body1/ul1/li1"}
    assert all(one[path] == other[path] for path in shared)
    assert not {*one.values()} & {other[path] for path in other.keys() - shared}


def test_hidden_elements_do_not_change_sibling_numbers() -> None:
    def hashes(inside: str) -> list[int]:
        return [node.path_hash for node in nodes_of(outline(inside))]

    without = hashes("<div>a</div><div>b</div>")
    assert hashes("<div>a</div><script>x</script><div>b</div>") == without
    assert hashes("<div>a</div><svg><g/></svg><div>b</div>") == without


def _root_node(inside: str) -> Node:
    """Return the node of the whole page."""
    return nodes_of(outline(inside))[0]


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
        ("<select><option>one<option>two</select>", 0, 0, 0),  # a control of a form
    ],
)
def test_text_is_counted_without_whitespace_and_hidden_parts(
    inside: str, text: int, link_text: int, links: int
) -> None:
    page = _root_node(inside)
    assert (page.text, page.link_text, page.links) == (text, link_text, links)


def test_implied_rows_and_sections_are_not_nodes() -> None:
    nodes = nodes_of(outline("<table><td>a</table>"))
    assert [node.tag for node in nodes] == ["html", "body", "table", "td"]
    assert nodes[3].parent == 2


def test_a_deep_page_needs_no_recursion() -> None:
    nodes = nodes_of(outline_of("<div>x" * 50_000))
    assert nodes[0].text == 50_000
    assert nodes[0].size == len(nodes) - 1 == 50_001


@pytest.mark.parametrize("piece", ["<div>x", "<p>x</p>", "<a href=x>", "<b><p></b>"])
def test_the_time_is_linear(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        page = outline(piece * times)
        return lambda: nodes_of(page)

    assert_linear(work, 1000, most_of(piece))
