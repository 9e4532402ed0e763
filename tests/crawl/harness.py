"""Crawls in processes of their own, as a user starts them."""

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
"""Seconds until a crawl is taken to hang; on a busy machine its start alone takes ten."""


def python_path() -> str:
    """Where a crawl finds the spiders, and what its parent finds."""
    return os.pathsep.join(filter(None, [str(SPIDERS), os.environ.get("PYTHONPATH", "")]))


@dataclass
class Crawled:
    """What came of a crawl."""

    status: int
    log: str
    items: list[dict[str, Any]] = field(default_factory=list)

    @property
    def stats(self) -> Counter[str]:
        """`mainblock/…` and a few of Scrapy's, 0 where there is none."""
        found = re.findall(r"'([\w/.]+)': (\d+)[,}]", self.log)
        return Counter({name.removeprefix("mainblock/"): int(value) for name, value in found})

    @property
    def numbers(self) -> list[int]:
        """The numbers of the stories that came out, sorted."""
        return sorted(int(item["url"].split("?")[0].rsplit("/", 1)[1]) for item in self.items)

    @property
    def methods(self) -> Counter[str]:
        """How the items were found."""
        return Counter(item["metadata"]["method"] for item in self.items)

    def lines(self, text: str) -> list[str]:
        """The lines of the log that hold a text."""
        return [line for line in self.log.splitlines() if text in line]


@dataclass
class Crawler:
    """Starts crawls in a directory."""

    directory: Path
    rules: str | None = "rules"
    """None where the spider says itself where they are."""

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
        """Start a crawl, with the add-on unless the settings say otherwise.

        With `most_bytes` no file can grow larger: what a full disk does to a writer.
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
        """Crawl to the end, which must be a good one."""
        crawled = self.start(spider, **options).wait()
        assert crawled.status == 0, crawled.log
        assert "Traceback" not in crawled.log, crawled.log
        return crawled


@dataclass
class Run:
    """A crawl that is under way."""

    directory: Path
    process: subprocess.Popen[bytes]
    feed: str

    @property
    def log(self) -> Path:
        """What it has said so far."""
        return self.directory / "log.txt"

    @property
    def reached(self) -> list[str]:
        """The pages that have reached the spider, as it has noted."""
        path = self.directory / "reached.txt"
        return path.read_text().split() if path.exists() else []

    def wait_for(self, pages: int) -> None:
        """Until so many pages have reached the spider."""
        end = time.monotonic() + LONGEST
        while len(self.reached) < pages and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.005)

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.process.wait(30)

    def wait(self) -> Crawled:
        """To the end; a crawl that hangs fails the test."""
        try:
            status = self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("hangs:\n" + (self.directory / "log.txt").read_text()) from None
        feed = self.directory / self.feed
        is_lines = self.feed.endswith(".jsonl") and feed.exists()
        items = [json.loads(line) for line in feed.read_bytes().splitlines()] if is_lines else []
        return Crawled(status, (self.directory / "log.txt").read_text(), items)
