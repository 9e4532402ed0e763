"""What pages say of their places together, and what a rule makes of a page by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from pages import tree, words

from scrapy_mainblock.core.places import (
    ROOT,
    PlaceEvidence,
    Places,
    PlaceSeen,
    chains,
    inline_seen,
    places_of,
)
from scrapy_mainblock.core.segments import Segments, segment

SURE, SURELY_NOT, IN_DOUBT = 0.9, 0.1, 0.55


def segments_of(inside: str) -> Segments:
    return segment(tree(inside).find("body"))


def places_in(inside: str) -> dict[str, str]:
    """The place of every segment's text."""
    page = segments_of(inside)
    found = chains(page)
    return {text: found[block] for text, block in zip(page.texts, page.block_of, strict=True)}


def kept(
    places: Places, inside: str, judged: Sequence[bool] | None = None, title: int = -1
) -> list[str]:
    """The texts that a rule keeps; it fails when it asks though it need not."""
    page = segments_of(inside)

    def judge(asked: Sequence[int]) -> Sequence[bool]:
        assert judged is not None, "the rule knows every place"
        return [judged[one] for one in asked]

    keeps = places.kept(page, judge, title=title)
    return [text for text, keep in zip(page.texts, keeps, strict=True) if keep]


def rule_of(*pages: dict[str, tuple[float, str]]) -> Places:
    """The places of a rule, learnt from pages that are given as place, likelihood and line."""
    evidence = PlaceEvidence()
    for page in pages:
        evidence.add(
            {chain: PlaceSeen(likely, len(line), (line,)) for chain, (likely, line) in page.items()}
        )
    return places_of(evidence, [ROOT])


def test_in_a_manual_what_recurs_is_content_and_what_is_unlikely_is_not() -> None:
    evidence = PlaceEvidence()
    for number in range(8):
        page = segments_of(f"<p>{words(20, f'w{number}x')} {OFFER} more.</p>")
        places = {
            "p": (SURE, page.texts[0]),
            "dl.general > dt": (SURE, "Throws an error where there is none"),
            "div.end": (1 - SURE, f"made by a tool {number}"),
        }
        seen = {
            chain: PlaceSeen(likely, len(line), (line,)) for chain, (likely, line) in places.items()
        }
        evidence.add(seen, inline_seen(page, np.full(len(page), SURE)))
    rule = places_of(evidence, [ROOT])
    assert set(rule.drop) == {"span.offer", "div.end"}
    manual = places_of(evidence, [ROOT], is_manual=True)
    assert manual.drop == ("div.end",)
    assert manual.known == ("dl.general > dt", "p")
    assert manual.lines == ()


def pages_with(place: str, likely: float, count: int) -> list[dict[str, tuple[float, str]]]:
    """Pages with an article's text, so many of them with something at `place`."""
    return [
        {
            "div.text > p": (SURE, words(20, f"text{number}x")),
            **({place: (likely, words(3, f"other{number}x"))} if number < count else {}),
        }
        for number in range(6)
    ]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ('<div class="post-4711">a</div>', "div[1]"),
        ('<div class="item12">a</div>', "div[1]"),
        ('<div class="col-md-8">a</div>', "div[1]"),
        ('<div class="h2 entry">a</div>', "div.entry"),
        # what build tools make of a name is the same on every page
        ('<div class="Text_block__x9Qd2">a</div>', "div.Text_block__x9Qd2"),
        ('<div class="css-1a2b3c">a</div>', "div.css-1a2b3c"),
        ('<div class="Promo_inline__3dF row">a</div>', "div.Promo_inline__3dF"),
        ('<div id="p-77">a</div>', "div[1]"),
    ],
)
def test_names_with_a_number_that_may_run_are_no_names(step: str, expected: str) -> None:
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
def test_a_table_of_data_is_one_place(table: str, *, is_one_place: bool) -> None:
    found = set(places_in(f"<p>{words(40)}</p>{table}").values()) - {"p"}
    assert (found == {"table"}) is is_one_place


