"""A SitemapSpider as in Scrapy's documentation, written without knowledge of scrapy-mainblock."""

from scrapy.spiders import SitemapSpider


class StockSitemapSpider(SitemapSpider):
    name = "stock_sitemap"

    def __init__(self, url, **kwargs):
        self.sitemap_urls = [f"{url}sitemap.xml"]
        super().__init__(**kwargs)

    def parse(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}
