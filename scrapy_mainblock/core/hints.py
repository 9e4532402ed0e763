"""What a page says of its own kind, in its head and its address.

Not to be believed alone (every page of some sites says `og:type: article`), but with what the page
looks like: under an article comments are noise, and they are the content of a forum.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree
from lxml.html import HtmlElement

_OPEN_GRAPH_TYPE = etree.XPath("string((//meta[@property='og:type'])[1]/@content)")
_LINKED_DATA = etree.XPath("//script[@type='application/ld+json']/text()")
_MICRODATA = etree.XPath("//@itemtype")
_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([^"]{1,60})"')
_HOST = re.compile(r"^[a-z]+://[^/]*")
_MOST_DATA = 20_000  # characters of linked data looked at

_ARTICLE = re.compile(r"article|blogposting|report|review(?!s)|recipe|video\.")
_FORUM = re.compile(r"forum|discussion|qapage|question|socialmedia")
_PRODUCT = re.compile(r"product|offer|vehicle|book\b|movie|hotel|restaurant")
_LIST = re.compile(r"collectionpage|itemlist|searchresults|blog\b|website")

_FORUM_ADDRESS = re.compile(
    r"forum|thread|topic|viewtopic|discuss|communit|question|/t/|/comments/|answers|board"
)
_PRODUCT_ADDRESS = re.compile(r"/product|/item|/shop|/dp/|/p/|/store|sku")
_LIST_ADDRESS = re.compile(r"/categor|/tags?/|/collection|/search|[?&]page=|/archive|/topics?/?$")
_DATED_ADDRESS = re.compile(
    r"/(?:19|20)\d\d[/-]\d{1,2}(?:[/-]|$)|/news/|/blog/|/article|/story|/post"
)


class Hints(NamedTuple):
    """What the page's own words speak for; each 0 or 1."""

    title: str = ""
    article: bool = False
    forum: bool = False
    product: bool = False
    listing: bool = False
    forum_address: bool = False
    product_address: bool = False
    list_address: bool = False
    article_address: bool = False


def find_hints(root: HtmlElement, url: str | None, title: str | None) -> Hints:
    """Look for hints in a page's head, its microdata and its URL."""
    data = "".join(_LINKED_DATA(root))[:_MOST_DATA]
    said = " ".join((_OPEN_GRAPH_TYPE(root), *_TYPE.findall(data), *_MICRODATA(root)[:50])).lower()
    address = _HOST.sub("", (url or "").lower())
    return Hints(
        title or "",
        bool(_ARTICLE.search(said)),
        bool(_FORUM.search(said)),
        bool(_PRODUCT.search(said)),
        bool(_LIST.search(said)),
        bool(_FORUM_ADDRESS.search((url or "").lower())),
        bool(_PRODUCT_ADDRESS.search(address)),
        bool(_LIST_ADDRESS.search(address)),
        bool(_DATED_ADDRESS.search(address)),
    )
