"""Memory and jobs of `mainblock extract --learn` over many sites.

    python -m benchmarks.command [--pages 20000] [--sites 200] [--warc] [--of PAGES.jsonl.gz]

The pages are made (`made_pages`), each site from a seed of its own, or are real ones that are
repeated, each time under another URL of their site. The input is a file of JSON lines, or archives.
Wall-clock time means something on an otherwise idle machine only; CPU time and memory always do.
"times as fast" is by CPU time: that of one job, divided by that of each of several jobs, or by that
of the busiest process if it is larger.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from scrapy_mainblock import compiled

from . import made_pages
from .process import Usage, run
from .table import as_markdown, as_text

TEMPLATES = 8.3
"""A site has about this many times as many pages with a main text as articles per template."""
PADDING_KB = 20
"""Less than real pages have: all pages together are in one file."""


ARCHIVES = 4


class Written(NamedTuple):
    """A page of the input."""

    id: int
    url: str
    html: str
    site: str | None = None


Pages = Iterable[Written]


def pages_of(pages: int, sites: int) -> Iterator[Written]:
    """Make about `pages` pages of `sites` sites."""
    count = 0
    of_a_template = max(2, round(pages / sites / TEMPLATES))
    for number in range(sites):
        base = f"https://site{number}.example/"
        site = made_pages.site(number, of_a_template, padding_kb=PADDING_KB, base_url=base)
        for page in made_pages.pages(site):
            yield Written(count, site.url(page), page.html)
            count += 1


def repeated(rows: Path, pages: int) -> Iterator[Written]:
    """Repeat real pages, each time under another URL, until there are `pages` of them."""
    count = 0
    while count < pages:
        before = count
        with gzip.open(rows, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, islice(lines, pages - count)):
                url = row.get("url") or f"https://{row['site']}/{row['id']}"
                query = f"{'&' if '?' in url else '?'}copy={count}"
                yield Written(count, url + query, row["html"], row["site"])
                count += 1
        if count == before:
            raise ValueError(f"no pages in {rows}")


def write_pages(path: Path, pages: Pages) -> int:
    """Write the input as JSON lines, and return how many pages it has."""
    count = 0
    with path.open("w", encoding="utf-8", errors="replace") as out:  # for lone surrogates
        for page in pages:
            out.write(json.dumps(page._asdict(), ensure_ascii=False) + "\n")
            count += 1
    return count


def write_archives(folder: Path, pages: Pages) -> int:
    """Write archives, a gzip member for each record as a crawler does; return the page count."""
    folder.mkdir()
    files = [(folder / f"{number}.warc.gz").open("wb") for number in range(ARCHIVES)]
    count = 0
    for page in pages:
        files[count % ARCHIVES].write(gzip.compress(record_of(page)))
        count += 1
    for file in files:
        file.close()
    return count


def record_of(page: Written) -> bytes:
    """Return a page as a record of an archive."""
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page.html.encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:page:{page.id}>\r\n"
        f"WARC-Target-URI: {page.url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


def extract(path: Path, count: int, jobs: int) -> Usage:
    """Run the command and return its usage; raise RuntimeError if a row is missing."""
    out = path.parent / "out.jsonl"
    command = [sys.executable, "-m", "scrapy_mainblock.cli.main", "extract", str(path)]
    command += ["-o", str(out), "--learn", "--jobs", str(jobs)]
    environment = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    environment["PYTHONPATH"] = str(made_pages.ROOT)
    usage = run(command, cwd=path.parent, environment=environment)
    with out.open("rb") as lines:
        rows = sum(1 for _ in lines)
    out.unlink()
    if rows != count:
        raise RuntimeError(f"{rows} rows for {count} pages")
    return usage


def times_as_fast(one: Usage, several: Usage, jobs: int) -> float:
    """Return how many times as fast several jobs are, by CPU time."""
    return one.cpu / max(several.cpu / jobs, several.busiest)


def line_of(jobs: int, first: Usage, usage: Usage) -> list[str]:
    """Return a line of the table; `first` is the usage of the first run, usually of one job."""
    times = times_as_fast(first, usage, jobs)
    figures = (f"{usage.cpu:.1f}", f"{usage.busiest:.1f}", f"{times:.2f}", f"{usage.wall:.1f}")
    return [f"--jobs {jobs}", *figures, f"{usage.peak:.0f}"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.command",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=20_000, help="about (default: %(default)s)")
    parser.add_argument("--sites", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument(
        "--of", type=Path, metavar="GOLD", help="repeat these pages, rows with html, url and site"
    )
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="(default: 1 2)")
    parser.add_argument("--warc", action="store_true", help="archives, packed, not JSON lines")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    lines = [["", "CPU s", "busiest process", "times as fast", "wall s", "largest process, MB"]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "archives" if options.warc else "pages.jsonl")
        write_input = write_archives if options.warc else write_pages
        pages = options.pages
        given = repeated(options.of, pages) if options.of else pages_of(pages, options.sites)
        count = write_input(path, given)
        found: list[Usage] = []
        for jobs in options.jobs:
            found.append(extract(path, count, jobs))
            lines.append(line_of(jobs, found[0], found[-1]))
    write = as_markdown if options.markdown else as_text
    what = f"pages of {options.of.name}" if options.of else f"made pages of {options.sites} sites"
    print(f"{count} {what}; scrapy-mainblock {compiled.describe()}\n\n{write(lines)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
