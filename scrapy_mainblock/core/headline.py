"""The title of an article, from what the page says of itself and what it shows.

A page names its title up to three times: in `<title>` (with the site's name around it), in
OpenGraph (often without), and in a heading. The heading that the other two confirm is the title as
its author set it; the others are the next best.
"""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from scrapy_mainblock.core.text import LINE_TAGS, PARAGRAPH_TAGS, events
from scrapy_mainblock.core.tokens import overlap, tokens

_SEPARATORS = re.compile(r"\s+[-–—|·•»:/]+\s+|\s*[|»]\s*|[_－｜]|--+")
_LONGEST_HEADLINE = 400  # characters; longer "headings" are bodies set in large type
_MOST_PARTS = 1000  # tags and texts of a heading
_PERMALINK = re.compile(r"\s*[¶#§\U0001f517]$")
"""What documentation puts behind a heading, to link to it."""
_LINE_ENDS = PARAGRAPH_TAGS | LINE_TAGS


def find_headline(root: HtmlElement) -> str | None:
    """The headline of a page, None where it has nothing that could be one."""
    open_graph, title = _open_graph_title(root), _title(root)
    named = [name for name in (open_graph, title) if name]
    headings = [text for text in map(_shown_text, _headings(root)) if text]
    confirmed = [
        (overlap(tokens(heading), tokens(name)), -place, heading)
        for name in named
        for place, heading in enumerate(headings)
    ]
    if confirmed:
        likeness, _, heading = max(confirmed)
        if likeness >= 0.5:
            return heading
    if open_graph:
        return open_graph
    if title:
        return _without_site_name(title)
    return headings[0] if headings else None


def _open_graph_title(root: HtmlElement) -> str | None:
    for value in root.xpath("//meta[@property='og:title' or @name='og:title']/@content"):
        text = " ".join(str(value).split())
        if text:
            return text[:_LONGEST_HEADLINE]
    return None


def _title(root: HtmlElement) -> str | None:
    # A picture has a title too, a tag of the same name.
    titles = (
        title for title in root.iter("title") if next(title.iterancestors("svg"), None) is None
    )
    found = next(titles, None)
    text = " ".join((found.text or "").split()) if found is not None else ""
    return text[:_LONGEST_HEADLINE] or None


def _headings(root: HtmlElement) -> list[HtmlElement]:
    return [h for level in ("h1", "h2", "h3") for h in root.iter(level)][:50]


def _shown_text(heading: HtmlElement) -> str:
    pieces: list[str] = []
    length = 0
    for number, event in enumerate(events(heading)):
        length += len(event.text.strip())
        if number > _MOST_PARTS or length > _LONGEST_HEADLINE:
            return ""  # an unclosed heading holds the rest of its page
        pieces.append(" " if event.tag in _LINE_ENDS else event.text)
    return _PERMALINK.sub("", " ".join("".join(pieces).split()))


def _without_site_name(title: str) -> str:
    """The longest part of ``Headline - Section | Site``."""
    parts = [part.strip() for part in _SEPARATORS.split(title)]
    return max(parts, key=len) or title
