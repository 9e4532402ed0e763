"""The provider of zyte-common-items' `Article`, for callbacks and page objects that request it.

Such a page is learned from like any other. Its article is provided at once, by its rule or from the
page alone: an item can be held, but not a callback that waits for its inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.items.filling import found_in
from scrapy_mainblock.crawl.pages.visits import Visit
from scrapy_mainblock.render.article import ALL_FIELDS

try:
    from scrapy_poet.page_input_providers import PageObjectInputProvider
    from zyte_common_items import Article
except ImportError as error:
    message = 'the Article of scrapy-poet needs an extra: pip install "scrapy-mainblock[poet]"'
    raise ImportError(message) from error


class ArticleProvider(PageObjectInputProvider):
    """Enabled by ``SCRAPY_POET_PROVIDERS = {"scrapy_mainblock.ArticleProvider": 1000}``."""

    name: ClassVar[str] = "mainblock_article"
    provided_classes = {Article}  # noqa: RUF012 - the base class annotates it

    async def __call__(
        self,
        to_provide: set[Callable[..., Any]],  # noqa: ARG002 - it is always the same
        request: Request,
        response: Response,
        crawler: Crawler,
    ) -> Sequence[Any]:
        """Return the article of the response's page; called by scrapy-poet."""
        if response.request is None:  # the engine only sets it after the downloader middlewares
            response.request = request
        crawl = Crawl.of(crawler)
        visit = crawl.visit(response)
        if visit is None:  # opted out for its items, but explicitly requested here
            visit = Visit(crawl, crawl.name_of_site(response))
        elif crawl.options.enabled:
            await crawl.study(visit, response, ALL_FIELDS)
            visit.holds = False
        article = await visit.article_of(response)
        crawl.stats.count("provided")
        found = _given(found_in(article, response.url, response.status))
        return [Article.from_dict({**found, "metadata": _given(found["metadata"])})]


def _given(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if value is not None}
