"""Detects when the places of field rules no longer hold what they held when they were learned.

A single page cannot show this: if the place is missing, the field is read from the page alone, and
a wrong value looks like any other. The latest pages of a cluster together can: the place is missing
from most of them, or has the same value on most of them, for example because a date became "updated
today". Mistaking something else for a redesign (ten pages in a row by one author) costs only time:
the field is read from each page alone until its place is learned again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

from scrapy_mainblock.fields.about.page_fields import asked_for
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.rules import Template

REDESIGN_PAGES = 6
REDESIGN_WINDOW = 8
"""A redesign is assumed if `REDESIGN_PAGES` of the latest `REDESIGN_WINDOW` pages do not fit. This
holds for the block as well as for fields."""
MOST_WATCHES = 1200
"""Three fields for each cluster that a site may have."""


class FieldWatch:
    """The latest values at the places of a site's field rules."""

    def __init__(self) -> None:
        self._latest: dict[tuple[str, str, str], deque[str]] = {}

    def lost(self, template: Template, values: Mapping[str, str]) -> tuple[FieldRule, ...]:
        """Return the field rules of a template that no longer fit, each with an empty place.

        `values` holds, by field, what a page has at the place of the rule; it is empty if there is
        nothing.
        """
        return tuple(
            rule._replace(place="", probability=0.0, pages=0)
            for rule in template.fields
            if rule.place
            and not rule.pinned
            and rule.field in values
            and self._is_lost(template.cluster, rule, values[rule.field])
        )

    def _is_lost(self, cluster: str, rule: FieldRule, value: str) -> bool:
        key = (cluster, rule.field, rule.place)
        latest = self._latest.get(key)
        if latest is None:
            latest = self._latest[key] = deque(maxlen=REDESIGN_WINDOW)
        latest.append(value)
        if latest.count(value) < REDESIGN_PAGES:  # only this value has become more frequent
            if len(self._latest) > MOST_WATCHES:
                self._latest.pop(next(iter(self._latest)))
            return False
        del self._latest[key]
        return True


def values_by_rule(article: Article, wanted: Collection[str], template: Template) -> dict[str, str]:
    """Return what an article has by the field rules of its template, for the wanted fields.

    A value is empty if the article does not have the field, or has it from another source.
    """
    asked = asked_for(wanted)
    # On a page that was read alone, the headline's place was not read.
    reads_headline = "headline" in wanted and article.metadata["method"] == "rule"
    sources = article.metadata["fields"]
    raws = {
        "headline": article.headline or "",
        "datePublished": article.datePublishedRaw or "",
        "authors": (article.authors or [{}])[0].get("nameRaw", ""),
    }
    return {
        rule.field: raws[rule.field]
        if sources.get(rule.field, {"source": ""})["source"] == f"rule:{rule.place}"
        else ""
        for rule in template.fields
        if rule.field in asked or (reads_headline and rule.field == "headline")
    }
