"""Cost of the work around extraction by rule in `mainblock extract`: reading, transfer, writing.

    python -m benchmarks.way_in [--pages 400] [--rounds 5] [--markdown]

CPU milliseconds per page, for made pages as heavy as real ones whose rules were learned before,
each the fastest of some rounds: reading an archive and a Parquet file to the end, reading a row of
JSON lines, learning from a page, extracting by rule, writing the row as JSON, and sending the page
and its row to another process and back through a pipe, in batches as `--jobs` does.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq

from scrapy_mainblock import Rules, compiled, extract, learn
from scrapy_mainblock.cli.files.formats import FORMATS
from scrapy_mainblock.cli.jobs import BATCH
from scrapy_mainblock.cli.passes import Extracted, Extractor
from scrapy_mainblock.inputs.pages import InputPage, Inputs, JsonRow, read
from scrapy_mainblock.page import sites

from . import made_pages
from .command import TEMPLATES, Written, record_of
from .table import as_markdown, as_text

ENOUGH = 12
Work = Callable[[], object]


def made(count: int) -> list[Written]:
    """Return about `count` pages of one site, with enough of each template for a rule."""
    site = made_pages.site("way in", max(ENOUGH, round(count / TEMPLATES)))
    return [
        Written(place, site.url(page), page.html)
        for place, page in enumerate(made_pages.pages(site))
    ]


def by_rule(pages: Sequence[Written], rules: Rules) -> list[Written]:
    """Return the pages that the rules apply to: a made site has list pages, too."""
    found = [one for one in pages if extract(one.html, one.url, rules).metadata["method"] == "rule"]
    if 2 * len(found) < len(pages):
        raise RuntimeError(f"{len(found)} of {len(pages)} pages are extracted by rule")
    return found


def works_on(pages: Sequence[Written], rules: Rules, folder: Path) -> dict[str, Work]:
    """Return the functions to be timed, each over all pages."""
    inputs = [InputPage(one.id, one.url, sites.host(one.url), one.html.encode()) for one in pages]
    extractor = Extractor(rules=rules)
    found = [Extracted(page, extractor.article(page)) for page in inputs]
    written = FORMATS["jsonl"].page
    rows = [written(one.row(), one.article).encode() for one in found]
    archive, table = folder / "pages.warc.gz", folder / "pages.parquet"
    with archive.open("wb") as stream:
        for page in pages:
            stream.write(gzip.compress(record_of(page)))
    pq.write_table(pa.Table.from_pylist([one._asdict() for one in pages]), table)
    lines = [json.dumps(one._asdict()).encode() for one in pages]

    def read_parquet() -> None:
        for batch in pq.ParquetFile(table).iter_batches(64):
            batch.to_pylist()

    return {
        "WARC, read": lambda: [None for _ in Inputs([str(archive)], print)],
        "Parquet, read": read_parquet,
        "JSON lines, read": lambda: [read(JsonRow(line, "")) for line in lines],
        "learned from": lambda: learn((page.html, page.url) for page in pages),
        "extraction by rule": lambda: [extractor.article(page) for page in inputs],
        "JSON, written": lambda: [written(one.row(), one.article).encode() for one in found],
        "handed over and back": lambda: (hand_over(inputs), hand_over(rows)),
    }


def hand_over(items: Sequence[object]) -> None:
    """Send items through a pipe, batch by batch, and receive them."""
    reading, writing = os.pipe()
    batches = [pickle.dumps(items[at : at + BATCH]) for at in range(0, len(items), BATCH)]

    def send() -> None:
        with os.fdopen(writing, "wb") as stream:
            for batch in batches:
                stream.write(batch)

    sender = Thread(target=send)
    sender.start()
    with os.fdopen(reading, "rb") as stream:
        for batch in batches:
            pickle.loads(stream.read(len(batch)))
    sender.join()


def fastest(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """Return the CPU seconds of the fastest round of each function; they run in turns."""
    found = dict.fromkeys(works, float("inf"))
    gc.collect()
    for _ in range(rounds):
        for name, work in works.items():
            begin = time.process_time()
            work()
            found[name] = min(found[name], time.process_time() - begin)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.way_in",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=400, help="(default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    all_pages = made(options.pages)
    rules = learn((page.html, page.url) for page in all_pages)
    pages = by_rule(all_pages, rules)
    with tempfile.TemporaryDirectory() as folder:
        found = fastest(works_on(pages, rules, Path(folder)), options.rounds)
    extraction = found["extraction by rule"]
    lines = [["", "CPU ms/page", "of the extraction"]]
    for name, seconds in found.items():
        lines.append([name, f"{1000 * seconds / len(pages):.3f}", f"{seconds / extraction:.2f}"])
    write = as_markdown if options.markdown else as_text
    size = sum(len(page.html) for page in pages) / len(pages) / 1000
    print(f"{len(pages)} made pages of {size:.0f} KB; scrapy-mainblock {compiled.describe()}\n")
    print(write(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
