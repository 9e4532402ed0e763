"""A field read at the place that a rule names (a source or a selector), and when it is rejected."""

from __future__ import annotations

import json

import pytest
from pages import told_in_html

from scrapy_mainblock import Rules, explain, extract, learn
from scrapy_mainblock.fields.about.page_fields import PageFields
from scrapy_mainblock.fields.ruled.by_rule import by_rule, read, why_no_place
from scrapy_mainblock.fields.ruled.seen import fields_seen
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.claims import claims
from scrapy_mainblock.recipe.decide import decide
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.stores.rules import rules_for
from scrapy_mainblock.template.field_rules import RULED, FieldRule, with_field_pin
from scrapy_mainblock.template.rules import SiteRules

HEAD = (
    '<meta property="article:published_time" content="2014-03-08T12:00:00+02:00">'
    '<meta property="og:site_name" content="The Hills">'
    '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2014-03-07",'
    ' "author": [{"name": "Anna Berg"}, {"name": "Ben Falk"}]}</script>'
)
BODY = (
    '<h1>Rain in the hills</h1><div class="meta"><p class="byline">By <a href="/a">Cleo Dahl</a>'
    ' and <a href="/b">Dan Eder</a></p><time datetime="2014-03-09T12:00:00Z">Sunday</time>'
    '<ul class="people"><li><a>Eve Funk</a></li><li><a>Finn Graf</a></li></ul></div>'
    '<p class="agency"><span>Reuters</span></p><p class="site">The Hills</p>'
    '<aside><p class="byline">By <a href="/z">Zoe Zorn</a></p></aside>'
    '<span itemprop="author">Gina Haas</span>'
)


def sources(body: str = BODY, url: str = "https://hills.example/rain") -> PageSources:
    html = f"<html><head><title>Rain</title>{HEAD}</head><body>{body}</body></html>"
    return PageSources(Outline(Page.of(html, url)), b"", -1, "Rain in the hills")


@pytest.mark.parametrize(
    ("place", "day"),
    [
        ("json-ld:datePublished", "2014-03-07"),
        ("meta:article:published_time", "2014-03-08"),
        ("div.meta > time", "2014-03-09"),
        ("time::attr(datetime)", "2014-03-09"),
        ("time::text", None),
        ("h2.date, time", "2014-03-09"),
        ("p.byline, time", None),  # the first match has no date
        ("span.gone", None),
        ("url", None),
        ("json-ld:dateModified", None),
        ("p[", None),
    ],
)
def test_date_is_read_only_at_its_place(place: str, day: str | None) -> None:
    found = read(sources(), "datePublished", place)
    assert (found.key if found else None) == day


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("json-ld:author", ["Anna Berg", "Ben Falk"]),
        ("property:author", ["Gina Haas"]),
        ("p.byline", ["Cleo Dahl", "Dan Eder"]),
        ("p.byline > a", ["Cleo Dahl", "Dan Eder"]),
        ("ul.people a", ["Eve Funk", "Finn Graf"]),
        ("p.byline > b", []),
    ],
)
def test_authors_are_read_from_the_first_match_and_its_siblings(
    place: str, names: list[str]
) -> None:
    found = read(sources(), "authors", place)
    assert (found.value if found else []) == names


@pytest.mark.parametrize(
    ("field", "place", "why"),
    [
        ("authors", "p.agency", "not a person"),
        ("authors", "p.site", "not a person"),
        ("authors", "p.gone", "missing or empty"),
        ("datePublished", "p.gone", "missing or empty"),
    ],
)
def test_implausible_or_missing_value_is_rejected_with_a_reason(
    field: str, place: str, why: str
) -> None:
    found = by_rule(sources(), FieldRule(field, place))
    assert found.claim is None
    assert why in found.why_not
    assert place in found.why_not


