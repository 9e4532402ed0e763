"""Callbacks with an Article argument, produced by a page object that overrides the headline."""

import logging

import attrs
import scrapy
from web_poet import field, handle_urls
from zyte_common_items import Article, AutoArticlePage

# url-matcher's copy of tldextract downloads its suffix list, and logs a traceback when offline.
logging.getLogger("tldextract").setLevel(logging.ERROR)


@handle_urls("", to_return=Article)
@attrs.define(kw_only=True)
class StoryPage(AutoArticlePage):
    @field
    def headline(self):
        return f"Own {self.article.headline}"


class PoetArticlesSpider(scrapy.Spider):
    name = "poet_articles"

    def __init__(self, url, opted_out=None, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = url.split()
        self.meta = {"mainblock": False} if opted_out else {}

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            yield response.follow(link, self.parse_page, meta=self.meta)

    def parse_page(self, response, article: Article):
        yield article
