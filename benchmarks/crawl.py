"""CPU time that the extension adds to a crawl whose spider does nothing.

    python -m benchmarks.crawl [--articles 200] [--rounds 3] [--split]

The made pages are crawled from loopback over HTTP, by a fresh process each time: with the extension
and without, and both once with Python's garbage collector as it is and once with the objects loaded
at the start hidden from it (`gc.freeze()`; for the extension that is MAINBLOCK_FREEZE). The four
kinds run in turn, each once for all pages and once for none: the time that a process takes to start
has its own column, and is not part of what the extension adds. Figures are medians over rounds.
Every page must have its item, and with the extension its text. `--split` crawls once more, with the
extension and with clocks around its steps (`crawl_clocks`), which cost something themselves. Some
of the added time is in none of the steps, such as Scrapy's own work on an item with more fields.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from scrapy_mainblock import compiled

from .made_pages import ROOT
from .process import Usage, run
from .table import as_markdown, as_text

SPIDER = Path(__file__).with_name("crawl_spider.py")
ADDON = ("-s", 'ADDONS={"scrapy_mainblock.Addon": 500}')
KINDS: Mapping[tuple[bool, bool], Sequence[str]] = {
    (False, False): (),
    (True, False): ADDON,
    (False, True): ("-a", "freeze=1"),
    (True, True): (*ADDON, "-s", "MAINBLOCK_FREEZE=True"),
}
"""The options of Scrapy for each kind of crawl, by (with the extension, frozen)."""


@dataclass(frozen=True)
class Crawl:
    """The figures of one crawl."""

    usage: Usage
    start: float
    """CPU seconds of the same process if it has no page to crawl."""
    items: int
    texts: int
    by_rule: int


@contextmanager
def served(articles: int) -> Iterator[tuple[str, int]]:
    """Serve the pages; yield the URL of the page of links, and how many pages it links to."""
    command = [sys.executable, "-m", "benchmarks.crawl_server", "--articles", str(articles)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    try:
        assert process.stdout is not None
        port, pages = process.stdout.readline().split()
        yield f"http://127.0.0.1:{port}/links", int(pages)
    finally:
        process.terminate()
        process.wait()


def crawl(links_at: str, options: Sequence[str]) -> Crawl:
    """Crawl all pages once, and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        feed = Path(folder, "items.jsonl")
        command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER), "-o", str(feed)]
        command += ["-a", f"links_at={links_at}", *options]
        environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        start = run([*command, "-a", "most=0"], cwd=Path(folder), environment=environment)
        feed.unlink(missing_ok=True)
        usage = run(command, cwd=Path(folder), environment=environment)
        items = [json.loads(line) for line in feed.read_bytes().splitlines()]
    return Crawl(
        usage,
        start.cpu,
        len(items),
        sum(bool(item.get("articleBody")) for item in items),
        sum(item.get("metadata", {}).get("method") == "rule" for item in items),
    )


def split(links_at: str, pages: int) -> list[list[str]]:
    """Return the table of the extension's steps: microseconds and calls per page."""
    with tempfile.TemporaryDirectory() as folder:
        clocks = Path(folder, "clocks.json")
        clocked = 'EXTENSIONS={"benchmarks.crawl_clocks.CrawlClocks": 1}'
        crawl(links_at, [*ADDON, "-s", clocked, "-s", f"CRAWL_CLOCKS={clocks}"])
        found = json.loads(clocks.read_bytes())
    rows = [
        [step, f"{1e6 * seconds / pages:.0f}", f"{calls / pages:.2f}"]
        for step, (seconds, calls) in found.items()
    ]
    return [["step", "us a page", "calls"], *rows]


def crawl_all(links_at: str, pages: int, rounds: int) -> dict[tuple[bool, bool], list[Crawl]]:
    """Run all kinds of crawls in turn; raise RuntimeError if an item or a text is missing."""
    found: dict[tuple[bool, bool], list[Crawl]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind, options in KINDS.items():
            one = crawl(links_at, options)
            if one.items != pages or (kind[0] and one.texts < pages):
                raise RuntimeError(f"{one.items} items, {one.texts} texts of {pages} pages")
            found[kind].append(one)
    return found


def lines_of(found: Mapping[tuple[bool, bool], Sequence[Crawl]]) -> list[list[str]]:
    """Return the table of all kinds of crawls."""
    lines = [["collector", "extension", "start, CPU s", "pages, CPU s", "adds", "MB", "by rule"]]
    for is_frozen in (False, True):
        off = [one.usage.cpu - one.start for one in found[False, is_frozen]]
        for is_on in (False, True):
            crawls = found[is_on, is_frozen]
            cpu = [one.usage.cpu - one.start for one in crawls]
            adds = median(b / a - 1 for a, b in zip(off, cpu, strict=True))
            lines.append(
                [
                    "frozen" if is_frozen else "as it is",
                    "on" if is_on else "off",
                    f"{median(one.start for one in crawls):.2f}",
                    f"{median(cpu):.2f}",
                    f"{adds:.0%}" if is_on else "",
                    f"{median(one.usage.peak for one in crawls):.0f}",
                    f"{crawls[0].by_rule / crawls[0].items:.0%}" if is_on else "",
                ]
            )
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.crawl",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--articles", type=int, default=200, help="of each template (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="(default: %(default)s)")
    parser.add_argument("--split", action="store_true", help="also say where the time goes")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    with served(options.articles) as (links_at, pages):
        found = crawl_all(links_at, pages, options.rounds)
        steps = split(links_at, pages) if options.split else []
    write = as_markdown if options.markdown else as_text
    print(
        f"{pages} made pages of one site, median of {options.rounds} rounds;"
        f" scrapy-mainblock {compiled.describe()}\n"
    )
    print(write(lines_of(found)))
    if steps:
        print(f"\n{write(steps)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
