"""What kind of page this is, from the text in its links and outside of them."""

from __future__ import annotations

from typing import Literal

from scrapy_mainblock.core.segments import Segments

PageType = Literal["article", "index", "empty"]

INDEX_LINK_SHARE = 0.6
"""An index page has more than this share of its text in links ([Wang14]: "various links are spread
over index webpages, but hardly ... pure texts")."""


def page_type(page: Segments) -> PageType:
    """An index page, an article (any page with running text), or an empty one."""
    if not len(page):
        return "empty"
    linked = sum(page.link_chars)
    return "index" if linked > INDEX_LINK_SHARE * page.length() else "article"
