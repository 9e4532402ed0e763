"""Several crawls share their rules in one Redis; each is a process, as on separate machines."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from redis_server import Certificate, RedisServer, needs_redis_py, wait_until

from crawl.harness import Crawled, Crawler, Run
from crawl.server import Server, body_of, story
from scrapy_mainblock.stores.redis.store import RedisRules
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

pytestmark = needs_redis_py
SITE = "127.0.0.1"


def _start(directory: Path, redis_url: str, url: str, workers: int, delay: float) -> list[Run]:
    runs = []
    for part in range(workers):
        own = directory / f"worker{part}"
        own.mkdir()
        settings = {"MAINBLOCK_RULES": redis_url, "DOWNLOAD_DELAY": str(delay)}
        runs.append(Crawler(own).start("part", url=url, part=part, of=workers, settings=settings))
    return runs


def _check(done: list[Crawled], pages: int) -> None:
    """Check that every page has exactly one item, with the article of that page."""
    for crawled in done:
        assert crawled.status == 0, crawled.log
        assert "Traceback" not in crawled.log, crawled.log
    items = [item for crawled in done for item in crawled.items]
    numbers = sorted(number for crawled in done for number in crawled.numbers)
    assert numbers == list(range(pages))
    for item in items:
        number = int(item["url"].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number)), item["metadata"]


def _sum(done: list[Crawled], stat: str) -> int:
    return sum(crawled.stats[stat] for crawled in done)


def _store(server: RedisServer) -> SiteRules:
    store = RedisRules(server.url)
    try:
        found = store.load_site(SITE)
    finally:
        store.close()
    assert found is not None
    return found


def test_four_workers_learn_a_site_only_once(
    tmp_path: Path, site: Server, server: RedisServer
) -> None:
    pages = 96
    runs = _start(tmp_path, server.url, site.url(f"/list/plain/{pages}"), 4, delay=0.02)
    done = [run.wait() for run in runs]
    _check(done, pages)
    assert sum(crawled.methods["rule"] for crawled in done) == pages
    if not _sum(done, "errors/rules"):  # on a stalled machine a worker may learn alone
        assert _sum(done, "rules/learnt") == 1
    assert _sum(done, "rules/pages_of_others") >= 6
    (template,) = _store(server).templates
    # No worker has seen more than 24 pages.
    assert template.pages >= 24
    assert template.rule.id == "main"


def test_redis_outages_lose_no_item(tmp_path: Path, site: Server, server: RedisServer) -> None:
    """Redis is suspended before the first rule, is flushed, and is killed and restarted empty."""
    _check_outages(tmp_path, site, server, workers=2, pages=120, seconds=3)


@pytest.mark.slow
def test_ten_seconds_without_redis_lose_no_item_of_four_workers(
    tmp_path: Path, site: Server, server: RedisServer
) -> None:
    _check_outages(tmp_path, site, server, workers=4, pages=600, seconds=10)


def _check_outages(
    tmp_path: Path, site: Server, server: RedisServer, *, workers: int, pages: int, seconds: float
) -> None:
    url = site.url(f"/list/plain/{pages}")
    runs = _start(tmp_path, server.url, url, workers, delay=0.15)
    for run in runs:
        run.wait_for(2)
    server.stop()
    time.sleep(seconds)
    server.go_on()
    wait_until(lambda: server.client.exists(f"mainblock:site:{SITE}") == 1, 10)
    server.client.flushall()
    wait_until(lambda: server.client.exists(f"mainblock:site:{SITE}") == 1, 10)
    server.kill()
    time.sleep(seconds / 2)
    server.start()
    wait_until(lambda: server.client.exists(f"mainblock:site:{SITE}") == 1, 10)
    assert any(run.process.poll() is None for run in runs), "the crawls were over too soon"
    done = [run.wait() for run in runs]
    _check(done, pages)
    by_rule = sum(crawled.methods["rule"] for crawled in done)
    assert by_rule >= pages - 12 * workers
    for crawled in done:
        outages = len(crawled.lines("cannot be read ("))
        # At most the two outages that occurred; a short one may go unnoticed.
        assert 1 <= outages == len(crawled.lines("can be read again")) <= 2
        assert crawled.stats["errors/rules"] >= outages
    assert [one.rule.id for one in _store(server).templates] == ["main"]


def test_a_pin_reaches_a_worker_within_five_seconds(
    tmp_path: Path, site: Server, server: RedisServer
) -> None:
    delay = 0.1
    (run,) = _start(tmp_path, server.url, site.url("/list/plain/80"), 1, delay=delay)
    run.wait_for(15)
    store = RedisRules(server.url)
    pin = Template("site", Rule("foot"), frozenset(), pinned=True)

    def add(known: SiteRules | None) -> SiteRules:
        return SiteRules(SITE, (pin, *(known.templates if known else ())))

    pinned_at = time.time()
    store.update(SITE, add)
    store.close()
    crawled = run.wait()
    by_pin = [item for item in crawled.items if item["articleBody"] == "Imprint and contact"]
    assert by_pin
    # On a busy machine, allow as much more time as the crawl is slower.
    times = sorted(item["at"] for item in crawled.items)
    slowness = max((times[-1] - times[0]) / len(times) / delay, 1.0)
    assert min(item["at"] for item in by_pin) - pinned_at < 5 * slowness
    latest = max(item["at"] for item in crawled.items if item not in by_pin)
    assert latest - pinned_at < 5 * slowness


def test_redis_is_never_accessed_from_the_reactor_thread(
    crawler: Crawler, site: Server, server: RedisServer
) -> None:
    crawled = crawler.crawl(
        "part",
        url=site.url("/list/plain/12"),
        watched_port=server.port,
        settings={"MAINBLOCK_RULES": server.url},
    )
    assert crawled.methods == {"rule": 12}
    noted = (crawler.directory / "threads.txt").read_text().splitlines()
    assert {line.split(" ", 1)[0] for line in noted} >= {"connect", "sendall"}
    assert {line.split(" ", 1)[1] for line in noted} == {"mainblock-redis"}


@pytest.mark.parametrize("is_listening", [False, True])
def test_an_unresponsive_redis_costs_only_one_log_line(
    crawler: Crawler, site: Server, is_listening: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        if not is_listening:
            silent.close()
        settings = {"MAINBLOCK_RULES": f"redis://:secret@127.0.0.1:{port}/0"}
        crawled = crawler.crawl(url=site.url("/list/plain/30"), settings=settings)
    assert crawled.methods == {"rule": 30}
    assert len(crawled.lines(f"redis://127.0.0.1:{port}/0 cannot be read")) == 1
    assert len(crawled.lines("the rules of 1 sites could not be saved")) == 1
    assert crawled.stats["errors/rules"] > 0
    assert "secret" not in crawled.log


def test_a_crawl_stores_its_rules_in_redis_over_tls(
    tmp_path: Path, crawler: Crawler, site: Server
) -> None:
    certificate = Certificate.made_in(tmp_path)
    server = RedisServer(tmp_path, certificate)
    try:
        settings = {"MAINBLOCK_RULES": f"{server.url}?ssl_ca_certs={certificate.file}"}
        crawled = crawler.crawl(url=site.url("/list/plain/12"), settings=settings)
        assert server.client.exists(f"mainblock:site:{SITE}") == 1
    finally:
        server.kill()
    assert crawled.methods == {"rule": 12}
    assert not crawled.stats["errors/rules"]


def test_rules_are_shared_with_scrapy_redis_queue_and_dupefilter(
    tmp_path: Path, site: Server, server: RedisServer
) -> None:
    pytest.importorskip("scrapy_redis")
    pages = 60
    runs = []
    for number in range(2):
        own = tmp_path / f"worker{number}"
        own.mkdir()
        # As in a project with one settings file, the rules are on the server of scrapy-redis. A
        # worker that finds the queue empty retries after five seconds, so the pages have to last.
        settings = {"REDIS_URL": server.url, "DOWNLOAD_DELAY": "0.2"}
        crawler = Crawler(own, rules=None)
        runs.append(crawler.start("redis_pages", settings=settings))
    for run in runs:
        wait_until(lambda run=run: b"Reading start URLs" in run.log.read_bytes(), 30)
    server.client.lpush("seeds", site.url(f"/list/plain/{pages}"))
    done = [run.wait() for run in runs]
    _check(done, pages)
    assert all(crawled.items for crawled in done)
    by_rule = sum(crawled.methods["rule"] for crawled in done)
    assert by_rule == pages
    assert server.client.exists(f"news:site:{SITE}")
