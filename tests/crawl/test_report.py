"""MAINBLOCK_REPORT: a crawl writes a report on a sample of its pages, and summary stats."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import pytest

from crawl.harness import Crawler
from crawl.server import Server
from scrapy_mainblock.crawl.look import report as report_module
from scrapy_mainblock.crawl.look.report import PageSample


def data_of(report: Path) -> dict[str, object]:
    found = re.search(r'id="data">(.*?)</script>', report.read_text("utf-8"), re.DOTALL)
    assert found
    data: dict[str, object] = json.loads(found[1])
    return data


def details_of(report: Path) -> str:
    """Return the drawings of all pages, with the proposed commands."""
    packed = re.findall(r'id="page-\d+">(.*?)</script>', report.read_text("utf-8"), re.DOTALL)
    return "\n".join(zlib.decompress(base64.b64decode(one)).decode() for one in packed)


def test_a_crawl_writes_a_report(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(
        url=site.url("/list/plain/15"),
        settings={"MAINBLOCK_REPORT": "out/report.html", "MAINBLOCK_RULES": "kept here"},
    )
    assert len(crawled.items) == 15
    (line,) = crawled.lines("wrote a report with a sample of")
    assert "15 pages to out/report.html" in line
    data = data_of(crawler.directory / "out" / "report.html")
    assert data["title"] == "The crawl of pages"
    columns, rows = data["columns"], data["rows"]
    assert isinstance(columns, list)
    assert isinstance(rows, list)
    assert {row[columns.index("method")] for row in rows} == {0}  # by rule
    assert "--rules 'kept here'" in details_of(crawler.directory / "out" / "report.html")
    assert not list(crawler.directory.rglob("*.part"))


def test_an_unwritable_report_costs_no_item(crawler: Crawler, site: Server) -> None:
    (crawler.directory / "taken").write_text("a file")
    crawled = crawler.crawl(
        url=site.url("/list/plain/8"), settings={"MAINBLOCK_REPORT": "taken/report.html"}
    )
    assert len(crawled.items) == 8
    assert crawled.stats["errors/report"] == 1


def test_stats_include_the_shares_and_the_mean_probability(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/15"))
    assert "'mainblock/share_by_rule': 1.0" in crawled.log
    assert "'mainblock/sites/127.0.0.1/share_by_rule': 1.0" in crawled.log
    assert crawled.stats["sites/127.0.0.1/by_rule"] == 15
    assert re.search(r"'mainblock/mean_probability': 0\.[1-9]", crawled.log)
    assert "'mainblock/waiting': 0" in crawled.log


@pytest.mark.parametrize("wrong", ["", "reports/"])
def test_a_report_setting_without_a_file_name_is_refused(
    crawler: Crawler, site: Server, wrong: str
) -> None:
    run = crawler.start(url=site.url("/list/plain/2"), settings={"MAINBLOCK_REPORT": wrong})
    assert "MAINBLOCK_REPORT" in run.wait().log


def test_the_sample_is_limited_and_independent_of_page_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report_module, "MOST_PAGES", 10)
    kept = []
    for order in (range(200), range(199, -1, -1)):
        sample = PageSample()
        for number in order:
            sample.add(b"page %d" % number, f"http://a.example/{number}", "a.example")
        kept.append({one.url for one in sample.kept})
        assert len(list(Path(sample._directory.name).iterdir())) == 10
        one = sample.kept[0]
        assert sample.source(one).decode() == f"page {one.url.rpartition('/')[2]}"
        sample.close()
    assert kept[0] == kept[1]
    assert len(kept[0]) == 10


def test_the_sample_is_limited_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_module, "MOST_BYTES", 100)
    sample = PageSample()
    for number in range(50):
        sample.add(bytes(range(30)), f"http://a.example/{number}", "a.example")
    assert 1 <= len(sample.kept) <= 3
    sample.close()
