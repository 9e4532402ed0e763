"""Places: chains of block names that are the same on all pages of a site."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, words

from scrapy_mainblock.outline import outline as module
from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import OF_LINKS, ROOT, UNDER, is_made_by_tool, step_of

DEEPEST, LONGEST_NAME, LONGEST_CHAIN = 40, 110, 1000
"""Equal to the constants of `places`, which are not importable from the compiled module."""


def places_in(inside: str) -> dict[str, str]:
    """Return the place of each segment, by the segment's text."""
    page = outline(inside)
    return {
        text: page.chains[block]
        for text, block in zip(page.texts, page.rows.segment_block, strict=True)
    }


@pytest.mark.parametrize(
    ("inside", "place"),
    [
        ("a", ROOT),
        ("<p>a", "p"),
        (
            "<div id=main><article><div class='entry wide'><p>a",
            "div#main > article[1] > div.entry > p",
        ),
        ("<div></div><div>a", "div[2]"),
        ("<div class=x></div><div>a", "div[1]"),
        ("<p>b<p>a", "p"),
        ("<span class=x>a</span>", ROOT),
        ("<x-y><div>a", "div[1]"),
        ("<div id=' main '>a", "div#main"),
        ("<div id='a b' class=c>a", "div.c"),
        ("<div id='&eacute;'>a", "div#é"),
        ("<ul><li><a href=x>a</a></ul>", f"ul{OF_LINKS} > li"),
        ("<p><a href=x>a</a>", f"p{OF_LINKS}"),
        ("<p>more words <a href=x>b</a>", "p"),
        (f"<div class={'x' * LONGEST_NAME}>a", f"div.{'x' * LONGEST_NAME}"),
        (f"<div class={'x' * (LONGEST_NAME + 1)}>a", "div[1]"),
    ],
)
def test_place_is_the_chain_of_enclosing_blocks(inside: str, place: str) -> None:
    assert set(places_in(inside).values()) == {place}


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('<div class="post-4711">a</div>', "div[1]"),
        ('<div class="item12">a</div>', "div[1]"),
        ('<div class="col-md-8">a</div>', "div[1]"),
        ('<div class="h2 entry">a</div>', "div.entry"),
        # class names made by build tools are the same on every page
        ('<div class="Text_block__x9Qd2">a</div>', "div.Text_block__x9Qd2"),
        ('<div class="css-1a2b3c">a</div>', "div.css-1a2b3c"),
        ('<div class="Promo_inline__3dF row">a</div>', "div.Promo_inline__3dF"),
        ('<div id="p-77">a</div>', "div[1]"),
    ],
)
def test_names_with_a_running_number_are_not_used(step: str, expected: str) -> None:
    assert places_in(step)["a"] == expected


CELLS = "<tr><th>Place<th>2019</tr><tr><td>Hawby<td>1,137</tr><tr><td>Dunport<td>4,754</tr>"


@pytest.mark.parametrize(
    ("table", "is_one_place"),
    [
        (f"<table>{CELLS}</table>", True),
        (f"<table>{CELLS.replace('<td>', '<td><p>')}</table>", True),
        ("<table><tr><td>A caption</td></tr></table>", False),
        (f"<table><tr><td><div>{words(9)}</div><td>b</tr>{CELLS}</table>", False),
        (f"<table><tr><td>{words(90)}<td>{words(90)}</tr><tr><td>a<td>b</tr></table>", False),
    ],
)
def test_data_table_is_one_place(table: str, *, is_one_place: bool) -> None:
    found = set(places_in(f"<p>{words(40)}</p>{table}").values()) - {"p"}
    assert (found == {"table"}) is is_one_place


def test_too_deep_or_too_long_chains_end_at_an_ancestor() -> None:
    deep = places_in("<section class=x>" * (DEEPEST + 5) + "a")["a"]
    assert deep == UNDER.join(["section.x"] * DEEPEST)
    long = places_in(f"<div class={'x' * 100}>" * 20 + "a")["a"]
    assert LONGEST_CHAIN - 110 < len(long) <= LONGEST_CHAIN


@pytest.mark.parametrize(
    ("inside", "step"),
    [
        ("<span class='promo x'>a</span>", "span.promo"),
        ("<b id=x>a</b>", "b#x"),
        ("<x-y class=n1>a</x-y>", "x-y"),
        ("<i>a</i>", "i"),
    ],
)
def test_inline_element_has_a_step_too(inside: str, step: str) -> None:
    rows = outline(inside).rows
    assert step_of(rows, rows.element_count - 1) == step


