"""One crawl over HTTP: every type of page of the demo site, a slow host and one that dies."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import fmean
from urllib.parse import urlsplit

import demo_site
import pytest

from crawl.harness import Crawled, Crawler
from crawl.server import Handler, Server, body_of, story
from scrapy_mainblock import extract
from scrapy_mainblock.page.tokens import score, tokens

ANSWERS_BEFORE_DEATH = 7
LEAST_F1 = 0.97


class _SlowHandler(Handler):
    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        time.sleep(0.3)
        super().do_GET()


class _DyingHandler(Handler):
    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        self.server.answered += "/page/" in self.path
        if self.server.answered > ANSWERS_BEFORE_DEATH:
            self.close_connection = True  # closes without sending a byte
        else:
            super().do_GET()


@pytest.fixture(scope="module")
def site() -> Iterator[demo_site.Site]:
    with demo_site.serve(articles_per_template=8) as served:
        yield served.site


@pytest.fixture(scope="module")
def crawled(site: demo_site.Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    slow, dying = Server(_SlowHandler), Server(_DyingHandler)
    crawler = Crawler(tmp_path_factory.mktemp("everywhere"))
    (crawler.directory / "by_port.py").write_text(
        "def site(response):\n    return response.url.split('/')[2]\n"
    )
    settings = {"MAINBLOCK_SITE": "by_port.site", "ROBOTSTXT_OBEY": "1", "RETRY_TIMES": "0"}
    run = crawler.start(
        "everywhere", demo=site.base_url, slow=slow.url(""), dying=dying.url(""), settings=settings
    )
    yield run.wait()
    for server in (slow, dying):
        server.shutdown()
        server.server_close()


def _paths(crawled: Crawled, site: demo_site.Site) -> Counter[str]:
    urls = (item["url"] for item in crawled.items)
    return Counter("/" + url.removeprefix(site.base_url) for url in urls if site.base_url in url)


def test_the_crawl_ends_cleanly_with_an_item_for_each_page(
    crawled: Crawled, site: demo_site.Site
) -> None:
    assert crawled.status == 0
    assert not crawled.lines("Spider error processing")
    assert not crawled.lines("Error processing")
    found = _paths(crawled, site)
    assert {page.path for page in site.pages} <= set(found)
    twice = {path for path, times in found.items() if times > 1}
    assert found["/news/"] >= 3  # as often as the spider requests it
    assert twice == {"/news/"}
    assert crawled.stats["held"] == crawled.stats["released"] > 0
    assert crawled.stats["errors/extract"] == crawled.stats["errors/fill"] == 0


def test_pages_forbidden_by_robots_txt_are_not_crawled(
    crawled: Crawled, site: demo_site.Site
) -> None:
    assert not any(path.startswith("/search") for path in _paths(crawled, site))
    assert crawled.stats["robotstxt/forbidden"] > 0


def test_an_item_after_a_redirect_has_the_final_url(crawled: Crawled, site: demo_site.Site) -> None:
    assert crawled.stats["downloader/response_status_count/301"] > 0
    assert "/news" not in _paths(crawled, site)
    for item in crawled.items:
        assert item["metadata"]["sourceUrl"] == item["url"]


def test_a_404_and_non_html_responses_give_a_reason(crawled: Crawled) -> None:
    by_path = {urlsplit(item["url"]).path: item for item in crawled.items}
    missing = by_path["/no/such/page"]["metadata"]
    assert missing["status"] == 404
    assert "its status is 404" in missing["reason"]
    for path in ("/sitemap.xml", "/media/harbour-3-0.svg"):
        assert by_path[path]["articleBody"] is None
        assert "is not HTML" in by_path[path]["metadata"]["reason"]


def test_each_type_of_page_has_its_text(crawled: Crawled, site: demo_site.Site) -> None:
    """Extraction by rule, and where too few pages exist for a rule, no worse than by page."""
    by_url = {item["url"]: item for item in crawled.items}
    found, alone = defaultdict(list), defaultdict(list)
    for page in site.pages:
        if page.gold:
            url = site.base_url + page.path[1:]
            for scores, body in (
                (found, by_url[url]["articleBody"]),
                (alone, extract(page.body, url=url).articleBody),
            ):
                scores[page.template].append(score(tokens(body or ""), tokens(page.gold)).f1)
    assert len(found) > 5
    for template, scores in found.items():
        assert fmean(scores) > min(LEAST_F1, fmean(alone[template])) - 0.001, (template, scores)
    good = [template for template, scores in found.items() if fmean(scores) > LEAST_F1]
    assert len(good) > len(found) / 2


@pytest.mark.parametrize("host", ["slow", "dying"])
def test_pages_of_a_slow_and_a_dying_host_are_extracted(
    crawled: Crawled, site: demo_site.Site, host: str
) -> None:
    others = defaultdict(list)
    for item in crawled.items:
        if site.base_url not in item["url"]:
            others[item["url"].rsplit("/page", 1)[0]].append(item)
            number = int(item["url"].rsplit("/", 1)[1])
            assert body_of(item["articleBody"]) == "\n\n".join(story(number))
    assert sorted(map(len, others.values())) == [ANSWERS_BEFORE_DEATH, 12]
    (items,) = (one for one in others.values() if (len(one) == 12) == (host == "slow"))
    assert len({item["url"] for item in items}) == len(items)
