"""Every fourth story of a list: one of several workers on a site."""

from pathlib import Path

import scrapy


class PartSpider(scrapy.Spider):
    name = "part"

    def __init__(self, url, part, of=4, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]
        self.part, self.of = int(part), int(of)

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall()[self.part :: self.of]:
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        with Path("reached.txt").open("a") as file:
            file.write(response.url.rsplit("/", 1)[1] + "\n")
        yield {"url": response.url}
