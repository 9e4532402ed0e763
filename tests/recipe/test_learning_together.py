"""Several workers on one site: one learns from the pages of all, and each can continue alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crawl.server import TEMPLATES
from pages import site as made_site

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import Look, SiteLearner, look_at
from scrapy_mainblock.stores.directory import merge
from scrapy_mainblock.template.rules import Rule, SiteRules

SITE = "news.example"
PAGES = made_site(12, host=SITE)
OTHERS = made_site(12, host=SITE, attributes='id="text"', above="<section><p>New</p></section>" * 9)


def _look(learner: SiteLearner, page: tuple[str, str]) -> Look:
    return look_at(Reading(Outline(Page.of(*page))), learner.rules)


def _follower() -> SiteLearner:
    learner = SiteLearner(SITE)
    learner.leads = False
    return learner


def _learn(learner: SiteLearner, *pages: tuple[str, str]) -> None:
    for page in pages:
        learner.learn(_look(learner, page))


def test_rule_is_learnt_from_the_pages_of_several_workers() -> None:
    leader, follower = SiteLearner(SITE), _follower()
    told = []
    for mine, others in zip(PAGES[:3], PAGES[3:6], strict=True):
        assert leader.learn(_look(leader, mine)).news is None
        look = _look(follower, others)
        told.append((look, follower.rule_version(look)))
        assert not follower.learn(look).answerable
    lessons = [leader.learn_of_others(*one) for one in told]
    assert [one is not None and one.news is not None for one in lessons] == [False, False, True]
    alone = SiteLearner(SITE)
    _learn(alone, *PAGES[:6])
    (template,) = leader.rules.templates
    assert template.rule == alone.rules.templates[0].rule
    assert template.pages == 6
    # The leader's rule answers the page of the follower's cluster.
    assert not follower.rules.templates
    assert follower.saved(merge(None, leader.take_changes()))
    assert follower.learn(_look(follower, PAGES[8])).answerable
    assert not follower.has_changed


def test_follower_reports_its_own_cluster_name() -> None:
    """The follower's pages wait under the name derived from its first page."""
    leader, follower = SiteLearner(SITE), _follower()
    _learn(leader, *PAGES[:6])
    name = follower.learn(_look(follower, PAGES[6])).cluster
    renamed = replace(leader.rules.templates[0], cluster="other")
    assert follower.saved(SiteRules(SITE, (renamed,))) == ["other", name]
    assert follower.saved(SiteRules(SITE, (renamed,))) == []


def test_follower_learns_nothing_until_it_leads() -> None:
    follower = _follower()
    _learn(follower, *PAGES[:9])
    assert not follower.rules.templates
    assert [one.kind for one in follower.lead()] == ["learnt"]
    assert follower.rules.templates[0].rule.id == "content"
    assert follower.has_changed
    assert follower.lead() == []


def test_follower_learns_before_its_pages_are_released() -> None:
    follower = _follower()
    _learn(follower, *PAGES[:9])
    follower.settle()
    assert follower.rules.templates[0].rule.id == "content"


def test_follower_takes_over_a_redesign_from_the_leader() -> None:
    before_it, after = (
        [(TEMPLATES[name](number), f"http://{SITE}/{number}") for number in range(10)]
        for name in ("plain", "renamed")
    )
    learner = SiteLearner(SITE)
    _learn(learner, *before_it)
    follower = SiteLearner(SITE, learner.rules)
    follower.leads = False
    before = follower.rules
    for page in after:
        follower.learn(_look(follower, page))
        learner.learn(_look(learner, page))
    assert follower.rules == before
    assert learner.rules != before
    (cluster,) = follower.saved(learner.rules)
    assert cluster == before.templates[0].cluster


@pytest.mark.parametrize(
    ("fit", "version", "counts"),
    [("fits", 1, True), ("missed", 1, True), ("fits", 7, True), ("missed", 7, False)],
)
def test_miss_of_another_rule_version_does_not_count(fit: str, version: int, counts: bool) -> None:
    learner = SiteLearner(SITE)
    _learn(learner, *PAGES[:6])
    look = _look(learner, PAGES[7])._replace(fit=fit)
    assert (learner.learn_of_others(look, version) is not None) == counts


def test_pin_saved_by_another_process_is_taken_over() -> None:
    learner = SiteLearner(SITE)
    _learn(learner, *PAGES)
    pinned = replace(learner.rules.templates[0], rule=Rule("foot"), pinned=True)
    learner.saved(SiteRules(SITE, (pinned,)))
    _learn(learner, *PAGES, *OTHERS)
    assert pinned in learner.rules.templates
