"""Pieces of HTML that several templates share, each filling in its own class names."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape as _escape
from pathlib import Path

from .model import (
    Block,
    Code,
    Heading,
    IndexContent,
    Listing,
    Paragraph,
    Quote,
    Ref,
    Story,
    Surroundings,
    Table,
)

STYLES = Path(__file__).with_name("styles")


def esc(text: str) -> str:
    """Return text escaped for HTML, for an element or an attribute."""
    return _escape(text, quote=True)


@functools.cache
def stylesheet(name: str) -> str:
    """Return the CSS of a template."""
    return (STYLES / f"{name}.css").read_text(encoding="utf-8").strip()


@functools.cache
def minified_stylesheet(name: str) -> str:
    """Return the CSS of a template on one line."""
    return one_line(stylesheet(name))


def one_line(html: str) -> str:
    """Return minified source; line breaks must not matter in it (no <pre>, no // comment)."""
    return html.replace("\n", "")


@dataclass(frozen=True)
class BlockStyle:
    """The HTML in which a template writes the blocks of a text."""

    paragraph: str = "<p>{}</p>"
    heading: str = "<h2>{}</h2>"
    quote: str = "<blockquote><p>{}</p></blockquote>"
    unordered: str = "<ul>{}</ul>"
    ordered: str = "<ol>{}</ol>"
    item: str = "<li>{}</li>"
    table: str = "<table>{}</table>"
    row: str = "<tr>{}</tr>"
    head_cell: str = "<th>{}</th>"
    cell: str = "<td>{}</td>"
    code: str = "<pre><code>{}</code></pre>"
    link: str = '<a href="{}">{}</a>'
    inline_advert: str = ""
    highlight: Callable[[str], str] = esc
    """Escapes the text of a code block, and may color it."""
    dress: Callable[[str], str] = str
    """Transforms escaped running text, for instance to put function names into <code>."""


def blocks_html(
    story: Story, style: BlockStyle, inserts: Mapping[int, str] | None = None, glue: str = "\n"
) -> str:
    """Return the story's blocks; `inserts` adds furniture after the blocks at these positions."""
    pieces = []
    for position, block in enumerate(story.blocks):
        pieces.append(_block_html(block, style))
        if inserts and position in inserts:
            pieces.append(inserts[position])
    return glue.join(pieces)


def _block_html(block: Block, style: BlockStyle) -> str:
    match block:
        case Paragraph():
            return style.paragraph.format(_running_text(block, style))
        case Heading(text):
            return style.heading.format(esc(text))
        case Quote(text):
            return style.quote.format(esc(text))
        case Code(text):
            return style.code.format(style.highlight(text))
        case Listing(items, ordered):
            rows = "".join(style.item.format(style.dress(esc(item))) for item in items)
            return (style.ordered if ordered else style.unordered).format(rows)
        case Table(rows):
            return style.table.format(_rows_html(rows, style))


def _rows_html(rows: tuple[tuple[str, ...], ...], style: BlockStyle) -> str:
    lines = []
    for number, row in enumerate(rows):
        cell = style.cell if number else style.head_cell
        lines.append(style.row.format("".join(cell.format(esc(text)) for text in row)))
    return "".join(lines)


def _running_text(block: Paragraph, style: BlockStyle) -> str:
    parts = [block.text]
    if block.advert_after and style.inline_advert:
        cut = len(block.advert_after)
        parts = [block.text[:cut], block.text[cut:]]
    written = []
    for part in parts:
        phrase, target = block.link or ("", "")
        if phrase and part.count(phrase) == 1:  # otherwise it may be part of a word
            before, after = part.split(phrase, 1)
            anchor = style.link.format(esc(target), esc(phrase))
            written.append(style.dress(esc(before)) + anchor + style.dress(esc(after)))
        else:
            written.append(style.dress(esc(part)))
    return f" {style.inline_advert}".join(written)


def anchors(refs: tuple[Ref, ...] | list[Ref], row: str) -> str:
    """Return rows of links; in `row`, {0} is the path, {1} headline, {2} date and {3} picture."""
    return "\n".join(
        row.format(ref.path, esc(ref.headline), ref.date.isoformat(), picture_path(ref))
        for ref in refs
    )


def picture_path(ref: Ref, number: int = 0) -> str:
    """Return the path of a page's picture; the server draws one for any name."""
    return f"/media/{ref.topic_id}-{ref.number}-{number}.svg"


LAST_UPDATE = datetime.date(2021, 9, 1)
"""The date of the last update that pages show, regardless of their own date."""


def byline(ref: Ref, whole: str, each: str = "{}", between: str = " and ") -> str:
    """Return the authors of a page as HTML; empty if the page names none."""
    names = between.join(each.format(esc(name)) for name in ref.authors)
    return whole.format(names) if names else ""


def metadata(
    story: Story, around: Surroundings, site_name: str, language: str, *, names_itself: bool = False
) -> str:
    """Return <title>, description, Open Graph and JSON-LD, as publishers write them.

    A publisher that `names_itself` gives itself as the author of every page, and LAST_UPDATE as the
    date of its modification.
    """
    ref = story.ref
    url = around.absolute(ref.path)
    image = around.absolute(picture_path(ref))
    linked_data = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": url,
        "headline": ref.headline,
        "datePublished": f"{ref.date.isoformat()}T08:00:00+00:00",
        "image": [image],
        "author": [{"@type": "Person", "name": name} for name in ref.authors],
        "publisher": {"@type": "Organization", "name": site_name},
    }
    names = byline(ref, '\n<meta name="author" content="{}">', between=", ")
    if names_itself:
        names = ""
        linked_data["author"] = linked_data["publisher"]
        linked_data["dateModified"] = f"{LAST_UPDATE.isoformat()}T06:30:00+00:00"
    elif not ref.authors:
        del linked_data["author"]
    script = json.dumps(linked_data, ensure_ascii=False).replace("</", "<\\/")
    return f"""<title>{esc(ref.headline)} | {site_name}</title>
<meta name="description" content="{esc(ref.teaser)}">{names}
<link rel="canonical" href="{url}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="{site_name}">
<meta property="og:locale" content="{language}">
<meta property="og:title" content="{esc(ref.headline)}">
<meta property="og:description" content="{esc(ref.teaser)}">
<meta property="og:url" content="{url}">
<meta property="og:image" content="{image}">
<meta property="article:published_time" content="{ref.date.isoformat()}T08:00:00+00:00">
<meta name="twitter:card" content="summary_large_image">
<script type="application/ld+json">{script}</script>"""


def middle(story: Story) -> int:
    """Return the position of a paragraph after which furniture goes: a third of the way down."""
    return max(0, len(story.blocks) // 3)


def pager(content: IndexContent) -> str:
    """Return links to the neighboring pages of a list."""
    if len(content.pages) < 2:
        return ""
    near = range(max(1, content.page - 4), min(len(content.pages), content.page + 4) + 1)
    numbers = " ".join(f'<a href="{esc(content.pages[page - 1])}">{page}</a>' for page in near)
    last = content.pages[-1]
    return f"""<nav class="pager" aria-label="Pages">{numbers}
  <a href="{esc(last)}">Last</a></nav>"""
