"""Paths of elements, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import tree

from scrapy_mainblock.core.paths import find_path, is_path, path_of

TAGS = (
    "div",
    "p",
    "h1",
    "h2",
    "x-1",
    "x-1.2",
    "x.",
    "x-1.",
    "a.b",
    "o:p",
    "table",
    "xéé",
    "x²",
    "a-long-name-that-ends-so\x01",
    "x*",
    "x{y}1",
)

soup = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS]),
        st.sampled_from([f"</{tag}>" for tag in TAGS]),
        st.sampled_from(["text", "<!-- c -->"]),
    ),
    max_size=40,
).map("".join)


@given(soup)
def test_a_path_leads_back_to_its_element(source: str) -> None:
    root = tree(source)
    for element in root.iter("*"):
        path = path_of(element)
        if element is not root:
            assert is_path(path)
            assert find_path(root, path) is element


@pytest.mark.parametrize(
    ("inside", "xpath", "path"),
    [
        ("<div></div><p></p><div><div></div><div id=x></div></div>", "//*[@id='x']", None),
        ("<h1>a</h1><h1 id=x>b</h1>", "//*[@id='x']", "body1/h1.2"),
        ("<p></p><x-1 id=x>b</x-1>", "//*[@id='x']", "body1/x-1.1"),
        ("<table><tr><td id=x>1", "//*[@id='x']", "body1/table1/tr1/td1"),
    ],
)
def test_a_step_is_a_tag_and_its_number_among_its_like(
    inside: str, xpath: str, path: str | None
) -> None:
    (element,) = tree(inside).xpath(xpath)
    assert path_of(element) == (path or "body1/div2/div2")


@pytest.mark.parametrize(
    "path", ["", "/", "div", "div0", "body1/", "/body1", "body1//div1", "1", "body1/div01", "*1/.1"]
)
def test_what_is_no_path_finds_nothing(path: str) -> None:
    assert not is_path(path)
    assert find_path(tree("<div><div></div></div>"), path) is None


@pytest.mark.parametrize("path", ["body1/div3", "body2", "body1/p1", "body1/div1/div1/div1/div1"])
def test_a_path_that_the_page_does_not_have_finds_nothing(path: str) -> None:
    assert is_path(path)
    assert find_path(tree("<div><div></div></div>"), path) is None


def test_a_path_written_by_hand_may_put_the_dot_everywhere() -> None:
    root = tree("<div></div><div id=x></div>")
    found = find_path(root, "body.1/div.2")
    assert found is not None
    assert found.get("id") == "x"


@given(st.text(max_size=40))
def test_any_text_is_a_path_or_not_and_never_an_error(text: str) -> None:
    if not is_path(text):
        assert find_path(tree("<div></div>"), text) is None
    else:
        find_path(tree("<div></div>"), text)


def test_the_text_of_a_path_is_read_in_linear_time() -> None:
    is_path("a" * 200_000)
    is_path("." * 200_000)
    is_path("1." * 100_000 + "x")
