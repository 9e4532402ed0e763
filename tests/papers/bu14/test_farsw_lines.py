"""Lines of a page: where they end, what they contain, and how their features are counted."""

from __future__ import annotations

import pytest
from growth import assert_linear, most_of
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, outline_of
from shapes import text_of

from scrapy_mainblock.outline.html.tags import HIDDEN_TAGS
from scrapy_mainblock.outline.layout import TEXT
from scrapy_mainblock.papers.bu14.lines import BLOCKS, TextLine, text_lines


def lines(markup: str) -> list[TextLine]:
    return text_lines(outline(markup))


def texts(markup: str) -> list[str]:
    return [line.text for line in lines(markup)]


def _only_line(markup: str) -> TextLine:
    (line,) = lines(markup)
    return line


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("", []),
        ("one", ["one"]),
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one<p>two", ["one", "two"]),
        ("one<br>two<br/><br>three", ["one", "two", "three"]),
        ("before<div>in</div>behind", ["before", "in", "behind"]),
        ("<div>a<div>b<div>c</div>d</div>e</div>", ["a", "b", "c", "d", "e"]),
        ("<ul><li>one</li><li>two</li></ul>", ["one", "two"]),
        ("<table><tr><td>one</td><td>two</td></tr></table>", ["one", "two"]),
        ("<p>one <b>and</b> <i>the</i> same</p>", ["one and the same"]),
        ("<b>S</b>ome", ["Some"]),
        ("<p>  a \n\t b&nbsp;c  </p>", ["a b c"]),
        ("<p> </p><div></div><hr>", []),
        ("<pre>one\ntwo</pre>", ["one two"]),
        ("<x-y>one</x-y> <o:p>two</o:p>", ["one two"]),
    ],
)
def test_a_line_ends_at_visible_line_ends(markup, found):
    assert texts(markup) == found


@pytest.mark.parametrize("tag", ["script", "style", "noscript", "iframe", "select", "textarea"])
def test_noise_is_skipped_and_the_text_after_it_is_kept(tag):
    assert texts(f"<p>one<{tag}>noise</{tag}>two</p>") == ["onetwo"]


def test_comments_and_processing_instructions_are_skipped():
    assert texts("one<!-- noise -->two<?php noise ?>three") == ["onetwothree"]


def test_text_in_a_form_is_kept_without_its_controls():
    assert texts("<form><p>one</p><input value=noise><button>noise</button></form>") == ["one"]


def test_hidden_tags_are_not_blocks():
    assert not HIDDEN_TAGS & BLOCKS


def test_lengths_are_bytes_in_utf_8():
    line = _only_line("<p>北京</p>")
    assert line.output_text_length == 6
    assert line.text_length == 6 + len("<p></p>")


@pytest.mark.parametrize(
    ("markup", "as_measured"),
    [
        ("<p>text</p>", "<p>text</p>"),
        ("<p class=x>text", "<p>text</p>"),
        ("<div><div class=y><p>text</p></div></div>", "<p>text</p>"),
        ("<p>te<b>x</b>t</p>", "<p>te<b>x</b>t</p>"),
        ("<p>te<img src=i>xt</p>", "<p>te<img>xt</p>"),
        ("<p>  te   xt </p>", "<p>te xt</p>"),
    ],
)
def test_text_length_includes_tags_without_attributes(markup, as_measured):
    assert _only_line(markup).text_length == len(as_measured)


def test_density_is_the_share_of_text():
    line = _only_line("<p>" + "x" * 63 + "</p>")
    assert (line.text_length, line.output_text_length) == (70, 63)
    assert line.density == 0.9


def test_lines_have_a_number_and_the_number_of_lines():
    assert [(line.number, line.page_lines) for line in lines("a<br>b<br>c")] == [
        (1, 3),
        (2, 3),
        (3, 3),
    ]
    assert [line.relative_index for line in lines("a<br>b")] == [0.5, 1]


@pytest.mark.parametrize(
    ("markup", "links"),
    [
        ("<p>text</p>", [0]),
        ("<p><a href=x>one</a> <a href=y>two</a></p>", [2]),
        ("<p><a name=x>no link</a></p>", [0]),
        ("<p>text<a href=x></a></p>", [0]),  # the link has no visible content
        ("<a href=x><img src=i></a>", [1]),
        ("<a href=x><h3>head</h3><p>text</p></a>after", [1, 1, 0]),  # a link around blocks
        ("<p><a href=x>one<br>two</a> more</p>", [1, 1]),
        ("<p>before</p><a href=x> <p>text</p></a>", [0, 1]),
    ],
)
def test_links_are_counted_in_the_lines_that_show_them(markup, links):
    assert [line.link_num for line in lines(markup)] == links


def test_images_are_counted_and_can_form_a_line_without_text():
    assert [(line.img_num, line.text) for line in lines("<p>a<img></p><p><img><img></p>")] == [
        (1, "a"),
        (2, ""),
    ]


pieces = st.lists(
    st.one_of(
        st.sampled_from(
            "<p>|</p>|<div class='x'>|</div>|<br>|<a href=x>|</a>|<img>|<script>|</script>|<!--|"
            "-->|<?pi |>|<select>|</select>|<|<table>|<td>|</table>|<b>|</b>|&amp;|&#0;|&nbsp;|"
            "<svg>".split("|")
        ),
        st.text(max_size=5),
    ),
    max_size=30,
).map("".join)


@given(pieces)
def test_the_lines_of_any_markup_hold_all_of_its_text(markup):
    page = outline_of(markup)
    rows, found = page.rows, text_lines(page)
    shown = "".join(text_of(rows, event >> 2) for event in rows.tape if event & 3 == TEXT)
    assert "".join("".join(line.text for line in found).split()) == "".join(shown.split())
    for number, line in enumerate(found, start=1):
        assert line.number == number
        assert 0 <= line.density <= 1
        assert line.text or line.img_num
        assert line.text == " ".join(line.text.split())


def test_deep_nesting_needs_no_recursion():
    assert len(text_lines(outline("<div>in" * 5000 + "behind</div>" * 5000))) == 10000 - 1


@pytest.mark.parametrize(
    "piece",
    ["<p>word</p>", "<div>", "<a href=x>word", "<b>word", "<!-- x -->word", "<br>"],
)
def test_time_is_linear_in_the_page(piece):
    def work(times: int):
        page = outline(piece * times)
        return lambda: text_lines(page)

    assert_linear(work, 3000, most_of(piece))
