"""A CrawlSpider as in Scrapy's tutorial, written without knowledge of scrapy-mainblock."""

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class StockCrawlSpider(CrawlSpider):
    name = "stock_crawl"
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]
        self.allowed_domains = ["127.0.0.1"]

    def parse_page(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}
