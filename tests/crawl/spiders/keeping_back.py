"""As `pages`, with a second item of another class a page and a buffering spider middleware."""

import asyncio

import scrapy
from pages import PagesSpider


class Image(scrapy.Item):
    file = scrapy.Field()


class KeepingBackSpider(PagesSpider):
    name = "keeping_back"

    @classmethod
    def update_settings(cls, settings):
        super().update_settings(settings)
        settings.set("SPIDER_MIDDLEWARES", {Buffering: 50}, "spider")

    def parse_page(self, response):
        for item in super().parse_page(response):
            yield Image(file=item["url"])
            yield item


class Buffering:
    """A spider middleware that delays all output for some seconds."""

    def __init__(self, seconds):
        self.seconds = seconds

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings.getfloat("BUFFERING_SECONDS"))

    async def process_spider_output(self, response, result):
        kept = [output async for output in result]
        if not any(isinstance(output, scrapy.Request) for output in kept):
            await asyncio.sleep(self.seconds)
        for output in kept:
            yield output