def test_date_in_the_url_precedes_a_learnt_place() -> None:
    place = FieldRule("datePublished", "json-ld:datePublished")
    there = by_rule(sources(url="https://hills.example/2014/03/08/rain"), place)
    assert there.claim is not None  # the next day in some time zone
    elsewhere = sources(url="https://hills.example/2014/05/08/rain")
    assert by_rule(elsewhere, place).claim is None
    assert by_rule(elsewhere, place._replace(pinned=True)).claim is not None


@pytest.mark.parametrize(("time", "is_used"), [("12:00", True), ("03:00", False), ("22:00", False)])
def test_utc_time_near_midnight_is_rejected(time: str, is_used: bool) -> None:
    page = sources(f'<time datetime="2014-03-09T{time}:00Z">x</time>')
    assert (by_rule(page, FieldRule("datePublished", "time")).claim is not None) == is_used
    by_address = sources(
        f'<time datetime="2014-03-09T{time}:00Z">x</time>', "https://h.example/2014/03/09"
    )
    assert by_rule(by_address, FieldRule("datePublished", "time")).claim is not None
    local = sources(f'<time datetime="2014-03-09T{time}:00+02:00">x</time>')
    assert by_rule(local, FieldRule("datePublished", "time")).claim is not None


def test_syntax_of_a_place_is_checked() -> None:
    for place in ("", "meta:author", "json-ld:author", "property:author", "p.byline > a"):
        assert why_no_place("authors", place) is None
    for place in (
        "p + a",
        "json-ld",
        "meta",
        "property",
        "property:price",
        "//div",
        "h1 - x",
        "title -",
        "TITLE - The Daily",
    ):
        assert why_no_place("authors", place)


@pytest.mark.parametrize(
    ("place", "field"),
    [("url", "datePublished"), ("title - The Daily", "headline"), ("meta:og:title", "headline")],
)
def test_some_places_are_allowed_for_one_field_only(place: str, field: str) -> None:
    of = {
        name for name in ("headline", "datePublished", "authors") if not why_no_place(name, place)
    }
    assert of == {field}


def test_places_kept_by_learning_can_be_read_by_a_rule() -> None:
    page_fields = PageFields(sources())
    for seen in fields_seen(page_fields, RULED):
        assert seen.at
        for one in seen.at:
            assert read(page_fields.sources, seen.field, one.place) is not None
    assert [one.field for one in fields_seen(page_fields, ["authors"])] == ["authors"]


# --- from pages to rules, and back ----------------------------------------------------------------

NAMES = ["Anna Berg", "Ben Falk", "Cleo Dahl", "Dan Eder", "Eve Funk", "Finn Graf", "Gina Haas",
         "Hugo Iser"]  # fmt: skip


def article_page(number: int, byline: str | None = None, date: str | None = None) -> str:
    byline = (
        byline or f'<p class="byline">By <a href="/author/{number}">{NAMES[number % 8]}</a></p>'
    )
    date = date or f'<p class="dated">Published {number % 27 + 1} May 20{10 + number % 9}</p>'
    return (
        f"<html lang=en><head><title>Story {number} of the hills | Hills</title></head><body>"
        '<div class="top"><p class="today">Updated: 3 June 2024</p></div>'
        f'<div id="main"><h1>Story {number} of the hills</h1>{byline}{date}'
        f'<div class="text">{told_in_html(120, f"w{number}")}</div></div>'
        '<div class="comments"><p class="who">Zoe Zorn</p><p class="when">9 July 2023</p></div>'
        "</body></html>"
    )


def url(number: int) -> str:
    return f"https://hills.example/story-{number}"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return learn([(article_page(number), url(number)) for number in range(12)])


def test_page_read_by_rule_reports_the_places_of_its_fields(rules: Rules) -> None:
    (template,) = rules.sites["hills.example"].templates
    assert {one.field: one.place for one in template.fields} == {
        "authors": "div#main > p.byline",
        "datePublished": "div#main > p.dated",
        "headline": "h1",
    }
    article = extract(article_page(20), url(20), rules)
    assert (article.datePublished or "")[:10] == "2012-05-21"
    assert [one["name"] for one in article.authors or ()] == ["Eve Funk"]
    assert {name: one["source"] for name, one in article.metadata["fields"].items()
            if name in RULED} == {
        "datePublished": "rule:div#main > p.dated",
        "authors": "rule:div#main > p.byline",
        "headline": "rule:h1",
    }  # fmt: skip


