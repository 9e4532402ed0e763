"""Yields one item for each story of a list page. Does not use this project."""

from pathlib import Path

import scrapy


class PagesSpider(scrapy.Spider):
    name = "pages"

    def __init__(self, url, delay=None, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = url.split()
        if delay:
            self.custom_delay = float(delay)

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        # Record the pages that reached the spider, for the test to compare with the feed.
        with Path("reached.txt").open("a") as file:
            file.write(response.url.split("?")[0].rsplit("/", 1)[1] + "\n")
        yield {"url": response.url}
