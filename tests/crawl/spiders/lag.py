"""Measures the longest time for which the event loop was blocked after a page arrived."""

import asyncio
import time

import scrapy
from scrapy import signals


class LagSpider(scrapy.Spider):
    name = "lag"

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]
        self.longest = 0.0

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.scraped, signals.item_scraped)
        return spider

    async def watch(self):
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            self.longest = max(self.longest, time.perf_counter() - before)

    def parse(self, response):
        self.began = time.perf_counter()
        self.watching = asyncio.ensure_future(self.watch())
        yield {"url": response.url}

    def scraped(self):
        total = time.perf_counter() - self.began
        self.crawler.stats.set_value("lag/milliseconds", int(self.longest * 1000))
        self.crawler.stats.set_value("lag/total", int(total * 1000))
        self.watching.cancel()
