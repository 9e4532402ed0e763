"""A hostile or broken site does not affect a good one: each site has its own limits and name."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pages import site as site_pages
from scrapy import Spider
from scrapy.crawler import Crawler as ScrapyCrawler
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_mainblock import extract, learn
from scrapy_mainblock.crawl import known_sites
from scrapy_mainblock.crawl.known_sites import KnownSites, Site
from scrapy_mainblock.crawl.settings import Options
from scrapy_mainblock.crawl.stats import Stats
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.recipe.site_learner import Look, SiteLearner
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.template.learning.evidence import (
    MOST_CLUSTERS,
    MOST_SITE_ENTRIES,
    PageEvidence,
    SiteEvidence,
)
from scrapy_mainblock.template.learning.place_stats import PlaceSeen
from scrapy_mainblock.template.learning.votes import Vote
from scrapy_mainblock.template.rules import SiteRules

GOOD = [Look(evidence_of(Page.of(html, url))) for html, url in site_pages(8)]


def _another_template(number: int, places: int = 40) -> Look:
    """Return what learning sees of a page that resembles no other page."""
    draw = random.Random(number)
    chains = [f"div.t{number} > div.c{draw.random()}" for _ in range(places)]
    seen = {chain: PlaceSeen(0.9, 100, (f"{draw.random()} " * 5,)) for chain in chains}
    structure = frozenset(draw.getrandbits(64) for _ in range(places))
    vote = Vote(f"i{draw.random()}", (), f"body1/div{number}", 0.9, 100, 0, chains[0])
    return Look(PageEvidence(structure, (vote,), seen))


def _endless_templates(count: int, pages: int = 1) -> Iterator[Look]:
    for number in range(count):
        yield from [_another_template(number)] * pages


@pytest.fixture
def let_go() -> list[str]:
    return []


def _sites(let_go: list[str], most: int = 20, directory: Path | None = None) -> KnownSites:
    crawler = ScrapyCrawler(Spider)
    crawler.stats = MemoryStatsCollector(crawler)
    rules = None if directory is None else RulesDirectory(directory)
    return KnownSites(most, rules, Stats(crawler, most), let_go.append)


def _learn(sites: KnownSites, name: str, look: Look) -> Site:
    site = sites.get(name)
    site.learner.learn(look)
    sites.weigh(site)
    return site


# --- one site -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("templates", "pages"),
    [(1_050, 1), (420, 6), pytest.param(100_000, 1, marks=pytest.mark.slow)],
)
def test_endless_templates_take_bounded_memory_and_yield_bounded_rules(
    templates: int, pages: int
) -> None:
    learner = SiteLearner("evil.example")
    for look in _endless_templates(templates, pages):
        learner.learn(look)
    rules = len(learner.rules.templates)
    assert learner.size <= MOST_SITE_ENTRIES + 40 * rules
    assert rules <= MOST_CLUSTERS
    assert rules == 0 or pages > 1


def test_a_template_with_many_pages_survives_endless_templates() -> None:
    """The endless templates evict only each other."""
    learner = SiteLearner("both.example")
    for look in GOOD:
        learner.learn(look)
    known = learner.rules
    for number, look in enumerate(_endless_templates(1_050)):
        learner.learn(look)
        if number % 50 == 0:
            learner.learn(GOOD[number // 50 % len(GOOD)])
    (rule,) = known.templates
    found = learner.rule_named(rule.cluster)
    assert found is not None
    assert found.rule.id == "content"
    assert found.pages > rule.pages  # learning continued


def test_the_size_of_the_evidence_equals_the_sum_of_its_clusters() -> None:
    evidence = SiteEvidence("a.example")
    for look in [*GOOD, *_endless_templates(300), *GOOD]:
        evidence.add(look.evidence)
    clusters = [*evidence._clusters, evidence._site]
    assert evidence.size == sum(cluster.size for cluster in clusters)


# --- several sites ------------------------------------------------------------------------------


def test_endless_hosts_evict_only_each_other(let_go: list[str], tmp_path: Path) -> None:
    sites = _sites(let_go, directory=tmp_path)
    names = [f"good{number}.example.net" for number in range(3)] + ["news.example"]
    for look in GOOD[:5]:
        for name in names:
            _learn(sites, name, look).held += 1
    for number in range(2_000):
        _learn(sites, f"a.b.c{number}.evil.com", GOOD[0]).held += 1
    assert len(let_go) == 2_000 - (20 - len(names))
    assert all(name.endswith(".evil.com") for name in let_go)
    for name in names:  # the sixth page yields a rule: nothing was forgotten
        assert _learn(sites, name, GOOD[5]).learner.rules.templates


def test_endless_templates_evict_only_their_own_site(
    let_go: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_sites, "MOST_ENTRIES", 30_000)
    sites = _sites(let_go)
    for look in GOOD[:5]:
        for number in range(3):
            _learn(sites, f"good{number}.example", look).held += 1
    for look in _endless_templates(400):
        for host in ("evil.example", "x.evil.example"):
            _learn(sites, host, look).held += 1
        assert sum(site.learner.size for site in sites._sites.values()) <= 30_000
    assert set(let_go) <= {"evil.example", "x.evil.example"}
    assert _learn(sites, "good1.example", GOOD[5]).learner.rules.templates


def test_evicted_sites_are_saved_and_reloaded_with_their_rules(
    let_go: list[str], tmp_path: Path
) -> None:
    """In a broad crawl, the least recently seen sites are saved to the rules directory."""
    sites = _sites(let_go, most=10, directory=tmp_path)

    async def crawl() -> SiteRules:
        for number in range(60):
            for look in GOOD[:6]:
                _learn(sites, f"site{number}.example", look)
        assert len(sites._sites) == 10
        await sites.close()
        back = await sites.open("site0.example", "http://site0.example/1")
        return back.learner.rules

    (rule,) = asyncio.run(crawl()).templates
    assert let_go == []
    assert len(list(tmp_path.glob("*.json"))) == 60
    assert rule.rule.id == "content"


@pytest.mark.slow
def test_the_memory_for_a_hundred_thousand_sites_is_bounded(
    let_go: list[str], tmp_path: Path
) -> None:
    sites = _sites(let_go, most=500, directory=tmp_path)
    for number in range(100_000):
        _learn(sites, f"site{number}.example", GOOD[number % 8])
    assert len(sites._sites) == 500
    assert sites._size == sum(site.learner.size for site in sites._sites.values())


# --- the site of a page -------------------------------------------------------------------------

LIES = (
    '<base href="https://good.example/"><link rel="canonical" href="https://good.example/1">'
    '<meta property="og:url" content="https://good.example/1">'
)


def _lying(html: str) -> str:
    return html.replace("<head>", f"<head>{LIES}")


def test_a_page_with_a_false_canonical_url_stays_on_its_site() -> None:
    pages = [(_lying(html), url) for html, url in site_pages(8, host="evil.example")]
    rules = learn(pages)
    assert set(rules.sites) == {"evil.example"}
    html, url = pages[0]
    article = extract(html, url=url, rules=rules)
    assert (article.url, article.metadata["method"]) == (url, "rule")


@pytest.mark.parametrize("site", ["domain", "host"])
def test_a_crawl_ignores_a_false_canonical_url(site: str) -> None:
    options = Options.of(Settings({"MAINBLOCK_SITE": site}))
    ((html, url), *_) = site_pages(1, host="evil.example")
    assert options.site(HtmlResponse(url, body=_lying(html).encode())) == "evil.example"


def test_a_base_element_changes_links_but_not_the_url_of_the_page() -> None:
    ((html, url), *_) = site_pages(1, host="evil.example")
    html = _lying(html).replace("<p>", '<p><a href="/next">next</a> ', 1)
    article = extract(html, url=url)
    assert article.url == url
    assert "good.example" in (article.articleBodyHtml or "")  # as in a browser
