"""The title of an article, from what the page says of itself and what it shows.

A page names its title up to three times: in `<title>` (with the site's name around it), in
OpenGraph (often without), and in a heading. The heading that the other two confirm is the title as
its author set it; the others are the next best.
"""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from scrapy_mainblock.core.counts import INVISIBLE_TAGS
from scrapy_mainblock.core.tokens import overlap, tokens

_SEPARATORS = re.compile(r"\s+[-–—|·•»:/]+\s+|\s*[|»]\s*|[_－｜]|--+")
_LONGEST_HEADLINE = 400  # characters; longer "headings" are bodies set in large type


def find_headline(root: HtmlElement) -> str | None:
    """The headline of a page, None where it has nothing that could be one."""
    named = [name for name in (_open_graph_title(root), _title(root)) if name]
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
    if named:
        return named[0] if _open_graph_title(root) else _without_site_name(named[0])
    return headings[0] if headings else None


def _open_graph_title(root: HtmlElement) -> str | None:
    for value in root.xpath("//meta[@property='og:title' or @name='og:title']/@content"):
        text = " ".join(str(value).split())
        if text:
            return text[:_LONGEST_HEADLINE]
    return None


def _title(root: HtmlElement) -> str | None:
    found = root.find(".//title")
    text = " ".join((found.text or "").split()) if found is not None else ""
    return text[:_LONGEST_HEADLINE] or None


def _headings(root: HtmlElement) -> list[HtmlElement]:
    return [h for level in ("h1", "h2", "h3") for h in root.iter(level)][:50]


def _shown_text(element: HtmlElement) -> str:
    pieces = (
        text
        for node in element.iter()
        if isinstance(node.tag, str) and node.tag not in INVISIBLE_TAGS
        for text in (node.text, node.tail if node is not element else None)
        if text
    )
    text = " ".join("".join(pieces).split())
    return text if len(text) <= _LONGEST_HEADLINE else ""


def _without_site_name(title: str) -> str:
    """The longest part of ``Headline - Section | Site``."""
    parts = [part.strip() for part in _SEPARATORS.split(title)]
    return max(parts, key=len) or title
