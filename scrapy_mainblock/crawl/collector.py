"""The spider middleware nearest to the spider: sees each page together with its items."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request

from scrapy_mainblock.crawl.crawl import Crawl, forget_copied_tag

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class MainblockSpiderMiddleware:
    """Learns from each page, and holds its items until there is a rule for the page."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware; called by Scrapy."""
        crawl = Crawl.of_component(crawler)
        crawl.collect()
        return cls(crawl)

    def process_spider_input(self, response: Response) -> None:
        """Keep the page, right before its callback runs: from here on, a kill loses no page."""
        self._crawl.arrived(response)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass requests on; pass items on or hold them."""
        crawl = self._crawl
        visit = crawl.visit(response)
        has_items = False
        try:
            async for output in result:
                if isinstance(output, Request):
                    forget_copied_tag(output, response)
                    if visit is not None:  # before the requested page can arrive
                        crawl.keep_source(visit, response, output, has_items=has_items)
                elif visit is not None and output is not None:
                    room = crawl.room_in(output)
                    has_items = has_items or bool(room)
                    if not visit.released and await crawl.holds(output, visit, response, room):
                        continue
                    crawl.passes(output, visit, response)
                yield output
            if visit is not None and not visit.released and not has_items:
                await crawl.study(visit, response, has_items=False)
        finally:
            if visit is not None:
                crawl.seal(visit)
