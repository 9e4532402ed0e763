"""Segments: the text between two block boundaries, such as a paragraph or a table cell."""

from __future__ import annotations

import pytest
from pages import outline, outline_of

from scrapy_mainblock.outline.outline import Outline


def links(page: Outline) -> list[tuple[int, int]]:
    """Return for each segment the number of its links and of the characters in them."""
    return list(zip(page.rows.segment_links, page.rows.segment_link_chars, strict=True))


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("", []),
        (" \n <p></p>", []),
        ("a<p>b</p>c", ["a", "b", "c"]),
        ("<p>a<br>b<br><br>c", ["a", "b", "c"]),
        ("<ul><li>a<li>b<ul><li>c</ul>d</ul>", ["a", "b", "c", "d"]),
        ("<table><tr><td>a<td>b<tr><th>c</table>", ["a", "b", "c"]),
        ("<dl><dt>a<dd>b</dl>", ["a", "b"]),
        ("<p>S<b>o</b>me <i>words</i>, in a <a href=x>line</a>.", ["Some words, in a line."]),
        ("<p>a<hr>b", ["a", "b"]),
        ("<p>  a \n\t b  ", ["a b"]),
        ("<p>a&nbsp;b&#12288;c\u2003d\x85e\x1cf", ["a b c d e f"]),
        ("<p>a\u200bb\u00adc", ["a\u200bb\u00adc"]),
        ("<p>a&#1;b\x02c\x7fd\u0085e\u0081f", ["abcd ef"]),
        ("<p>&lt;b&gt; &amp;amp; a & b", ["<b> &amp; a & b"]),
        ("<p>a<!-- b -->c<?d?>e", ["ace"]),
        ("<p>a <!-- b --> c", ["a c"]),
        ("<p>a<script>b</script>c<style>d</style>", ["ac"]),
        ("<p>a<button>b</button>c<input value=d>", ["ac"]),
        ("<p>a<svg><text>b</text></svg>c<img alt=d>", ["ac"]),
        ("<pre>a\n b</pre>", ["a b"]),
        ("<custom-x>a</custom-x><o:p>b</o:p>", ["ab"]),
        ("<table>a<tr><td>b</table>", ["a", "b"]),
        ("<p>中文，<b>第</b>一。", ["中文，第一。"]),
        ("<p>e\u0301\U0001f600", ["e\u0301\U0001f600"]),
        ("<xmp>&amp;<b></xmp>", ["&amp;<b>"]),
    ],
)  # fmt: skip
def test_segment_is_a_line_or_paragraph(inside: str, texts: list[str]) -> None:
    assert outline(inside).texts == texts


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("<p>a", [(0, 0)]),
        ("<p><a href=x>ab c</a> d", [(1, 3)]),
        ("<p><a href=x>a</a><a href=y>b</a>", [(2, 2)]),
        ("<p><a name=x>a</a>", [(0, 0)]),
        ("<p><a href=''>a</a>", [(1, 1)]),
        ("<p><a href>a</a>", [(1, 1)]),
        ("<p><a href=x>a<b>b</b></a>c", [(1, 2)]),
        ("<a href=x><p>a<p>b</a>c", [(1, 1), (0, 1)]),
        ("<p><a href=x><img></a>a", [(1, 0)]),
        ("<p><a href=x><img></a><p>a", [(1, 0)]),
        ("<p>a<a href=x>", [(1, 0)]),
        ("<p><a href=x>a<a href=y>b", [(2, 2)]),
        ("<a href=x><p>a<p>b</p></a>c", [(1, 1), (0, 1), (0, 0)]),
        # A browser would continue the link in the next paragraph.
        ("<p><a href=x>a</p><p>b", [(1, 1), (0, 0)]),
    ],
)
def test_link_counts_at_its_start_and_its_text_where_it_stands(
    inside: str, found: list[tuple[int, int]]
) -> None:
    assert links(outline(inside)) == found


def test_blocks_have_a_range_of_segments_and_their_own_images() -> None:
    page = outline("<div>a<img><p>b</p><p></p></div><ul><li><img><img>c</ul>")
    rows = page.rows
    blocks = [
        (
            rows.name(rows.block_element[block]),
            rows.block_parent[block],
            rows.block_first[block],
            rows.block_end[block],
            rows.block_images[block],
        )
        for block in range(rows.block_count)
    ]
    assert blocks == [
        ("body", -1, 0, 3, 0),
        ("div", 0, 0, 2, 1),
        ("p", 1, 1, 2, 0),
        ("p", 1, 2, 2, 0),
        ("ul", 0, 2, 3, 0),
        ("li", 4, 2, 3, 2),
    ]
    assert list(rows.segment_block) == [1, 2, 5]


def test_implied_table_rows_and_sections_are_not_blocks() -> None:
    rows = outline("<table><td>a</table>").rows
    names = [rows.name(rows.block_element[block]) for block in range(rows.block_count)]
    assert names == ["body", "table", "td"]


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("<p>one<p>two", ["one", "two"]),
        ("<p> a <b>b</b> c <p>d", [" a <b>b</b> c ", "d"]),
        ("<p>\u00e9&amp;<i>x", ["\u00e9&amp;<i>x"]),
        ("\ufeff<p>a", ["a"]),
    ],
)
def test_source_range_of_a_segment(source: str, pieces: list[str]) -> None:
    rows = outline_of(source).rows
    places = [rows.source_of(segment) for segment in range(rows.segment_count)]
    assert [rows.source[start:end].decode() for start, end in places] == pieces


@pytest.mark.parametrize(
    ("inside", "name", "value"),
    [
        ("<p id=a>", "id", "a"),
        ("<p ID='A b'>", "id", "A b"),
        ('<p x="1" x="2">', "x", "1"),
        ("<p x>", "x", ""),
        ("<p x=>", "x", ""),
        ("<p x = 'y'>", "x", "y"),
        ("<p\nx\t=\fy/>", "x", "y/"),
        ("<p x='a&amp;b &copy=1 &copy;'>", "x", "a&b &copy=1 ©"),
        ("<p y='x=1'>", "x", None),
        ("<p/x=1>", "x", "1"),
        ("<p title='>'x=\"'\">", "x", "'"),
        ("<p xx=1>", "x", None),
        ("<p>", "x", None),
    ],
)
def test_an_attribute_is_read_from_its_tag(inside: str, name: str, value: str | None) -> None:
    rows = outline(inside).rows
    assert rows.attribute(rows.element_count - 1, name.encode()) == value
