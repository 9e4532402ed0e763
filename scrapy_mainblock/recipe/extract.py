"""START HERE: the steps from a page to an article.

    bytes -> Page -> Outline -> Decision -> Article

A `Page` is a source, decoded once. An `Outline` is what one scan of the source finds. A `Decision`
says which of its segments are content, and why. An `Article` is the rendered decision. A `Template`
supports the decision: it holds what was learned about a cluster of pages. docs/architecture.md has
a diagram.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.recipe.claims import claims
from scrapy_mainblock.recipe.decide import decide
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.render.article import (
    ALL_FIELDS,
    MARKDOWN,
    Article,
    known_fields,
    without_content,
)
from scrapy_mainblock.render.render import render
from scrapy_mainblock.stores.rules import RulesSource, rules_for
from scrapy_mainblock.template.rules import SiteRules


def extract(  # noqa: PLR0913 - the public door
    html: Any,
    url: str | None = None,
    rules: RulesSource = None,
    *,
    site: str | None = None,
    fields: Collection[str] = ALL_FIELDS,
    markdown: bool = False,
) -> Article:
    """Extract the main content of a page by its template's rule, or else from the page alone.

    `html` is bytes, a string, an lxml tree or a Scrapy response. `rules` is a `Rules`, a path or
    the address of a store. `fields` names the fields to compute. `markdown` adds
    `articleBodyMarkdown`, which is not computed by default. Never raises because of a page's
    content. If `rules` is a path without a directory, FileNotFoundError is raised.
    """
    wanted = known_fields(fields)
    page = Page.of(html, url)
    if markdown:
        wanted |= MARKDOWN
    return article_of(page, rules_for(rules, page.url, site), wanted)


def explain(
    html: Any, url: str | None = None, rules: RulesSource = None, *, site: str | None = None
) -> Decision:
    """Return the decision of `extract`: what it keeps and drops, where, why, and how sure it is."""
    page = Page.of(html, url)
    found = rules_for(rules, page.url, site)
    if page.why_unreadable:
        return Decision("none", reason=page.why_unreadable)
    reading = Reading(Outline(page))
    decided = decide(reading, found)
    return replace(
        decided.decision, fields=claims(reading, decided, ALL_FIELDS, found, explained=True)
    )


def article_of(
    page: Page, rules: SiteRules | None, wanted: Collection[str] = ALL_FIELDS
) -> Article:
    """Return the article extracted from a page."""
    if page.why_unreadable:
        return without_content(page.url, page.why_unreadable)
    try:
        reading = Reading(Outline(page))
    except Exception as error:  # no page may make this raise
        return failed(page.url, error)
    return article_of_reading(reading, rules, wanted)


def article_of_reading(
    reading: Reading, rules: SiteRules | None, wanted: Collection[str] = ALL_FIELDS
) -> Article:
    """Return the article extracted from a page that has been read already."""
    try:
        decided = decide(reading, rules)
        found = claims(reading, decided, wanted, rules)
        return render(reading.page, decided.decision, decided.headline, found, wanted)
    except Exception as error:  # no page may make this raise
        return failed(reading.page.url, error)


def failed(url: str | None, error: Exception) -> Article:
    """Return an empty article for a page that could not be processed, and log the error."""
    swallow(error, "a page could not be processed")
    return without_content(url, f"the page could not be processed ({type(error).__name__})")
