"""Corrections of a selection by hand: dropping undoes keeping, and keeping undoes dropping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.template.corrections import (
    StillDroppedError,
    is_within,
    with_drop,
    with_keep,
    without_drops_of,
)
from scrapy_mainblock.template.rules import Rule, find_block
from scrapy_mainblock.template.selection import Selection
from scrapy_mainblock.template.verdicts import DROPPED, UNKNOWN

PAGE = outline_of(
    "<div id=content>own text<div class=a><p>one</p><p class=b>two</p><ul><li class=b>three"
    "<li>four</ul></div><p class=b>five</p><div>six<p>seven</p></div></div>"
)
SELECTORS = (
    "div.a", "> div.a", "p.b", "> p.b", "li.b", "div.a > p", "div.a > p.b", "div.a > ul",
    "div.a > ul > li", "div.a > ul > li.b", "div", "div > p", "div > text()", "text()",
)  # fmt: skip
selectors = st.sampled_from(SELECTORS)
selections = st.builds(
    Selection,
    drop=st.lists(selectors, max_size=3, unique=True).map(tuple),
    keep=st.lists(selectors, max_size=2, unique=True).map(tuple),
    known=st.lists(
        st.sampled_from([*(one for one in SELECTORS if "text()" not in one), "", "div.a > *"]),
        max_size=3,
        unique=True,
    ).map(tuple),
)


def verdicts(selection: Selection, page: Outline = PAGE) -> list[int]:
    hit = find_block(Rule(id="content"), page).hit
    assert hit is not None
    return list(selection.apply(page, hit.under).verdict)


def matched(selector: str) -> list[int]:
    """Return the segments under the block that a selector matches."""
    dropped = verdicts(Selection(drop=(selector,)))
    return [number for number, one in enumerate(dropped) if one == DROPPED]


@given(selections, selectors)
def test_drop_affects_only_the_matched_segments(selection: Selection, selector: str) -> None:
    before, after = verdicts(selection), verdicts(with_drop(selection, selector))
    for number, (was, now) in enumerate(zip(before, after, strict=True)):
        if number in matched(selector):
            assert now == DROPPED
        else:
            assert now == was


def try_keep(selection: Selection, selector: str) -> tuple[Selection | None, str]:
    try:
        return with_keep(selection, selector), ""
    except StillDroppedError as error:
        return None, error.around


@given(selections, selectors)
def test_keep_works_or_names_the_drop_that_prevents_it(selection: Selection, selector: str) -> None:
    kept, around = try_keep(selection, selector)
    if kept is None:
        assert around in selection.drop
        assert set(matched(selector)) <= set(matched(around))
        return
    before, after = verdicts(selection), verdicts(kept)
    for number, (was, now) in enumerate(zip(before, after, strict=True)):
        if was <= UNKNOWN:
            assert now <= was
        elif number in matched(selector) and now == DROPPED:
            assert any(number in matched(one) for one in kept.drop)
            assert selector not in kept.drop


@given(selections, selectors)
def test_keep_undoes_a_drop(selection: Selection, selector: str) -> None:
    kept, around = try_keep(with_drop(selection, selector), selector)
    assert selector not in kept.drop if kept else around in selection.drop


def test_last_kept_or_known_selector_stays() -> None:
    assert with_drop(Selection(keep=("p.b",)), "p.b") == Selection(drop=("p.b",), keep=("p.b",))
    assert with_drop(Selection(keep=("p", "p.b")), "p.b").keep == ("p",)
    assert with_drop(Selection(known=("p.b",)), "p.b").known == ("p.b",)


def test_dropped_places_do_not_stay_known() -> None:
    known = ("div.a", "div.a > *", "div.a > p", "div.ab", "p.b", "ul > p.b > em")
    dropped = with_drop(Selection(known=known), "div.a")
    assert dropped.known == ("div.ab", "p.b", "ul > p.b > em")
    assert with_drop(Selection(known=known), "p.b").known == known[:4]
    assert with_drop(Selection(known=("div.a", "ul")), "div.a > text()").known == ("ul",)


@pytest.mark.parametrize(
    ("drop", "selector", "around"),
    [
        (("div.a",), "div.a > p", "div.a"),
        (("> div.a",), "div.a > p", "> div.a"),
        (("ul",), "ul > li.b", "ul"),
        (("li.b",), "> li.b", "li.b"),  # one of many: the drop applies to all of them
        (("div.a",), "p > div.a > em", "div.a"),
    ],
)
def test_place_inside_a_dropped_one_is_not_kept(
    drop: tuple[str, ...], selector: str, around: str
) -> None:
    with pytest.raises(StillDroppedError) as error:
        with_keep(Selection(drop=drop), selector)
    assert error.value.around == around


def test_keeping_a_name_undoes_all_its_drops() -> None:
    selection = Selection(drop=("p.b", "> p.b", "div.a > p.b", "div.a > p.bc"))
    assert with_keep(selection, "p.b").drop == ("div.a > p.bc",)


@given(selections, st.sampled_from(["div.a", "div.a > ul > li.b", "p.b", "div > p"]))
def test_without_drops_of_removes_exactly_the_drops_around_a_place(
    selection: Selection, place: str
) -> None:
    left = without_drops_of(selection, place)
    assert not any(is_within(place, one) for one in left.drop)
    assert all(is_within(place, one) or one.endswith("text()") for one in selection.drop
               if one not in left.drop)  # fmt: skip
