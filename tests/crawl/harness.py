"""Run crawls in separate processes, as users start them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SPIDERS = Path(__file__).parent / "spiders"
ADDON = {"ADDONS": '{"scrapy_mainblock.Addon": 500}'}
PACKAGE = "scrapy_mainblock"
BY_HAND = {
    "DOWNLOADER_MIDDLEWARES": f'{{"{PACKAGE}.MainblockDownloaderMiddleware": 545}}',
    "SPIDER_MIDDLEWARES": f'{{"{PACKAGE}.MainblockSpiderMiddleware": 1000}}',
    "ITEM_PIPELINES": f'{{"{PACKAGE}.MainblockPipeline": 100}}',
}
QUIETLY = {
    "TELNETCONSOLE_ENABLED": "0",
    "LOG_LEVEL": "INFO",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "8",
    "DOWNLOAD_DELAY": "0",
}


LONGEST = 180
"""Seconds after which a crawl counts as hung; on a busy machine startup alone takes ten."""


def python_path() -> str:
    """Return the PYTHONPATH of a crawl: the test spiders, then the parent's own entries."""
    return os.pathsep.join(filter(None, [str(SPIDERS), os.environ.get("PYTHONPATH", "")]))


@dataclass
class Crawled:
    """The result of a finished crawl."""

    status: int
    log: str
    items: list[dict[str, Any]] = field(default_factory=list)

    @property
    def stats(self) -> Counter[str]:
        """The `mainblock/...` stats and a few of Scrapy's, with 0 for a missing one."""
        found = re.findall(r"'([\w/.]+)': (\d+)[,}]", self.log)
        return Counter({name.removeprefix("mainblock/"): int(value) for name, value in found})

    @property
    def numbers(self) -> list[int]:
        """The sorted numbers of the stories that were scraped."""
        return sorted(int(item["url"].split("?")[0].rsplit("/", 1)[1]) for item in self.items)

    @property
    def methods(self) -> Counter[str]:
        """How many items each extraction method produced."""
        return Counter(item["metadata"]["method"] for item in self.items)

    def lines(self, text: str) -> list[str]:
        """Return the log lines that contain a text."""
        return [line for line in self.log.splitlines() if text in line]


@dataclass
class Crawler:
    """Starts crawls in a directory."""

    directory: Path
    rules: str | None = "rules"
    """None if the spider itself sets the rules directory."""

    def command(
        self, spider: str, arguments: dict[str, Any], settings: dict[str, Any]
    ) -> list[str]:
        command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDERS / f"{spider}.py")]
        for name, value in arguments.items():
            command += ["-a", f"{name}={value}"]
        own = {} if self.rules is None else {"MAINBLOCK_RULES_DIR": self.rules}
        for name, value in {**QUIETLY, **own, **settings}.items():
            command += ["-s", f"{name}={value}"]
        return command

    def start(
        self,
        spider: str = "pages",
        *,
        settings: dict[str, Any] | None = None,
        feed: str = "out.jsonl",
        most_bytes: int | None = None,
        **arguments: Any,
    ) -> Run:
        """Start a crawl, with the add-on unless the settings name the components themselves.

        With `most_bytes`, no file can grow larger, which is how a writer sees a full disk.
        """
        own = (
            {**ADDON, **(settings or {})} if "ITEM_PIPELINES" not in (settings or {}) else settings
        )
        command = self.command(spider, arguments, own or {})
        if feed:
            command += ["-o", feed]
        log = (self.directory / "log.txt").open("wb")
        environment = {**os.environ, "PYTHONPATH": python_path()}
        if most_bytes:
            limit = f'ulimit -f {most_bytes // 1024}; exec "$@"'
            command = ["bash", "-c", limit, "bash", *command]
        process = subprocess.Popen(
            command, cwd=self.directory, stdout=log, stderr=log, env=environment
        )
        return Run(self.directory, process, feed)

    def crawl(self, spider: str = "pages", **options: Any) -> Crawled:
        """Run a crawl to its end and fail unless it ends cleanly."""
        crawled = self.start(spider, **options).wait()
        assert crawled.status == 0, crawled.log
        assert "Traceback" not in crawled.log, crawled.log
        return crawled


@dataclass
class Run:
    """A running crawl."""

    directory: Path
    process: subprocess.Popen[bytes]
    feed: str

    @property
    def log(self) -> Path:
        """The log file, which holds the output so far."""
        return self.directory / "log.txt"

    @property
    def reached(self) -> list[str]:
        """The pages that have reached the spider, as recorded by the spider itself."""
        path = self.directory / "reached.txt"
        return path.read_text().split() if path.exists() else []

    def wait_for(self, pages: int) -> None:
        """Wait until this many pages have reached the spider."""
        end = time.monotonic() + LONGEST
        while len(self.reached) < pages and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.005)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.process.wait(30)

    def wait(self) -> Crawled:
        """Wait for the end of the crawl; fail the test if the crawl hangs."""
        try:
            status = self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("hangs:\n" + (self.directory / "log.txt").read_text()) from None
        feed = self.directory / self.feed
        is_lines = self.feed.endswith(".jsonl") and feed.exists()
        items = [json.loads(line) for line in feed.read_bytes().splitlines()] if is_lines else []
        return Crawled(status, (self.directory / "log.txt").read_text(), items)
