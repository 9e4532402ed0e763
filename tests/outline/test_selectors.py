"""Elements are found by id, classes and path, and an element's path leads back to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import MOST_TAGS, assert_linear
from hypothesis import given
from hypothesis import strategies as st
from pages import element, outline

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.selectors import (
    addresses,
    ancestors,
    at_path,
    extent,
    has_class_part_around,
    is_path,
    links_in,
    names_around,
    path_of,
    tag_holds,
    texts_led_by,
    with_class_part,
    with_classes,
    with_id,
    with_most_text,
)

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
        st.sampled_from(["text", "<!-- c -->", "<tr>", "<td>", "<svg>", "</svg>"]),
    ),
    max_size=40,
).map("".join)


@given(soup)
def test_a_path_leads_back_to_its_element(source: str) -> None:
    rows = outline(source).rows
    for one in range(1, rows.element_count):
        path = path_of(rows, one)
        assert is_path(path)
        is_seen = rows.tape_at[one] >= 0
        has_tag = rows.name(one) not in {"tbody", "tr"} or rows.start[one] < rows.inner[one]
        if is_seen and has_tag:
            assert at_path(rows, path) == one


@pytest.mark.parametrize(
    ("inside", "path"),
    [
        ("<div></div><p></p><div><div></div><div id=x></div></div>", "body1/div2/div2"),
        ("<h1>a</h1><h1 id=x>b</h1>", "body1/h1.2"),
        ("<p></p><x-1 id=x>b</x-1>", "body1/x-1.1"),
        ("<table><tr><td id=x>1", "body1/table1/tr1/td1"),
        ("<table><td id=x>1", "body1/table1/td1"),
        ("<table><tbody><tr><td id=x>1", "body1/table1/tbody1/tr1/td1"),
        ("<p>a<p id=x>b", "body1/p2"),
    ],
)
def test_step_is_a_tag_and_its_number_among_siblings_of_that_tag(inside: str, path: str) -> None:
    page = outline(inside)
    assert path_of(page.rows, element(page, "x")) == path
    assert at_path(page.rows, path) == element(page, "x")


@pytest.mark.parametrize(
    "path", ["", "/", "div", "div0", "body1/", "/body1", "body1//div1", "1", "body1/div01", "*1/.1"]
)
def test_invalid_path_finds_nothing(path: str) -> None:
    assert not is_path(path)
    assert at_path(outline("<div><div></div></div>").rows, path) == -1


@pytest.mark.parametrize("path", ["body1/div3", "body2", "body1/p1", "body1/div1/div1/div1/div1"])
def test_path_that_is_not_in_the_page_finds_nothing(path: str) -> None:
    assert is_path(path)
    assert at_path(outline("<div><div></div></div>").rows, path) == -1


def test_hidden_element_is_not_found_by_path() -> None:
    assert at_path(outline("<button>a</button>").rows, "body1/button1") == -1


def test_path_may_have_a_dot_in_every_step() -> None:
    page = outline("<div></div><div id=x></div>")
    assert at_path(page.rows, "body.1/div.2") == element(page, "x")


@given(st.text(max_size=40))
def test_looking_up_any_text_as_a_path_raises_no_error(text: str) -> None:
    found = at_path(outline("<div></div>").rows, text)
    assert is_path(text) or found == -1


def test_path_syntax_is_checked_in_linear_time() -> None:
    is_path("a" * 200_000)
    is_path("." * 200_000)
    is_path("1." * 100_000 + "x")


# --- ids and classes -----------------------------------------------------------------------------

NAMED = (
    '<div id="main" class="box">a</div><div id=" main " class="box wide">b</div>'
    '<p id="main x" class="boxes">c</p><p id="é&amp;" class="wide\nbox\tx">d</p>'
    '<button id="main" class="box">e</button><p ID="MAIN" class="a&#32;box">f</p>'
)


def texts_of(page: Outline, elements: list[int]) -> str:
    """Return the concatenated texts of some elements."""
    found = (extent(page.rows, one) for one in elements)
    return "".join(text for under in found for text in page.texts[under.first : under.end])


@pytest.mark.parametrize(
    ("identifier", "texts"),
    [("main", "ab"), ("main x", "c"), ("é&", "d"), ("é&amp;", ""), ("MAIN", "f"), ("mai", "")],
)
def test_id_is_compared_without_surrounding_whitespace(identifier: str, texts: str) -> None:
    page = outline(NAMED)
    assert texts_of(page, with_id(page.rows, identifier.encode().split())) == texts


@pytest.mark.parametrize(
    ("classes", "texts"),
    [("box", "abdf"), ("wide box", "bd"), ("boxes", "c"), ("bo", ""), ("x wide", "d")],
)
def test_element_must_have_all_classes_in_any_order(classes: str, texts: str) -> None:
    page = outline(NAMED)
    assert texts_of(page, with_classes(page.rows, classes.encode().split())) == texts


def test_elements_are_found_by_a_part_of_their_class() -> None:
    page = outline("<p class=storyHeadline>a<p class=head>b<p id=headline>c")
    assert texts_of(page, with_class_part(page.rows, Parts(b"eadline"))) == "a"


@given(
    st.lists(st.sampled_from(["abc", "bca", "aabb", "cabac", "éab"]), min_size=1, max_size=3),
    st.lists(st.sampled_from("abcABCéx"), max_size=20).map("".join),
    st.booleans(),
)
def test_parts_are_found_wherever_they_stand(
    parts: list[str], text: str, ignores_case: bool
) -> None:
    found = Parts(*(part.encode() for part in parts), ignores_case=ignores_case)
    within = text.lower() if ignores_case else text
    assert found.are_in(text.encode()) == any(part in within for part in parts)


def test_part_is_found_in_the_class_of_an_element_or_around_it() -> None:
    page = outline("<div class=Byline><p class='by &#108;ine'><b class=x id=b>a</b></p></div>")
    inner, parts = element(page, "b"), Parts(b"byline", ignores_case=True)
    spaced = Parts(b"by line")
    assert not has_class_part_around(page.rows, inner, 2, parts)
    assert has_class_part_around(page.rows, inner, 3, parts)
    assert has_class_part_around(page.rows, inner, 2, spaced)


@pytest.mark.parametrize(
    ("octets", "longest", "most", "texts"),
    [
        (b"rain", 100, 9, ["rain", " rain &amp; rain", "&nbsp;rain", "ö rain"]),
        (b"rain", 10, 9, ["rain", "ö rain"]),  # the others are longer
        (b"rain", 100, 1, ["rain"]),
        (b"&", 100, 9, ["&nbsp;rain"]),  # as it stands in the source
        (b"main", 100, 9, []),  # in an attribute, and not in a text
    ],
)
def test_text_is_found_by_its_first_bytes(
    octets: bytes, longest: int, most: int, texts: list[str]
) -> None:
    rows = outline(
        "<p class=main>rain</p><p> rain &amp; rain</p><script>rain</script><p>&nbsp;rain</p>"
        "<p>a train, or rain</p><p>ö rain</p>"
    ).rows
    found = texts_led_by(rows, octets, longest, most)
    assert [rows.source[rows.text_start[n] : rows.text_end[n]].decode() for n in found] == texts


def test_element_with_most_text_is_taken() -> None:
    page = outline(f"<p>aa<p>a{'<script>x</script>' * 9}<p>bb<p>b<i>c</i>")
    rows = page.rows
    paragraphs = rows.with_tag(rows.tag[at_path(rows, "body1/p1")])
    assert with_most_text(rows, paragraphs) == paragraphs[0]
    assert with_most_text(rows, paragraphs[1:]) == paragraphs[2]


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("<div id=x>a<p>b</div>c", "ab"),
        ("a<p id=x>b</p>c", "b"),
        ("<p>a <b id=x>b</b> c<p>d", "a b c"),  # the whole line counts
        ("<span id=x><p>a</p><p>b</p></span><p>c", "ab"),
        ("<div id=x></div>a", ""),
        ("<b id=x></b>a", ""),
    ],
)
def test_extent_of_an_element_is_its_segments(inside: str, texts: str) -> None:
    page = outline(inside)
    assert texts_of(page, [element(page, "x")]) == texts


def test_path_is_made_and_followed_in_linear_time() -> None:
    def work(times: int) -> Callable[[], object]:
        rows = outline("<div>a" * times + "<p>b" * times).rows
        return lambda: at_path(rows, path_of(rows, rows.element_count - 1)[: 30 * len("/div1")])

    assert_linear(work, 5_000, MOST_TAGS // 2)


def test_nul_in_a_name_is_ignored() -> None:
    rows = outline("<p id='co\0n' class='a\0b'>x").rows
    found = with_id(rows, [b"con"])
    assert [rows.identifier(element) for element in found] == ["con"]
    assert with_classes(rows, [b"ab"]) == found


def test_names_around_an_element_are_listed_from_inside_out() -> None:
    page = outline('<body class=b><div id=Main class="A B"><p><i id=in class=c>one</i></p></div>')
    inner = element(page, "in")
    rows = page.rows
    assert [rows.name(one) for one in ancestors(rows, inner, 9)] == "i p div body html".split()
    assert [rows.name(one) for one in ancestors(rows, inner, 2)] == ["i", "p"]
    assert names_around(rows, inner, 9).split() == ["c", "in", "a", "b", "main"]
    assert names_around(rows, inner, 1).split() == ["c", "in"]


def test_addresses_are_returned_as_in_the_source() -> None:
    rows = outline('<a href="/a?b&amp;c">one</a> <a>two</a> <a href=/long>three</a>').rows
    links = links_in(rows, 0, len(rows.tape))
    assert addresses(rows, links) == [b"/a?b&amp;c", b"", b"/long"]
    assert addresses(rows, links, 3) == [b"/a?", b"", b"/lo"]


def test_tag_holds_searches_only_the_start_tag() -> None:
    page = outline('<p id=a data-x="1">one</p><p id=b>data-x <i data-x>two</i></p>')
    assert tag_holds(page.rows, element(page, "a"), b"data-")
    assert not tag_holds(page.rows, element(page, "b"), b"data-")
