"""Detection of field places that are missing or have the same value on page after page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrapy_mainblock.recipe.field_watch import REDESIGN_PAGES, REDESIGN_WINDOW
from scrapy_mainblock.recipe.site_learner import SiteLearner
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

DATE = FieldRule("datePublished", "p.date", probability=0.9, pages=24)
TEMPLATE = Template("a1", Rule("main"), frozenset({1, 2}), pages=24, fields=(DATE,))
WANTED = ("datePublished", "authors")


def learner(**changed: Any) -> SiteLearner:
    return SiteLearner("e.example", SiteRules("e.example", (replace(TEMPLATE, **changed),)))


def article(raw: str | None, source: str = "rule:p.date") -> Article:
    empty = Article()
    fields: Any = {"datePublished": {"source": source, "probability": 0.9}} if raw else {}
    metadata: Any = {**empty.metadata, "cluster": "a1", "fields": fields}
    return Article(datePublished=raw, datePublishedRaw=raw, metadata=metadata)


def place_of(site: SiteLearner) -> str:
    return site.rules.templates[0].fields[0].place


def test_place_whose_value_varies_stays() -> None:
    site = learner()
    for day in range(10, 30):
        assert not site.saw_fields(article(f"2014-03-{day}"), WANTED)
    assert place_of(site) == "p.date"
    assert not site.has_changed


@pytest.mark.parametrize(
    "page",
    [article("today"), article("2014-03-08", "json-ld:datePublished"), article(None)],
    ids=["constant", "read elsewhere", "empty"],
)
def test_missing_or_constant_place_is_relearnt(page: Article) -> None:
    site = learner()
    for number in range(REDESIGN_PAGES - 1):
        assert site.saw_fields(page, WANTED) == [], number
        assert place_of(site) == "p.date"
    assert site.saw_fields(page, WANTED) == [DATE]
    assert place_of(site) == ""
    assert site.take_changes().templates[0].fields == (
        FieldRule("datePublished", "", probability=0.0, pages=0),
    )
    assert site.saw_fields(page, WANTED) == []


HEADLINE = FieldRule("headline", "h1", probability=0.9, pages=24)


def article_with_headline(text: str, source: str = "rule:h1", method: str = "rule") -> Article:
    empty = Article()
    fields: Any = {"headline": {"source": source, "probability": 0.9}}
    metadata: Any = {**empty.metadata, "method": method, "cluster": "a1", "fields": fields}
    return Article(headline=text, metadata=metadata)


def test_headline_place_whose_value_varies_stays() -> None:
    site = learner(fields=(HEADLINE,))
    for number in range(4 * REDESIGN_WINDOW):
        assert site.saw_fields(article_with_headline(f"Story {number}"), ("headline",)) == []
    assert place_of(site) == "h1"


@pytest.mark.parametrize(
    "source", ["rule:h1", "title,meta:og:title"], ids=["constant", "read elsewhere"]
)
def test_missing_or_constant_headline_place_is_relearnt(source: str) -> None:
    site = learner(fields=(HEADLINE,))
    for number in range(REDESIGN_PAGES - 1):
        text = "The Daily" if source == "rule:h1" else f"Story {number}"
        assert site.saw_fields(article_with_headline(text, source), ("headline",)) == [], number
    assert site.saw_fields(article_with_headline("The Daily", source), ("headline",)) == [HEADLINE]
    assert place_of(site) == ""


def test_only_the_latest_pages_count() -> None:
    site = learner()
    for day in range(10, 10 + 4 * REDESIGN_WINDOW):
        page = article("today") if day % 2 else article(f"2014-03-{day}")
        assert not site.saw_fields(page, WANTED)


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"pinned": True}, WANTED),
        ({"fields": (DATE._replace(pinned=True),)}, WANTED),
        ({"fields": ()}, WANTED),
        ({}, ("authors",)),
    ],
    ids=["pinned rule", "pinned field", "no rule", "not wanted"],
)
def test_pins_and_unwanted_fields_are_not_watched(
    changed: dict[str, Any], wanted: tuple[str, ...]
) -> None:
    site = learner(**changed)
    for _ in range(2 * REDESIGN_WINDOW):
        assert site.saw_fields(article("today"), wanted) == []
    assert site.rules.templates[0].fields == changed.get("fields", (DATE,))


def test_worker_that_does_not_lead_changes_nothing() -> None:
    site = learner()
    site.leads = False
    for _ in range(REDESIGN_WINDOW):
        assert site.saw_fields(article("today"), WANTED) == []


def test_pages_read_without_the_rule_do_not_count() -> None:
    """Odd pages, and pages without the rule's block, are not read at the learnt place."""
    site = learner(fields=(HEADLINE,))
    for number in range(2 * REDESIGN_WINDOW):
        page = article_with_headline(f"Story {number}", "h1", method="page")
        assert site.saw_fields(page, ("headline",)) == []
    assert place_of(site) == "h1"
