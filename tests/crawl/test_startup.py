"""The add-on calls `gc.freeze()` when a crawl starts, unless MAINBLOCK_FREEZE disables it."""

from __future__ import annotations

import pytest

from crawl.harness import Crawler
from crawl.server import Server

SAYS_WHAT_IS_FROZEN = """
import gc
import scrapy


class Spider(scrapy.Spider):
    name = "frozen"

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]

    def parse(self, response):
        yield {"url": response.url, "frozen": gc.get_freeze_count()}
"""


@pytest.mark.parametrize("is_wanted", [True, False])
def test_loaded_objects_are_frozen_if_enabled(
    crawler: Crawler, site: Server, is_wanted: bool
) -> None:
    spider = crawler.directory / "frozen.py"
    spider.write_text(SAYS_WHAT_IS_FROZEN)
    settings = {"MAINBLOCK_FREEZE": str(is_wanted)}
    crawled = crawler.crawl(
        str(spider.with_suffix("")), url=site.url("/page/plain/1"), settings=settings
    )
    (item,) = crawled.items
    assert (item["frozen"] > 10_000) == is_wanted
