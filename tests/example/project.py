"""The example project as a user runs it: `scrapy` in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PROJECT = Path(__file__).resolve().parents[2] / "example_project"
SCRAPY = [sys.executable, "-m", "scrapy"]


def scrapy(
    *words: object, cwd: Path = PROJECT, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a Scrapy command."""
    return subprocess.run(
        [*SCRAPY, *map(str, words)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )


def crawl_command(
    spider: str, directory: Path, *, in_order: bool = False, **arguments: object
) -> list[str]:
    """Return the words of a crawl command, with rules and feed in a directory.

    `in_order` requests one page after the other.
    """
    feeds = {str(directory / "articles.jsonl"): {"format": "jsonlines", "overwrite": True}}
    settings = {
        "FEEDS": json.dumps(feeds),
        "MAINBLOCK_RULES_DIR": directory / "rules",
        "AUTOTHROTTLE_START_DELAY": 0.05,  # seconds: the site is on loopback
    }
    if in_order:
        settings["CONCURRENT_REQUESTS"] = 1
    command = ["crawl", spider]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    return command


def crawl(
    spider: str, directory: Path, *, in_order: bool = False, **arguments: object
) -> tuple[list[dict[str, Any]], str]:
    """Return the items of a crawl that must succeed, and its log."""
    done = scrapy(*crawl_command(spider, directory, in_order=in_order, **arguments))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert "ERROR" not in done.stderr, done.stderr
    lines = (directory / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines], done.stderr


def path_of(url: str) -> str:
    """Return a URL without scheme and host."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
