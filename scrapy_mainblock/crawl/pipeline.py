"""The item pipeline: fills each item with what was found in its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.scrapy_compat import CURRENT
from scrapy_mainblock.crawl.stats import logger
from scrapy_mainblock.render.article import Article

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

_STATS = {"rule": "by_rule", "page": "by_page", "none": "empty"}


class MainblockPipeline:
    """Applies the rule of the page's cluster, or falls back to the page alone."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """For Scrapy."""
        return cls(Crawl.of_component(crawler))

    def open_spider(self) -> None:
        """For Scrapy."""
        if not self._crawl.is_collecting:
            logger.warning(
                "mainblock: no item is filled without MainblockSpiderMiddleware in"
                " SPIDER_MIDDLEWARES (docs/scrapy.md)"
            )

    async def process_item(self, item: Any) -> Any:
        """Fill an item; one that comes from no page, or has opted out, is left as it is."""
        current = CURRENT.get()
        if current is None or not ItemAdapter.is_item(item):
            return item
        visit, response = current
        article = await visit.article_of(response)
        stats, options = self._crawl.stats, self._crawl.options
        stats.count_of_site(visit.site, _STATS[article.metadata["method"]])
        refused = fill(item, article, options.fields, overwrite=options.overwrite)
        for field, error in refused.items():
            message = "a %s refuses a value for its %s: %s"
            stats.trouble("fill", message, type(item).__qualname__, field, error)
        return item


def fill(
    item: Any, article: Article, fields: Mapping[str, str], *, overwrite: bool
) -> dict[str, Exception]:
    """Put an article into an item. What the spider has filled stays, unless told otherwise.

    Returns the fields that the item refused: of a frozen class, or one that checks its values.
    """
    refused: dict[str, Exception] = {}
    adapter = ItemAdapter(item)
    known = None if isinstance(item, dict) else frozenset(adapter.field_names())
    for name, value in article.to_dict().items():
        field = fields.get(name)
        if field is None or (known is not None and field not in known):
            continue
        if overwrite or _is_empty(adapter.get(field)):
            try:
                adapter[field] = value
            except Exception as error:  # whatever the class raises
                refused[field] = error
    return refused


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, bytes, list, tuple, dict)) and not value)
