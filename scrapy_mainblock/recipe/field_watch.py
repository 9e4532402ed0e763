"""Whether the places that field rules name still hold what they were learnt to hold.

A page says nothing of that by itself: it is read alone where the place is not there, and a value
that is wrong looks like any other. The latest pages of a cluster together do: the place is gone
from most of them, or says the same on most of them, as what was a date is now "updated today". To
take that for a redesign where it is none (ten pages of one author in a row) costs time, and nothing
else: each page is read by itself until the place is learnt again.
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
"""A redesign is when so many of the latest pages do not fit, of their block as of their fields."""
MOST_WATCHES = 1200
"""Three fields of each cluster that a site may have."""


class FieldWatch:
    """The latest values at the places of a site's field rules."""

    def __init__(self) -> None:
        self._latest: dict[tuple[str, str], deque[str]] = {}

    def lost(self, template: Template, values: Mapping[str, str]) -> tuple[FieldRule, ...]:
        """The rules of a template that fit no more; `values` are what a page has by each, if any.

        What is lost has an empty place.
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
        key = (cluster, f"{rule.field} {rule.place}")
        latest = self._latest.setdefault(key, deque(maxlen=REDESIGN_WINDOW))
        latest.append(value)
        if latest.count(value) < REDESIGN_PAGES:  # no other value is there more often than before
            if len(self._latest) > MOST_WATCHES:
                self._latest.pop(next(iter(self._latest)))
            return False
        del self._latest[key]
        return True


def values_by_rule(article: Article, wanted: Collection[str], template: Template) -> dict[str, str]:
    """What an article has by the rules of its template, of the fields that were wanted.

    Empty where it has it not, or from elsewhere.
    """
    asked = set(asked_for(wanted))
    if "headline" in wanted and article.metadata["method"] == "rule":
        asked.add("headline")  # of a page that was read alone its place is not asked
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
        if rule.field in asked
    }
