"""START HERE: the way of a page through the five nouns.

    bytes -> Page -> Outline -> Decision -> Article

A `Page` is a source decoded once, an `Outline` what one scan of it sees, a `Decision` which of its
segments are content and why, an `Article` the decision rendered. `Template` stands beside them: what
learning knows of a cluster of pages. docs/architecture.md draws it.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.article import Article, metadata
from scrapy_mainblock.decide import decide
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.reading import Reading
from scrapy_mainblock.render.render import from_lines, render
from scrapy_mainblock.template.rules import SiteRules


def article_of(
    page: Page, rules: SiteRules | None = None, reading: Reading | None = None
) -> Article:
    """Extract the main content of a page: by the rule of its template, else from the page alone.

    Never raises, whatever the page holds.
    """
    if page.why_unreadable:
        return Article(page.url, metadata=metadata("none", reason=page.why_unreadable))
    try:
        outline = reading.page if reading else Outline(page)
        decision = decide(outline, rules, reading)
        return rendered(outline, decision)
    except Exception as error:  # a page never raises
        reason = f"the page could not be processed ({type(error).__name__})"
        return Article(page.url, metadata=metadata("none", reason=reason))


def rendered(outline: Outline, decision: Decision) -> Article:
    """A decision as an article."""
    body = html = None
    if decision.described:
        body, html = from_lines(decision.described)
    elif decision.method != "none":
        body, html = render(outline, decision.kept, decision.root, decision.muted)
    return Article(
        url=outline.url,
        headline=decision.headline,
        articleBody=body,
        articleBodyHtml=html,
        metadata=metadata_of(decision, outline.cut),
    )


def metadata_of(decision: Decision, cut: str | None) -> Any:
    """What an article says of how it was found."""
    reasons = [reason for reason in (decision.reason, cut) if reason]
    return metadata(
        decision.method,
        probability=decision.probability,
        rule=dict(decision.rule) if decision.rule else None,
        rule_version=decision.rule_version,
        cluster=decision.cluster,
        page_type=decision.page_type,
        reason="; ".join(reasons) or None,
    )
