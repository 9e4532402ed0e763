"""The table of articles: its columns and types, and the conversion of articles to its batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import DataType, StructField, StructType

from scrapy_mainblock.render.article import FIELDS, Article

_NAMED = "struct<name:string,nameRaw:string>"
_LINK = "struct<url:string>"
_TYPES: Mapping[str, str] = {
    "authors": f"array<{_NAMED}>",
    "mainImage": _LINK,
    "images": f"array<{_LINK}>",
    "breadcrumbs": "array<struct<name:string,url:string>>",
    "metadata": (
        "struct<method:string,probability:double,rule:map<string,string>,ruleVersion:int,"
        "cluster:string,pageType:string,"
        "fields:map<string,struct<source:string,probability:double>>,reason:string>"
    ),
}
"""The types of the article's fields that are not strings."""
_BATCH_ROWS = 256
_BATCH_CHARACTERS = 32_000_000
"""A batch is sent once it has this many rows or characters (a few times the largest page)."""

Row = dict[str, Any]


def table_of(identifier: DataType) -> StructType:
    """Return the columns: `id`, `url`, `site`, an article's fields as in crawled items, `error`."""
    columns = [f"`{name}` {_TYPES.get(name, 'string')}" for name in FIELDS if name != "url"]
    ddl = ", ".join(["url string", "site string", *columns, "error string"])
    return StructType([StructField("id", identifier), *cast("StructType", DataType.fromDDL(ddl))])


def row_of(
    identifier: object, url: str | None, site: str, article: Article, error: str | None
) -> Row:
    """Return a row of the table."""
    return {**article.to_dict(), "id": identifier, "url": url, "site": site, "error": error}


def in_batches(rows: Iterator[Row], table: StructType) -> Iterator[pa.RecordBatch]:
    """Yield the rows as Arrow batches of a bounded size."""
    schema = to_arrow_schema(table)
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(batch) >= _BATCH_ROWS or characters >= _BATCH_CHARACTERS:
            yield _as_batch(batch, schema)
            batch, characters = [], 0
    if batch:
        yield _as_batch(batch, schema)


def _as_batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    try:
        return pa.RecordBatch.from_pylist(rows, schema)
    except UnicodeEncodeError:  # a lone surrogate, such as in a page's script
        return pa.RecordBatch.from_pylist([encodable(row) for row in rows], schema)


def encodable(value: Any) -> Any:
    """Return a value that is valid in UTF-8: lone surrogates are escaped, as by the command."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [encodable(one) for one in value]
    if isinstance(value, dict):
        return {key: encodable(one) for key, one in value.items()}
    return value
