"""Source pages of items that later pages yield: a page that cannot be read back is counted."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Request
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.crawl.durable.spool import FILE, Spool
from scrapy_mainblock.crawl.pages import sources
from scrapy_mainblock.crawl.pipeline import MainblockPipeline
from scrapy_mainblock.crawl.stats import Stats

URL = "http://a.example/story"
HTML = "<html><body><p>A story that was told long ago, and is told again today.</p></body></html>"


@pytest.fixture
def stats() -> Stats:
    crawler = Crawler(Spider)
    crawler.stats = MemoryStatsCollector(crawler)
    crawler.spider = Spider("a")
    return Stats(crawler, 10)


def _counted(stats: Stats) -> dict[str, Any]:
    assert stats._crawler.stats is not None
    return stats._crawler.stats.get_stats()


@pytest.fixture
def spool(tmp_path: Path, stats: Stats) -> Iterator[Spool]:
    """A spool that holds one page."""
    spool = Spool(tmp_path)
    response = HtmlResponse(URL, body=HTML.encode(), request=Request(f"{URL}#top"))
    sources.keep(spool, response, "a.example", stats)
    yield spool
    spool.close(is_clean=True)


def test_a_page_is_found_by_its_url_and_nothing_is_logged(spool: Spool, stats: Stats) -> None:
    found = sources.find(spool, f"{URL}#end", stats)
    assert found is not None
    assert (found.page.source, found.site, found.status) == (HTML.encode(), "a.example", 200)
    assert sources.find(spool, "http://a.example/another", stats) is None
    assert _counted(stats) == {}


def test_a_page_that_cannot_be_read_back_is_counted_and_logged_once(
    spool: Spool, tmp_path: Path, stats: Stats, caplog: pytest.LogCaptureFixture
) -> None:
    with sqlite3.connect(tmp_path / FILE) as damaging:
        damaging.execute("UPDATE sources SET source = ?", (b"no zlib",))
    for _ in range(2):
        assert sources.find(spool, URL, stats) is None
    assert _counted(stats) == {"mainblock/errors/sources": 2}
    (line,) = (record.getMessage() for record in caplog.records)
    assert "the page that an item names cannot be read back" in line


class Unreadable(dict[str, Any]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError("not this one")

    __getitem__ = get


def test_an_item_whose_url_cannot_be_read_is_counted_and_emitted() -> None:
    crawler = Crawler(Spider, {"MAINBLOCK_ITEMS": [Unreadable]})
    crawler.stats = MemoryStatsCollector(crawler)
    crawler.spider = Spider("a")
    pipeline = MainblockPipeline(Crawl.of(crawler))
    response = HtmlResponse(URL, body=HTML.encode())
    assert pipeline._source_named_by(Unreadable(), response) is None
    assert crawler.stats.get_stats() == {"mainblock/errors/items": 1}
    assert asyncio.run(pipeline.process_item(item := Unreadable())) is item
