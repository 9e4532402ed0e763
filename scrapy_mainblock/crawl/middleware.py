"""The downloader middleware: tags each page with its logical link blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.pages.responses import LONG_BODY, META_KEY, is_html, own_page_of
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

MOST_BLOCKS = 1000
"""Blocks in a tag. It is pickled with each request that its user copies the meta to; a page has
three to six."""


class MainblockDownloaderMiddleware:
    """Numbered below 550 it sees responses as the spider will: unpacked, redirected, retried."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """For Scrapy."""
        return cls(Crawl.of_component(crawler))

    async def process_response(self, request: Request, response: Response) -> Response:
        """Tag a page; anything else loses the tag that was copied from an older page."""
        if request.meta.get(META_KEY) is False:
            return response
        request.meta.pop(META_KEY, None)
        if is_html(response):
            try:
                if len(response.body) > LONG_BODY:
                    tag = await run_in_thread(tag_of, response)
                else:
                    tag = tag_of(response)
            except Exception as error:  # the page's, such as a charset that nothing can decode
                message = "a page could not be tagged: %s"
                self._crawl.stats.trouble("tag", message, f"{type(error).__name__}: {error}")
            else:
                request.meta[META_KEY] = tag
        return response


def tag_of(response: Response) -> dict[str, Any]:
    """`{"link_blocks": [[start, end, links], ...], "lcr": ..., "ccr": ...}`, plain and small."""
    page = Outline(own_page_of(response))
    found = link_blocks(page).in_characters(page.rows.source)
    return {
        "link_blocks": [list(block) for block in found.blocks[:MOST_BLOCKS]],
        "lcr": round(found.lcr, 4),
        "ccr": round(found.ccr, 4),
    }
