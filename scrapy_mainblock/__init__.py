"""Learns each site's templates while it is crawled, and extracts the main content by a look-up.

`learn` and `extract` are the library; importing them does not import Scrapy.
"""

from __future__ import annotations

from scrapy_mainblock.core.article import Article
from scrapy_mainblock.core.mainblock import extract, learn
from scrapy_mainblock.core.methods import METHODS
from scrapy_mainblock.core.rules import Rules

__version__ = "0.1.0"

__all__ = ["METHODS", "Article", "Rules", "extract", "learn"]
