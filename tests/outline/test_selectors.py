"""Elements are found by their id, their classes and their path; paths lead there and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import MOST_TAGS, assert_linear
from hypothesis import given
from hypothesis import strategies as st
from pages import element, outline

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import (
    Parts,
    addresses,
    ancestors,
    at_path,
    extent,
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
def test_a_step_is_a_tag_and_its_number_among_its_like(inside: str, path: str) -> None:
    page = outline(inside)
    assert path_of(page.rows, element(page, "x")) == path
    assert at_path(page.rows, path) == element(page, "x")


@pytest.mark.parametrize(
    "path", ["", "/", "div", "div0", "body1/", "/body1", "body1//div1", "1", "body1/div01", "*1/.1"]
)
def test_what_is_no_path_finds_nothing(path: str) -> None:
    assert not is_path(path)
    assert at_path(outline("<div><div></div></div>").rows, path) == -1


@pytest.mark.parametrize("path", ["body1/div3", "body2", "body1/p1", "body1/div1/div1/div1/div1"])
def test_a_path_that_the_page_does_not_have_finds_nothing(path: str) -> None:
    assert is_path(path)
    assert at_path(outline("<div><div></div></div>").rows, path) == -1


def test_what_no_reader_sees_is_at_no_path() -> None:
    assert at_path(outline("<button>a</button>").rows, "body1/button1") == -1


def test_a_path_written_by_hand_may_put_the_dot_everywhere() -> None:
    page = outline("<div></div><div id=x></div>")
    assert at_path(page.rows, "body.1/div.2") == element(page, "x")


@given(st.text(max_size=40))
def test_any_text_is_a_path_or_not_and_never_an_error(text: str) -> None:
    found = at_path(outline("<div></div>").rows, text)
    assert is_path(text) or found == -1


def test_the_text_of_a_path_is_read_in_linear_time() -> None:
    is_path("a" * 200_000)
    is_path("." * 200_000)
    is_path("1." * 100_000 + "x")


# --- ids and classes ----------------------------------------------------------------------------

NAMED = (
    '<div id="main" class="box">a</div><div id=" main " class="box wide">b</div>'
    '<p id="main x" class="boxes">c</p><p id="é&amp;" class="wide\nbox\tx">d</p>'
    '<button id="main" class="box">e</button><p ID="MAIN" class="a&#32;box">f</p>'
)


def shown(page: Outline, elements: list[int]) -> str:
    """The texts of some elements."""
    found = (extent(page.rows, one) for one in elements)
    return "".join(text for under in found for text in page.texts[under.first : under.end])


@pytest.mark.parametrize(
    ("identifier", "texts"),
    [("main", "ab"), ("main x", "c"), ("é&", "d"), ("é&amp;", ""), ("MAIN", "f"), ("mai", "")],
)
def test_an_id_is_its_words_whatever_stands_around_them(identifier: str, texts: str) -> None:
    page = outline(NAMED)
    assert shown(page, with_id(page.rows, identifier.encode().split())) == texts


@pytest.mark.parametrize(
    ("classes", "texts"),
    [("box", "abdf"), ("wide box", "bd"), ("boxes", "c"), ("bo", ""), ("x wide", "d")],
)
def test_an_element_must_have_all_classes_in_any_order(classes: str, texts: str) -> None:
    page = outline(NAMED)
    assert shown(page, with_classes(page.rows, classes.encode().split())) == texts


def test_elements_are_called_by_a_part_of_their_class() -> None:
    page = outline("<p class=storyHeadline>a<p class=head>b<p id=headline>c")
    assert shown(page, with_class_part(page.rows, Parts(b"eadline"))) == "a"


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
def test_a_text_is_found_by_octets_that_it_begins_with(
    octets: bytes, longest: int, most: int, texts: list[str]
) -> None:
    rows = outline(
        "<p class=main>rain</p><p> rain &amp; rain</p><script>rain</script><p>&nbsp;rain</p>"
        "<p>a train, or rain</p><p>ö rain</p>"
    ).rows
    found = texts_led_by(rows, octets, longest, most)
    assert [rows.source[rows.text_start[n] : rows.text_end[n]].decode() for n in found] == texts


def test_of_several_the_one_that_shows_most_is_taken() -> None:
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
        ("<p>a <b id=x>b</b> c<p>d", "a b c"),  # a line counts as a whole
        ("<span id=x><p>a</p><p>b</p></span><p>c", "ab"),
        ("<div id=x></div>a", ""),
        ("<b id=x></b>a", ""),
    ],
)
def test_under_an_element_stand_its_segments(inside: str, texts: str) -> None:
    page = outline(inside)
    assert shown(page, [element(page, "x")]) == texts


def test_a_path_is_found_and_followed_in_linear_time() -> None:
    def work(times: int) -> Callable[[], object]:
        rows = outline("<div>a" * times + "<p>b" * times).rows
        return lambda: at_path(rows, path_of(rows, rows.element_count - 1)[: 30 * len("/div1")])

    assert_linear(work, 5_000, MOST_TAGS // 2)


def test_a_name_with_a_nul_in_it_is_found_without() -> None:
    rows = outline("<p id='co\0n' class='a\0b'>x").rows
    found = with_id(rows, [b"con"])
    assert [rows.identifier(element) for element in found] == ["con"]
    assert with_classes(rows, [b"ab"]) == found


def test_what_stands_around_an_element_is_named_from_inside_out() -> None:
    page = outline('<body class=b><div id=Main class="A B"><p><i id=in class=c>one</i></p></div>')
    inner = element(page, "in")
    rows = page.rows
    assert [rows.name(one) for one in ancestors(rows, inner, 9)] == "i p div body html".split()
    assert [rows.name(one) for one in ancestors(rows, inner, 2)] == ["i", "p"]
    assert names_around(rows, inner, 9).split() == ["c", "in", "a", "b", "main"]
    assert names_around(rows, inner, 1).split() == ["c", "in"]


def test_addresses_are_given_as_they_stand_in_the_source() -> None:
    rows = outline('<a href="/a?b&amp;c">one</a> <a>two</a> <a href=/long>three</a>').rows
    links = links_in(rows, 0, len(rows.tape))
    assert addresses(rows, links) == [b"/a?b&amp;c", b"", b"/long"]
    assert addresses(rows, links, 3) == [b"/a?", b"", b"/lo"]


def test_a_word_is_looked_for_in_a_start_tag_alone() -> None:
    page = outline('<p id=a data-x="1">one</p><p id=b>data-x <i data-x>two</i></p>')
    assert tag_holds(page.rows, element(page, "a"), b"data-")
    assert not tag_holds(page.rows, element(page, "b"), b"data-")
