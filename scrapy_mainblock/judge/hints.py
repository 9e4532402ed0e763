"""Hints about the type of a page, taken from its head, its microdata and its URL.

A hint alone is not reliable (on some sites every page says `og:type: article`), so it is used
together with what the page looks like. The type matters because it decides what is content:
comments are noise under an article, and the content of a forum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from scrapy_mainblock.outline.head import Head
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.bounded_cache import bounded_cache

_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([^"]{1,60})"')
_SCHEME = re.compile(r"^[a-z]+://")
_HOST = re.compile(r"^[a-z]+://[^/]*")
_MOST_DATA = 20_000  # characters of JSON-LD that are searched
_LONGEST_NAME = 200

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

_DECLARED = {
    "says_product": r"\bproduct\b|\boffer\b|product\.",
    "says_article": r"\barticle\b|blogposting|newsarticle|techarticle|\breport\b",
    "says_forum": r"qapage|discussionforum|\bquestion\b|\bcomment\b",
    "says_list": r"collectionpage|itemlist|productgroup|product\.group",
    "says_website": r"\bwebsite\b",
    "says_webpage": r"\bwebpage\b",
    "says_business": r"organization|localbusiness|corporation",
    "says_service": r"\bservice\b|softwareapplication|webapplication|faqpage",
    "says_event": r"\bevent\b|jobposting|\bperson\b|profilepage",
}
_MADE_BY = {
    "made_for_forums": r"discourse|phpbb|xenforo|vbulletin|simple machines|mybb|flarum|nodebb"
    r"|invision|smf",
    "made_for_shops": r"shopify|woocommerce|magento|prestashop|bigcommerce|opencart",
    "made_for_manuals": r"sphinx|mkdocs|docusaurus|docutils|gitbook|doxygen|javadoc|asciidoc"
    r"|readthedocs|vuepress|vitepress|antora|docbook|texinfo|rustdoc",
    "made_for_blogs": r"wordpress|ghost|blogger|movable|typepad|hugo|jekyll",
}
_ADDRESSED = {
    "address_of_manual": r"docs?[./]|/documentation|/reference|/api\b|/manual|/guides?\b|/learn\b"
    r"|developer|/tutorial|readthedocs|/wiki|/help\b|/library",
    "address_of_list": r"/collections?\b|/categor|/c/|/shop/?$|/products/?$|/tags?/|/archive",
    "address_of_service": r"/services?\b|/solutions?\b|/pricing|/features|/platform",
    "address_of_news": r"blog|news|article|/20\d\d",
    "address_of_forum": r"forum|thread|topic|communit|board|discuss|question",
    "address_of_product": r"/products?/|/dp/|/p/|/itm/|/item",
}
_SIGNS_OF_TYPES, _SIGNS_OF_MAKERS, _SIGNS_OF_ADDRESS = (
    [re.compile(pattern) for pattern in group.values()]
    for group in (_DECLARED, _MADE_BY, _ADDRESSED)
)
SIGNS = (
    *_DECLARED,
    *_MADE_BY,
    *_ADDRESSED,
    "address_depth",
    "address_length",
    "address_hyphens",
    "address_has_number",
    "address_is_root",
    "address_is_unknown",
)
"""The names of the numbers in `Hints.signs`."""
_LONG_NUMBER = re.compile(r"\d{3}")


class Hints(NamedTuple):
    """The title of a page, and what its metadata and URL suggest about its type, each 0 or 1."""

    title: str = ""
    article: bool = False
    forum: bool = False
    product: bool = False
    listing: bool = False
    forum_address: bool = False
    product_address: bool = False
    list_address: bool = False
    article_address: bool = False
    signs: tuple[float, ...] = (0.0,) * len(SIGNS)
    """Weaker hints, used only for the type of the page (`page_type`); not all are 0 or 1."""


def find_hints(page: Rows, head: Head, url: str | None, title: str | None) -> Hints:
    """Return the hints in a page's head, its microdata and its URL."""
    metas = head.metas
    kinds = _TYPE.findall("".join(head.linked_data)[:_MOST_DATA])
    og_type = metas.get("og:type", "")[:_LONGEST_NAME]
    declared = " ".join((og_type, *kinds, *head.item_types)).lower()
    whole = (url or "").lower()
    address = _HOST.sub("", whole)
    made_by = metas.get("generator", "")[:_LONGEST_NAME]
    body_class, body_id = page.classes(page.body), page.identifier(page.body)
    made_by += f" {body_class[:_LONGEST_NAME]} {body_id[:_LONGEST_NAME]}"
    types, signs = _declared_in(declared)
    return Hints(
        title or "",
        *types,
        bool(_FORUM_ADDRESS.search(whole)),
        bool(_PRODUCT_ADDRESS.search(address)),
        bool(_LIST_ADDRESS.search(address)),
        bool(_DATED_ADDRESS.search(address)),
        (
            *signs,
            *_made_by(made_by.lower()),
            *_signs(_SIGNS_OF_ADDRESS, _SCHEME.sub("", whole)),
            *_counts_of_address(address, whole),
        ),
    )


# What pages declare is the same on most pages of a site.


@bounded_cache(most=64, longest=500)
def _declared_in(declared: str) -> tuple[tuple[bool, bool, bool, bool], tuple[float, ...]]:
    """Return whether the declared types are those of an article, a forum, a product or a list."""
    types = (
        bool(_ARTICLE.search(declared)),
        bool(_FORUM.search(declared)),
        bool(_PRODUCT.search(declared)),
        bool(_LIST.search(declared)),
    )
    return types, _signs(_SIGNS_OF_TYPES, declared)


@bounded_cache(most=64, longest=500)
def _made_by(makers: str) -> tuple[float, ...]:
    return _signs(_SIGNS_OF_MAKERS, makers)


def _signs(patterns: Iterable[re.Pattern[str]], text: str) -> tuple[float, ...]:
    return tuple([float(pattern.search(text) is not None) for pattern in patterns])


def _counts_of_address(address: str, url: str) -> tuple[float, ...]:
    path = address.partition("?")[0].strip("/")
    return (
        float(path.count("/") + 1 if path else 0),
        float(min(len(address), 300)),
        float(min(path.count("-"), 20)),
        float(_LONG_NUMBER.search(address) is not None),
        float(not path and bool(url)),
        float(not url),
    )
