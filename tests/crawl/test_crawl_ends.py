"""No item is lost however a crawl ends: CLOSESPIDER_*, one or two Ctrl-C, kill -9.

The spider records each page that reaches it in `reached.txt`, before it does anything else.
"""

from __future__ import annotations

import random
import signal
import sqlite3
from pathlib import Path

import pytest

from crawl.harness import BY_HAND, Crawler, Run
from crawl.server import Server, body_of, story

JOB = {"JOBDIR": "job"}
SLOWLY = {"DOWNLOAD_DELAY": "0.01", "RANDOMIZE_DOWNLOAD_DELAY": "0"}


def _reached(run: Run) -> list[int]:
    return sorted(int(line) for line in run.reached)


def _check_texts(items: list[dict]) -> None:
    for item in items:
        number = int(item["url"].split("?")[0].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number))


@pytest.mark.parametrize(
    "setting",
    ["CLOSESPIDER_ITEMCOUNT=3", "CLOSESPIDER_PAGECOUNT=30", "CLOSESPIDER_TIMEOUT=1"],
)
@pytest.mark.parametrize("pad", [0, 200_000])
def test_closespider_settings_lose_no_item(
    crawler: Crawler, site: Server, setting: str, pad: int
) -> None:
    name, value = setting.split("=")
    query = f"?pad={pad}" if pad else ""
    delay = {"DOWNLOAD_DELAY": "0.05"} if name.endswith("TIMEOUT") else {}
    run = crawler.start(url=site.url(f"/list/plain/80{query}"), settings={name: value, **delay})
    crawled = run.wait()
    assert crawled.status == 0
    assert 3 <= len(crawled.items) < 80
    assert crawled.numbers == _reached(run)
    assert crawled.stats["held"] == crawled.stats["released"]


@pytest.mark.parametrize("pages", [3, 30], ids=["all are held", "there is a rule"])
@pytest.mark.parametrize("components", [{}, BY_HAND], ids=["add-on", "by hand"])
def test_ctrl_c_loses_no_item(crawler: Crawler, site: Server, pages: int, components: dict) -> None:
    run = crawler.start(url=site.url("/list/plain/300"), settings={**SLOWLY, **components})
    run.wait_for(pages)
    run.signal(signal.SIGINT)
    crawled = run.wait()
    assert pages <= len(crawled.items) < 300
    assert crawled.numbers == _reached(run)
    _check_texts(crawled.items)


def test_ctrl_c_and_a_second_run_yield_every_item_once(crawler: Crawler, site: Server) -> None:
    options = {"url": site.url("/list/plain/120"), "settings": {**SLOWLY, **JOB}}
    first = crawler.start(**options)
    first.wait_for(40)
    first.signal(signal.SIGINT)
    assert 40 <= len(first.wait().items) < 120
    second = crawler.crawl(**options)
    assert second.numbers == list(range(120))
    assert second.stats["resumed"] == 0
    _check_texts(second.items)


def test_ctrl_c_twice_and_a_second_run_lose_no_item(crawler: Crawler, site: Server) -> None:
    """The second Ctrl-C ends the process at once: as after a kill, an item may be emitted twice."""
    options = {"spider": "slow", "url": site.url("/list/plain/80"), "settings": JOB}
    first = crawler.start(**options)
    first.wait_for(40)
    first.signal(signal.SIGINT)
    first.signal(signal.SIGINT)
    first.wait()
    reached = set(_reached(first))
    second = crawler.start(**options).wait()
    assert second.status == 0
    assert reached <= set(second.numbers)
    _check_texts(second.items)


def _kill_and_resume(crawler: Crawler, url: str, kills: list[int], **settings: object) -> Run:
    """Kill at each of these page counts, then run to the end: no page that was reached is lost."""
    options = {"spider": "slow", "url": url, "settings": {**JOB, **settings}}
    for pages in kills:
        run = crawler.start(**options)
        run.wait_for(pages)
        run.kill()
    reached = _reached(run)
    run = crawler.start(**options)
    crawled = run.wait()  # parses every line of the feed
    assert crawled.status == 0, crawled.log
    assert set(reached) <= set(crawled.numbers), set(reached) - set(crawled.numbers)
    _check_texts(crawled.items)
    assert crawled.stats["resumed"] > 0
    return run


@pytest.mark.parametrize("pages", [1, 5, 20, 90])
def test_kill_9_and_resume_lose_no_item(crawler: Crawler, site: Server, pages: int) -> None:
    _kill_and_resume(crawler, site.url("/list/plain/100"), [pages])
    assert _rows(crawler.directory) == 0


def _rows(directory: Path) -> int:
    with sqlite3.connect(directory / "job" / "mainblock" / "spool.sqlite") as db:
        return db.execute("SELECT (SELECT count(*) FROM pages) + (SELECT count(*) FROM items)"
                          ).fetchone()[0]  # fmt: skip


def test_kill_9_three_times_with_large_pages(crawler: Crawler, site: Server) -> None:
    _kill_and_resume(crawler, site.url("/list/plain/60?pad=100000"), [4, 14, 30])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_kill_9_at_random(crawler: Crawler, site: Server, seed: int) -> None:
    draw = random.Random(seed)
    kills = sorted(draw.sample(range(1, 140), 3))
    _kill_and_resume(crawler, site.url("/list/newsite/150"), kills)


def test_exported_items_leave_the_spool_during_the_crawl(crawler: Crawler, site: Server) -> None:
    """The spool holds the pages in flight, not everything that the crawl has scraped."""
    options = {"url": site.url("/list/plain/150"), "settings": {"DOWNLOAD_DELAY": "0.03", **JOB}}
    run = crawler.start(**options)
    run.wait_for(120)
    rows = _rows(crawler.directory)
    run.kill()
    assert 0 < rows < 2 * 110


def test_a_broken_last_line_is_cut_off(crawler: Crawler, site: Server) -> None:
    """A partial last line, as an 8 KB write buffer leaves it, is appended by the test."""
    options = {"spider": "slow", "url": site.url("/list/plain/60"), "settings": JOB}
    first = crawler.start(**options)
    first.wait_for(30)
    first.kill()
    with (crawler.directory / "out.jsonl").open("ab") as file:
        file.write(b'{"url": "http://127.0.0.1/page/plain/7", "articleBody": "Para')
    second = crawler.start(**options).wait()
    assert set(_reached(first)) <= set(second.numbers)
    assert "removed an incomplete last line from out.jsonl" in second.log


@pytest.mark.parametrize("job", [{}, JOB], ids=["temporary", "JOBDIR"])
def test_a_full_disk_loses_no_item(crawler: Crawler, site: Server, job: dict) -> None:
    """No file may exceed 500 KB, so the spool is full after about ten pages of 100 KB."""
    options = {"settings": job, "most_bytes": 500_000}
    run = crawler.start(url=site.url("/list/newsite/35?pad=100000"), **options)
    crawled = run.wait()
    assert crawled.status == 0
    assert "Traceback" not in crawled.log
    assert crawled.numbers == list(range(35))
    _check_texts(crawled.items)
    if job:
        assert crawled.stats["errors/spool"] > 0
        assert len(crawled.lines("a page cannot be kept on disk")) == 1
