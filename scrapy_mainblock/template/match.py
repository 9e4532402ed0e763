"""Which template a page is of: the first whose first page has most of the page's places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.template.rule_fit import fit
from scrapy_mainblock.template.rules import Hit, SiteRules, Template, find_block


class Match(NamedTuple):
    """A page's template, and the block that its rule finds, None where it finds none."""

    template: Template
    hit: Hit | None


def matches(page: Outline, rules: SiteRules | None) -> Iterator[Match]:
    """The template of a page.

    Where that is a rule for all of the site, written by hand, the page's template without that rule
    comes next.
    """
    while rules is not None and (match := best_match(page, rules)) is not None:
        yield match
        template = match.template
        is_for_all = template.pinned and not template.structure
        rules = rules.without(template) if is_for_all else None


def best_match(page: Outline, rules: SiteRules) -> Match | None:
    """The template of a page, None where it is of none."""
    template = next((one for one in rules.templates if one.pinned), None)
    if template is None or template.structure:  # else it is for all pages, whatever they look like
        template = rules.template_of(page.structure, "auto")
    if template is None:
        near = rules.nearest(page.structure)
        if near is not None and (near.rule.id or near.rule.classes):
            hit = find_block(near.rule, page)
            if fit(near, hit, page) == "fits":
                return Match(near, hit)
        template = rules.for_any_page()
    return None if template is None else Match(template, find_block(template.rule, page))
