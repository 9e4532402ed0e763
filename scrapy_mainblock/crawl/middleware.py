"""The downloader middleware: tags each HTML response with its page's logical link blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.pages.responses import LONG_BODY, META_KEY, is_html, tag_of
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class MainblockDownloaderMiddleware:
    """Puts a page's tag into the meta of the response's request.

    Its number is below 550, so that it sees responses as the spider does: decompressed, redirected
    and retried.
    """

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware; called by Scrapy."""
        return cls(Crawl.of_component(crawler))

    async def process_response(self, request: Request, response: Response) -> Response:
        """Tag a page; remove from any other response a tag that was copied from an older page."""
        if request.meta.get(META_KEY) is False:
            return response
        request.meta.pop(META_KEY, None)
        if is_html(response):
            try:
                if len(response.body) > LONG_BODY:
                    tag = await run_in_thread(tag_of, response)
                else:
                    tag = tag_of(response)
            except Exception as error:  # caused by the page, such as an undecodable charset
                message = "a page could not be tagged: %s"
                self._crawl.stats.trouble("tag", message, f"{type(error).__name__}: {error}")
            else:
                request.meta[META_KEY] = tag
        return response
