"""Lines set in bold or large letters: what was a headline before there were headings.

Pages of 2005 have their article's title as ``<p><b>Rain in May</b></p>``, or as a cell of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lxml.html import HtmlElement

from scrapy_mainblock.core.tags import BLOCK_TAGS

_EMPHASIZED = ("b", "big", "font", "h4", "strong")
_MOST, _DEEPEST = 60, 8
_INVISIBLE = {"script", "style", "img"}


def emphasized_lines(root: HtmlElement) -> Iterator[HtmlElement]:
    """Elements of emphasis that are a whole line each, the outermost of several."""
    for element in islice(root.iter(*_EMPHASIZED), _MOST):
        if _is_line(element):
            yield element


def _is_line(element: HtmlElement) -> bool:
    """Whether nothing else stands between the ends of blocks, or line breaks, around it."""
    for _ in range(_DEEPEST):
        if element.tag in BLOCK_TAGS:
            return True
        above, before, behind = element.getparent(), element.getprevious(), element.getnext()
        if above is None or (element.tail or "").strip():
            return False
        if not _ends_line(behind) or not _ends_line(before):
            return False
        if ((above.text if before is None else before.tail) or "").strip():
            return False
        if before is not None or behind is not None:
            return True
        element = above
    return False


def _ends_line(element: HtmlElement | None) -> bool:
    return element is None or element.tag in BLOCK_TAGS or element.tag in _INVISIBLE
