"""Crawls ended (SIGKILL, SIGTERM) at random moments and resumed with the same JOBDIR.

The spider records each page that reaches it before it does anything else. Each run gets more pages
than the one before, otherwise nothing would be left to interrupt.

Scrapy acknowledges nothing, so this is what can be ensured: every item of a page that has reached
the spider is emitted. After a SIGTERM it is emitted once; after a SIGKILL, once more if its page
was not known to be safe, and once more each time Scrapy itself fetches the page again, because its
record of seen requests is buffered.

Twenty kills, with the default queue and one of SQLite: `pytest -m slow tests/faults/test_kills.py`.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import sys
import time

import pytest
from crawl.harness import LONGEST, Crawler, Run
from crawl.server import Server, body_of, story

from scrapy_mainblock.stores.directory import RulesDirectory

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")

MORE_PAGES = 40
LONGEST_LIFE = 2.0
TERMINATED = 0.3
"""Share of the runs that are ended by SIGTERM."""


def _end_at_a_random_moment(run: Run, draw: random.Random) -> bool:
    """End a run during startup or at any moment of its crawl; return whether it was killed."""
    log = run.directory / "log.txt"
    if draw.random() < 0.85:
        end = time.monotonic() + 30
        while b"Spider opened" not in log.read_bytes() and time.monotonic() < end:
            time.sleep(0.005)
    time.sleep(draw.uniform(0, LONGEST_LIFE))
    number = signal.SIGTERM if draw.random() < TERMINATED else signal.SIGKILL
    run.signal(number)
    run.process.wait(120)
    return run.process.returncode == -signal.SIGKILL


def _left_over(run: Run) -> int:
    """Return how many pages of the last run this run processes again."""
    log = (run.directory / "log.txt").read_text()
    return sum(map(int, re.findall(r"processing (\d+) pages of the last run again", log)))


QUEUES = {
    "default queue": {},
    "SQLite": {"SCHEDULER_DISK_QUEUE": "sqlite_queue.SqliteQueue"},
}


@pytest.mark.parametrize("queue", QUEUES)
@pytest.mark.parametrize(("kills", "seed"), [(2, 1), pytest.param(20, 2, marks=pytest.mark.slow)])
def test_items_of_every_reached_page_are_emitted(
    crawler: Crawler, site: Server, kills: int, seed: int, queue: str
) -> None:
    draw = random.Random(f"{seed} {queue}")
    settings = {"JOBDIR": "job", "DOWNLOAD_DELAY": "0.02", **QUEUES[queue]}
    killed = left_over = 0
    for number in range(1, kills + 2):
        url = site.url(f"/list/newsite/{MORE_PAGES * number}?pad={draw.choice([0, 0, 60_000])}")
        run = crawler.start("slow", url=url, settings=settings)
        if number <= kills:
            killed += _end_at_a_random_moment(run, draw)
            left_over += _left_over(run)
    run.process.wait(600)
    left_over += _left_over(run)
    crawled = run.wait()  # parses every line of the feed: none is broken
    assert killed >= kills / 2  # not finished before the kill
    assert crawled.status == 0, crawled.log
    assert "Traceback" not in crawled.log
    assert crawled.stats["errors/not_resumed"] == 0
    reached = {int(line) for line in run.reached}
    assert len(reached) > MORE_PAGES
    assert reached <= set(crawled.numbers), sorted(reached - set(crawled.numbers))
    twice = len(crawled.items) - len(set(crawled.numbers))
    fetched_twice = len(run.reached) - len(reached)
    sys.stderr.write(
        f"\n{queue}: {killed} killed, {kills - killed} terminated; {len(reached)} pages reached,"
        f" {fetched_twice} of them again; {twice} items twice, {left_over} left over\n"
    )
    assert twice <= left_over + fetched_twice
    for item in crawled.items:
        number = int(item["url"].split("?")[0].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number)), item["metadata"]
        assert item["metadata"]["method"] in ("rule", "page")
    rules = crawler.directory / "rules"
    assert len(RulesDirectory(rules).load()) >= 1
    assert {path.suffix for path in rules.iterdir()} <= {".json", ""}  # none damaged or temporary
    with sqlite3.connect(crawler.directory / "job" / "mainblock" / "spool.sqlite") as db:
        assert db.execute("SELECT count(*) FROM pages").fetchone() == (0,)


def test_requests_on_disk_are_restored(crawler: Crawler, site: Server) -> None:
    """All requests but those in flight are kept; Scrapy alone would lose every one of them."""
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
    assert crawled.lines("the last run was killed; repaired")
    assert len(set(second.reached)) >= 150 - 2 * 8  # CONCURRENT_REQUESTS_PER_DOMAIN
    assert {int(line) for line in second.reached} <= set(crawled.numbers)


def _nothing_new(site: Server) -> str:
    """Return the URL of an empty list; pages that Scrapy refetches would hide what we restore."""
    return site.url("/list/plain/0")


def test_output_delayed_by_another_middleware_is_not_lost(crawler: Crawler, site: Server) -> None:
    """Items of other classes are kept too; the kill comes before any item reaches a pipeline."""
    settings = {"JOBDIR": "job", "BUFFERING_SECONDS": "60"}
    first = crawler.start("keeping_back", settings=settings, url=site.url("/list/plain/12"))
    first.wait_for(12)
    time.sleep(2.5)  # more than two of the heartbeats that forget safe pages
    first.kill()
    assert len(first.reached) == 12
    out = crawler.directory / first.feed
    assert not out.exists() or not out.read_text()
    second = crawler.start(
        "keeping_back", settings={**settings, "BUFFERING_SECONDS": "0"}, url=_nothing_new(site)
    )
    assert second.process.wait(LONGEST) == 0
    items = [json.loads(line) for line in out.open()]
    stories = [item["url"] for item in items if "url" in item]
    images = [item["file"] for item in items if "file" in item]
    assert len(stories) == len(set(stories)) == 12
    assert sorted(images) == sorted(stories)


def test_an_overwritten_feed_is_complete_after_a_kill(crawler: Crawler, site: Server) -> None:
    feed = {"out.jsonl": {"format": "jsonlines", "overwrite": True}}
    settings = {"JOBDIR": "job", "FEEDS": json.dumps(feed), "DOWNLOAD_DELAY": "0.02"}
    first = crawler.start(url=site.url("/list/plain/60"), settings=settings, feed="")
    first.wait_for(45)
    first.kill()
    reached = {int(line) for line in first.reached}
    second = crawler.start(url=_nothing_new(site), settings=settings, feed="")
    assert second.process.wait(LONGEST) == 0
    items = [json.loads(line) for line in (crawler.directory / "out.jsonl").open()]
    numbers = [int(item["url"].rsplit("/", 1)[1]) for item in items]
    assert reached <= set(numbers)
    assert len(numbers) <= len(second.reached)  # Scrapy may have fetched some again
