"""The choice of the fields other than the body: by field rules, or else by the page alone."""

from __future__ import annotations

from collections.abc import Collection

from scrapy_mainblock.fields.about.choice import chosen, with_others
from scrapy_mainblock.fields.about.page_fields import (
    EXPLAINED,
    NAMES,
    PageFields,
    asked_for,
    claim_of,
)
from scrapy_mainblock.fields.ruled.by_rule import by_rule
from scrapy_mainblock.judge.claims import NOTHING, Choice
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.recipe.decide import Decided
from scrapy_mainblock.recipe.headline import headline_choice
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.template.field_rules import RULED, rule_of_field
from scrapy_mainblock.template.rules import SiteRules

HEADLINE = "headline"


def claims(
    reading: Reading,
    decided: Decided,
    wanted: Collection[str],
    rules: SiteRules | None = None,
    *,
    explained: bool = False,
) -> dict[str, Choice]:
    """Return the choice for each wanted field of a page whose content has been decided.

    With `explained`, a choice by a field rule also lists what the page alone offers for the field.
    """
    found = {}
    if HEADLINE in wanted:
        found[HEADLINE] = _headline(reading, decided, explained)
    if NAMES.isdisjoint(wanted):
        return found
    page_fields = reading.page_fields(
        decided.decision.kept, decided.headline, decided.named.element
    )
    fields = _Fields(page_fields, rules, decided.decision.cluster, explained)
    for name in asked_for(wanted):
        found[name] = fields.claim(name)
    return found


def _headline(reading: Reading, decided: Decided, explained: bool) -> Choice:
    """Return the choice for the headline, which was found before the content."""
    try:
        return headline_choice(
            decided.named, decided.headline, lambda: reading.titles, explained=explained
        )
    except Exception as error:  # no page may make this raise
        swallow(error, "the sources of the headline could not be read")
        return NOTHING


class _Fields:
    """The choices for the fields of one page, each computed once."""

    def __init__(
        self, page_fields: PageFields, rules: SiteRules | None, cluster: str | None, explained: bool
    ) -> None:
        self._page_fields, self._rules, self._cluster = page_fields, rules, cluster
        self._explained = explained
        self._date: Choice | None = None

    def claim(self, name: str) -> Choice:
        """Return the choice for a field."""
        if name == "datePublished":
            return self._published()
        if name == "dateModified":  # it has no rule; the publication date it follows may have one
            return claim_of(self._page_fields, name, self._modified)
        return self._ruled(name) if name in RULED else self._alone(name)

    def _modified(self, fields: PageFields) -> Choice:
        return fields.dates.modified(self._published)

    def _published(self) -> Choice:
        if self._date is None:
            self._date = self._ruled("datePublished")
        return self._date

    def _ruled(self, name: str) -> Choice:
        """Return the choice for a field that may have a rule."""
        rule = rule_of_field(self._rules, self._cluster, name) if self._rules else None
        if rule is None:
            return self._alone(name)
        found = by_rule(self._page_fields.sources, rule)
        if found.claim is None:
            return self._alone(name)._replace(reason=found.why_not)
        choice = chosen(found.claim)
        return with_others(choice, self._alone(name)) if self._explained else choice

    def _alone(self, name: str) -> Choice:
        """Return the choice for a field by the page alone."""
        return claim_of(self._page_fields, name, EXPLAINED.get(name) if self._explained else None)
