"""Renders a `Decision`: the page's kept segments as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from scrapy_mainblock.fields.metadata_text import metadata_text
from scrapy_mainblock.judge.claims import Choice
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.render.addresses import without_controls
from scrapy_mainblock.render.article import (
    ALL_FIELDS,
    BODY,
    MARKDOWN,
    Article,
    article_with,
    filled_by,
    metadata_of,
    with_reason,
)
from scrapy_mainblock.render.markdown import markdown
from scrapy_mainblock.render.walk import Walk


class Rendered(NamedTuple):
    """Content as text, and as HTML that is safe to show."""

    text: str
    html: str


def render(
    page: Outline,
    decision: Decision,
    headline: str | None,
    claims: Mapping[str, Choice] | None = None,
    wanted: Collection[str] = ALL_FIELDS,
) -> Article:
    """Return the article for a decision, with the wanted fields filled."""
    body = None
    if BODY.isdisjoint(wanted):
        pass
    elif decision.uses_description:
        body = from_lines(metadata_text(page.head))
    elif decision.method != "none":
        body = from_segments(page, decision.kept, decision.root, decision.muted)
    filled = filled_by(claims or {})
    filled["url"] = page.url
    filled["headline"] = None
    if "headline" in wanted:  # it comes from the decision, not from its claim
        filled["headline"] = without_controls(headline or "").strip() or None
    if body:
        filled["articleBody"], filled["articleBodyHtml"] = body.text, body.html
    filled["metadata"] = metadata_of(decision, page.cut, claims)
    article = article_with(filled)
    return article if MARKDOWN.isdisjoint(wanted) else with_markdown(article)


def with_markdown(article: Article) -> Article:
    """Return the article with its body as Markdown too."""
    if article.articleBodyHtml is None:
        return article
    try:
        return replace(article, articleBodyMarkdown=markdown(article.articleBodyHtml))
    except Exception as error:  # no page may make this raise
        swallow(error, "a body could not be written as Markdown")
        return with_reason(article, f"Markdown could not be written ({type(error).__name__})")


def from_segments(page: Outline, kept: bytes, root: int, muted: Collection[int] = ()) -> Rendered:
    """Return the kept segments of an element, rendered with absolute addresses.

    `muted` are inline elements that are left out.
    """
    walk = Walk(page.rows, bytearray(kept), page.base)
    walk.muted = set(muted)
    walk.run(root)
    return Rendered(walk.text.result().decode(), walk.html.result().decode())


def from_lines(lines: Iterable[str]) -> Rendered:
    """Return lines of text, rendered as one paragraph each."""
    paragraphs = [" ".join(without_controls(line).split()) for line in lines]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    as_html = "".join(f"<p>{html.escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)
    return Rendered("\n\n".join(paragraphs), as_html)
