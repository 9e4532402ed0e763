"""The content places found by the pages of a cluster together, and the selectors of their rule."""

from __future__ import annotations

import numpy as np
import pytest
from pages import outline, words

from scrapy_mainblock.outline.places import ROOT
from scrapy_mainblock.template.learning.content_places import Manual, kept_under
from scrapy_mainblock.template.learning.place_stats import (
    PageCounts,
    PlaceEvidence,
    PlaceSeen,
    inline_seen,
    places_seen,
)
from scrapy_mainblock.template.rules import Rule, find_block
from scrapy_mainblock.template.selection import Selection
from scrapy_mainblock.template.verdicts import UNKNOWN

SURE, SURELY_NOT, IN_DOUBT = 0.9, 0.1, 0.55
OFFER = '<span class="offer"><a href="/o">Three months for the price of one</a></span>'


def rule_of(*pages: dict[str, tuple[float, str]]) -> Selection:
    """Return the selection learnt from pages given as {place: (probability, line)}."""
    evidence = PlaceEvidence()
    for page in pages:
        seen = {
            chain: PlaceSeen(likely, len(line), (line,)) for chain, (likely, line) in page.items()
        }
        evidence.add(PageCounts(seen))
    return kept_under(evidence, [ROOT]).selection


def test_documentation_keeps_recurring_and_drops_unlikely_places() -> None:
    evidence = PlaceEvidence()
    for number in range(8):
        page = outline(f"<p>{words(20, f'w{number}x')} {OFFER} more.</p>")
        places = {
            "p": (SURE, page.texts[0]),
            "dl.general > dt": (SURE, "Throws an error where there is none"),
            "div.end": (0.03, f"made by a tool {number}"),
        }
        seen = {
            chain: PlaceSeen(likely, len(line), (line,)) for chain, (likely, line) in places.items()
        }
        evidence.add(PageCounts(seen), inline_seen(page, np.full(len(page.texts), SURE)))
    rule = kept_under(evidence, [ROOT]).selection
    assert set(rule.drop) == {"span.offer", "> div.end"}
    manual = kept_under(evidence, [ROOT], manual=Manual.SURE).selection
    assert manual == Selection(drop=("> div.end",))


def pages_with(
    place: str, likely: float, count: int, pages: int = 6
) -> list[dict[str, tuple[float, str]]]:
    """Return pages with an article's text; the first `count` have a line at `place`."""
    return [
        {
            "div.text > p": (SURE, words(20, f"text{number}x")),
            **({place: (likely, words(3, f"other{number}x"))} if number < count else {}),
        }
        for number in range(pages)
    ]


def test_documentation_keeps_moderately_unlikely_places() -> None:
    evidence = PlaceEvidence()
    for _ in range(6):
        seen = {"table > tr > td": PlaceSeen(0.2, 40, ("a member of the class",))}
        evidence.add(PageCounts(seen))
    assert kept_under(evidence, [ROOT], manual=Manual.SURE).selection == Selection()
    assert kept_under(evidence, [ROOT]).selection.drop != ()


def test_drop_of_a_name_holds_only_at_its_place() -> None:
    """`div.clearfix` is boilerplate below the text, but not around the text of a later page."""
    rule = rule_of(*pages_with("div.clearfix", SURELY_NOT, 6))
    html = "<div id=b><p>noise-free</p><div class=clearfix>noise</div>"
    around = "<div id=b><div class=x><div class=clearfix><p>an article</p></div></div>"
    block = Rule(id="b", selection=rule)
    assert [kept for kept, _ in verdicts(html, block)] == [True, False]
    assert [kept for kept, _ in verdicts(around, block)] == [True]


def verdicts(html: str, rule: Rule) -> list[tuple[bool, str]]:
    """Return for each segment under a rule's block whether the rule keeps it, and its text."""
    page = outline(html)
    (hit, _) = find_block(rule, page)
    assert hit is not None
    found = rule.selection.apply(page, hit.under).verdict
    return [(one <= UNKNOWN, text) for one, text in zip(found, page.texts, strict=True)]


