"""Requests every page of a corpus and yields one item each. Does not use this project."""

import scrapy


class HostileSpider(scrapy.Spider):
    name = "hostile"

    def __init__(self, base, number, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [f"{base}/{place}" for place in range(int(number))]

    def parse(self, response):
        yield {"url": response.url}
