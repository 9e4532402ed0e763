"""Learns each site's templates while it is crawled, and extracts the main content by a look-up.

`learn` and `extract` are the library; importing them does not import Scrapy. `Addon` is for Scrapy,
and imported when it is asked for.
"""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.core.article import Article
from scrapy_mainblock.core.mainblock import extract, learn
from scrapy_mainblock.core.methods import METHODS
from scrapy_mainblock.core.rules import Rules

__version__ = "0.1.0"

__all__ = ["METHODS", "Addon", "Article", "Rules", "extract", "learn"]


def __getattr__(name: str) -> Any:
    if name != "Addon":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scrapy_mainblock.addon import Addon  # noqa: PLC0415 - it imports Scrapy

    return Addon
