"""Fetch one page as the project would: with its settings, middlewares and cache."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings

_META: Mapping[str, Any] = {
    "mainblock": False,  # the project's rules learn nothing from the page
    "handle_httpstatus_list": range(400, 600),  # error pages are inspected like any other
}
_ASYNCIO = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"


class _OnePage(Spider):
    """Requests one page and keeps the response."""

    name = "mainblock_explain"
    url = ""
    found: list[Response]
    troubles: list[str]

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self.url, self.parse, errback=self.failed, meta=dict(_META))

    def parse(self, response: Response, **_: Any) -> None:
        self.found.append(response)

    def failed(self, failure: Any) -> None:
        self.troubles.append(failure.getErrorMessage() or failure.type.__name__)


def fetch(settings: Settings, url: str) -> Response | str:
    """Return the response at a URL, or the reason why there is none."""
    if not settings.getpriority("LOG_LEVEL"):  # the user wants the answer, not the log
        settings.set("LOG_LEVEL", "WARNING", "command")
    found: list[Response] = []
    troubles: list[str] = []
    is_asyncio = settings["TWISTED_REACTOR"] == _ASYNCIO
    process = AsyncCrawlerProcess(settings) if is_asyncio else CrawlerProcess(settings)
    process.crawl(_OnePage, url=url, found=found, troubles=troubles)
    process.start()
    return found[0] if found else next(iter(troubles), "no response; see the log")
