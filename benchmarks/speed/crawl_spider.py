"""The spider that is crawled with and without the extension: a title and an address a page.

As most spiders do, it asks the page for something, so that the tree is built in all crawls.
"""

from __future__ import annotations

import json
import resource
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import Response

from benchmarks.speed.measure import peak_of


def site_of(response: Response) -> str:
    """All sites are on one host here: the first part of the path is the site."""
    return urlsplit(response.url).path.split("/")[1]


class SpeedSpider(scrapy.Spider):
    """Follows all links of the first page."""

    name = "speed"
    custom_settings = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False}  # noqa: RUF012

    def __init__(self, port: str = "", usage: str = "", **more: Any) -> None:
        super().__init__(**more)
        self._port, self._usage = port, usage

    async def start(self) -> AsyncIterator[Any]:
        """One page has all links."""
        yield scrapy.Request(
            f"http://127.0.0.1:{self._port}/", self.links, meta={"mainblock": False}
        )

    def links(self, response: Response) -> Iterator[Any]:
        """All pages."""
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, self.parse)

    def parse(self, response: Response, **_: Any) -> dict[str, Any]:
        """An item with what a spider would take itself."""
        item = {"url": response.url, "title": response.css("title::text").get()}
        if "html" in self.settings.get("SPEED_EXTRA", ""):
            item["html"] = response.text
        return item

    def closed(self, reason: str) -> None:
        """What this process took, up to here."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        taken = {
            "cpu": used.ru_utime + used.ru_stime,
            "peak": peak_of("self"),
            "reason": reason,
            "stats": {
                name: value
                for name, value in (
                    self.crawler.stats.get_stats() if self.crawler.stats else {}
                ).items()
                if isinstance(value, int | float)
            },
        }
        Path(self._usage).write_text(json.dumps(taken))


class TrafilaturaPipeline:
    """The same with trafilatura: the page goes along in the item, since no pipeline sees it."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        """Extract."""
        import trafilatura  # noqa: PLC0415 - only of this crawl

        html = item.pop("html")
        item["articleBody"] = trafilatura.extract(html, url=item["url"], fast=self.fast)
        return item

    fast = False


class FastTrafilaturaPipeline(TrafilaturaPipeline):
    """The same without its fallbacks."""

    fast = True
