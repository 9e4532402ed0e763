"""Matches a page to its template.

A pinned rule for the whole site comes first, then the first cluster that the page is similar enough
to (`SAME_CLUSTER`), then the nearest cluster that is at least half similar, if the block that its
rule names fits, then the rule for the whole site.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.template.rule_fit import fit
from scrapy_mainblock.template.rules import Search, SiteRules, Template, find_block


class Match(NamedTuple):
    """A page's template, and the search for its rule's block."""

    template: Template
    search: Search


def matches(page: Outline, rules: SiteRules | None, first: Match | None = None) -> Iterator[Match]:
    """Yield the matches to try on a page, one or two; `first` is the first one, if it is known.

    A pinned rule for the whole site comes first. The page's own template follows, in case the
    pinned rule misses.
    """
    while rules is not None and (match := first or best_match(page, rules)) is not None:
        yield match
        first = None
        template = match.template
        is_for_all = template.pinned and not template.structure
        rules = rules.without(template) if is_for_all else None


def best_match(page: Outline, rules: SiteRules) -> Match | None:
    """Return the match of a page with its template, or None if it does not have one."""
    template = rules.first_pinned
    if template is None or template.structure:  # else it applies to every page of the site
        template = rules.of_places(page.text_places)
    if template is None:
        near = rules.nearest(page.text_places)
        if near is not None and (near.rule.id or near.rule.classes):
            search = find_block(near.rule, page)
            if fit(near, search.hit, page) == "fits":
                return Match(near, search)
        template = rules.for_any_page()
    return None if template is None else Match(template, find_block(template.rule, page))
