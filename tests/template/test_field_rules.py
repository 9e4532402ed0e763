"""The places of fields: their precedence, and what survives when more is learnt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_mainblock.stores.directory import merge
from scrapy_mainblock.template.field_rules import (
    FieldRule,
    rule_of_field,
    with_field_pin,
    without_pins,
)
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

LEARNT = FieldRule("authors", "p.byline", probability=0.9, pages=12)
DATE = FieldRule("datePublished", "json-ld:datePublished", probability=0.98, pages=12)
TEMPLATE = Template("a1", Rule("main"), frozenset({1, 2}), pages=12, fields=(LEARNT, DATE))
SITE = SiteRules("news.example", (TEMPLATE,))


def test_pin_of_a_cluster_replaces_the_learnt_place() -> None:
    pinned = with_field_pin(SITE, "a1", "authors", "span.author")
    assert pinned.templates[0].fields == (FieldRule("authors", "span.author", pinned=True), DATE)
    assert rule_of_field(pinned, "a1", "authors") == FieldRule("authors", "span.author", True)
    assert without_pins(pinned.templates[0].fields) == (DATE,)


def test_pin_of_the_site_precedes_learnt_places_but_not_a_cluster_pin() -> None:
    pinned = with_field_pin(SITE, None, "authors", "span.author")
    assert pinned.templates == SITE.templates
    found = rule_of_field(pinned, "a1", "authors")
    assert found is not None
    assert found.place == "span.author"
    both = with_field_pin(pinned, "a1", "authors", "b.name")
    of_both = [rule_of_field(both, one, "authors") for one in ("a1", None)]
    assert [one and one.place for one in of_both] == ["b.name", "span.author"]


def test_empty_place_means_no_rule() -> None:
    assert rule_of_field(with_field_pin(SITE, "a1", "authors", ""), "a1", "authors") is None
    assert rule_of_field(SITE, None, "authors") is None
    assert rule_of_field(SITE, "b2", "authors") is None


def test_pin_of_an_unsupported_field_or_unknown_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="inLanguage"):
        with_field_pin(SITE, "a1", "inLanguage", "html")
    with pytest.raises(LookupError, match="b2"):
        with_field_pin(SITE, "b2", "authors", "p")


def test_pinned_field_survives_learning_and_another_does_not() -> None:
    pinned = with_field_pin(with_field_pin(SITE, "a1", "authors", "b"), None, "datePublished", "i")
    again = replace(
        TEMPLATE, fields=(LEARNT._replace(place="h4"), DATE._replace(place="url")), pages=20
    )
    merged = merge(pinned, SiteRules("news.example", (again,)))
    assert [one.place for one in merged.templates[0].fields] == ["b", "url"]
    assert merged.fields == pinned.fields


def test_field_without_new_evidence_keeps_its_place() -> None:
    merged = merge(SITE, SiteRules("news.example", (replace(TEMPLATE, fields=(), pages=20),)))
    assert merged.templates[0].fields == TEMPLATE.fields
    none = replace(TEMPLATE, fields=(LEARNT._replace(place=""),))
    merged = merge(SITE, SiteRules("news.example", (none,)))
    assert rule_of_field(merged, "a1", "authors") is None
    assert rule_of_field(merged, "a1", "datePublished") == DATE
