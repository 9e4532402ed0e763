"""Logical link blocks: what is a link, where it ends, distances of links, what is a block."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from growth import assert_linear, most_of
from hostile_sources import ADVERSARIAL
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of
from sample_pages import FIGURE_2, content_page, index_page, link, menu, page, paragraphs, words

from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.papers.wang14 import link_blocks as blocks_of
from scrapy_mainblock.papers.wang14.link_blocks import (
    LinkBlocks,
    leads_away,
    lines_between,
    link_blocks,
)
from scrapy_mainblock.papers.wang14.links import Link, Texts, find_links
from scrapy_mainblock.papers.wang14.text_units import text_length


def links_of(source: str) -> list[Link]:
    return find_links(outline_of(source))


def hrefs(source: str) -> list[str | None]:
    outline = outline_of(source)
    return [outline.rows.address(found.element) for found in find_links(outline)]


def texts(source: str) -> list[str]:
    return [source.encode()[found.start : found.end].decode() for found in links_of(source)]


def distances_of(source: str, measure: wang14.Measure, enough: int | None = None) -> list[int]:
    outline = outline_of(source)
    links, between = find_links(outline), Texts(outline)
    return blocks_of.link_distances(outline, links, between, measure, enough=enough)


def blocks_in(source: str, url: str | None = None, **settings: object) -> LinkBlocks:
    return link_blocks(outline_of(source, url), **settings)  # type: ignore[arg-type]


def text_left(source: str) -> str:
    """Return the text between the blocks of a page."""
    outline = outline_of(source)
    return "\n".join(lines_between(outline, link_blocks(outline)))


# What counts as a link.


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<a href="/x">x</a>', ["/x"]),
        ("<a href='/x'>x</a>", ["/x"]),
        ("<a href=/x>x</a>", ["/x"]),
        ("<a href=http://example.com/>x</a>", ["http://example.com/"]),
        ("<A HREF=/x>x</A>", ["/x"]),
        ("<a\nhref\t= \n'/x'\n>x</a>", ["/x"]),
        ("<a class='c' href = \"/x\">x</a>", ["/x"]),
        ('<a/href="/x">x</a>', ["/x"]),
        ("<a href>x</a>", [""]),
        ('<a href="">x</a>', [""]),
        ('<a href="#top">x</a>', ["#top"]),
        ('<a href="javascript:void(0)">x</a>', ["javascript:void(0)"]),
        ('<a href="/1" href="/2">x</a>', ["/1"]),
        ('<a class="y"href="/x">x</a>', ["/x"]),
        # ">" and "<" in quoted values, href inside another attribute's value
        ('<a title="a > b" href="/x">x</a>', ["/x"]),
        ('<a title="<b>a</b>" href="/x">x</a>', ["/x"]),
        ("<a onclick=\"go('>')\" href='/x'>x</a>", ["/x"]),
        ('<a title="the href=/no is not" href="/x">x</a>', ["/x"]),
        ('<a title=" href=/no ">x</a>', []),
        # anchors that are not links
        ('<a name="top">x</a>', []),
        ("<a>x</a>", []),
        ('<a data-href="/x">x</a>', []),
        ('<a xlink:href="/x">x</a>', []),
        ('<a href"/x">x</a>', []),
        # other elements
        ('<abbr href="/x">x</abbr>', []),
        ('<article href="/x">x</article>', []),
        ('<area href="/x">', []),
        ('<address href="/x">x</address>', []),
        ('<link href="/x">', []),
        ('<a-b href="/x">x</a-b>', []),
        # invisible links
        ('<!-- <a href="/x">x</a> -->', []),
        ('<!--><a href="/x">x</a>', ["/x"]),
        ("<script>'<a href=/x>x</a>'</script>", []),
        ("<STYLE><a href=/x>x</a></style>", []),
        ("<textarea><a href=/x>x</a></textarea>", []),
        ("<iframe><a href=/x>x</a></iframe>", []),
        ("<noscript><a href=/x>x</a></noscript>", []),
        ("<button><a href=/x>x</a></button>", []),
        ("<svg><a href=/x>x</a></svg>", []),
        ("<!-- open <a href=/x>x</a>", []),
        ("<script> open <a href=/x>x</a>", []),
        # broken
        ('<a href="/x', []),
        ("<a ", []),
        ("<a", []),
        ("<a <a href=/x>x</a>", ["/x"]),
        ('<a href="/1>x</a> <a href="/2">y</a>', ["/1>x</a> <a href="]),
        ('<a href="/1"">x</a> <a href="/2">y</a> <a href="/3">z</a>', ["/1", "/2", "/3"]),
        ("<a title='Gadkari's' href='/1'>x</a> <a href='/2'>y</a>", ["/1", "/2"]),
        ('<a href=it"s>x</a> <a href="/2">y</a>', ['it"s', "/2"]),
        ("", []),
    ],
)
def test_a_link_is_a_visible_a_element_with_an_href(source: str, expected: list[str]) -> None:
    assert hrefs(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1<a href=x>one</a>2", ["<a href=x>one</a>"]),
        ("<a href=x>one</A >2", ["<a href=x>one</A >"]),
        ("<a href=x><b>one</b></a>2", ["<a href=x><b>one</b></a>"]),
        ("<a href=x>one</abbr></a>2", ["<a href=x>one</abbr></a>"]),
        # unclosed: the link takes its own run of text, not the article after it
        ("<a href=x>one<p>two</p>", ["<a href=x>one"]),
        ("<a href=x>one", ["<a href=x>one"]),
        ("<a href=x>one<p>two</p><a href=y>three</a>", ["<a href=x>one", "<a href=y>three</a>"]),
        # nested, which HTML does not allow
        ("<a href=x>one<a href=y>two</a>three</a>", ["<a href=x>one", "<a href=y>two</a>"]),
        ("<a href=x>one<a name=y>two</a>", ["<a href=x>one"]),
        ("<a href=x>one<!-- </a> -->two</a>", ["<a href=x>one<!-- </a> -->two</a>"]),
        ("<a href=x>one</a", ["<a href=x>one"]),
        ("</a></a><a href=x>one</a></a>", ["<a href=x>one</a>"]),
    ],
)
def test_a_link_ends_at_its_end_tag_or_with_its_text(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


# Distances.


@pytest.mark.parametrize(
    ("between", "text", "code"),
    [
        ("", 0, 0),
        ("two words", 2, 9),
        ('<div id="main"> ABC </div>', 1, len("<div> ABC </div>")),
        ("</li>\n<li class='x'>", 0, len("</li>\n<li>")),
        ("<!-- some words -->", 0, 19),
        ("<script>var words</script>", 0, 26),
        ("&nbsp;|&nbsp;", 1, 13),
        ("&lt;b&gt;", 3, 9),
        ("北京 2008", 3, 7),
        ("<p>March 8th, 2014</p>", 1, 22),
    ],
)
def test_distances_in_text_units_and_in_code_characters(between: str, text: int, code: int) -> None:
    source = link() + between + link()
    assert distances_of(source, "text") == [text]
    assert distances_of(source, "code") == [code]


# Blocks.


def test_a_block_runs_from_its_first_link_to_its_last() -> None:
    source = f"<p>before</p>{menu(3, element='b')}<p>behind</p>"
    (block,) = blocks_in(source).blocks
    assert block.links == 3
    assert source[block.start : block.end].startswith("<a ")
    assert source[block.start : block.end].endswith("</a>")


@pytest.mark.parametrize(("links", "blocks"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_block_has_at_least_three_links(links: int, blocks: int) -> None:
    assert len(blocks_in(page(menu(links))).blocks) == blocks


@pytest.mark.parametrize(("between", "blocks"), [(39, 1), (40, 2)])
def test_forty_units_of_text_separate_two_blocks(between: int, blocks: int) -> None:
    source = page(menu(3) + words(between) + menu(3))
    assert len(blocks_in(source).blocks) == blocks


def test_code_distance_separates_blocks_that_text_distance_does_not() -> None:
    source = page(menu(3) + "<div></div>" * 10 + menu(3))
    assert len(blocks_in(source).blocks) == 1
    assert len(blocks_in(source, measure="code").blocks) == 2


def test_attributes_do_not_separate_blocks() -> None:
    source = page(menu(3) + f"<div class='{words(100)}'></div>" + menu(3))
    assert len(blocks_in(source, measure="code").blocks) == 1


def test_block_level_elements_do_not_separate_links() -> None:
    """Definition 4: links with different parents, and inline links, form one block."""
    source = page(f"<div>{link()}</div><table><tr><td>{link()}</td></table><i>{link()}</i>")
    assert [block.links for block in blocks_in(source).blocks] == [3]


def test_the_advert_of_figure_2_is_a_block_within_a_sentence() -> None:
    source = page(menu(5), f"<p>{FIGURE_2}</p>", menu(5))
    outline = outline_of(source)
    found = link_blocks(outline)
    assert [block.links for block in found.blocks] == [5, 4, 5]
    advert = found.blocks[1]
    assert Texts(outline).between(advert.start, advert.end).strip() == "价格 动态 户型图 论坛"
    left = Texts(outline).between(found.blocks[0].end, advert.start)
    assert left.strip().startswith("而部分城市")
    assert left.endswith("它们大都(")
    right = Texts(outline).between(advert.end, found.blocks[2].start)
    assert right.strip().startswith(")是在银根收紧的压力下")
    assert right.strip().endswith("记者随后走访了几处楼盘。")


def test_the_text_of_figure_2_is_left_without_the_advert() -> None:
    left = text_left(page(menu(5), f"<p>{FIGURE_2}</p>", menu(5)))
    assert left.startswith("而部分城市")
    assert left.endswith("记者随后走访了几处楼盘。")
    assert "户型图" not in left


def test_offsets_can_be_converted_to_characters() -> None:
    source = page(menu(5), f"<p>{FIGURE_2}</p>", menu(5))
    outline = outline_of(source)
    found = link_blocks(outline)
    shown = found.in_characters(outline.rows.source)
    octets = source.encode()
    for inside, block in zip(shown.blocks, found.blocks, strict=True):
        assert source[inside.start : inside.end].encode() == octets[block.start : block.end]
    assert shown.page_length == len(source)
    plain = link_blocks(outline_of(page(menu(5))))
    assert plain.in_characters(page(menu(5)).encode()) is plain


def test_lcr_and_ccr_are_relative_to_the_page() -> None:
    source = menu(3, element="b") + paragraphs(1) + link()
    found = blocks_in(source)
    (block,) = found.blocks
    assert found.lcr == 3 / 4
    assert found.ccr == (block.end - block.start) / len(source)


def test_a_page_without_links_has_no_blocks() -> None:
    found = blocks_in("<p>text</p>")
    assert found == LinkBlocks((), 0, 11)
    assert (found.lcr, found.ccr) == (0, 0)


# The exception for encyclopedias.


def prose(hosts: str = "") -> str:
    """Return a paragraph in which every tenth word is a link."""
    return "<p>" + " ".join(f"{words(9)} {link('term', f'{hosts}/{n}')}" for n in range(8)) + "</p>"


@pytest.mark.parametrize(
    ("source", "url", "blocks"),
    [
        (prose(), None, 0),
        (prose(), "https://en.example.org/wiki/X", 0),
        (prose("https://www.example.org"), "https://en.example.org/wiki/X", 0),
        (prose("https://other.example.net"), "https://en.example.org/wiki/X", 1),
        (prose("/redirect?to=https://other.example.net"), "https://en.example.org/wiki/X", 1),
        (prose("/redirect?to=https%3A%2F%2Fother.example.net"), "https://en.example.org/X", 1),
        (prose("//other.example.net"), "https://en.example.org/wiki/X", 1),
        # all text of a menu is in its links
        (menu(8), "https://en.example.org/wiki/X", 1),
        (menu(8), None, 1),
        # without a page URL, a link with a host may lead to any site
        (prose("https://other.example.net"), None, 1),
    ],
)
def test_internal_links_inside_sentences_form_no_block(
    source: str, url: str | None, blocks: int
) -> None:
    found = blocks_in(page(source), url, spare_prose=True)
    assert len(found.blocks) == blocks
    assert len(blocks_in(page(source)).blocks) == 1


@pytest.mark.parametrize(
    ("href", "away"),
    [
        ("/path", False),
        ("#x", False),
        ("", False),
        ("javascript:go()", False),
        ("mailto:a@example.net", False),
        ("http://www.example.org/x", False),
        ("https://example.net/", True),
        ("//example.net/", True),
        ("HTTPS://EXAMPLE.NET/", True),
        ("/go?u=https%3a%2f%2fexample.net%2f", True),
        ("/go?u=https%3A%2F%2Fwww.example.org%2F", False),
        (" https://example.net/ ", True),
        ("/go?u=http://example.net/", True),
        ("/go?u=http://news.example.org/", False),
        ("https://example.net/share?u=https://www.example.org/x", False),
        ("http://[broken", False),
        ("http://", False),
    ],
)
def test_a_link_leads_away_if_it_ends_on_another_site(href: str, away: bool) -> None:
    assert leads_away(href, "https://www.example.org/") is away


# The text between blocks.


def test_the_body_text_is_between_the_blocks() -> None:
    source = page("LOGO", menu(5), paragraphs(2), menu(5), "COPYRIGHT")
    assert text_left(source).split() == " ".join(outline_of(paragraphs(2)).texts).split()


@pytest.mark.parametrize("links", [0, 5])
def test_with_fewer_than_two_blocks_the_whole_body_is_left(links: int) -> None:
    source = page("<p>first</p>", menu(links), "<p>last", title="TITLE")
    assert text_left(source).split() == ["first", "last"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("plain", "plain"),
        ("<p>one</p><p>two</p>", "one two"),
        ("<b>S</b>ome <em>word</em>s", "Some words"),
        ("<br>a<br/>b<hr />c", "a b c"),
        ("a<!-- <p>not</p> -->b", "a b"),
        ("a<!-- open b", "a"),
        ("a<script>if (x<b) y()</script>b", "a b"),
        ("a<style>p{}</style>b<textarea><p>no</textarea>c", "a b c"),
        ("a<script>open b", "a"),
        ("<scripted>yes</scripted>", "yes"),
        ('<p title="a > b">text</p>', "text"),
        ("1 < 2 > 1 &lt;p&gt;", "1 < 2 > 1 <p>"),
        ("&amp;&#65;&#x42;&nbsp;&eacute;&unknown;", "&AB\xa0é&unknown;"),
        ("", ""),
    ],
)
def test_text_between_two_offsets_has_no_markup(source: str, text: str) -> None:
    outline = outline_of(f"<body><i></i>{source}")
    between = Texts(outline).between(0, len(outline.rows.source))
    assert "".join(between.split(" ")) == "".join(text.split(" "))


@pytest.mark.parametrize(("source", "count"), [("a b<i>c</i>", 3), ("<p>a<p> b c ", 3), ("", 0)])
def test_words_and_characters_between_two_offsets_are_counted(source: str, count: int) -> None:
    outline = outline_of(source)
    between = Texts(outline)
    assert between.words(0, len(source)) == between.chars(0, len(source)) == count


# Invariants.

pieces = st.lists(
    st.sampled_from(
        [
            *('<a href="/x">x</a>', "<a href=x>", "</a>", "<a>", "<a ", "</a", "<b", "<"),
            *("<p class='y'>", "</p>", "words and more ", "北京 ", "&amp;", '"', "'", ">", "="),
            *("<!--", "-->", "<script>", "</script>", "<div><div>", words(12)),
        ]
    ),
    max_size=40,
).map("".join)
measures = st.sampled_from(["text", "code"])
distances = st.integers(1, 60)


def blocks_at(source: str, measure: wang14.Measure, d_t: int) -> LinkBlocks:
    return blocks_in(source, measure=measure, d_t=d_t)


@given(pieces)
def test_links_are_ordered_disjoint_source_ranges(source: str) -> None:
    links, octets = links_of(source), source.encode()
    assert all(octets[found.start : found.start + 2].lower() == b"<a" for found in links)
    assert all(0 <= found.start < found.end <= len(octets) for found in links)
    assert all(before.end <= behind.start for before, behind in pairwise(links))


@given(pieces, measures, distances, st.integers(1, 5))
def test_blocks_are_disjoint_and_have_at_least_c_t_links(
    source: str, measure: wang14.Measure, d_t: int, c_t: int
) -> None:
    found = blocks_in(source, measure=measure, d_t=d_t, c_t=c_t)
    size = len(source.encode())
    assert all(block.links >= c_t for block in found.blocks)
    assert all(0 <= block.start < block.end <= size for block in found.blocks)
    assert all(before.end <= behind.start for before, behind in pairwise(found.blocks))
    links = links_of(source)
    for block in found.blocks:
        assert len(blocks_of.links_within(links, block)) == block.links
    assert 0 <= found.lcr <= 1
    assert 0 <= found.ccr <= 1


@given(pieces, measures, distances, distances)
def test_coverage_rises_with_d_t(
    source: str, measure: wang14.Measure, one: int, other: int
) -> None:
    near = blocks_at(source, measure, min(one, other))
    far = blocks_at(source, measure, max(one, other))
    assert near.block_links <= far.block_links
    assert near.lcr <= far.lcr
    assert near.ccr <= far.ccr


@given(pieces, measures, distances, st.integers(1, 5))
def test_coverage_falls_with_c_t(source: str, measure: wang14.Measure, d_t: int, c_t: int) -> None:
    few = blocks_in(source, measure=measure, d_t=d_t, c_t=c_t)
    many = blocks_in(source, measure=measure, d_t=d_t, c_t=c_t + 1)
    assert set(many.blocks) <= set(few.blocks)


@given(pieces, measures, distances)
def test_stopping_the_count_at_d_t_changes_no_block(
    source: str, measure: wang14.Measure, d_t: int
) -> None:
    exact = distances_of(source, measure)
    enough = distances_of(source, measure, enough=d_t)
    assert [distance < d_t for distance in exact] == [distance < d_t for distance in enough]
    links = links_of(source)
    assert blocks_of.group(links, exact, 3, d_t) == blocks_of.group(links, enough, 3, d_t)


@given(pieces)
def test_text_distance_is_at_most_the_number_of_bytes(source: str) -> None:
    gaps = [behind.start - before.end for before, behind in pairwise(links_of(source))]
    text = distances_of(source, "text")
    assert all(distance <= gap for distance, gap in zip(text, gaps, strict=True))


@pytest.mark.parametrize(
    "source",
    [
        content_page(nav=3, footer=3, body=1, length=5, adverts=1),
        '<!-- c --><a class="x" href=\'/1\'>1</a><script>"<a>"</script><a href=2>2</a>',
    ],
)
def test_a_page_cut_anywhere_keeps_its_complete_links(source: str) -> None:
    octets = source.encode()
    whole = links_of(source)
    for end in range(0, len(octets), 3):
        part = outline_of(octets[:end])
        if part.rows.source != octets[:end]:
            continue  # cut within a character
        links = find_links(part)
        assert all(found.end <= end for found in links)
        # links that end before the cut are the same as in the whole page
        complete = [found for found in whole if found.end <= end]
        assert links[: len(complete)] == complete
        link_blocks(part, spare_prose=True)
        link_blocks(part, measure="code")


@pytest.mark.parametrize("source", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_hostile_source_takes_linear_time(source: str) -> None:
    begun = time.process_time()
    blocks_in(source, d_t=10**9)
    blocks_in(source, d_t=10**9, measure="code", spare_prose=True)
    assert time.process_time() - begun < 4


def test_the_text_between_many_blocks_is_found_in_linear_time() -> None:
    def work(times: int) -> Callable[[], object]:
        outline = outline_of((menu(3) + paragraphs(1)) * times)
        found = link_blocks(outline)
        assert len(found.blocks) == times
        return lambda: lines_between(outline, found)

    assert_linear(work, 150, most_of(menu(3) + paragraphs(1)))


@pytest.mark.parametrize("source", [content_page(), index_page()])
def test_a_text_distance_is_the_length_of_the_text_between_links(source: str) -> None:
    outline = outline_of(source)
    between = Texts(outline)
    lengths = [
        text_length(between.between(before.end, behind.start))
        for before, behind in pairwise(find_links(outline))
    ]
    assert distances_of(source, "text") == lengths
