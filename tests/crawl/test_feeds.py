"""A feed's file is whole again before it is appended to."""

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
def test_a_whole_file_stays_as_it_is(tmp_path: Path, quoted: bool) -> None:
    path = tmp_path / "out"
    path.write_bytes(ROWS if quoted else LINES)
    assert not _cut(path, quoted=quoted)
    assert path.read_bytes() == (ROWS if quoted else LINES)


def test_of_every_prefix_the_whole_lines_stay(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for cut in range(len(LINES)):
        path.write_bytes(LINES[:cut])
        _cut(path, quoted=False)
        assert path.read_bytes() in (b"", LINES[: LINES.index(b"\n") + 1])


def test_of_every_prefix_the_whole_rows_stay(tmp_path: Path) -> None:
    path = tmp_path / "out"
    whole = {b"", b"a,b\n", b'a,b\n1,"two\nlines"\n'}
    for cut in range(len(ROWS)):
        path.write_bytes(ROWS[:cut])
        _cut(path, quoted=True)
        assert path.read_bytes() in whole


def test_a_line_longer_than_what_is_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(LINES + b"x" * 200_000)
    assert _cut(path, quoted=False)
    assert path.read_bytes() == LINES


def test_in_batches_and_with_filters_no_item_is_taken_for_lost(
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
