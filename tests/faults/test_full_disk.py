"""A disk that is full, at each write: the crawl goes on, and each failed write is logged.

The disks are real (tmpfs), of a few kilobytes. Mounting needs root; without it the tests skip.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from command import run as mainblock
from crawl.harness import Crawled, Crawler, Run
from crawl.server import Server, body_of, story
from pages import rows, write_rows
from pages import site as site_pages

from faults.conftest import Mount, fill

JOB = {"JOBDIR": "job"}
LONG_ITEMS = str(Path(__file__).parent / "spiders" / "long_items")


def _check(crawled: Crawled, pages: int, said: str) -> None:
    assert crawled.status == 0
    assert "Traceback" not in crawled.log
    assert crawled.numbers == list(range(pages))
    for item in crawled.items:
        number = int(item["url"].split("?")[0].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number))
    assert len(crawled.lines(said)) == 1


def test_a_full_disk_for_the_spool_of_a_jobdir(
    crawler: Crawler, site: Server, mount: Mount
) -> None:
    mount(crawler.directory / "job" / "mainblock", "size=160k")
    run = crawler.start(url=site.url("/list/newsite/40?pad=20000"), settings=JOB)
    crawled = run.wait()
    _check(crawled, 40, "a page cannot be kept on disk")
    assert crawled.stats["errors/spool"] > 0


def test_a_full_disk_on_which_no_spool_can_be_created(
    crawler: Crawler, site: Server, mount: Mount
) -> None:
    fill(mount(crawler.directory / "job" / "mainblock", "size=64k"))
    settings = {**JOB, "MAINBLOCK_RULES_DIR": "rules"}
    crawled = crawler.start(url=site.url("/list/plain/20"), settings=settings).wait()
    _check(crawled, 20, "items cannot be held")


def test_a_full_disk_for_the_temporary_spool(
    crawler: Crawler, site: Server, mount: Mount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQLITE_TMPDIR", str(mount(crawler.directory / "tmp", "size=160k")))
    crawled = crawler.start(url=site.url("/list/newsite/40?pad=50000")).wait()
    _check(crawled, 40, "a page cannot be kept on disk")


def test_a_full_disk_for_the_rules(crawler: Crawler, site: Server, mount: Mount) -> None:
    disk = mount(crawler.directory / "rules", "size=64k")
    (disk / "other.example.json").write_text('{"format": 2, "site": "s", "clusters": []}')
    filler = fill(disk)
    slowly = {"DOWNLOAD_DELAY": "0.1"}  # rules are saved every second
    crawled = crawler.start(url=site.url("/list/plain/20"), settings=slowly).wait()
    _check(crawled, 20, "the rules cannot be saved")
    assert crawled.methods == {"rule": 20}
    assert crawled.stats["errors/rules"] > 0
    names = {path.name for path in disk.iterdir()}
    assert names <= {".lock", "other.example.json", filler.name}


def _reached_and_written(run: Run) -> tuple[set[str], Counter[str]]:
    """Return the reached pages and the pages in the feed, whose lines must all be whole."""
    lines = (run.directory / run.feed).read_bytes().splitlines()
    return set(run.reached), Counter(json.loads(line)["url"].rsplit("/", 1)[1] for line in lines)


def test_a_full_disk_for_the_feed_until_the_end(
    crawler: Crawler, site: Server, mount: Mount
) -> None:
    disk = mount(crawler.directory / "disk", "size=32k")
    options = {"url": site.url("/list/plain/40"), "settings": JOB, "feed": "disk/out.jsonl"}
    first = crawler.start(**options)
    assert first.process.wait(60) == 0
    log = (crawler.directory / "log.txt").read_text()
    assert log.count("a feed could not write an item; the item stays in the JOBDIR") == 1
    mount(disk, "remount,size=8m")
    second = crawler.start(**options)
    assert second.process.wait(60) == 0
    reached, written = _reached_and_written(second)
    assert len(reached) == 40
    assert set(written) == reached


@pytest.mark.parametrize("spider", ["pages", LONG_ITEMS], ids=["short items", "long items"])
def test_a_full_disk_for_the_feed_for_a_while(
    crawler: Crawler, site: Server, mount: Mount, spider: str
) -> None:
    """Scrapy drops items that cannot be written; the next run writes the dropped items."""
    disk = mount(crawler.directory / "disk", "size=32k")
    slowly = {"DOWNLOAD_DELAY": "0.05", "RANDOMIZE_DOWNLOAD_DELAY": "0"}
    options = {
        "url": site.url("/list/plain/70"),
        "settings": {**JOB, **slowly},
        "feed": "disk/out.jsonl",
    }
    first = crawler.start(spider, **options)
    first.wait_for(45)
    mount(disk, "remount,size=8m")
    assert first.process.wait(60) == 0
    reached, written = _reached_and_written(first)
    assert len(reached) == 70
    assert 20 < len(written) < 70
    second = crawler.start(spider, **options)
    assert second.process.wait(60) == 0
    reached, written = _reached_and_written(second)
    assert set(written) == reached
    third = crawler.start(spider, **options)
    assert third.process.wait(60) == 0
    assert _reached_and_written(third) == (reached, written)  # every item is safe now


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract", "IN", "-o", "/dev/full"),
        ("extract", "IN", "--no-learn", "-o", "/dev/full"),
        ("extract", "IN", "--rules", "FULL", "-o", "OUT"),
        ("learn", "IN", "--rules", "FULL"),
        ("rules", "pin", "site", "--id", "main", "--rules", "FULL"),
        ("rules", "export", "/dev/full", "--rules", "RULES"),
        ("rules", "import", "EXPORT", "--rules", "FULL"),
        ("curves", "IN", "-o", "/dev/full"),
    ],
    ids=" ".join,
)
def test_a_command_reports_a_full_disk_in_one_line(
    tmp_path: Path, mount: Mount, arguments: tuple[str, ...]
) -> None:
    full = mount(tmp_path / "full", "size=16k")
    fill(full)
    pages = write_rows(tmp_path / "in.jsonl", rows(site_pages(8)))
    names = {"IN": pages, "FULL": full, "RULES": tmp_path / "rules", "OUT": tmp_path / "out.jsonl"}
    names["EXPORT"] = tmp_path / "export.jsonl"
    if {"RULES", "EXPORT"} & set(arguments):
        mainblock("learn", str(pages), "--rules", str(names["RULES"]))
        mainblock("rules", "export", str(names["EXPORT"]), "--rules", str(names["RULES"]))
    result = mainblock(*(str(names.get(one, one)) for one in arguments))
    assert result.returncode in (1, 2)
    (line,) = result.stderr.decode().splitlines()
    assert "No space left on device" in line
    if "OUT" in arguments:  # the rows are written all the same
        assert len(names["OUT"].read_text().splitlines()) == 8
