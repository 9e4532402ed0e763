"""Items in crawls: every item type, many spider habits and every feed format."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

from turns import turns

from crawl.harness import BY_HAND, SPIDERS, Crawler
from crawl.server import Server, body_of, story
from scrapy_mainblock import __version__, compiled
from scrapy_mainblock.render.article import FIELDS


def test_every_item_has_its_own_pages_text(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/30"))
    assert crawled.numbers == list(range(30))
    assert crawled.methods == {"rule": 30}
    for number, item in zip(
        crawled.numbers, sorted(crawled.items, key=crawled_number), strict=True
    ):
        assert body_of(item["articleBody"]) == "\n\n".join(story(number))
        assert item["headline"] == f"Story {number}"
        assert item["articleBodyHtml"].count("<p>") == 6
        assert item["metadata"]["rule"] == {"id": "main"}
    assert crawled.stats["held"] == crawled.stats["released"] > 0
    assert crawled.stats["rules/learnt"] == 1
    assert crawled.stats["by_rule"] == 30


def test_items_hold_markdown_if_enabled(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/3"), settings={"MAINBLOCK_MARKDOWN": True})
    assert len(crawled.items) == 3
    for item in crawled.items:
        assert item["articleBodyMarkdown"] == item["articleBody"] != ""


def test_items_hold_no_markdown_by_default(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/3"))
    assert len(crawled.items) == 3
    assert all("articleBodyMarkdown" not in item for item in crawled.items)


def crawled_number(item: dict[str, str]) -> int:
    return int(item["url"].rsplit("/", 1)[1])


def test_log_has_only_a_version_line_a_rule_line_and_a_table(
    crawler: Crawler, site: Server
) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/12"))
    first, *own = crawled.lines("[scrapy_mainblock]")
    assert first.endswith(f" INFO: mainblock {__version__}, {compiled.describe()}")
    assert [line.split("mainblock: ")[1].split(",")[0] for line in own] == [
        "learned a rule for 127.0.0.1",
        "items by site",
    ]
    assert "of 6 pages: id=main path=body1/div2, agreement 1.00" in own[0]
    assert "127.0.0.1       13        1       12        0        0" in crawled.log


def test_components_enabled_by_hand_hold_and_flush_items(crawler: Crawler, site: Server) -> None:
    settings = {**BY_HAND, "CLOSESPIDER_PAGECOUNT": 5}
    crawled = crawler.crawl(url=site.url("/list/plain/40"), settings=settings)
    assert 0 < crawled.stats["held"] == crawled.stats["released"]
    assert crawled.numbers == sorted(int(line) for line in reached(crawler))


def reached(crawler: Crawler) -> list[str]:
    return (crawler.directory / "reached.txt").read_text().split()


def test_items_of_every_type_keep_their_type_and_values(crawler: Crawler, site: Server) -> None:
    settings = {"ITEM_PIPELINES": '{"kinds.Check": 900}', "FEED_EXPORTERS": "{}"}
    settings["ADDONS"] = '{"scrapy_mainblock.Addon": 500}'
    crawled = crawler.crawl("kinds", url=site.url("/list/plain/27"), settings=settings)
    assert crawled.numbers == list(range(27))
    assert crawled.methods == {"rule": 27}
    kinds = "dict OrderedDict AnItem ADataclass AnAttrs APydantic"
    frozen = "AFrozenDataclass AFrozenAttrs AFrozenPydantic"
    assert Counter(item["seen"]["kind"] for item in crawled.items) == dict.fromkeys(
        f"{kinds} {frozen}".split(), 3
    )
    for item in crawled.items:
        assert body_of(item["articleBody"]) == "\n\n".join(story(crawled_number(item)))
    # Only the dicts have room for all fields but Markdown, besides `seen`; the others have four.
    assert {len(item) for item in crawled.items} == {4, len(FIELDS)}


def test_spider_habits(crawler: Crawler, site: Server) -> None:
    """Cover multiple items a page, none, opt-outs, redirects, retries, 404s and replaced items."""
    settings = {
        "SPIDER_MIDDLEWARES": '{"mixed.Replacing": 50}',
        "ITEM_PIPELINES": '{"mixed.Rewriting": 50}',
        "ADDONS": '{"scrapy_mainblock.Addon": 500}',
        "HTTPCACHE_ENABLED": "1",
        "HTTPCACHE_DIR": "cache",
        "HTTPCACHE_IGNORE_HTTP_CODES": "503",
    }
    options = {"base": site.url(""), "settings": settings}
    run = crawler.start("mixed", **options, feed="first.jsonl")
    first = run.wait()
    assert first.status == 0
    assert first.lines("Traceback") == ["Traceback (most recent call last):"]  # the spider's
    _check_habits(first.items)
    cached = crawler.start("mixed", **options, feed="second.jsonl").wait()
    assert cached.stats["httpcache/hit"] > 20
    _check_habits(cached.items)
    assert cached.stats["held"] < first.stats["held"]  # the rules of the first crawl


def _check_habits(items: list[dict]) -> None:
    what = Counter(item["what"] for item in items)
    assert what == {"a": 11, "b": 11, "one": 9, "out": 3, "other": 7, "list": 1, "start": 1}
    assert all(item["by_pipeline"] for item in items)
    for item in items:
        kind = item["what"]
        if kind == "start":
            assert item == {"by_pipeline": True, "url": item["url"], "what": "start"}
            continue
        assert item["by_middleware"] == item["url"]  # each item with its own response
        if kind == "out":
            assert "metadata" not in item
            assert item["meta"] is False
        elif kind in "ab" or kind == "one":
            assert body_of(item["articleBody"]) == "\n\n".join(story(crawled_number(item)))
        elif kind == "other":
            assert item["metadata"]["method"] in ("none", "page"), item
            if item["metadata"]["method"] == "none":
                assert item["articleBody"] is None
                assert item["metadata"]["reason"]
            name = item["url"].rsplit("/", 1)[1]
            assert item["tagged"] is (name in ("empty", "broken", "deep"))
    # Each tag is that of the page itself, not the one copied from the list page.
    tags = {json.dumps(item["tag"]["link_blocks"]) for item in items if item["what"] == "a"}
    lists = [item["metadata"] for item in items if item["what"] == "list"]
    assert all(json.loads(tag)[0][2] >= 8 for tag in tags)
    assert len(lists) == 1


def test_without_holding_items_are_emitted_at_once(crawler: Crawler, site: Server) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/20"), settings={"MAINBLOCK_HOLD": "False"})
    assert crawled.numbers == list(range(20))
    assert crawled.stats["held"] == 0
    assert crawled.methods["page"] > 0
    assert crawled.methods["rule"] > 0


def test_a_site_with_fewer_than_six_pages_is_answered_by_page(
    crawler: Crawler, site: Server
) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/4"))
    assert crawled.numbers == [0, 1, 2, 3]
    assert crawled.methods == {"page": 4}
    assert crawled.stats["held"] == crawled.stats["released"] == 4


def test_items_of_a_quiet_site_are_emitted_before_the_crawl_ends(
    crawler: Crawler, site: Server
) -> None:
    """With a quiet time of 0.2 s, the pages of one site do not wait for the other crawl's end."""
    settings = {
        "MAINBLOCK_QUIET": "0.2",
        "MAINBLOCK_SITE": "by_template.site",
        "DOWNLOAD_DELAY": "0.1",
        "RANDOMIZE_DOWNLOAD_DELAY": "0",
    }
    (crawler.directory / "by_template.py").write_text(
        "def site(response):\n    return response.url.split('/')[4]\n"
    )
    urls = f"{site.url('/list/other/3')} {site.url('/list/plain/30')}"
    crawled = crawler.crawl(url=urls, settings=settings)
    assert len(crawled.items) == 33
    places = [number for number, item in enumerate(crawled.items) if "/other/" in item["url"]]
    assert max(places) < 32  # not at the close, after all others
    assert crawled.methods == {"rule": 30, "page": 3}
    assert (crawler.directory / "rules" / "plain.json").exists()


