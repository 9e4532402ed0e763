"""Reading the pages of files into a DataFrame: JSON lines, Parquet, WARC archives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import BinaryType, DataType, StringType, StructField, StructType

from scrapy_mainblock.inputs.pages import (
    JSON_SUFFIXES,
    LARGEST,
    TOO_LARGE,
    WARC_SUFFIXES,
    JsonRow,
    read,
)
from scrapy_mainblock.inputs.warc import html_responses
from scrapy_mainblock.page import sites
from scrapy_mainblock.scale.spark.articles import encodable

SUFFIXES = {"jsonl": JSON_SUFFIXES, "parquet": (".parquet",), "warc": WARC_SUFFIXES}
"""The kinds of files, and the suffixes of their names."""
_TEXT, _OCTETS = StringType(), BinaryType()
_BATCH_OCTETS = 16_000_000
"""A batch is sent once the HTML of its pages has this many bytes."""


def _columns(html: DataType) -> StructType:
    types = {"id": _TEXT, "url": _TEXT, "site": _TEXT, "html": html, "error": _TEXT}
    return StructType([StructField(name, kind) for name, kind in types.items()])


class NoPagesError(ValueError):
    """There are no files that hold pages, or files of several kinds; the message says which."""


def path_of(name: str) -> Path:
    """Return a job's argument as a path; raises NoPagesError for the URL of an object store.

    As a path, such a URL would name a local directory called ``s3a:``, which is never intended.
    """
    if "://" in name:
        raise NoPagesError(
            f"{name}: the job reads and writes paths that all workers reach; for an object store,"
            " call `learn` and `extract` in your own program, which take any DataFrame"
        )
    return Path(name)


def files_of(names: Sequence[str]) -> tuple[str, list[str]]:
    """Return the kind and the sorted paths of the named files and of the files in directories."""
    found: dict[str, list[str]] = {}
    for name in names:
        path = path_of(name)
        inside = path.rglob("*") if path.is_dir() else [path]
        for file in inside:
            if kind := _kind(file):
                found.setdefault(kind, []).append(str(file.resolve()))
        if not path.exists():
            raise NoPagesError(f"{name}: no such file")
    if len(found) != 1:
        known = ", ".join(suffix for some in SUFFIXES.values() for suffix in some)
        what = f"files of several kinds ({', '.join(sorted(found))})" if found else "no pages"
        raise NoPagesError(f"{what} in {', '.join(names)}: a job reads files of one kind ({known})")
    ((kind, files),) = found.items()
    return kind, sorted(set(files))


def _kind(file: Path) -> str | None:
    if file.name.startswith(("_", ".")):  # Spark's marker files
        return None
    name = file.name.lower()
    return next((kind for kind, ends in SUFFIXES.items() if name.endswith(ends)), None)


def pages_of(spark: SparkSession, kind: str, files: Sequence[str]) -> DataFrame:
    """Return the pages of files: `id`, `url`, `site`, `html`; if that is null, `error` says why."""
    if kind == "parquet":
        return spark.read.parquet(*files)
    if kind == "warc":
        paths = spark.sparkContext.parallelize([(file,) for file in files], len(files))
        archives = spark.createDataFrame(paths, "path string")
        return archives.mapInArrow(_of_archives, _columns(_OCTETS))
    # Read as bytes: invalid UTF-8 would end the task when Arrow converts it to a string.
    lines = spark.read.text(list(files)).select(F.col("value").cast("binary"))
    return lines.mapInArrow(_of_lines, _columns(_TEXT))


def _of_lines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    lines = (line.as_py() for batch in batches for line in batch.column(0))
    pages = (read(JsonRow(line, "")) for line in lines if not line.isspace() and line)
    yield from _in_batches(
        (
            encodable([_as_text(page.id), page.url, page.site, page.html, page.trouble])
            for page in pages
        ),
        _TEXT,
    )


def _as_text(identifier: Any) -> str | None:
    if identifier is None or isinstance(identifier, str):
        return identifier
    return json.dumps(identifier, ensure_ascii=False)


def _of_archives(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for path in batch.column(0):
            yield from _in_batches(_of_archive(path.as_py()), _OCTETS)


def _of_archive(path: str) -> Iterator[list[Any]]:
    """Yield the pages of an archive, and a row without HTML for each problem of the archive."""
    wrong: list[str] = []
    try:
        for found in html_responses(Path(path), LARGEST, wrong.append, _nothing):
            error = None if found.html is not None else found.why or TOO_LARGE
            yield [found.id, found.url, sites.host(found.url), found.html, error]
    except OSError as error:
        wrong.append(error.strerror or str(error))
    for why in wrong:
        yield [path, None, "", None, f"{path}: {why}"]


def _nothing(_: int) -> None:
    """Ignore the progress of reading."""


def _in_batches(rows: Iterable[list[Any]], html: DataType) -> Iterator[pa.RecordBatch]:
    schema = to_arrow_schema(_columns(html))
    batch: list[list[Any]] = []
    octets = 0
    for row in rows:
        batch.append(row)
        octets += len(row[3] or "")
        if octets >= _BATCH_OCTETS:
            yield _as_batch(batch, schema)
            batch, octets = [], 0
    if batch:
        yield _as_batch(batch, schema)


def _as_batch(rows: list[list[Any]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, one.type) for column, one in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
