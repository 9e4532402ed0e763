"""The overview: which pages to review, and what the pages of a cluster have in common."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pages import site, story

from scrapy_mainblock import learn
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.document import shown_places
from scrapy_mainblock.report.survey import PageRow, Survey, review_reasons_of
from scrapy_mainblock.stores.rules import Rules
from scrapy_mainblock.template.rules import SiteRules
from scrapy_mainblock.template.selection import Selection

SHARE = '<p class="share">Share this story with all of your friends</p>'


def surveyed(pages: list[tuple[str, str]], rules: Rules) -> Survey:
    survey = Survey()
    for html, url in pages:
        survey.add(Page.of(html, url), "news.example", url, rules.of("news.example"))
    survey.rate()
    return survey


@pytest.fixture(scope="module")
def rules() -> Rules:
    return learn(site(12))


def row(**parts: object) -> PageRow:
    usual = {
        "number": 0, "id": "", "url": None, "site": "s", "cluster": "c", "method": "rule",
        "probability": 0.9, "page_type": "article", "reason": None, "headline": None,
        "kept": 500, "chars": 1000, "agreement": 1.0,
    }  # fmt: skip
    return PageRow(**{**usual, **parts})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "reasons"),
    [
        ({}, []),
        ({"method": "none"}, ["nothing"]),
        ({"method": "page"}, ["missed"]),
        ({"method": "page", "cluster": None}, []),
        ({"kept": 20, "chars": 100_000}, ["hardly", "shorter"]),
        ({"kept": 200, "chars": 100_000, "page_type": "index"}, []),
        ({"kept": 2100}, ["longer"]),
        ({"kept": 120}, ["shorter"]),
        ({"agreement": 0.5}, ["disagree"]),
        ({"agreement": None}, []),
        ({"probability": 0.4}, ["unsure"]),
    ],
)
def test_review_reasons_of_a_page(parts: dict[str, object], reasons: list[str]) -> None:
    assert list(review_reasons_of(row(**parts), 500.0)) == reasons


def test_a_page_that_differs_from_its_cluster_ranks_first(rules: Rules) -> None:
    survey = surveyed([*site(12), story(50, body=10)], rules)
    worst = max(survey.rows, key=lambda one: one.doubt)
    assert worst.url == "http://news.example/50"
    assert worst.review_reasons


def test_a_page_without_a_source_keeps_its_row(rules: Rules) -> None:
    survey = Survey()
    survey.add(None, "news.example", "a", None, "the page could not be read: not JSON")
    survey.add(Page.of(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9), "news.example", "b", None)
    survey.rate()
    assert [one.method for one in survey.rows] == ["none", "none"]
    assert [one.review_reasons for one in survey.rows] == [["nothing"], ["nothing"]]
    assert survey.rows[0].reason == "the page could not be read: not JSON"


def test_parts_dropped_by_a_rule_are_counted() -> None:
    pages = site(12, attributes='id="content"><p class="share">Share this</p><p')
    (learnt,) = learn(pages).sites["news.example"].templates
    rule = replace(learnt.rule, selection=Selection(drop=("p.share",)))
    site_rules = SiteRules("news.example", (replace(learnt, rule=rule),))
    survey = surveyed(pages, Rules({"news.example": site_rules}))
    (cluster,) = survey.clusters.values()
    ((reason, left),) = cluster.left.items()
    assert reason == "drop selector p.share"
    assert (left.pages, left.parts) == (12, 12)


def test_the_structure_counts_how_often_a_place_occurs_and_is_content(rules: Rules) -> None:
    survey = surveyed([*site(8), *site(4, above='<div class="new"><p>Some news</p></div>')], rules)
    (cluster,) = survey.clusters.values()
    places = {
        step: (depth, there, content) for depth, step, there, content, _ in shown_places(cluster)
    }
    assert places["div.menu"] == (0, 12, 0)
    assert places["div.main"] == (0, 12, 12)
    assert places["div#content"] == (1, 12, 12)
    assert places["div.new"] == (0, 4, 0)


def test_a_sample_has_doubtful_pages_and_some_of_every_cluster(rules: Rules) -> None:
    survey = Survey()
    survey.rows = [
        row(number=number, cluster=f"c{number % 5}" if number < 90 else "rare")
        for number in range(100)
    ]
    for one in survey.rows:
        one.doubt = 0.9 if one.number in (3, 4, 5) else 0.1
    chosen = survey.sample(20)
    assert len(chosen) == 20
    assert {3, 4, 5} <= chosen
    assert {survey.rows[number].cluster for number in chosen} == {
        *(f"c{n}" for n in range(5)),
        "rare",
    }
    assert survey.sample(100) == set(range(100))
