"""`rules pin SITE --headline CSS --author CSS`: set the places of fields by hand."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from scrapy_mainblock.cli.console import Problems, UsageError, say, word
from scrapy_mainblock.cli.pins.tried import Match, Tried, tried_on
from scrapy_mainblock.fields.ruled.by_rule import read, why_no_place
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.template.field_rules import SPOKEN, with_field_pin
from scrapy_mainblock.template.rules import SITE_CLUSTER, SiteRules, Template


def asked_fields(options: argparse.Namespace) -> dict[str, str]:
    """Return the places that options name, by field; raise UsageError for an invalid place."""
    found = {}
    for option, field in SPOKEN.items():
        place = getattr(options, option)
        if place is None:
            continue
        if not place.strip():
            raise UsageError(f"--{option}: give a place, such as p.byline > a or json-ld:author")
        if wrong := why_no_place(field, place.strip()):
            raise UsageError(f"--{option} {place}: {wrong}")
        found[field] = place.strip()
    return found


def tried_fields(
    options: argparse.Namespace,
    fields: Mapping[str, str],
    template: Template | None,
    problems: Problems,
) -> dict[str, Tried]:
    """Count the given pages with a value at each place; raise UsageError if none has one."""
    found = {}
    for field, place in fields.items():
        tried = tried_on(options.pages, options.site, template, _has(field, place), problems)
        if tried.pages and not tried.matched and not options.force:
            raise UsageError(
                f"{_in_words(field, place)}: no value found on any of {tried.pages} pages of"
                f" {options.site} (--force writes it anyway)"
            )
        found[field] = tried
    return found


def _has(field: str, place: str) -> Match:
    def match(page: Outline) -> bool:
        return read(PageSources(page, b"", -1), field, place) is not None

    return match


def with_pins(rules: SiteRules, cluster: str | None, fields: Mapping[str, str]) -> SiteRules:
    """Return a site's rules with the places pinned; raise UsageError for an unknown cluster."""
    for field, place in fields.items():
        try:
            rules = with_field_pin(rules, cluster, field, place)
        except LookupError:
            names = ", ".join(one.cluster for one in rules.templates) or "none"
            raise UsageError(f"{rules.site} has no cluster {cluster}: it has {names}") from None
    return rules


def say_pinned(
    before: SiteRules, cluster: str | None, fields: Mapping[str, str], tried: Mapping[str, Tried]
) -> None:
    """Print a line for each place."""
    for field, place in fields.items():
        known = _known_pages(before, field, place)
        if known and not tried[field].pages:
            how = f"matches the place learned from {known} known pages"
        else:
            how = tried[field].in_words()
        where = f"{word(before.site)} {word(cluster or SITE_CLUSTER)}"
        say(f"pinned: {where} {_in_words(field, place)} ({how})")


def _known_pages(rules: SiteRules, field: str, place: str) -> int:
    """Return on how many known pages learning has seen the field at a place."""
    return sum(
        rule.pages
        for template in rules.templates
        for rule in template.fields
        if (rule.field, rule.place) == (field, place)
    )


def _in_words(field: str, place: str) -> str:
    return f"{field} at {word(place)}"
