"""Crawls whose callbacks take an Article of zyte-common-items as an argument."""

from __future__ import annotations

import subprocess
import sys

import pytest

from crawl.harness import Crawler
from crawl.server import Server, body_of, story

pytest.importorskip("scrapy_poet")
pytest.importorskip("zyte_common_items")

BOTH = {
    "ADDONS": '{"scrapy_mainblock.Addon": 500, "scrapy_poet.Addon": 300}',
    "SCRAPY_POET_PROVIDERS": '{"scrapy_mainblock.ArticleProvider": 1000}',
}


def test_a_callback_gets_the_article_of_its_page(crawler: Crawler, site: Server) -> None:
    url = f"{site.url('/list/plain/30')} {site.url('/list/other/8')}"
    crawled = crawler.crawl("poet_articles", url=url, settings=BOTH)
    assert len(crawled.items) == 38
    for item in crawled.items:
        number = item["url"].rsplit("/", 1)[1]
        assert body_of(item["articleBody"]) == "\n\n".join(story(int(number)))
        assert story(int(number))[0] in item["articleBodyHtml"]
        assert item["headline"] == f"Own Story {number}"
        assert 0 < item["metadata"]["probability"] <= 1
    # Pages are answered by page until a rule is known; no page waits.
    assert crawled.stats["provided"] == 38
    assert crawled.stats["rules/learnt"] == 2
    assert crawled.stats["held"] == 0
    assert crawled.stats["by_rule"] >= 24


def test_the_rules_of_an_earlier_crawl_are_used(crawler: Crawler, site: Server) -> None:
    crawler.crawl(url=site.url("/list/plain/8"), feed="first.jsonl")
    crawled = crawler.crawl("poet_articles", url=site.url("/list/plain/5"), settings=BOTH)
    assert crawled.stats["by_rule"] == crawled.stats["provided"] == 5


def test_a_requested_article_is_provided_even_if_the_request_opted_out(
    crawler: Crawler, site: Server
) -> None:
    crawled = crawler.crawl(
        "poet_articles", url=site.url("/list/plain/4"), settings=BOTH, opted_out=1
    )
    assert len(crawled.items) == 4
    assert all(body_of(item["articleBody"]) for item in crawled.items)
    assert crawled.stats["pages"] == 1  # the list page


def test_a_missing_extra_raises_an_error_with_the_install_command() -> None:
    code = (
        "import sys, scrapy_mainblock\n"
        "sys.modules['zyte_common_items'] = None\n"
        "scrapy_mainblock.ArticleProvider"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert 'pip install "scrapy-mainblock[poet]"' in done.stderr.splitlines()[-1]
