"""The spider that `benchmarks.crawl` runs: it follows links and yields each page's URL."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.http import Response


class DoingNothing(scrapy.Spider):
    """A spider that follows all links of one page; with `freeze=1` it first calls `gc.freeze()`."""

    name = "nothing"
    custom_settings = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False}  # noqa: RUF012

    def __init__(self, *args: Any, most: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.most = int(most) if most else None

    async def start(self) -> AsyncIterator[Any]:
        """Request the page that links to all others."""
        if getattr(self, "freeze", "") == "1":
            gc.collect()
            gc.freeze()
        yield scrapy.Request(self.links_at, self.links, meta={"mainblock": False})

    def links(self, response: Response) -> Iterator[Any]:
        """Follow all links, or the first `most` of them."""
        for href in response.css("a::attr(href)").getall()[: self.most]:
            yield response.follow(href, self.parse)

    def parse(self, response: Response, **_: Any) -> dict[str, Any]:
        """Return an item with nothing but the URL."""
        return {"url": response.url}
