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
    """A page as it arrives at a Python worker."""

    id: object
    url: str | None
    site: str
    html: bytes | str | None
    error: str | None
    """Why there is no HTML, if the reader of the files has given a reason."""
    rest: dict[str, str | None]
    """The values of the additional columns that were requested."""


def with_sites(pages: DataFrame) -> DataFrame:
    """Return the columns `id`, `url`, `site`, `html` and `error` of pages; only `html` is required.

    By default the site of a page is its URL's host. To compute it, only the URL is sent to Python:
    otherwise every page would be sent there and back before the shuffle by site.
    """
    html = pages.schema["html"].dataType if "html" in pages.columns else None
    if not isinstance(html, (StringType, BinaryType)):
        raise TypeError('pages must have a column "html" of strings or bytes')
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
    """Return the type of the pages' ids, which the articles use as well."""
    return pages.schema["id"].dataType if "id" in pages.columns else StringType()


def rows_of(batch: pa.RecordBatch, *more: str) -> Iterator[Row]:
    """Yield the rows of a batch; only one page's HTML at a time is copied out of the batch."""
    columns = [batch.column(name) for name in ("id", "url", "site", "html", "error", *more)]
    for place in range(batch.num_rows):
        page, url, site, html, error, *rest = (column[place].as_py() for column in columns)
        yield Row(page, url, site, html, error, dict(zip(more, rest, strict=True)))