def test_page_without_the_place_falls_back_and_reports_why(rules: Rules) -> None:
    html = article_page(20, date='<time class="new" datetime="2015-02-03">3 February</time>')
    article = extract(html, url(20), rules)
    assert (article.datePublished or "")[:10] == "2015-02-03"
    found = article.metadata["fields"]["datePublished"]
    assert not found["source"].startswith("rule:")
    assert "place div#main > p.dated is missing or empty" in found["reason"]
    assert json.dumps(article.to_dict())


def test_explain_lists_the_page_claims_rejected_for_the_rule(rules: Rules) -> None:
    html = article_page(20).replace("Updated: ", "Published ")
    choice = explain(html, url(20), rules).fields["datePublished"]
    assert choice.chosen is not None
    assert choice.chosen.source == "rule:div#main > p.dated"
    assert "2024-06-03T00:00:00Z" in [one.value for one in choice.rejected]
    assert choice.chosen.value not in [one.value for one in choice.rejected]


def test_pin_of_the_site_needs_no_other_rule() -> None:
    pinned = with_field_pin(SiteRules("hills.example"), None, "authors", "p.who")
    article = extract(article_page(1), url(1), Rules({"hills.example": pinned}))
    assert [one["name"] for one in article.authors or ()] == ["Zoe Zorn"]
    assert article.metadata["fields"]["authors"] == {"source": "rule:p.who", "probability": 1.0}
    assert article.metadata["method"] == "page"


def test_invalid_pin_falls_back_to_the_page(rules: Rules) -> None:
    site = rules.sites["hills.example"]
    pinned = with_field_pin(site, site.templates[0].cluster, "authors", "p[")
    article = extract(article_page(1), url(1), Rules({"hills.example": pinned}))
    assert [one["name"] for one in article.authors or ()] == ["Ben Falk"]


def test_value_by_rule_skips_the_search_of_other_places(rules: Rules) -> None:
    html, address = article_page(4), url(4)
    of_site = rules_for(rules, address)
    reading = Reading(Outline(Page.of(html, address)))
    decided = decide(reading, of_site)
    found = claims(reading, decided, {"datePublished", "authors"}, of_site)
    page_fields = reading.page_fields(decided.decision.kept, decided.headline)
    assert all(one.chosen and one.chosen.source.startswith("rule:") for one in found.values())
    gone_over = {
        *vars(page_fields.dates),
        *vars(page_fields.authors),
        *vars(page_fields.sources.lines),
    }
    assert not gone_over & {
        "machine_readable",
        "_machine_readable",
        "_seen",
        "places",
        "published",
        "chosen",
        "_read",
    }

    claims(reading, decided, {"dateModified"}, of_site)  # needs modification dates only
    assert not vars(page_fields.dates).keys() & {"places", "published"}


def test_modification_before_the_publication_by_rule_is_dropped() -> None:
    page = (
        '<html><head><meta property="article:modified_time" content="2014-03-05">'
        '<meta property="article:published_time" content="2014-03-01"></head><body>'
        '<h1>Rain in the hills</h1><p class="on">10 March 2014</p>'
        f"<div>{told_in_html(120, 'w')}</div>"
    )
    pinned = with_field_pin(SiteRules("hills.example"), None, "datePublished", "p.on")
    known = Rules({"hills.example": pinned})
    assert extract(page, url=url(1)).dateModified == "2014-03-05T00:00:00Z"
    for wanted in ({"dateModified"}, {"datePublished", "dateModified"}):
        assert extract(page, url=url(1), rules=known, fields=wanted).dateModified is None
