"""Crawls three pages of one site, then another site for a long time so that it never idles."""

import asyncio
import time
from pathlib import Path

import scrapy
from scrapy import signals


class StayingSpider(scrapy.Spider):
    name = "staying"
    custom_settings = {"DOWNLOADER_MIDDLEWARES": {"made_up_web.Web": 900}}

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.scraped, signals.item_scraped)
        return spider

    async def start(self):
        for number in range(3):
            yield scrapy.Request(f"http://quiet.example/page/{number}", self.parse_quiet)
        yield scrapy.Request("http://busy.example/page/0")

    def note(self, what):
        with Path("times.txt").open("a") as file:
            file.write(f"{what} {time.monotonic()}\n")

    def parse_quiet(self, response):
        self.note("reached")
        yield {"url": response.url}

    async def parse(self, response):
        number = int(response.url.rsplit("/", 1)[1])
        await asyncio.sleep(0.2)
        self.note("busy")
        if number < 18:
            yield response.follow(f"/page/{number + 1}")

    def scraped(self, item):
        self.note("released")
