"""An extractor for NeMo Curator's pipelines, whose records contain the URL of their page.

It has the methods of NeMo Curator's `DocumentExtractor`, as documented for version 26.09, but is
not a subclass: the pipeline stages only call the methods, and the package that contains the class
is large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_mainblock.recipe.extract import extract
from scrapy_mainblock.stores.rules import RulesSource

TEXT, HTML, URL = "text", "content", "url"
"""The names of the columns in NeMo Curator's pipeline for Common Crawl."""
_KEPT = (URL, "warc_id", "source_id")
_FOUND = (TEXT, "headline", "language", "mainblock")


class ContentExtractor:
    """Extracts the main content of each record by the rules of its site.

    A record in which nothing is found is left out, as by NeMo Curator's own extractors, unless
    `keep_empty` is set.
    """

    def __init__(self, rules: RulesSource = None, *, keep_empty: bool = False) -> None:
        self.rules, self.keep_empty = rules, keep_empty

    def extract(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return a record with the text of a page instead of its source; None leaves it out."""
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
        """Return the names of the columns that are read."""
        return [HTML, *_KEPT]

    def output_columns(self) -> list[str]:
        """Return the names of the columns of an extracted record."""
        return [*_KEPT, *_FOUND]
