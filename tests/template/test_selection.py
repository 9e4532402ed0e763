"""A rule's selectors, applied to the segments under its block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import element, outline

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import Extent, extent
from scrapy_mainblock.template.selection import Selection, why_no_selector
from scrapy_mainblock.template.verdicts import DROPPED, KNOWN, LINE, NOT_KEPT, UNKNOWN

LETTERS = {KNOWN: "k", UNKNOWN: "?", DROPPED: "d", NOT_KEPT: "n", LINE: "l"}

PAGE = (
    "<div id=main><p>p</p><ul><li>one<li>two</ul><div class=share><p>s</p>own</div>"
    "<section><p>deep</p></section>own</div><p>behind</p>"
)
"""Segments under `main`: p, one, two, s, own, deep, own."""


def extent_of(page: Outline, identifier: str = "main") -> Extent:
    return extent(page.rows, element(page, identifier))


def verdicts(selection: Selection, inside: str = PAGE) -> str:
    """Return a letter for each segment under the block."""
    page = outline(inside)
    keeper = selection.apply(page, extent_of(page))
    return "".join(LETTERS[one] for one in keeper.verdict)


@pytest.mark.parametrize(
    ("selection", "found"),
    [
        (Selection(), "kkkkkkk"),
        (Selection(drop=("ul",)), "kddkkkk"),
        (Selection(drop=("div.share",)), "kkkddkk"),
        (Selection(drop=("p",)), "dkkkkkk"),
        (Selection(drop=("div.share > p",)), "kkkdkkk"),
        (Selection(drop=("section[1] > p",)), "kkkkkdk"),
        (Selection(drop=("text()",)), "kkkkkkd"),
        (Selection(drop=("div.share > text()",)), "kkkkdkk"),
        (Selection(keep=("ul",)), "nkknnnn"),
        (Selection(keep=("div.share", "p")), "knnkknn"),
        (Selection(keep=("text()",)), "nnnnnnk"),
        (Selection(keep=("ul",), drop=("ul > li",)), "nddnnnn"),
        (Selection(known=("p",)), "k??????"),
        (Selection(known=("p", "ul > li", "")), "kkk???k"),
        (Selection(drop=("div.share",), known=("p",)), "k??dd??"),
        (Selection(known=("ul > *",)), "?kk????"),
        (Selection(known=("p", "div.share > *")), "k??kk??"),
        (Selection(known=("section[1] > *", "p")), "k????k?"),
        (Selection(known=("div.share > *",), drop=("div.share > p",)), "???dk??"),
        (Selection(known=("div.share > *",), keep=("ul",)), "n??nnnn"),
        (Selection(lines=("own", "two")), "kklklkl"),
        (Selection(lines=("own",), drop=("text()",)), "kkkklkd"),
        (Selection(lines=("OWN", "ow")), "kkkkkkk"),
        # text that a person may have typed
        (Selection(drop=("", " > ", "gone", "#", ".", "a > > b", "\ud800")), "kkkkkkk"),
    ],
)
def test_selector_is_a_chain_from_the_block_or_a_named_step(
    selection: Selection, found: str
) -> None:
    assert verdicts(selection) == found


@pytest.mark.parametrize(
    ("inside", "selection", "found"),
    [
        # a step with a name matches anywhere
        ("<div id=main><p>a<div><div><p class=x>b", Selection(drop=("p.x",)), "kd"),
        ("<div id=main><p>a<div><p id=x>b", Selection(drop=("p#x",)), "kd"),
        # the block itself is not dropped by its own name
        ("<div id=main class=x><p>a", Selection(drop=("div#main", "div.x")), "k"),
        # elements around the block do not count
        ("<div class=x><div id=main><p>a", Selection(drop=("div.x",)), "k"),
        # a block within a line
        ("<p>a <b id=main>b</b>", Selection(drop=("text()",)), "d"),
        ("<div id=main></div>", Selection(drop=("p",)), ""),
        ("<ul id=main><li>a<li><a href=x>b</a></ul>", Selection(drop=("li",)), "dd"),
    ],
)
def test_selectors_apply_only_under_the_block(
    inside: str, selection: Selection, found: str
) -> None:
    assert verdicts(selection, inside) == found


def test_dropped_segment_records_its_selector_or_line() -> None:
    page = outline(PAGE)
    selection = Selection(drop=("gone", "ul", "div.share"), lines=("x", "deep"))
    keeper = selection.apply(page, extent_of(page))
    letters = verdicts(selection)
    by = [one for one, letter in zip(keeper.by, letters, strict=True) if letter in "dl"]
    assert by == [1, 1, 2, 2, 1]


OFFER = '<span class="offer"><a href="/o">Three months for the price of one</a></span>'


def test_advert_inside_a_sentence_is_dropped_alone() -> None:
    page = outline(f"<p id=main>Before {OFFER} after <span>kept</span></p>")
    (left,) = Selection(drop=("span.offer", "div.share")).inline_drops(page, extent_of(page))
    assert page.rows.classes(left) == "offer"
    assert not Selection(drop=("div.share", "p > span.offer")).inline_drops(page, extent_of(page))


names = st.sampled_from(
    ["p", "ul", "ul > li", "div.x", "text()", "div.x > text()", "div[1]", "é", ""]
)
inside = st.lists(
    st.sampled_from(
        ["<p>", "<ul><li>", "</ul>", "<div class=x>", "<div>", "</div>", "text", "<b>"]
    ),
    max_size=25,
).map("".join)


@given(
    inside, st.lists(names, max_size=3), st.lists(names, max_size=3), st.lists(names, max_size=3)
)
def test_every_segment_has_a_verdict_and_selectors_only_add_drops(
    inside: str, drop: list[str], keep: list[str], known: list[str]
) -> None:
    page = outline(f"<div id=main>{inside}")
    few = Selection(tuple(drop[:1]), tuple(keep), (), tuple(known)).apply(page, extent_of(page))
    more = Selection(tuple(drop), tuple(keep), (), tuple(known)).apply(page, extent_of(page))
    block = extent_of(page)
    assert len(few.verdict) == len(more.verdict) == block.end - block.first
    for one, other in zip(few.verdict, more.verdict, strict=True):
        assert one != DROPPED or other == DROPPED
        assert one in LETTERS
        if not keep:
            assert one != NOT_KEPT
        if not known:
            assert one != UNKNOWN


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("div.share", True),
        ("div#main > article > div.entry > p", True),
        ("ul:links > li[2]", True),
        ("ul.menu:links", True),
        ("div > text()", True),
        ("text()", True),
        ("section.css-1a2b3c", True),
        ("div.md:w-auto/x", True),
        ("", False),
        (".share", False),
        ("#main", False),
        ("div .share", False),
        ("div>p", False),
        ("div > ", False),
        ("text() > p", False),
        ("div.share, p", False),
        ("div[@class='a']", False),
        ("//div", False),
        ("DIV", False),
        ("div.post-12", False),
        ("div#post12", False),
        ("div[0]", False),
    ],
)
def test_text_that_cannot_match_a_place_is_not_a_selector(text: str, *, can: bool) -> None:
    assert (why_no_selector(text) is None) is can


def test_every_place_of_a_page_is_a_selector() -> None:
    page = outline(PAGE + "<ul class='menu'><li><a href=/a>a</a></ul><h1.2>x</h1.2>")
    chains = [chain for chain in page.chains if chain]
    assert len(chains) > 8
    assert [why_no_selector(chain) for chain in chains] == [None] * len(chains)
