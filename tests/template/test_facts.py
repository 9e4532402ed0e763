"""Facts: short values at the same places of pages that are not articles."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from pages import words

from scrapy_mainblock.template.learning.evidence import PageEvidence, SiteEvidence
from scrapy_mainblock.template.learning.facts import LEAST_FACTS, fact_places, may_have_facts
from scrapy_mainblock.template.learning.place_stats import PageCounts, PlaceEvidence, PlaceSeen
from scrapy_mainblock.template.learning.votes import Vote
from scrapy_mainblock.template.rules import Judged, Rule

PAGES = 12
NEAR, FAR = 0.1, 0.7
UNLIKELY, LIKELY = 0.05, 0.9
VALUES = tuple(f"div#main > div.facts > div.value{chr(97 + n)}" for n in range(LEAST_FACTS))
PROSE = "div#main > div.text > p"


def seen(
    number: int, *, values: tuple[str, ...] = VALUES, other: Mapping[str, PlaceSeen] | None = None
) -> dict[str, PlaceSeen]:
    """Return the places of a product page: values near its headline, a description, and others."""
    said = {
        place: PlaceSeen(UNLIKELY, 9, (f"value{number} {at}",), NEAR)
        for at, place in enumerate(values)
    }
    text = words(90, f"text{number}x")
    return {**said, PROSE: PlaceSeen(LIKELY, len(text), (text[:160],), 0.4), **(other or {})}


def facts_with(place: str, line: str, behind: float = NEAR, pages: int = PAGES) -> bool:
    """Return whether a place with such lines is found to hold facts; `{}` is the page's number."""
    evidence = PlaceEvidence()
    for number in range(PAGES):
        text = line.format(number)
        there = {place: PlaceSeen(UNLIKELY, len(text), (text,), behind)} if number < pages else {}
        evidence.add(PageCounts(seen(number, other=there)))
    return place in fact_places(evidence, {PROSE})


@pytest.mark.parametrize(
    ("place", "line", "behind", "pages", "is_fact"),
    [
        ("div.price", "${}.99", NEAR, PAGES, True),
        ("div.price", "${}.99", -0.02, PAGES, True),
        # values far from the headline: other products, news
        ("div.price", "${}.99", FAR, PAGES, False),
        ("div.crumbs", "{} > more", -0.3, PAGES, False),
        # a label alone, and one beside values
        ("div.share", "Tell a friend", NEAR, PAGES, False),
        ("div#main > div.facts > div.label", "Colour", NEAR, PAGES, True),
        ("div#main > div.facts > p", words(30), NEAR, PAGES, False),
        # values that few pages have
        ("div.sale", "until {} May", NEAR, 3, False),
        ("div.sale", "until {} May", NEAR, 5, True),
        # links to other pages
        ("div.more > ul:links > li", "Product {}", NEAR, PAGES, False),
        # long text
        ("div.news", "news {}, " + words(60), NEAR, PAGES, False),
    ],
)
def test_facts_are_short_varying_and_near_the_headline(
    place: str, line: str, behind: float, pages: int, *, is_fact: bool
) -> None:
    assert facts_with(place, line, behind, pages) is is_fact


@pytest.mark.parametrize(
    ("lines", "linked", "is_fact"), [(1, 1.0, True), (4, 1.0, False), (4, 0.4, True)]
)
def test_author_link_is_a_fact_but_a_grid_of_links_is_not(
    lines: int, linked: float, *, is_fact: bool
) -> None:
    evidence = PlaceEvidence()
    for number in range(PAGES):
        texts = tuple(f"Name {number} {line}" for line in range(lines))
        length = sum(map(len, texts))
        place = PlaceSeen(UNLIKELY, length, texts, NEAR, int(linked * length))
        evidence.add(PageCounts(seen(number, other={"div.by": place})))
    assert ("div.by" in fact_places(evidence, {PROSE})) is is_fact


def test_headline_is_not_a_fact() -> None:
    assert facts_with("h1", "Lamp no. {}", 0.01)
    assert not facts_with("h1", "Lamp no. {}", 0)


def test_recurring_values_are_facts_unless_most_pages_share_one() -> None:
    evidence = PlaceEvidence()
    for number in range(PAGES):
        line = ("Drama", "Comedy", "Western")[number % 3]
        mostly = "R" if number % 4 else "PG"
        places = {
            "div.genre": PlaceSeen(UNLIKELY, 5, (line,), NEAR),
            "div.rating": PlaceSeen(UNLIKELY, 2, (mostly,), NEAR),
        }
        evidence.add(PageCounts(seen(number, other=places)))
    assert fact_places(evidence, {PROSE}) == {*VALUES, "div.genre"}


def test_too_few_fact_places_are_ignored() -> None:
    evidence = PlaceEvidence()
    for number in range(PAGES):
        evidence.add(PageCounts(seen(number, values=VALUES[1:])))
    assert not fact_places(evidence, {PROSE})


@pytest.mark.parametrize(
    ("types", "may"),
    [
        ({"product": 9.0, "article": 1.0}, True),
        ({"index": 4.0, "article": 6.0}, True),
        ({"article": 9.0, "product": 1.0}, False),
        ({"forum": 5.0, "documentation": 4.0, "index": 1.0}, False),
        ({}, False),
    ],
)
def test_articles_threads_and_documentation_have_no_facts(
    types: Mapping[str, float], *, may: bool
) -> None:
    assert may_have_facts(types) is may


def rule(types: tuple[tuple[str, float], ...], likely: float = LIKELY) -> Rule:
    """Return the rule of pages whose only content is the description, with that probability."""
    evidence = SiteEvidence("s")
    text = Vote("", ("text",), "body1/div2/div2", 0.9, 500, 0, "div#main > div.text")
    main = Vote("main", (), "body1/div2", 0.9, 600, 0, "div#main")
    for number in range(PAGES):
        places = seen(number)
        places[PROSE] = places[PROSE]._replace(likely=likely)
        places["div#main > div.shipping"] = PlaceSeen(UNLIKELY, 9, ("We ship.",), NEAR)
        judged = Judged(0.5, types)
        evidence.add(PageEvidence(frozenset(range(9)), (text, main), places, judged=judged))
    (template,) = evidence.rules().templates
    return template.rule


def test_rule_of_product_pages_keeps_facts() -> None:
    found = rule((("product", 1.0),))
    assert found.id == "main"
    assert set(found.selection.known) == {
        "div.text > p",
        *(place.removeprefix("div#main > ") for place in VALUES),
    }
    assert found.selection.drop == ("> div.shipping",)
    assert found.selection.lines == ()


def test_rule_of_articles_without_likely_text_keeps_facts() -> None:
    assert rule((("article", 1.0),), likely=0.55).id == "main"


def test_rule_of_articles_does_not_keep_facts() -> None:
    found = rule((("article", 1.0),))
    assert found.classes == ("text",)
    assert found.selection.known == ("p",)
