"""Rules across crawls: loaded, pinned, shared, relearned, and damaged or unwritable."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from crawl.harness import Crawler
from crawl.server import Server, body_of, story


def _document(crawler: Crawler, site: str = "127.0.0.1") -> dict[str, Any]:
    return json.loads((crawler.directory / "rules" / f"{site}.json").read_text())


def _write(crawler: Crawler, document: dict[str, Any]) -> None:
    path = crawler.directory / "rules" / f"{document['site']}.json"
    path.write_text(json.dumps(document))


def _check_texts(items: list[dict]) -> None:
    for item in items:
        number = int(item["url"].split("?")[0].rsplit("/", 1)[1])
        assert body_of(item["articleBody"]) == "\n\n".join(story(number)), item["metadata"]


def test_rules_of_the_last_crawl_are_used_from_the_first_page(
    crawler: Crawler, site: Server
) -> None:
    crawler.crawl(url=site.url("/list/plain/12"))
    (cluster,) = _document(crawler)["clusters"]
    assert cluster["rule"]["id"] == "main"
    assert cluster["pages"] == 12
    assert "history" not in cluster
    second = crawler.crawl(url=site.url("/list/plain/3"), feed="second.jsonl")
    assert second.stats["held"] == 0
    assert second.stats["rules/loaded"] == 1
    assert second.methods == {"rule": 3}
    assert _document(crawler)["clusters"] == [cluster]


def test_a_pinned_rule_takes_precedence_and_is_kept(crawler: Crawler, site: Server) -> None:
    crawler.crawl(url=site.url("/list/plain/8"))
    document = _document(crawler)
    document["clusters"][0] |= {"pinned": True, "rule": {"id": "foot"}}
    _write(crawler, document)
    crawled = crawler.crawl(url=site.url("/list/plain/30"), feed="second.jsonl")
    assert {item["articleBody"] for item in crawled.items} == {"Imprint and contact"}
    assert crawled.methods == {"rule": 30}
    assert _document(crawler) == document


@pytest.mark.parametrize("template", ["redesign", "stolen", "newsite"])
def test_a_redesign_during_a_crawl_is_relearned(
    crawler: Crawler, site: Server, template: str
) -> None:
    """Cover three redesigns: other ids, the article's id on the menu, and a new structure."""
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": "1"}
    crawled = crawler.crawl(url=site.url(f"/list/{template}/50"), settings=settings)
    assert crawled.numbers == list(range(50))
    _check_texts(crawled.items)
    assert crawled.methods["rule"] >= 40
    clusters = _document(crawler)["clusters"]
    if template == "newsite":  # its pages form a new cluster, and the old one stays
        assert crawled.stats["rules/learnt"] == len(clusters) == 2
        return
    assert crawled.stats["rules/relearnt"] == 1
    assert len(crawled.lines("relearned a rule for 127.0.0.1")) == 1
    assert [old["rule"]["id"] for old in clusters[0]["history"]] == ["main"]
    assert clusters[0]["version"] > clusters[0]["history"][0]["version"]


def test_a_redesign_between_two_crawls_is_relearned(crawler: Crawler, site: Server) -> None:
    crawler.crawl(url=site.url("/list/plain/60"))
    crawled = crawler.crawl(url=site.url("/list/renamed/12"), feed="second.jsonl")
    _check_texts(crawled.items)
    assert crawled.stats["rules/relearnt"] == 1
    assert crawled.stats["rules/missed"] == 0  # the rule's path still finds a block: the menu
    assert _document(crawler)["clusters"][0]["history"][0]["rule"]["id"] == "main"


def test_two_crawls_share_one_rules_directory(crawler: Crawler, site: Server) -> None:
    runs = []
    for template in ("plain", "other"):
        own = Crawler(crawler.directory / template)
        own.directory.mkdir()
        settings = {"MAINBLOCK_RULES_DIR": str(crawler.directory / "rules")}
        runs.append(own.start(url=site.url(f"/list/{template}/60"), settings=settings))
    for run in runs:
        crawled = run.wait()
        assert crawled.status == 0
        assert crawled.numbers == list(range(60))
        assert crawled.methods == {"rule": 60}
    found = ("id", "path")
    rules = [
        {part: value for part, value in one["rule"].items() if part in found}
        for one in _document(crawler)["clusters"]
    ]
    assert sorted(rules, key=len) == [
        {"path": "body1/main1/article1/div1"},
        {"id": "main", "path": "body1/div2"},
    ]


def test_a_damaged_rules_document_is_moved_aside(crawler: Crawler, site: Server) -> None:
    (crawler.directory / "rules").mkdir()
    (crawler.directory / "rules" / "127.0.0.1.json").write_text('{"format": 2, "si')
    crawled = crawler.crawl(url=site.url("/list/plain/12"))
    assert crawled.methods == {"rule": 12}
    assert crawled.stats["errors/rules"] == 1
    assert len(crawled.lines("is damaged")) == 1
    names = {path.name for path in (crawler.directory / "rules").iterdir()}
    assert names == {".good", ".lock", "127.0.0.1.json", "127.0.0.1.json.damaged-1"}


def test_an_unwritable_rules_directory_costs_no_item(crawler: Crawler, site: Server) -> None:
    Path(crawler.directory / "file").write_text("")
    settings = {"MAINBLOCK_RULES_DIR": "file/rules"}
    crawled = crawler.crawl(url=site.url("/list/plain/60"), settings=settings)
    assert crawled.methods == {"rule": 60}
    assert crawled.stats["errors/rules"] > 0
    assert len(crawled.lines("the rules cannot be saved")) == 1


@pytest.mark.parametrize("damage", ["not SQLite", "cut", "newer"])
def test_a_damaged_spool_is_moved_aside(crawler: Crawler, site: Server, damage: str) -> None:
    spool = crawler.directory / "job" / "mainblock" / "spool.sqlite"
    spool.parent.mkdir(parents=True)
    if damage == "not SQLite":
        spool.write_bytes(b"not a database " * 500)
    else:
        db = sqlite3.connect(spool)
        db.executescript("CREATE TABLE t (a); PRAGMA user_version = 99;")
        db.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 200)
        db.commit()
        db.close()
        if damage == "cut":
            spool.write_bytes(spool.read_bytes()[:9000])
    crawled = crawler.crawl(url=site.url("/list/plain/12"), settings={"JOBDIR": "job"})
    assert crawled.methods == {"rule": 12}
    what = "of a later version" if damage == "newer" else "damaged"
    assert len(crawled.lines(f"the spool of an earlier run is {what}; put aside as")) == 1
    assert crawled.stats["errors/spool"] == 1
    assert (spool.parent / "spool.sqlite.damaged-1").exists()
