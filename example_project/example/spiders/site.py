"""`scrapy crawl site -a url=https://...`: crawls any site, politely.

With the settings in settings.py it obeys robots.txt and uses AutoThrottle. It only requests pages
in the URL's domain, at most `-a pages=200`: the URL itself, the pages in the site's sitemaps, and
the pages that those link to.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import SitemapSpider
from scrapy.utils.sitemap import Sitemap
from w3lib.url import canonicalize_url

from example.items import Article
from scrapy_mainblock.page.sites import registered_domain

PAGES = 200
MOST_SITEMAPS = 20
"""Limit on the sitemaps that are read from a sitemap index: some list thousands."""


class SiteSpider(SitemapSpider):
    """Crawls the pages of the sitemaps first, then follows links."""

    name = "site"

    def __init__(self, url: str = "", pages: str | int = PAGES, **kwargs: Any) -> None:
        if wrong := wrong_arguments(url, str(pages)):
            sys.exit(f"scrapy crawl site: {wrong}")  # an exception would print a long traceback
        self._url = url
        self._pages_left = int(pages)
        self._known: set[str] = set()
        # The sitemaps that robots.txt names, and the one at the usual address.
        self.sitemap_urls = [urljoin(url, name) for name in ("/robots.txt", "/sitemap.xml")]
        self.allowed_domains = [registered_domain(url)]
        self._links = LinkExtractor()
        super().__init__(**kwargs)

    async def start(self) -> AsyncIterator[Any]:
        """Request the URL itself, robots.txt and the sitemap."""
        for url in self._new_pages([self._url]):
            yield Request(url)
        async for request in super().start():
            yield request

    def sitemap_filter(self, entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the pages of a sitemap that may still be requested."""
        if isinstance(entries, Sitemap) and entries.type == "sitemapindex":
            yield from islice(entries, MOST_SITEMAPS)
            return
        for entry in entries:
            for url in self._new_pages([entry["loc"]]):
                yield {"loc": url}

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Article | Request]:
        """Yield an item for the page, and requests for its links."""
        if isinstance(response, HtmlResponse):
            yield Article(url=response.url)
            links = self._links.extract_links(response)
            for url in self._new_pages(link.url for link in links):
                yield Request(url)

    def _new_pages(self, urls: Iterable[str]) -> Iterator[str]:
        for url in urls:
            if not self._pages_left or registered_domain(url) not in self.allowed_domains:
                continue
            canonical = canonicalize_url(url)
            if canonical not in self._known:
                self._known.add(canonical)
                self._pages_left -= 1
                yield url


def wrong_arguments(url: str, pages: str) -> str | None:
    """Return a message about arguments that cannot be used, or None."""
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_url = False
    if not is_url:
        given = f"{url!r} is not a URL of a site" if url else "no site given"
        return f"{given}: use -a url=https://example.com/"
    if not pages.isdecimal() or int(pages) < 1:
        return f"pages={pages} is not a number of pages: use -a pages={PAGES}"
    return None
