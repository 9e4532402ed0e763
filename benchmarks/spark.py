"""Growth of the Spark job: time, memory and shuffle, over made pages with a skew like the web's.

    python -m benchmarks.spark [--pages 2500 10000] [--sites 200] [--cores 1 2]

One site has a fifth of the pages, the others have fewer and fewer (as 1/rank, eight at least), and
the pages of each site are scattered over all files. Learning takes 20 pages of a site. Shuffle is
what the tasks wrote for each other, compressed, according to Spark's event log. CPU time is of all
processes, the JVM and its workers.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from scrapy_mainblock import compiled

from . import made_pages
from .command import PADDING_KB, TEMPLATES
from .process import Usage, run
from .table import as_markdown, as_text

GIANT = 0.2
"""The share of the pages that belong to the first site."""
LEAST = 8
"""Minimum pages of a site, so that they may teach a rule."""
FILES = 16
HEAD = ["pages", "cores", "CPU s", "wall s", "CPU ms/page", "largest process, MB",
        "input MB", "shuffle MB, learning", "extracting"]  # fmt: skip


def sizes(pages: int, sites: int) -> list[int]:
    """Return how many pages each site has."""
    weights = [1 / rank for rank in range(1, sites)]
    left = (1 - GIANT) * pages / sum(weights)
    return [round(GIANT * pages), *(max(LEAST, round(left * one)) for one in weights)]


def write_pages(folder: Path, pages: int, sites: int) -> int:
    """Write the input as JSON lines, and return how many pages it has."""
    folder.mkdir()
    count = 0
    with ExitStack() as stack:
        files = [stack.enter_context((folder / f"{n}.jsonl").open("w")) for n in range(FILES)]
        for number, size in enumerate(sizes(pages, sites)):
            for row in _rows(number, size):
                files[count % FILES].write(json.dumps({"id": count, **row}) + "\n")
                count += 1
    return count


def _rows(number: int, size: int) -> Iterator[dict[str, str]]:
    base = f"https://site{number}.example/"
    of_a_template = max(2, round(size / TEMPLATES) + 1)
    site = made_pages.site(number, of_a_template, padding_kb=PADDING_KB, base_url=base)
    for page, _ in zip(made_pages.pages(site), range(size), strict=False):
        yield {"url": site.url(page), "html": page.html}


class Shuffled(NamedTuple):
    """Megabytes that tasks wrote for each other, in each phase of the job."""

    learning: float
    extracting: float


def job(pages: Path, out: Path, cores: int) -> tuple[Usage, Shuffled]:
    """Run the job, and return its usage and its shuffle."""
    log = out.with_suffix(".log")
    log.mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": log.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "16",
    }
    said = " ".join(f"--conf {key}={value}" for key, value in settings.items())
    environment = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    environment["PYSPARK_SUBMIT_ARGS"] = f"--master local[{cores}] {said} pyspark-shell"
    environment["PYTHONPATH"] = str(made_pages.ROOT)
    command = [sys.executable, "-m", "scrapy_mainblock.spark", str(pages), str(out)]
    usage = run(command, cwd=out.parent, environment=environment)
    learnt = (out / "rules/_SUCCESS").stat().st_mtime
    (events,) = (file for file in log.iterdir() if not file.name.startswith("."))
    return usage, shuffled(events, learnt)


def shuffled(events: Path, learnt: float) -> Shuffled:
    """Return the shuffle from an event log; `learnt` is the time at which the rules were done."""
    written = {True: 0, False: 0}
    with events.open() as lines:
        for event in map(json.loads, lines):
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                octets = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                written[event["Task Info"]["Finish Time"] / 1000 <= learnt] += octets
    return Shuffled(written[True] / 1e6, written[False] / 1e6)


def line_of(pages: Path, count: int, cores: int, out: Path) -> list[str]:
    """Return a line of the table; raise RuntimeError if a row is missing."""
    usage, shuffle = job(pages, out, cores)
    check(out, count)
    size = sum(file.stat().st_size for file in pages.iterdir()) / 1e6
    figures = (usage.cpu_seen, usage.wall, 1000 * usage.cpu_seen / count, usage.peak, size)
    return [str(count), str(cores), *(f"{one:.1f}" for one in (*figures, *shuffle))]


def check(out: Path, count: int) -> None:
    """Raise RuntimeError unless every page has its row."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - an extra

    files = out.glob("articles/part=*/*.parquet")
    rows = sum(pq.ParquetFile(file).metadata.num_rows for file in files)
    if rows != count:
        raise RuntimeError(f"{rows} rows for {count} pages")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.spark",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--pages", type=int, nargs="+", default=[2500, 10_000], help="about (default: 2500 10000)"
    )
    parser.add_argument("--sites", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2], help="(default: 1 2)")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    lines = [HEAD]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for pages in options.pages:
            given = folder / f"{pages}"
            count = write_pages(given, pages, options.sites)
            lines += [
                line_of(given, count, cores, folder / f"{pages}-{cores}") for cores in options.cores
            ]
    write = as_markdown if options.markdown else as_text
    print(
        f"made pages of {options.sites} sites, {os.cpu_count()} cores; "
        f"scrapy-mainblock {compiled.describe()}\n\n{write(lines)}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