def test_what_many_pages_agree_on_is_dropped_or_known() -> None:
    rule = rule_of(*pages_with("div.share", SURELY_NOT, 6))
    assert rule.drop == ("div.share",)
    assert rule.known == ("div.text > p",)


@pytest.mark.parametrize(("likely", "count"), [(SURE, 1), (SURELY_NOT, 1), (IN_DOUBT, 6)])
def test_a_rule_says_nothing_of_what_is_rare_or_in_doubt(likely: float, count: int) -> None:
    rule = rule_of(*pages_with("div.text > blockquote", likely, count))
    assert rule.drop == ()
    assert rule.known == ("div.text > p",)


def test_a_list_is_known_by_a_hair() -> None:
    """A page alone knows least about these, so that what the pages say together goes."""
    rule = rule_of(*pages_with("div.text > ul > li", IN_DOUBT, 6))
    assert rule.known == ("div.text > p", "div.text > ul > li")


def test_what_the_rule_does_not_know_the_page_judges() -> None:
    rule = Places(drop=("div.share",), known=("p",))
    page = "<p>told</p><ul><li>one<li>two</ul><div class=share>Share</div>"
    # what the page thinks of the places that the rule knows is not asked for
    assert kept(rule, page, [False, True, False, True]) == ["told", "one"]
    assert kept(rule, "<p>told</p><div class=share>Share</div>") == ["told"]


def test_of_the_title_alone_nobody_is_asked_unless_a_heading_hangs_on_it() -> None:
    rule = Places(known=("p", "h2"))
    page = "<h1>title</h1><p>told</p><h2>more</h2><p>too</p>"
    assert kept(rule, page, title=0) == ["told", "more", "too"]
    before = f"<h2>series</h2><div>title</div>{'<i>x</i><br>' * 4}<p>told, and told</p>"
    left_out = Places(known=("p", "h2"), lines=("x",))
    assert kept(left_out, before, [True] * 9, title=1) == ["series", "told, and told"]
    assert kept(left_out, before, [False] * 9, title=1) == ["told, and told"]


def test_a_rule_by_hand_that_only_drops_keeps_the_rest() -> None:
    page = "<p>told</p><ul><li>one</ul><div class=share>Share</div>"
    assert kept(Places(drop=("div.share",)), page) == ["told", "one"]
    assert kept(Places(keep=("ul",)), page) == ["one"]


OFFER = '<span class="offer"><a href="/o">Three months for the price of one</a></span>'


def _inline_rule(*texts: str) -> Places:
    evidence = PlaceEvidence()
    for number, inside in enumerate(texts):
        page = segments_of(f"<p>{words(20, f'w{number}x')} {inside} more.</p>")
        seen = {"p": PlaceSeen(SURE, 99, (page.texts[0],))}
        evidence.add(seen, inline_seen(page, np.full(len(page), SURE)))
    return places_of(evidence, [ROOT])


@pytest.mark.parametrize(
    ("texts", "dropped"),
    [
        ([OFFER] * 3, True),
        ([OFFER] * 2, False),  # two pages may quote the same
        ([OFFER.replace("Three", f"{number}") for number in range(6)], False),
        ([OFFER.replace("class", "data-x")] * 6, False),  # it has no name
        (['<span class="unit">kg</span>'] * 6, False),
        ([OFFER, OFFER, OFFER, '<span class="offer">a link of its own</span>'], False),
    ],
)
def test_what_says_the_same_inside_of_sentences_is_an_advert(
    texts: list[str], *, dropped: bool
) -> None:
    assert ("span.offer" in _inline_rule(*texts).drop) is dropped


def test_an_advert_inside_of_a_sentence_is_left_out_alone() -> None:
    body = tree(f"<p>Before {OFFER} after <span>kept</span></p>").find("body")
    (left,) = Places(drop=("span.offer", "div.share")).inline_left_out(body)
    assert left.get("class") == "offer"
    assert not Places(drop=("div.share", "p > span.offer")).inline_left_out(body)
