"""`scrapy crawl demo`: crawls the bundled demo site over HTTP, from a server in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from typing import Any

import demo_site
from demo_site.server import LOOPBACK
from scrapy import Request
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from example.items import Article


class DemoSpider(CrawlSpider):
    """Follows all links, without knowing the templates of the pages."""

    name = "demo"
    allowed_domains = (LOOPBACK,)
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)
    custom_settings = {"AUTOTHROTTLE_ENABLED": False}  # noqa: RUF012 - as Scrapy has it

    def __init__(self, articles_per_template: str = "18", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._articles_per_template = int(articles_per_template)
        self._server = ExitStack()

    async def start(self) -> AsyncIterator[Request]:
        """Start the server and request its front page."""
        site = demo_site.serve(articles_per_template=self._articles_per_template)
        served = self._server.enter_context(site)
        yield Request(served.url)

    def parse_page(self, response: Response) -> Iterator[Article]:
        """Yield an item for each page, lists included."""
        yield Article(url=response.url)

    def parse_start_url(self, response: Response, **kwargs: Any) -> Iterator[Article]:
        """Yield an item for the front page as well."""
        return self.parse_page(response)

    def closed(self, reason: str) -> None:
        """Stop the server, however the crawl ended."""
        self._server.close()
