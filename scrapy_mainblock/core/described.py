"""What a page says of itself for machines, where it shows nothing to readers.

The body of a page that is a program is empty until it runs. Its text may still stand in its head,
for search engines: as linked data (an article's body, a product's description), or shortened, as
the description that is shown with links to it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

LEAST = 100
"""Characters of a description that is worth more than nothing."""
_KEYS = frozenset({"articleBody", "description", "text", "reviewBody"})
_MOST_DATA, _DEEPEST, _MOST_VALUES = 200_000, 10, 1000

_LINKED_DATA = etree.XPath("//script[@type='application/ld+json']")
_DESCRIPTIONS = etree.XPath(
    "//meta[@property='og:description' or @name='og:description' or @name='description']/@content"
)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:p|br|li|div|h[1-6])\b[^<>]*>", re.IGNORECASE)
_LINES = re.compile(r"[\r\n]+")


def described(root: HtmlElement) -> list[str]:
    """The paragraphs of the longest text that the page has for machines; none of a short one."""
    found = [*_linked_texts(root), *map(str, _DESCRIPTIONS(root))]
    paragraphs = [
        " ".join(line.split()) for line in _LINES.split(_plain(max(found, key=len, default="")))
    ]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    return paragraphs if sum(map(len, paragraphs)) >= LEAST else []


def _plain(text: str) -> str:
    text = html.unescape(text) if "<" not in text else text
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))


def _linked_texts(root: HtmlElement) -> Iterator[str]:
    for script in _LINKED_DATA(root):
        source = script.text or ""
        if len(source) > _MOST_DATA:
            continue
        try:
            data = json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _texts_of(data)


def _texts_of(data: Any) -> Iterator[str]:
    level = [data]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level[:_MOST_VALUES]:
            if isinstance(value, list):
                below += value
            elif isinstance(value, dict):
                yield from (
                    text for key, text in value.items() if key in _KEYS and isinstance(text, str)
                )
                below += value.values()
        level = [value for value in below if isinstance(value, (dict, list))]
