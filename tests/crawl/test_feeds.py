"""An incomplete last record is cut from a feed file before the next run appends to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crawl.harness import Crawler
from crawl.server import Server
from scrapy_mainblock.crawl.durable.feeds import _cut

LINES = b'{"a": "1"}\n{"a": "2"}\n'
ROWS = b'a,b\n1,"two\nlines"\n3,"a ""quote"""\n'


@pytest.mark.parametrize("quoted", [False, True])
def test_a_complete_file_is_left_unchanged(tmp_path: Path, quoted: bool) -> None:
    path = tmp_path / "out"
    path.write_bytes(ROWS if quoted else LINES)
    assert not _cut(path, quoted=quoted)
    assert path.read_bytes() == (ROWS if quoted else LINES)


def test_every_prefix_is_cut_to_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for cut in range(len(LINES)):
        path.write_bytes(LINES[:cut])
        _cut(path, quoted=False)
        assert path.read_bytes() in (b"", LINES[: LINES.index(b"\n") + 1])


def test_every_prefix_is_cut_to_its_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "out"
    whole = {b"", b"a,b\n", b'a,b\n1,"two\nlines"\n'}
    for cut in range(len(ROWS)):
        path.write_bytes(ROWS[:cut])
        _cut(path, quoted=True)
        assert path.read_bytes() in whole


def test_a_partial_line_longer_than_the_read_buffer_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(LINES + b"x" * 200_000)
    assert _cut(path, quoted=False)
    assert path.read_bytes() == LINES


def test_batched_and_filtered_feeds_do_not_count_items_as_lost(
    crawler: Crawler, site: Server
) -> None:
    feeds = {
        "batch-%(batch_id)d.jsonl": {"format": "jsonlines", "batch_item_count": 5},
        "none.jsonl": {"format": "jsonlines", "item_classes": ["decimal.Decimal"]},
        "all.csv": {"format": "csv"},
    }
    settings = {"FEEDS": json.dumps(feeds), "JOBDIR": "job"}
    crawled = crawler.crawl(url=site.url("/list/plain/23"), settings=settings, feed="")
    assert crawled.stats["errors/feeds"] == 0
    batches = sorted(crawler.directory.glob("batch-*.jsonl"))
    assert [len(path.read_text().splitlines()) for path in batches] == [5, 5, 5, 5, 3]
    again = crawler.crawl(url=site.url("/list/plain/23"), settings=settings, feed="")
    assert again.stats["resumed"] == 0
