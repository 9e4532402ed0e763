"""Where the parser and a page's author misunderstand each other, and a page's content is lost.

Two things cost whole articles, and are put right here: a button that is closed wrongly and, by the
older rules that libxml2 reads by, takes in the rest of the page; and a page that shows all of its
text to readers without scripts only (as forums do that are programs).
"""

from __future__ import annotations

from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled

_NATIVE = compiled("hidden")
MOST_LOOKED_AT = 200
"""Elements of a kind that are looked into: a page of nothing but nested buttons is no page."""

IN_BUTTON, IN_NOSCRIPT = 9, 2
"""Paragraphs that may stand there and be no page."""
_HOLDS_A_PAGE = etree.XPath(f"boolean(.//main | .//article) or count(.//p) > {IN_BUTTON}")
_HAS_PARAGRAPHS = etree.XPath(f"count(.//p) > {IN_NOSCRIPT}")
_ITS_TEXT = etree.XPath("string-length(normalize-space(.))")
_OTHER_TEXTS = etree.XPath(
    "//body//text()[not(ancestor::noscript or ancestor::script or ancestor::style"
    " or ancestor::template or ancestor::textarea)]"
)


def hidden_pages(root: HtmlElement) -> list[HtmlElement]:
    """Elements that no reader sees as text, and that hold the page all the same."""
    if _NATIVE and not _NATIVE.may_hide(root, MOST_LOOKED_AT, IN_BUTTON, IN_NOSCRIPT):
        return []
    return _hidden_pages(root)


def _hidden_pages(root: HtmlElement) -> list[HtmlElement]:
    named = list(root.iter("button", "noscript"))
    buttons = (one for one in named if one.tag == "button" and len(one))
    noscripts = (one for one in named if one.tag == "noscript")
    found = [button for button in islice(buttons, MOST_LOOKED_AT) if _HOLDS_A_PAGE(button)]
    without_scripts = [
        noscript
        for noscript in islice(noscripts, MOST_LOOKED_AT)
        if len(noscript) and _HAS_PARAGRAPHS(noscript)
    ]
    if without_scripts:
        shown = sum(len(text.strip()) for text in _OTHER_TEXTS(root))
        found += [one for one in without_scripts if _ITS_TEXT(one) > shown]
    return found


def show(elements: list[HtmlElement]) -> None:
    """Make of such elements what they are to a reader: a part of the page."""
    for element in elements:
        element.tag = "div"
