"""The item pipeline: fills each item with the content and fields found in its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.items.filling import fill, found_in
from scrapy_mainblock.crawl.pages.responses import is_long_source
from scrapy_mainblock.crawl.pages.sources import Source
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread, visit_of
from scrapy_mainblock.crawl.stats import logger
from scrapy_mainblock.recipe.extract import article_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_mainblock.crawl.pages.visits import Visit
    from scrapy_mainblock.render.article import Article

_STATS = {"rule": "by_rule", "page": "by_page", "none": "empty"}


class MainblockPipeline:
    """Fills items by the rule of their page's cluster, or else from the page alone."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the pipeline; called by Scrapy."""
        return cls(Crawl.of_component(crawler))

    def open_spider(self) -> None:
        """Warn if the spider middleware is missing; called by Scrapy."""
        if not self._crawl.is_collecting:
            logger.warning(
                "mainblock: no item is filled without MainblockSpiderMiddleware in"
                " SPIDER_MIDDLEWARES (docs/scrapy.md)"
            )

    async def process_item(self, item: Any) -> Any:
        """Fill an item and return it; leave it unchanged if it has no page or has opted out."""
        stats = self._crawl.stats
        page = visit_of(item)
        room = self._crawl.room_in(item)
        if page is None:
            stats.count("without_page")
        elif not room:
            stats.count("not_ours")
        else:
            try:
                return await self._filled(item, room, *page)
            except Exception as error:
                message = "a %s could not be filled: %s"
                what = f"{type(error).__name__}: {error}"
                stats.trouble("fill", message, type(item).__qualname__, what)
        return item

    async def _filled(
        self, item: Any, room: frozenset[str], visit: Visit, response: Response
    ) -> Any:
        stats, options = self._crawl.stats, self._crawl.options
        source = self._source_named_by(item, response)
        if source is None:
            article = await visit.article_of(response, room)
            found = found_in(article, response.url, response.status)
        else:
            article = await self._article_of(source, room)
            found = found_in(article, source.page.url, source.status)
        filled, refused = fill(item, found, options.fields, room)
        stats.count_of_site(visit.site, _STATS[article.metadata["method"]])
        stats.probability(article.metadata["probability"])
        for field, error in refused.items():
            message = "a %s rejects the value for its field %s: %s"
            stats.trouble("fill", message, type(item).__qualname__, field, error)
        return filled

    def _source_named_by(self, item: Any, response: Response) -> Source | None:
        """Return the other page of this crawl that the item's URL names, if there is one."""
        field = self._crawl.options.fields.get("url")
        try:
            adapter = item if type(item) is dict else ItemAdapter(item)
            url = adapter.get(field) if field else None
        except Exception as error:  # raised by the item class
            message = "the field %s of a %s cannot be read; the page that yielded it is used: %s"
            self._crawl.stats.trouble("items", message, field, type(item).__qualname__, error)
            return None
        return self._crawl.source_of(url, response) if url and isinstance(url, str) else None

    async def _article_of(self, source: Source, wanted: frozenset[str]) -> Article:
        site = await self._crawl.sites.open(source.site, source.page.url or "")
        if is_long_source(source.page.source):
            return await run_in_thread(article_of, source.page, site.learner.rules, wanted)
        return article_of(source.page, site.learner.rules, wanted)
