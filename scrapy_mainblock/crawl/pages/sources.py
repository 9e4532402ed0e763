"""Pages of this crawl that an item of a later page may be about.

A spider that needs a second page for an item (comments, a price) yields the item from the second
page's callback: article -> request -> item. The item's own `url` then names the article, so the
article's page is its source, not the page whose callback yielded it. Therefore pages are kept on
disk (the latest ones) if their callbacks yield requests and no item, or requests that pass on an
item or the page's URL.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.durable.spool import Spool, SpoolError
from scrapy_mainblock.crawl.pages.responses import page_of
from scrapy_mainblock.page.page import Page

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from scrapy_mainblock.crawl.stats import Stats

LARGEST = 4_000_000
"""Limit on the bytes of a page that is kept for this purpose."""


class Source(NamedTuple):
    """A page that an item's URL names."""

    page: Page
    site: str
    status: int


def without_fragment(url: str) -> str:
    """Return the part of a URL that identifies a page."""
    return url.partition("#")[0]


def urls_of(response: Response) -> set[str]:
    """Return the URLs by which a page was requested: its own, and those it was redirected from."""
    found = {response.url}
    if response.request is not None:
        found.add(response.request.url)
        found.update(response.request.meta.get("redirect_urls") or ())
    return {without_fragment(url) for url in found if isinstance(url, str)}


def hands_on(request: Request, response: Response) -> bool:
    """Return whether a request carries an item, or the page's URL, for an item of a later page."""
    carried = (*request.cb_kwargs.values(), *request.meta.values())
    return any(
        ItemAdapter.is_item(one) or (isinstance(one, str) and one == response.url)
        for one in carried
    )


def keep(spool: Spool, response: Response, site: str, stats: Stats) -> None:
    """Keep a page under its URLs."""
    if len(response.body) > LARGEST:
        return
    try:
        source = zlib.compress(page_of(response).source, 1)
        spool.add_source(sorted(urls_of(response)), site, response.status, response.url, source)
    except Exception as error:  # caused by the page's encoding, or by the disk
        stats.trouble("sources", "a page cannot be kept for items of later pages: %s", error)


def find(spool: Spool, url: str, stats: Stats) -> Source | None:
    """Return the page that a URL names, or None if it is not kept."""
    try:
        found = spool.source(without_fragment(url))
        if found is None:
            return None
        site, status, own_url, source = found
        return Source(Page.of_utf8(zlib.decompress(source), own_url), site, status)
    except (SpoolError, zlib.error) as error:
        message = (
            "the page that an item names cannot be read back; the page that yielded it is used: %s"
        )
        stats.trouble("sources", message, error)
        return None
