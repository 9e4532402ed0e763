"""The output formats of `mainblock extract`: JSON rows, and text, Markdown or HTML to read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, NamedTuple

from scrapy_mainblock.cli.console import harmless
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.render.markdown import markdown

Row = Mapping[str, Any]


class Format(NamedTuple):
    """The function that formats a page, and the text before, between and after the pages."""

    page: Callable[[Row, Article], str]
    before: str = ""
    between: str = ""
    after: str = ""


def _as_json(row: Row, _: Article) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def as_text(row: Row, article: Article) -> str:
    """Return the headline, a line about the page and its extraction, and the text."""
    parts = [article.headline, facts(row, article), article.articleBody]
    return harmless("\n\n".join(part for part in parts if part)) + "\n"


def facts(row: Row, article: Article) -> str:
    """Return a line with the page's address, date, type, method and probability."""
    found = article.metadata
    dates = (getattr(article, name, None) for name in ("datePublished", "dateModified"))
    rule = " ".join(f"{kind}={value}" for kind, value in (found["rule"] or {}).items())
    how = {"rule": f"by the rule {rule}", "page": "from the page alone"}.get(found["method"])
    sure = f"probability {found['probability']:.2f}"
    shown = [row["url"] or row["id"], next(filter(None, dates), None), found["pageType"]]
    shown += [how, sure] if how else ["no main content"]
    return " | ".join(" ".join(str(one).split()) for one in [*shown, found["reason"]] if one)


def _as_html(row: Row, article: Article) -> str:
    headline = f"<h1>{escape(article.headline)}</h1>" if article.headline else ""
    about = f"<p><small>{escape(facts(row, article))}</small></p>"
    parts = ["<article>", headline, about, article.articleBodyHtml, "</article>"]
    return "\n".join(part for part in parts if part) + "\n"


def _as_markdown(_: Row, article: Article) -> str:
    headline = markdown(f"<h1>{escape(article.headline)}</h1>") if article.headline else ""
    parts = [headline.rstrip(), article.articleBodyMarkdown]
    return harmless("\n\n".join(part for part in parts if part)).rstrip() + "\n"


FORMATS: Mapping[str, Format] = {
    "jsonl": Format(_as_json),
    "text": Format(as_text, between=f"\n{'-' * 72}\n\n"),
    "markdown": Format(_as_markdown, between="\n---\n\n"),
    "html": Format(
        _as_html,
        '<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n',
        after="</body></html>\n",
    ),
}
