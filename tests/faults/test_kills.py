"""Killed (kill -9) at random moments again and again, and resumed with the same JOBDIR.

The spider notes each page that reaches it before it does anything else. Each run is given more
pages: else there would soon be nothing left to interrupt.

Twenty kills: `pytest -m slow tests/faults/test_kills.py`.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import sys
import time

import pytest
from crawl.harness import Crawler, Run
from crawl.server import Server, body_of, story

from scrapy_mainblock.stores.directory import RulesDirectory

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")

MORE_PAGES = 40
LONGEST_LIFE = 2.0


def _kill_sometime(run: Run, draw: random.Random) -> None:
    """While the process starts, or at any moment of its crawl."""
    log = run.directory / "log.txt"
    if draw.random() < 0.85:
        end = time.monotonic() + 30
        while b"Spider opened" not in log.read_bytes() and time.monotonic() < end:
            time.sleep(0.005)
    time.sleep(draw.uniform(0, LONGEST_LIFE))
    run.kill()


@pytest.mark.parametrize(
    ("kills", "seed"),
    [
        (3, 1),
        pytest.param(20, 2, marks=pytest.mark.slow),
        pytest.param(20, 3, marks=pytest.mark.slow),
    ],
)
def test_every_page_that_was_reached_comes_out(
    crawler: Crawler, site: Server, kills: int, seed: int
) -> None:
    draw = random.Random(seed)
    settings = {"JOBDIR": "job", "DOWNLOAD_DELAY": "0.02"}
    killed = 0
    for number in range(1, kills + 2):
        url = site.url(f"/list/newsite/{MORE_PAGES * number}?pad={draw.choice([0, 0, 60_000])}")
        run = crawler.start("slow", url=url, settings=settings)
        if number <= kills:
            _kill_sometime(run, draw)
            killed += run.process.returncode == -signal.SIGKILL
    run.process.wait(600)
    crawled = run.wait()  # which reads every line: none is broken
    assert killed > kills / 2  # and not ended before
    assert crawled.status == 0, crawled.log
    assert "Traceback" not in crawled.log
    assert crawled.stats["errors/not_resumed"] == 0
    reached = {int(line) for line in run.reached}
    assert len(reached) > MORE_PAGES
    assert reached <= set(crawled.numbers), sorted(reached - set(crawled.numbers))
    for item in crawled.items:
        number = int(item["url"].split("?")[0].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number)), item["metadata"]
        assert item["metadata"]["method"] in ("rule", "page")
    rules = crawler.directory / "rules"
    assert len(RulesDirectory(rules).load()) >= 1
    assert {path.suffix for path in rules.iterdir()} <= {".json", ""}  # none put aside, no litter
    with sqlite3.connect(crawler.directory / "job" / "mainblock" / "spool.sqlite") as db:
        assert db.execute("SELECT count(*) FROM pages").fetchone() == (0,)


def test_requests_that_were_on_disk_come_back(crawler: Crawler, site: Server) -> None:
    """All but those that were being fetched: of its own Scrapy would forget every one."""
    settings = {"JOBDIR": "job", "DOWNLOAD_DELAY": "0.01"}
    options = {"url": site.url("/list/plain/150"), "settings": settings}
    first = crawler.start(**options)
    first.wait_for(30)
    first.kill()
    before = len(set(first.reached))
    assert before < 100
    second = crawler.start(**options)
    crawled = second.wait()
    assert crawled.status == 0
    assert crawled.lines("the last run was killed; mended")
    assert len(set(second.reached)) >= 150 - 2 * 8  # CONCURRENT_REQUESTS_PER_DOMAIN
    assert {int(line) for line in second.reached} <= set(crawled.numbers)
