"""A page's kept segments as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable
from typing import NamedTuple

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.render.addresses import without_controls
from scrapy_mainblock.render.walk import Walk


class Rendered(NamedTuple):
    """Content as text, and as HTML that is safe to show."""

    text: str
    html: str


def from_lines(lines: Iterable[str]) -> Rendered:
    """Lines of text, a paragraph each."""
    paragraphs = [" ".join(without_controls(line).split()) for line in lines]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    as_html = "".join(f"<p>{html.escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)
    return Rendered("\n\n".join(paragraphs), as_html)


def render(page: Outline, kept: bytes, root: int, muted: Collection[int] = ()) -> Rendered:
    """The segments that are `kept`, under one element of the page; links made absolute.

    `muted` are elements within lines that are not shown.
    """
    walk = Walk(page.rows, bytearray(kept), page.base)
    walk.muted = set(muted)
    walk.run(root)
    return Rendered(walk.text.result().decode(), walk.html.result().decode())
