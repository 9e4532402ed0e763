"""The item pipeline: fills each item with what was found in its page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.item_types import fitted
from scrapy_mainblock.crawl.responses import is_long_source
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread, visit_of
from scrapy_mainblock.crawl.sources import Source
from scrapy_mainblock.crawl.stats import logger
from scrapy_mainblock.recipe.extract import article_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_mainblock.crawl.visits import Visit
    from scrapy_mainblock.render.article import Article

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
        current = visit_of(item)
        stats, options = self._crawl.stats, self._crawl.options
        if current is None or not ItemAdapter.is_item(item):
            stats.count("without_page")
            return item
        if not options.is_ours(item):
            stats.count("not_ours")
            return item
        visit, response = current
        wanted = wanted_by(item, options.fields, overwrite=options.overwrite)
        source = self._source_named_by(item, response)
        if source is None:
            article = await visit.article_of(response, wanted)
            found = {**article.to_dict(), "metadata": metadata_of(article, visit, response)}
        else:
            article = await self._article_of(source, wanted)
            found = {**article.to_dict(), "metadata": metadata_of_source(article, source)}
        stats.count_of_site(visit.site, _STATS[article.metadata["method"]])
        stats.probability(article.metadata["probability"])
        refused = fill(item, found, options.fields, overwrite=options.overwrite)
        for field, error in refused.items():
            message = "a %s refuses a value for its %s: %s"
            stats.trouble("fill", message, type(item).__qualname__, field, error)
        return item

    def _source_named_by(self, item: Any, response: Response) -> Source | None:
        """The page that the item's own URL names, where that is another page of this crawl."""
        field = self._crawl.options.fields.get("url")
        try:
            url = ItemAdapter(item).get(field) if field else None
        except Exception:  # an item class's own
            return None
        return self._crawl.source_of(url, response) if url and isinstance(url, str) else None

    async def _article_of(self, source: Source, wanted: frozenset[str]) -> Article:
        site = await self._crawl.sites.open(source.site, source.page.url or "")
        if is_long_source(source.page.source):
            return await run_in_thread(article_of, source.page, site.learner.rules, wanted)
        return article_of(source.page, site.learner.rules, wanted)


class JsonDict(dict[str, Any]):
    """A dict that is JSON where it is written as text, as into a cell of CSV."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def metadata_of(article: Article, visit: Visit, response: Response) -> JsonDict:
    """How an article was found, and in which page."""
    reason = article.metadata["reason"]
    if visit.why_not_learnt:
        reason = f"{reason}; {visit.why_not_learnt}" if reason else visit.why_not_learnt
    found = {**article.metadata, "reason": reason}
    return JsonDict(found, sourceUrl=response.url, status=response.status)


def metadata_of_source(article: Article, source: Source) -> JsonDict:
    """The same of an article from another page than the one that the item came from."""
    return JsonDict(article.metadata, sourceUrl=source.page.url, status=source.status)


def fill(
    item: Any, found: Mapping[str, Any], fields: Mapping[str, str], *, overwrite: bool
) -> dict[str, Exception]:
    """Put what was found into an item. What the spider has filled stays, unless told otherwise.

    Returns the fields that the item refused: of a frozen class, or one that checks its values.
    """
    refused: dict[str, Exception] = {}
    adapter = ItemAdapter(item)
    for name in wanted_by(item, fields, overwrite=overwrite):
        if name in found:
            field = fields[name]
            try:
                value = found[name]
                adapter[field] = value if name == "metadata" else fitted(value, type(item), field)
            except Exception as error:  # whatever the class raises
                refused[field] = error
    return refused


def wanted_by(item: Any, fields: Mapping[str, str], *, overwrite: bool) -> frozenset[str]:
    """The fields that an item has, and that the spider has not filled."""
    adapter = ItemAdapter(item)
    known = None if isinstance(item, dict) else frozenset(adapter.field_names())
    return frozenset(
        name
        for name, field in fields.items()
        if (known is None or field in known) and (overwrite or _is_empty(adapter.get(field)))
    )


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (str, bytes, list, tuple, dict)) and not value)
