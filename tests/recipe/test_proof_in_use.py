"""A known rule continues to be checked against pages read alone, and is not used once it fails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from command import run
from pages import site as made_site
from pages import story

from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.decide import FAILED
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import CHECKED, Lesson, SiteLearner, look_at
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rules import SiteRules, Template

SITE = "news.example"
PAGES = made_site(CHECKED, host=SITE)


def known_rules() -> SiteRules:
    learner = SiteLearner(SITE)
    for page in PAGES[:6]:
        learner.learn(look_at(Reading(Outline(Page.of(*page))), learner.rules))
    return learner.rules


def learn_more(learner: SiteLearner) -> list[Lesson]:
    """Learn from more pages, and return the lessons."""
    return [
        learner.learn(look_at(Reading(Outline(Page.of(*page))), learner.rules)) for page in PAGES
    ]


def test_proof_of_a_known_rule_is_renewed() -> None:
    learner = SiteLearner(SITE, replace(known_rules(), templates=(pages_of_many(known_rules()),)))
    assert [one.news for one in learn_more(learner)] == [None] * CHECKED
    (template,) = learner.rules.templates
    assert template.proof is not None
    assert len(template.proof.checked) == len("2026-11-19")
    assert not template.has_failed
    assert learner.has_changed


def pages_of_many(rules: SiteRules) -> Template:
    """Return the template as if taught by more pages, so that later pages do not teach it anew."""
    return replace(rules.templates[0], pages=CHECKED + 1)


@pytest.mark.parametrize(
    ("proof", "losses", "failed"),
    [
        (Proof(24, 0.1, 0), [0.9] * 9 + [0.0] * 7, True),
        (Proof(24, 0.1, 0), [0.9] * 8 + [0.0] * 8, False),
        (Proof(24, 0.9, 20), [0.9] * 16, False),  # a rule that did so from the start knows better
    ],
)
def test_rule_fails_if_it_loses_more_than_before(
    proof: Proof, losses: list[float], *, failed: bool
) -> None:
    after = proof.renewed(losses, "2026-11-19")
    assert (after.failed, after.checked, after.worst) == (failed, "2026-11-19", 0.9)


def failed_rules() -> SiteRules:
    (template,) = known_rules().templates
    assert template.proof is not None
    proof = template.proof.renewed([0.9] * CHECKED, "2026-11-19")
    return replace(known_rules(), templates=(replace(template, proof=proof),))


def test_failed_rule_is_not_used_and_reported(tmp_path: object) -> None:
    html, url = PAGES[9]
    by_rule = extract(html, url, Rules({SITE: known_rules()}))
    assert by_rule.metadata["method"] == "rule"
    rules = Rules({SITE: failed_rules()})
    rules.save(str(tmp_path))
    found = extract(html, url, Rules.load(str(tmp_path)))
    assert found.metadata["method"] == "page"
    assert found.metadata["reason"] == FAILED
    listed = run("rules", "list", "--rules", tmp_path).stdout.decode()
    name = failed_rules().templates[0].cluster
    assert f"{SITE} {name}: not used: it dropped more than 30%" in listed
    assert f"on {CHECKED} of the {CHECKED} pages it was checked on" in listed


def test_failed_rule_is_relearnt() -> None:
    learner = SiteLearner(SITE, failed_rules())
    learn_more(learner)
    assert not learner.rules.templates[0].has_failed


def test_failure_in_use_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from scrapy_mainblock.recipe import site_learner  # noqa: PLC0415

    monkeypatch.setattr(site_learner, "lost_by_rule", lambda *_: 0.9)
    learner = SiteLearner(SITE, replace(known_rules(), templates=(pages_of_many(known_rules()),)))
    news = [one.news for one in learn_more(learner) if one.news]
    assert [one.kind for one in news] == ["failed"]
    assert learner.rules.templates[0].has_failed


def test_rule_learnt_from_a_duplicated_article_is_not_used(tmp_path: object) -> None:
    """The article has two URLs and is longer than the others, so most lines of the text recur."""
    html, _ = story(90, body=900, comments=0)
    pages = [
        *made_site(7, host=SITE, body=120, comments=0),
        *((html, f"http://{SITE}/{address}") for address in ("twice", "twice?print=1")),
    ]
    rules = learn(pages)
    (template,) = rules.sites[SITE].templates
    assert template.has_failed
    for html, url in made_site(12, host=SITE, body=120, comments=0)[9:]:
        found = extract(html, url, rules)
        assert len((found.articleBody or "").split()) >= 120
        assert found.metadata["reason"] == FAILED
    rules.save(str(tmp_path))
    listed = run("rules", "list", "--rules", tmp_path).stdout.decode()
    assert "on 9 of the 9 pages it was learned from; a crawl learns it again" in listed


def test_known_rule_is_not_relearnt_from_a_duplicated_article() -> None:
    html, _ = story(90, body=900, comments=0)
    pages = made_site(6, host=SITE, body=120, comments=0)
    learner = SiteLearner(SITE)
    for page in [*pages, (html, f"http://{SITE}/twice"), (html, f"http://{SITE}/twice?print=1")]:
        learner.learn(look_at(Reading(Outline(Page.of(*page))), learner.rules))
    (template,) = learner.rules.templates
    assert (template.pages, template.has_failed) == (6, False)
