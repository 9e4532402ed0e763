"""What kind of page this is, from its counts alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scrapy_mainblock.core.counts import Node

PageType = Literal["article", "index", "empty"]

INDEX_LINK_SHARE = 0.6
"""An index page has more than this share of its text in links ([Wang14]: "various links are spread
over index webpages, but hardly ... pure texts")."""


def page_type(nodes: Sequence[Node]) -> PageType:
    """An index page, an article (any page with running text), or an empty one."""
    page = nodes[0]
    if not page.all_text:
        return "empty"
    return "index" if page.link_text > INDEX_LINK_SHARE * page.all_text else "article"
