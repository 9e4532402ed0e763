"""Builders of pages and of sites with one template: a test states only what matters to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.render.render import Rendered, from_segments

ARTICLE = '<meta property="og:type" content="article">'


def outline(inside: str, url: str | None = None, *, head: str = "") -> Outline:
    """Return the outline of a page with `inside` as its body."""
    return outline_of(f"<html><head>{head}</head><body>{inside}</body></html>", url)


def outline_of(source: bytes | str, url: str | None = None) -> Outline:
    """Return the outline of a whole page."""
    return Outline(Page.of(source, url))


def element(page: Outline, identifier: str) -> int:
    """Return the only element of a page with an id."""
    rows = page.rows
    (found,) = (one for one in range(rows.element_count) if rows.identifier(one) == identifier)
    return found


def rendered(page: Outline) -> Rendered:
    """Return the whole body of a page as text and HTML."""
    return from_segments(page, b"\x01" * page.rows.segment_count, page.rows.body)


def words(count: int, stem: str = "word") -> str:
    return " ".join(f"{stem}{number}" for number in range(count))


def told(count: int, stem: str) -> str:
    """Return so many words in sentences and paragraphs."""
    some = words(count, stem).split()
    sentences = [f"{', '.join(some[at : at + 10])}." for at in range(0, count, 10)]
    return "\n\n".join(" ".join(sentences[at : at + 4]) for at in range(0, len(sentences), 4))


def told_in_html(count: int, stem: str) -> str:
    text = told(count, stem)
    return "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n\n") if paragraph)


def story(  # a test may set every part
    number: int = 0,
    *,
    body: int = 120,
    comments: int = 15,
    attributes: str = 'id="content"',
    above: str = "",
    url: str = "http://news.example/{number}",
) -> tuple[str, str]:
    """Return a page of the template, and its URL: a menu, an article, comments and a footer.

    `body` and `comments` are lengths in words; the article's words begin with ``story`` and the
    page's number, those of the comments with ``comment``.
    """
    menu = "".join(f'<li><a href="/s{place}">Section {place}</a></li>' for place in range(8))
    html = (
        f"<html><head><title>Title of story {number} | News</title>{ARTICLE}</head><body>"
        f'<div class="menu"><ul>{menu}</ul></div>{above}'
        f'<h1>Title of story {number}</h1><div class="main">'
        f"<div {attributes}>{told_in_html(body, f'story{number}w')}</div></div>"
        f'<div class="comments">{told_in_html(comments, "comment")}</div>'
        f'<div class="footer"><a href="/imprint">Imprint</a></div></body></html>'
    )
    return html, url.format(number=number)


def site(count: int = 8, *, host: str = "news.example", **parts: Any) -> list[tuple[str, str]]:
    """Return pages of one template; `{number}` in the attributes becomes the page's number."""
    pages = []
    for number in range(count):
        own = dict(parts)
        if "attributes" in own:
            own["attributes"] = own["attributes"].format(number=number)
        pages.append(story(number, url=f"http://{host}/{{number}}", **own))
    return pages


def row(html: str, url: str, **more: Any) -> dict[str, Any]:
    return {"id": url.rsplit("/", 1)[-1], "url": url, "html": html, **more}


def rows(pages: Iterable[tuple[str, str]], **more: Any) -> list[dict[str, Any]]:
    return [row(html, url, **more) for html, url in pages]


def names_in(directory: Path) -> list[str]:
    return sorted(file.name for file in directory.iterdir())


def write_rows(path: Path, some: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in some))
    return path


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
