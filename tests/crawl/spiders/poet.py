"""Yields page object items; the page object sets the headline itself."""

import scrapy
from web_poet import WebPage, field


class StoryPage(WebPage):
    @field
    def url(self):
        return str(self.response.url)

    @field
    def headline(self):
        return "Own " + self.css("title::text").get().split()[-1]


class PoetSpider(scrapy.Spider):
    name = "poet"

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            yield response.follow(link, self.parse_page)

    async def parse_page(self, response, page: StoryPage):
        yield await page.to_item()