# --- properties of any page ----------------------------------------------------------------------

NAMES = ("", "x", "x y", "é", "n1", "css-1a2b3c", "&amp;", "a\0b", "y" * 120)
soup = st.lists(
    st.builds(
        "<{} class='{}' id='{}'>".format,
        st.sampled_from("div p ul li table tr td section a dl dd blockquote span".split()),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
    )
    | st.sampled_from(["</div>", "</ul>", "</table>", "</section>", "text", "<a href=x>link</a>"]),
    max_size=40,
).map("".join)


@given(soup)
def test_hashes_are_equal_exactly_for_equal_places(inside: str) -> None:
    page = outline(inside)
    pairs = set(zip(page.chains, page.places.hashes, strict=True))
    assert len(pairs) == len({chain for chain, _ in pairs}) == len({key for _, key in pairs})
    assert len(page.chains) == page.rows.block_count


@given(soup)
def test_hash_of_a_place_is_that_of_its_chain(inside: str) -> None:
    page = outline(inside * 2)  # so that blocks have siblings at the same place
    assert list(page.places.hashes) == [hash_of(chain.encode()) for chain in page.chains]


@given(soup)
def test_place_under_a_block_is_the_rest_of_its_chain(inside: str) -> None:
    page, alone = outline(f"<div id=around>{inside}</div>"), outline(inside)
    rows = page.rows
    block = page.chains.index("div#around")
    end = next(
        (one for one in range(block + 1, rows.block_count) if rows.block_parent[one] < block),
        rows.block_count,
    )
    if [c.removeprefix("div#around > ") for c in page.chains[block + 1 : end]] != alone.chains[1:]:
        return  # an end tag has closed the div, or the div changes the layout of a table
    assert list(page.places.under(block + 1, end)) == list(alone.places.hashes)


def structure_of(page: Outline) -> frozenset[int]:
    """Return the hashes of the places that hold text, each computed on its own."""
    rows = page.rows
    held = (one for one in range(rows.block_count) if rows.block_end[one] > rows.block_first[one])
    return frozenset(hash_of(page.chains[one].encode()) for one in held)


@given(soup)
def test_structure_consists_of_the_places_that_hold_text(inside: str) -> None:
    page = outline(inside)
    assert page.structure == structure_of(page)


def named_blocks(page: int, count: int) -> str:
    """Return HTML with `count` blocks whose names occur on no other page."""
    name = "abcdefghij"[page % 10] * (page // 10 + 1)
    return "".join(f"<div id={name}{'x' * one}>t</div>" for one in range(count))


def test_pages_may_be_read_in_several_threads() -> None:
    sources = [named_blocks(number, 60) for number in range(40)]
    expected = [outline(source).structure for source in sources]

    def read(number: int) -> bool:
        page = outline(sources[number % len(sources)])
        return page.structure == expected[number % len(sources)] == structure_of(page)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(read, range(400)))
    finally:
        sys.setswitchinterval(before)


def test_huge_similar_pages_keep_the_same_places() -> None:
    def page(blocks: int) -> frozenset[int]:
        names = ("".join(chr(97 + int(digit)) for digit in str(n)) for n in range(blocks))
        return outline("".join(f"<div class={name}>x</div>" for name in names)).structure

    huge, larger = page(3000), page(3100)
    assert len(huge) == len(larger) == module.MOST_PLACES
    assert len(huge & larger) > 0.9 * module.MOST_PLACES


@pytest.mark.parametrize(
    ("css_class", "expected"),
    [
        ("Text_block__x9Qd2", True),
        ("Text_block__x", False),
        ("Text_block__x9Qd2x9Qd", False),
        ("a1__x9Qd2", False),
        ("_x9Qd2", False),
        ("css-1a2b3c", True),
        ("css-abc1d", True),
        ("css-1A2b3c", False),
        ("css-12345", False),
        ("css-abcde", False),
        ("css-1a2b", False),
        ("css-1a2b3c4d5e6", False),
        ("css2-1a2b3c", False),
        ("post-4711", False),
        ("n1", False),
        ("", False),
    ],
)
def test_class_names_made_by_build_tools_are_recognized(css_class: str, expected: bool) -> None:
    octets = f"x {css_class}".encode()
    assert is_made_by_tool(octets, 2, len(octets)) == expected


def test_chain_of_a_block_nested_deep_is_made_without_recursion() -> None:
    page = outline("<div>" * 60_000 + "<p>the text of it all")
    chain = page.places.chain(page.rows.block_count - 1)
    assert chain.split(" > ") == ["div[1]"] * 40
