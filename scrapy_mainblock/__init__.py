"""Learns each site's templates while it is crawled, and extracts the main content by a look-up.

`learn`, `extract` and `explain` are the library; importing them does not import Scrapy. `Addon` is
for Scrapy, as are the three components and the provider for scrapy-poet; they are imported on first
access.
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
"""What is for Scrapy, and imports it, by the module of `crawl` that it is in: not in `__all__`,
since a star is to import neither Scrapy nor what an extra brings."""


def __getattr__(name: str) -> Any:
    if name not in _SCRAPY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"scrapy_mainblock.crawl.{_SCRAPY[name]}"), name)