def test_pages_beyond_the_scraper_size_limit_are_all_extracted(
    crawler: Crawler, site: Server
) -> None:
    """Each page has 200 KB, 12 MB in total, and no rule; Scrapy's scraper limit is 5 MB."""
    many = " ".join(site.url(f"/list/{one}/5?pad=200000") for one in ("plain", "other"))
    more = f"{many} {site.url('/list/newsite/50?pad=200000')}"
    crawled = crawler.crawl(url=more, settings={"CONCURRENT_REQUESTS_PER_DOMAIN": 16})
    assert len(crawled.items) == 60
    for item in crawled.items:
        assert body_of(item["articleBody"]) == "\n\n".join(
            story(int(item["url"].split("?")[0].rsplit("/", 1)[1]))
        )


def test_a_large_page_does_not_block_the_event_loop(crawler: Crawler, site: Server) -> None:
    """The event loop keeps running while a page of 1 MB is processed in a thread."""
    with turns.alone():  # else the loop may also wait for a processor
        crawled = crawler.crawl("lag", url=site.url("/other/big"))
    (item,) = crawled.items
    assert item["articleBody"].count("Some text") > 10_000
    lag = crawled.stats["lag/milliseconds"]
    assert 0 < lag < 350, lag
    assert lag < crawled.stats["lag/total"] / 3


def test_the_pipeline_alone_logs_that_components_are_missing(
    crawler: Crawler, site: Server
) -> None:
    settings = {"ITEM_PIPELINES": BY_HAND["ITEM_PIPELINES"]}
    crawled = crawler.crawl(url=site.url("/list/plain/3"), settings=settings)
    assert all(item.keys() == {"url"} for item in crawled.items)
    assert len(crawled.lines("no item is filled without")) == 1


def test_feeds_of_every_format(crawler: Crawler, site: Server) -> None:
    formats = ("jsonl", "json", "csv", "xml")
    feeds = {f"all.{name}": {"format": name} for name in formats}
    crawled = crawler.crawl(
        url=site.url("/list/plain/8"), settings={"FEEDS": json.dumps(feeds)}, feed=""
    )
    assert crawled.stats["by_rule"] == 8
    directory = crawler.directory
    lines = [json.loads(line) for line in (directory / "all.jsonl").open()]
    bodies = sorted(line["articleBody"] for line in lines)
    assert sorted(one["articleBody"] for one in json.loads(_text(directory / "all.json"))) == bodies
    with (directory / "all.csv").open(newline="") as file:
        in_csv = list(csv.DictReader(file))
    assert sorted(row["articleBody"] for row in in_csv) == bodies
    told = {row["url"]: json.loads(row["metadata"]) for row in in_csv}  # a cell of JSON
    assert told == {line["url"]: line["metadata"] for line in lines}
    root = ET.fromstring(_text(directory / "all.xml"))
    assert sorted(one.findtext("articleBody") for one in root) == bodies


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_spiders_do_not_import_the_project() -> None:
    """No test spider imports this project: a project has to change its settings only."""
    for path in SPIDERS.glob("*.py"):
        assert "scrapy_mainblock" not in _text(path)
