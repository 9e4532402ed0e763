"""An extractor for NeMo Curator's pipelines, where a record has its page's address.

It has the methods of its `DocumentExtractor`, as they are documented for version 26.09, and is no
subclass: the stages call the methods and look no further, and the package that holds the
class is large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_mainblock.recipe.extract import extract
from scrapy_mainblock.stores.rules import RulesSource

TEXT, HTML, URL = "text", "content", "url"
"""The columns' names in its pipeline for Common Crawl."""
_KEPT = (URL, "warc_id", "source_id")
_FOUND = (TEXT, "headline", "language", "mainblock")


class ContentExtractor:
    """Extracts the main content of each record, by the rules of its site.

    A record in which nothing is found is left out, as its own extractors do, unless `keep_empty`.
    """

    def __init__(self, rules: RulesSource = None, *, keep_empty: bool = False) -> None:
        self.rules, self.keep_empty = rules, keep_empty

    def extract(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Make of a record with a page's source one with its text; None leaves it out."""
        url = record.get(URL)
        article = extract(record.get(HTML) or b"", url, self.rules)
        if not article.articleBody and not self.keep_empty:
            return None
        return {
            **{name: record.get(name) for name in _KEPT},
            TEXT: article.articleBody or "",
            "headline": article.headline,
            "language": article.inLanguage,
            "mainblock": dict(article.metadata),
        }

    def input_columns(self) -> list[str]:
        """Name what is read of a record."""
        return [HTML, *_KEPT]

    def output_columns(self) -> list[str]:
        """Name what a record has then."""
        return [*_KEPT, *_FOUND]
