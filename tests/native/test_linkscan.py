"""The compiled scan for link blocks says the same as the one in Python, to the character."""

from __future__ import annotations

from collections.abc import Callable

import demo_site
import hostile_pages
import pytest
from growth import assert_linear
from hypothesis import given
from hypothesis import strategies as st
from sample_pages import FIGURE_2, content_page, index_page
from test_markup import _PIECES, ADVERSARIAL

from scrapy_mainblock.core import linkblocks, markup, textlength
from scrapy_mainblock.core.linkblocks import LinkBlock, LinkBlocks, link_blocks
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import decode
from scrapy_mainblock.core.textlength import text_length

linkscan = compiled("linkscan")
pytestmark = pytest.mark.skipif(linkscan is None, reason="core/native/linkscan is not compiled")

GROWN_TO = 20_000
SPECIAL = ("ſcript", "<İ>", "<scrıpt>", "\u00a0", "\u2003", "é", "\U0001f600", "\x1c", "\x85", "‑")
ENTITIES = ("&nbsp;", "&lt;b&gt;", "&#65;", "&ampa", "&#x4e2d;", "&&ltb", "&#8217;s")
TEXTS = (
    "don't",
    "1,234.5",
    "!!",
    "?!",
    "___",
    "e\u0301",
    "ไทย",
    "2014 年 3 月 8 日",
    "—",
    "½",
    "१२",
)

PARTS_OF_DATES = (
    *"1 2 31 2014 - / . , : 年 月 日 号 星期 一 二 〇 ○ 十 년 월 일 March Mar MAY Sept.".split(),
    *"September June JULY 8th 1st of Saturday, x 字 ٣".split(),
    *(" ", "  ", "   ", "\n"),
)


def pages() -> dict[str, str]:
    made = {one.path: one.html for one in demo_site.build(seed="native", padding_kb=20).pages}
    for name, page in {
        **{name: grow(GROWN_TO) for name, grow in hostile_pages.GROWING.items()},
        **hostile_pages.FIXED,
    }.items():
        made[name] = page if isinstance(page, str) else decode(page)
    return {**made, "figure 2": FIGURE_2, "content": content_page(), "index": index_page()}


def blocks_in_python(source: str, threshold: int, c_t: int = 3) -> LinkBlocks:
    links = linkblocks._find_links(source)
    distances = linkblocks.link_distances(source, links, enough=threshold)
    blocks = linkblocks.group(links, distances, c_t, threshold)
    return LinkBlocks(tuple(blocks), len(links), len(source))


def assert_same(source: str, *thresholds: int) -> None:
    assert linkscan is not None
    assert list(map(linkblocks.Link._make, linkscan.find_links(source))) == linkblocks._find_links(
        source
    )
    for threshold in thresholds or (1, 5, 40):
        found = link_blocks(source, d_t=threshold)
        assert found == blocks_in_python(source, threshold)
        assert all(type(block) is LinkBlock for block in found.blocks)


PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_the_same_links_and_blocks(name: str) -> None:
    assert_same(PAGES[name])
    # The same in the other two kinds of str.
    for character in "\u2603", "\U0001f600":
        assert_same(PAGES[name] + character)


@given(st.lists(st.sampled_from(_PIECES + SPECIAL + ENTITIES + TEXTS), max_size=40).map("".join))
def test_any_source_has_the_same_links_and_blocks(source: str) -> None:
    assert_same(source, 1, 4, 20)


@given(
    st.lists(
        st.sampled_from(
            [*_PIECES, *SPECIAL, *ENTITIES, *TEXTS, *textlength.COMBINING[:4], " ", " ", "word"]
        ),
        max_size=60,
    ).map("".join)
    | st.text(max_size=200),
    st.integers(1, 60),
)
def test_a_gap_is_as_long_as_its_text_is_counted(gap: str, enough: int) -> None:
    assert linkscan is not None
    is_far = len(gap) >= enough and text_length(markup.without_markup(gap)) >= enough
    assert linkscan.is_far_apart(gap, enough) == is_far


@given(st.text(max_size=8), st.integers(1, 6), st.integers(1, 400))
def test_a_long_gap_is_as_long_as_its_text_is_counted(piece: str, enough: int, times: int) -> None:
    gap = (piece + " May 8, 2014. ") * times
    units = text_length(markup.without_markup(gap))
    assert linkscan is not None
    for limit in (enough, units, units + 1):
        assert linkscan.is_far_apart(gap, limit) == (units >= limit and len(gap) >= limit)


@given(
    st.lists(
        st.sampled_from(PARTS_OF_DATES),
        max_size=30,
    ).map("".join)
)
def test_no_fewer_dates_are_thought_possible_than_there_are(text: str) -> None:
    assert linkscan is not None
    units = text_length(text)
    assert not units or linkscan.is_far_apart(text, units)
    assert not linkscan.is_far_apart(text, units + 1)
    assert linkscan.dates_at_most(text) >= len(list(textlength._date().finditer(text)))


def test_every_character_counts_as_it_does_in_python() -> None:
    assert linkscan is not None
    for first in range(0, 0x110000, 16):
        some = [c for c in map(chr, range(first, first + 16)) if c not in "<&"]
        for text in ("".join(some), " ".join(some), "".join(f"{c}{c}a{c}1{c}1" for c in some)):
            units = textlength._count(text)
            assert not units or linkscan.is_far_apart(text, units)
            assert not linkscan.is_far_apart(text, units + 1)


@pytest.mark.parametrize("source", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_hostile_source_takes_linear_time(source: str) -> None:
    def work(times: int) -> Callable[[], object]:
        return lambda: link_blocks(f"<a href=1>x</a>{source * times}<a href=1>x</a>")

    assert_linear(work, 1, times=8)


def test_a_letter_that_only_looks_like_one_of_ascii_names_no_script() -> None:
    for name in ("ſcript", "scrıpt", "SCRİPT", "ſtyle"):
        source = f"<{name}><a href=/x>x</a></{name}>"
        assert len(linkblocks._find_links(source)) == 1
        assert_same(source)
