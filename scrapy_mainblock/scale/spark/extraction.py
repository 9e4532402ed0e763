"""Extracting each page by the rules of its site, which come from a join or from a store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from scrapy_mainblock.page import swallowed
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.extract import article_of
from scrapy_mainblock.render.article import ALL_FIELDS, MARKDOWN, Article, without_content
from scrapy_mainblock.scale.spark.articles import in_batches, row_of, table_of
from scrapy_mainblock.scale.spark.pages import Row, rows_of, type_of_id, with_sites
from scrapy_mainblock.stores.documents import (
    DamagedDocumentError,
    NewerDocumentError,
    site_from_text,
)
from scrapy_mainblock.stores.rules import rules_for
from scrapy_mainblock.template.rules import SiteRules

NO_HTML = 'no text in "html"'


def extract(
    pages: DataFrame,
    rules: DataFrame | str | os.PathLike[str] | None = None,
    *,
    markdown: bool = False,
) -> DataFrame:
    """Extract every page: return one row per page, with the article's columns and `error`.

    `pages` has `html` (strings or bytes), and `id`, `url`, `site` where known. `rules` may be the
    table that `learn` returns, with one row per site: pages and rules are then sorted by site and
    merged, which shuffles the pages and broadcasts nothing. Or `rules` is the address of a store
    that every worker can reach, a directory or ``redis://…``: each worker then looks up the sites
    of its pages there, without a shuffle. Without rules each page is read alone.
    """
    found = with_sites(pages)
    table = table_of(type_of_id(pages))
    wanted = ALL_FIELDS | MARKDOWN if markdown else ALL_FIELDS
    if isinstance(rules, DataFrame):
        by_site = rules.select("site", "document").hint("merge")
        found = found.join(by_site, "site", "left")
        source: _Joined | _Kept = _Joined()
    else:
        source = _Kept(os.fspath(rules) if rules is not None else None)
    return found.mapInArrow(_Worker(source, wanted, table), table)


class _Joined:
    """Rules that are joined to each page; the pages of a site come one after another."""

    columns = ("document",)

    def __init__(self) -> None:
        self._text: str | None = None
        self._found: tuple[SiteRules | None, str | None] = None, None

    def rules_for(self, row: Row) -> tuple[SiteRules | None, str | None]:
        """Return the rules of a page's site, and what is wrong with them (None: nothing)."""
        text = row.rest["document"]
        if text != self._text:
            self._text, self._found = text, _read(text)
        return self._found


class _Kept:
    """Rules in a store, looked up by each worker."""

    columns = ()

    def __init__(self, address: str | None) -> None:
        self._address = address

    def rules_for(self, row: Row) -> tuple[SiteRules | None, str | None]:
        """Return the rules of a page's site, or else of its URL's host, and no error."""
        own = rules_for(self._address, row.url, row.site)
        return own or rules_for(self._address, row.url), None


def _read(document: str | None) -> tuple[SiteRules | None, str | None]:
    if document is None:
        return None, None
    try:
        return site_from_text(document), None
    except (DamagedDocumentError, NewerDocumentError) as error:
        return None, f"the rules of the site cannot be used: {error}"


class _Worker:
    """The function that Spark sends to the workers: extracts batches of pages."""

    def __init__(self, source: _Joined | _Kept, wanted: frozenset[str], table: StructType) -> None:
        self._source, self._wanted, self._table = source, wanted, table

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return in_batches(self._rows(batches), self._table)

    def _rows(self, batches: Iterator[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
        errors: list[str] = []
        swallowed.listen(errors.append)
        try:
            for batch in batches:
                for row in rows_of(batch, *self._source.columns):
                    errors.clear()
                    article, error = self._article(row)
                    if errors:
                        error = f"the page could not be processed completely ({errors[0]})"
                    yield row_of(row.id, row.url, row.site, article, error)
        finally:
            swallowed.forget(errors.append)

    def _article(self, row: Row) -> tuple[Article, str | None]:
        if row.html is None:
            reason = f"the page could not be read: {row.error or NO_HTML}"
            return without_content(row.url, reason), reason
        rules, wrong = self._source.rules_for(row)
        page = Page.of(row.html, row.url)
        return article_of(page, rules, self._wanted), page.why_unreadable or wrong
