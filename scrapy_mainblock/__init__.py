"""Main-content extraction for Scrapy: learn a site's templates, then extract by lookup.

A site renders its pages from a few templates. While a site is crawled, the package learns for each
template a rule that says where the content is; a page of a known template then needs only a lookup.

`learn`, `extract` and `explain` are the library; importing them does not import Scrapy. `Addon`,
the three Scrapy components and the provider for scrapy-poet are imported on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from scrapy_mainblock import compiled as compiled
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.recipe.extract import explain, extract
from scrapy_mainblock.recipe.learn import learn
from scrapy_mainblock.render.article import Article, ItemMetadata, Metadata
from scrapy_mainblock.stores.rules import Rules

__version__ = "0.2.0.dev0"

__all__ = [
    "Article",
    "Decision",
    "ItemMetadata",
    "Metadata",
    "Rules",
    "explain",
    "extract",
    "learn",
]


_SCRAPY = {
    "Addon": "addon",
    "ArticleProvider": "poet.article_provider",
    "MainblockDownloaderMiddleware": "middleware",
    "MainblockPipeline": "pipeline",
    "MainblockSpiderMiddleware": "collector",
}
"""The names that need Scrapy, each with its module in `crawl`. They are not in `__all__`: a star
import must import neither Scrapy nor the package of an extra."""


def __getattr__(name: str) -> Any:
    if name not in _SCRAPY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"scrapy_mainblock.crawl.{_SCRAPY[name]}"), name)
