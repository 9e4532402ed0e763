"""The pages of a DataFrame: the columns that are read, and the key of each page's rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import BinaryType, DataType, StringType

from scrapy_mainblock.page import sites


class Row(NamedTuple):
    """A page as it comes to a Python worker."""

    id: object
    url: str | None
    site: str
    html: bytes | str | None
    error: str | None
    """Why there is no HTML, where its reader has said so."""
    rest: dict[str, str | None]
    """Of the columns that were asked for beside these, the values."""


def with_sites(pages: DataFrame) -> DataFrame:
    """The columns `id`, `url`, `site`, `html` and `error` of pages; only `html` has to be there.

    A page without a `site` is of its URL's host. Only the URL goes to Python for that: a shuffle
    by site must not send every page there and back first.
    """
    html = pages.schema["html"].dataType if "html" in pages.columns else None
    if not isinstance(html, (StringType, BinaryType)):
        raise TypeError('pages need a column "html" of strings or of bytes')
    host = F.udf(sites.host, "string", useArrow=False)(_text(pages, "url"))
    site = F.coalesce(_text(pages, "site"), host)
    identifier = F.col("id") if "id" in pages.columns else F.lit(None).cast("string")
    return pages.select(
        identifier.alias("id"),
        _text(pages, "url").alias("url"),
        site.alias("site"),
        F.col("html"),
        _text(pages, "error").alias("error"),
    )


def _text(pages: DataFrame, name: str) -> Column:
    return (F.col(name) if name in pages.columns else F.lit(None)).cast("string")


def type_of_id(pages: DataFrame) -> DataType:
    """The type of the pages' ids, which the articles' have too."""
    return pages.schema["id"].dataType if "id" in pages.columns else StringType()


def rows_of(batch: pa.RecordBatch, *more: str) -> Iterator[Row]:
    """The rows of a batch, one at a time: only one page's HTML is copied out of it at once."""
    columns = [batch.column(name) for name in ("id", "url", "site", "html", "error", *more)]
    for place in range(batch.num_rows):
        page, url, site, html, error, *rest = (column[place].as_py() for column in columns)
        yield Row(page, url, site, html, error, dict(zip(more, rest, strict=True)))
