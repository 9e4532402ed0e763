"""Follows every link of a site, whatever its type, and crawls two other hosts as well."""

import scrapy
from scrapy.linkextractors import LinkExtractor


class EverywhereSpider(scrapy.Spider):
    name = "everywhere"
    handle_httpstatus_list = [404]

    def __init__(self, demo, slow, dying, **kwargs):
        super().__init__(**kwargs)
        self.demo, self.others = demo, (slow, dying)

    async def start(self):
        yield scrapy.Request(self.demo)
        for path in (
            "news",
            "no/such/page",
            "sitemap.xml",
            "media/harbour-3-0.svg",
        ):
            yield scrapy.Request(self.demo + path)
        for _ in range(3):
            yield scrapy.Request(self.demo + "news/", dont_filter=True)
        for other in self.others:
            for number in range(12):
                yield scrapy.Request(f"{other}/page/plain/{number}", self.parse_other)

    def parse(self, response):
        if response.url == self.demo:  # by now Scrapy has read robots.txt
            yield response.follow("/search?q=sea")
        if "html" in response.headers.get("Content-Type", b"").decode():
            for link in LinkExtractor().extract_links(response):
                if link.url.startswith(self.demo):
                    yield response.follow(link)
        yield {"url": response.url}

    def parse_other(self, response):
        yield {"url": response.url}
