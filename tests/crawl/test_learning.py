"""SiteLearner: what is learned from a site page by page, without running a crawl."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from crawl.server import TEMPLATES, body_of, story
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.decide import UNLIKE
from scrapy_mainblock.recipe.extract import article_of_reading
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import (
    FIRST_LESSON,
    NOTHING_SEEN,
    SAMPLED,
    SETTLED,
    Lesson,
    SiteLearner,
    look_at,
)
from scrapy_mainblock.template.rules import Rule, SiteRules, Template


def _reading(html: str, url: str | None = None) -> Reading:
    return Reading(Outline(Page.of(html, url)))


def _page(template: str, number: int) -> Reading:
    return _reading(TEMPLATES[template](number), f"https://a.example/{number}")


def _learn(learner: SiteLearner, pages: Iterable[Reading]) -> list[Lesson]:
    return [learner.learn(look_at(page, learner.rules)) for page in pages]


def _plain(count: int, template: str = "plain") -> list[Reading]:
    return [_page(template, number) for number in range(count)]


def test_the_sixth_page_yields_a_rule() -> None:
    learner = SiteLearner("a.example")
    lessons = _learn(learner, _plain(8))
    assert [lesson.answerable for lesson in lessons] == [False] * 5 + [True] * 3
    assert [lesson.news is not None for lesson in lessons].index(True) == 5
    assert [lesson.settled for lesson in lessons].index(True) == 5
    assert learner.rules.templates[0].rule.id == "main"


def test_the_rule_is_relearned_as_pages_accumulate() -> None:
    learner = SiteLearner("a.example")
    pages = []
    for page in _plain(50):
        learner.learn(look_at(page, SiteRules(learner.site)))
        pages.append(learner.rules.templates[0].pages if learner.rules.templates else 0)
    assert sorted(set(pages)) == [0, 6, 8, 12, 16, 24, 32, 48]


def _count_learnt_from(pages: list[Reading], rules: SiteRules) -> int:
    return sum(look_at(page, rules).passed_over is None for page in pages)


def test_fewer_pages_are_sampled_as_a_rule_settles() -> None:
    learner = SiteLearner("a.example")
    learnt_from = []
    for number, page in enumerate(_plain(2 * SETTLED), start=1):
        learner.learn(look_at(page, SiteRules(learner.site)))
        if number in (FIRST_LESSON, SETTLED, 2 * SETTLED):
            learnt_from.append(_count_learnt_from(_plain(800), learner.rules))
    assert learnt_from[0] == 800
    assert 800 / SAMPLED / 2 < learnt_from[1] < 800 / SAMPLED * 2
    assert learnt_from[1] / 4 < learnt_from[2] < learnt_from[1]


def test_only_a_sample_of_pages_that_fit_a_settled_rule_is_learned_from() -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(SETTLED))
    looks = [look_at(page, learner.rules) for page in _plain(400)]
    passed_over = [look for look in looks if look.passed_over]
    assert len(looks) / SAMPLED / 2 < len(looks) - len(passed_over) < len(looks) / SAMPLED * 2
    assert {look.fit for look in passed_over} == {"fits"}
    assert all(learner.learn(look).answerable for look in looks)
    assert look_at(_page("menu", 7), learner.rules).evidence.votes


def test_an_earlier_crawls_rule_stays_until_there_is_more_evidence() -> None:
    first = SiteLearner("a.example")
    _learn(first, _plain(24))
    second = SiteLearner("a.example", first.rules)
    assert all(lesson.answerable for lesson in _learn(second, _plain(12)))
    assert second.rules == first.rules
    assert not second.has_changed


@pytest.mark.parametrize("template", ["renamed", "menu"])
def test_six_pages_that_do_not_fit_the_rule_yield_a_new_one(template: str) -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(12))
    lessons = _learn(learner, _plain(8, template))
    assert [lesson.answerable for lesson in lessons] == [False] * 5 + [True] * 3
    assert [lesson.news.kind for lesson in lessons if lesson.news] == ["relearnt"]
    (learnt,) = learner.rules.templates
    assert [old.rule.id for old in learnt.history] == ["main"]
    assert learnt.version == learnt.history[0].version + 1
    assert _learn(learner, _plain(40, template))[-1].news is None  # the old pages are forgotten


def test_two_templates_that_take_turns_do_not_replace_each_other() -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(12))
    for number in range(40):
        _learn(learner, [_page("plain", number), _page("renamed", number)])
    (learnt,) = learner.rules.templates
    assert (learnt.rule.id, learnt.history) == ("main", ())


def test_a_page_with_a_different_block_is_answered_without_the_rule() -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(12))
    found = article_of_reading(_page("menu", 7), learner.rules)
    assert body_of(found.articleBody) == "\n\n".join(story(7))
    assert found.metadata["method"] == "page"
    # If the rule has learned what a menu is, it keeps nothing of one; else the page is "unlike".
    assert found.metadata["reason"] in {UNLIKE, "the rule's block is empty"}


def test_a_very_short_article_is_answered_by_the_rule() -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(12))
    html = TEMPLATES["plain"](1)
    start, end = html.index("<p>"), html.index("</p></div>")
    found = article_of_reading(_reading(html[:start] + "<p>Short." + html[end:]), learner.rules)
    assert found.articleBody == "Short."
    assert found.metadata["method"] == "rule"


def test_a_pinned_rule_is_never_in_doubt() -> None:
    pinned = Template("site", Rule(id="foot"), frozenset(), pinned=True)
    learner = SiteLearner("a.example", SiteRules("a.example", (pinned,)))
    assert all(lesson.answerable for lesson in _learn(learner, _plain(20, "renamed")))
    assert learner.rules.templates == (pinned,)
    assert not learner.has_changed


def test_an_empty_page_is_ignored_and_does_not_wait() -> None:
    learner = SiteLearner("a.example")
    assert look_at(_reading(""), learner.rules) == NOTHING_SEEN
    assert all(lesson.answerable for lesson in _learn(learner, [_reading("")] * 20))
    assert not learner.rules.templates


def test_only_changes_are_saved_and_other_workers_rules_are_merged() -> None:
    learner = SiteLearner("a.example")
    _learn(learner, _plain(6))
    changes = learner.take_changes()
    assert len(changes.templates) == 1
    assert not learner.has_changed
    other = Template("other", Rule(id="x"), frozenset({1, 2, 3}), pages=9, votes=9)
    learner.saved(SiteRules("a.example", (*changes.templates, other)))
    assert other in learner.rules.templates
    learner.not_saved(changes)
    assert learner.take_changes() == changes


def test_a_site_with_endless_templates_takes_bounded_memory() -> None:
    learner = SiteLearner("a.example")
    for number in range(1500):
        tags = "".join(
            f"<div>{'<div>' * (number >> bit & 1)}<p>text {bit}</p>" for bit in range(11)
        )
        body = "<section>" * (number % 37) + tags * (1 + number % 5)
        _learn(learner, [_reading(f"<html><body>{body}</body></html>")])
    assert learner.size < 120_000