def test_places_that_many_pages_agree_on_are_dropped_or_known() -> None:
    rule = rule_of(*pages_with("div.share", SURELY_NOT, 6))
    assert rule.drop == ("> div.share",)
    assert rule.known == ("div.text > p",)


@pytest.mark.parametrize(("likely", "count"), [(SURE, 1), (SURELY_NOT, 1), (IN_DOUBT, 6)])
def test_rare_and_doubtful_places_are_not_in_the_rule(likely: float, count: int) -> None:
    rule = rule_of(*pages_with("div.text > blockquote", likely, count))
    assert rule.drop == ()
    assert rule.known == ("div.text > p",)


@pytest.mark.parametrize(
    ("likely", "pages", "drop"),
    [(0.03, 8, ("> div.share",)), (0.03, 7, ()), (SURELY_NOT, 8, ())],
)
def test_place_of_one_page_is_dropped_if_that_page_is_sure_and_not_one_of_few(
    likely: float, pages: int, drop: tuple[str, ...]
) -> None:
    rule = rule_of(*pages_with("div.share", likely, 1, pages))
    assert rule.drop == drop
    assert rule.known == ("div.text > p",)


def test_list_is_known_at_a_lower_threshold() -> None:
    """A page alone knows least about lists, so the evidence of all pages together decides."""
    rule = rule_of(*pages_with("div.text > ul > li", IN_DOUBT, 6))
    assert rule.known == ("div.text > p", "div.text > ul > li")


def _inline_rule(*texts: str) -> Selection:
    evidence = PlaceEvidence()
    for number, inside in enumerate(texts):
        page = outline(f"<p>{words(20, f'w{number}x')} {inside} more.</p>")
        seen = {"p": PlaceSeen(SURE, 99, (page.texts[0],))}
        evidence.add(PageCounts(seen), inline_seen(page, np.full(len(page.texts), SURE)))
    return kept_under(evidence, [ROOT]).selection


@pytest.mark.parametrize(
    ("texts", "dropped"),
    [
        ([OFFER] * 3, True),
        ([OFFER] * 2, False),  # two pages may quote the same text
        ([OFFER.replace("Three", f"{number}") for number in range(6)], False),
        ([OFFER.replace("class", "data-x")] * 6, False),  # the span has no name
        (['<span class="unit">kg</span>'] * 6, False),
        ([OFFER, OFFER, OFFER, '<span class="offer">a link of its own</span>'], False),
    ],
)
def test_recurring_link_inside_sentences_is_an_advert(texts: list[str], *, dropped: bool) -> None:
    assert ("span.offer" in _inline_rule(*texts).drop) is dropped


# --- one page -------------------------------------------------------------------------------------


def test_places_seen_have_a_probability_and_positions() -> None:
    page = outline("<h1>Title</h1><p>aaaa</p><ul><li>b <a href=x>cc</a><li>aa</ul><p>dddd</p>")
    seen = places_seen(page, np.array([0.5, 0.9, 0.1, 0.4, 0.3]), headline=0)
    assert seen["p"] == PlaceSeen(pytest.approx(0.6), 8, ("aaaa", "dddd"), 2.5 / 5, 0)
    assert seen["ul > li"] == PlaceSeen(pytest.approx(1.2 / 6), 6, ("b cc", "aa"), 2.5 / 5, 2)
    assert seen["h1"].behind == 0
    assert places_seen(page, np.full(5, 0.5), headline=2)["h1"].behind == -2 / 5


def test_lines_of_a_place_are_unique_and_truncated() -> None:
    seen = places_seen(outline(f"<p>a<p>a<p>{'b' * 200}"), np.ones(3))
    assert seen["p"].lines == ("a", "b" * 160)
    assert seen["p"].length == 202


def test_place_without_visible_text_is_ignored() -> None:
    page = outline("<p>text</p><div>\x7f</div>")
    assert places_seen(page, np.full(page.rows.segment_count, 0.5))["p"].length == 4
