"""A Scrapy crawl from loopback: without anything, with the extension, with trafilatura."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .measure import run
from .pages import ROOT

HUNDRED_KB = 1.2
"""The size of a generated site whose pages have 100 KB."""
_SPIDER = Path(__file__).with_name("crawl_spider.py")
_PIPELINE = "benchmarks.speed.crawl_spider.{}Pipeline"

KINDS: dict[str, dict[str, str]] = {
    "off": {},
    "on": {
        "ADDONS": '{"scrapy_mainblock.Addon": 500}',
        "MAINBLOCK_SITE": "benchmarks.speed.crawl_spider.site_of",
    },
    "trafilatura": {
        "SPEED_EXTRA": "html",
        "ITEM_PIPELINES": json.dumps({_PIPELINE.format("Trafilatura"): 300}),
    },
    "trafilatura-fast": {
        "SPEED_EXTRA": "html",
        "ITEM_PIPELINES": json.dumps({_PIPELINE.format("FastTrafilatura"): 300}),
    },
}


@dataclass(frozen=True)
class Crawl:
    """What the crawler's process took."""

    pages: int
    cpu: float
    peak: float
    """Megabytes."""
    stats: dict[str, float]


def kinds(*, peers: bool) -> list[str]:
    """The crawls that can be made with what is installed."""
    others = peers and find_spec("trafilatura") is not None
    return [kind for kind in KINDS if others or "trafilatura" not in kind]


@contextmanager
def served(pages: int, sites: int = 1, size: float = HUNDRED_KB) -> Iterator[int]:
    """The pages on a port of loopback."""
    command = ["benchmarks.speed.crawl_server", "--pages", str(pages // sites)]
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "--sites", str(sites), "--size", str(size)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


def crawl(kind: str, port: int, pages: int) -> Crawl:
    """Crawl all pages; each must have its item."""
    with tempfile.TemporaryDirectory() as folder:
        usage, feed = Path(folder, "usage.json"), Path(folder, "items.jsonl")
        command = [sys.executable, "-m", "scrapy", "runspider", _SPIDER, "-o", feed]
        command += ["-a", f"port={port}", "-a", f"usage={usage}"]
        for name, value in KINDS[kind].items():
            command += ["-s", f"{name}={value}"]
        path = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        path["PYTHONDONTWRITEBYTECODE"] = ""  # as it is where it is installed
        run(command, environment=path, cwd=Path(folder))
        taken = json.loads(usage.read_text())
        items = [json.loads(line) for line in feed.read_bytes().splitlines()]
    if len(items) != pages:
        raise RuntimeError(f"{kind}: {len(items)} items of {pages} pages: {taken}")
    empty = sum(1 for item in items if kind != "off" and not item.get("articleBody"))
    return Crawl(pages, taken["cpu"], taken["peak"], {**taken["stats"], "empty": empty})
