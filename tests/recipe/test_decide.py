"""The segments that a rule keeps, those it leaves to the page, and the content of a decision."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence

import numpy as np
import pytest
from pages import outline, site, story, words

from scrapy_mainblock import Decision, Rules, explain, extract, learn
from scrapy_mainblock.judge import page_type
from scrapy_mainblock.judge.decision import REASONS, TITLE, Tried
from scrapy_mainblock.judge.judgement import Judgement
from scrapy_mainblock.recipe.decide import decide_by_rule
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.template.match import Match
from scrapy_mainblock.template.rules import Rule, SiteRules, Template, find_block
from scrapy_mainblock.template.selection import Selection

PAGE, URL = story()


class KnownReading(Reading):
    """A reading with a given judgement, or one whose judgement must not be used."""

    def __init__(self, inside: str, title: str = "", likely: Sequence[bool] | None = None) -> None:
        super().__init__(outline(inside, head=f"<title>{title}</title>"))
        if likely is not None:
            sizes = np.array([len(text) for text in self.page.texts], float)
            types = np.zeros(len(page_type.TYPES))
            self.judgement = Judgement(np.array(likely, float), types, sizes)
            unsure = np.full(len(sizes), 0.5)  # so that the judgement is asked for
            self._first_look = self._first_look._replace(probability=unsure)
        self.may_be_asked = likely is not None

    def likely_at_places(self, asked: Sequence[int]) -> list[bool]:
        assert self.may_be_asked, "the rule knows every place"
        return super().likely_at_places(asked)


def decision_by(
    selection: Selection, inside: str, likely: Sequence[bool] | None = None, title: str = ""
) -> Decision | None:
    """Return the decision by a rule for the whole body."""
    reading = KnownReading(inside, title, likely)
    template = Template("t", Rule(path="body1", selection=selection), frozenset(), pinned=True)
    found = decide_by_rule(Match(template, find_block(template.rule, reading.page)), reading)
    return None if found is None else found.decision


def kept_texts(
    selection: Selection, inside: str, likely: Sequence[bool] | None = None, title: str = ""
) -> list[str]:
    """Return the texts that a rule keeps; fail if it needlessly asks for the page's judgement."""
    decision = decision_by(selection, inside, likely, title)
    texts = outline(inside).texts
    return [] if decision is None else [t for t, k in zip(texts, decision.kept, strict=True) if k]


def test_places_unknown_to_the_rule_are_judged_by_the_page() -> None:
    rule = Selection(drop=("div.share",), known=("p",))
    page = "<p>told</p><ul><li>one</li></ul><ol><li>two</ol><div class=share>Share</div>"
    # the page's judgement of the places that the rule knows is not used
    assert kept_texts(rule, page, [False, True, False, True]) == ["told", "one"]
    assert kept_texts(rule, "<p>told</p><div class=share>Share</div>") == ["told"]


def test_segments_at_one_place_are_judged_together() -> None:
    rule = Selection(known=("p",))
    page = "<p>told</p><ul><li>one<li>a longer one</ul>"
    assert kept_texts(rule, page, [True, True, False]) == ["told"]
    assert kept_texts(rule, page, [True, False, True]) == ["told", "one", "a longer one"]


def test_unknown_place_of_the_title_needs_no_judgement() -> None:
    rule = Selection(known=("p", "h2"))
    page = "<h1>The title of it</h1><p>told</p><h2>more</h2><p>too</p>"
    assert kept_texts(rule, page, title="The title of it") == ["told", "more", "too"]


def test_heading_above_dropped_segments_is_dropped() -> None:
    rule = Selection(known=("p", "h2"), lines=("x",))
    page = f"<p>told</p><h2>more</h2>{'<p>x' * 4}<p>too, and more of it</p><h2>and now</h2>"
    assert kept_texts(rule, page) == ["told", "too, and more of it"]


def test_rule_with_only_drop_selectors_keeps_the_rest() -> None:
    page = "<p>told</p><ul><li>one</ul><div class=share>Share</div>"
    assert kept_texts(Selection(drop=("div.share",)), page) == ["told", "one"]
    assert kept_texts(Selection(keep=("ul",)), page) == ["one"]


def test_rule_that_keeps_nothing_gives_no_decision() -> None:
    assert decision_by(Selection(drop=("p",)), "<p>told") is None
    assert decision_by(Selection(known=("h1",)), "<p>told", [False]) is None
    assert decision_by(Selection(), "") is None


def test_headline_is_dropped_from_the_body() -> None:
    title = "Rain in May falls on Rome"
    found = decision_by(Selection(drop=("ul",)), f"<h1>{title}</h1><p>{words(9)}", title=title)
    assert found is not None
    assert found.why[0] == TITLE


# --- the decision ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_the_rule() -> Decision:
    html, url = story(99)
    return explain(html, url, learn(site(8)))


def test_decision_by_rule_reports_the_rule_and_what_was_tried(by_the_rule: Decision) -> None:
    assert by_the_rule.method == "rule"
    assert by_the_rule.rule == {"id": "content"}
    assert by_the_rule.tried == (Tried("id", "content", 1),)
    assert (by_the_rule.rule_version, by_the_rule.rule_pages) == (1, 8)
    assert by_the_rule.reason is None


def test_each_part_has_a_place_and_a_reason(by_the_rule: Decision) -> None:
    html, _ = story(99)
    source = html.encode()
    whys = {part.place: part.reason for part in by_the_rule.parts}
    assert whys["div.main > div#content > p"] == "the rule knows this place as content"
    assert whys["div.comments > p"] == "outside of the rule's block"
    kept_text = [source[part.start : part.end].decode() for part in by_the_rule.kept_parts]
    article = extract(html, "http://news.example/99", learn(site(8))).articleBody
    assert "\n\n".join(kept_text) == article
    assert len(by_the_rule.kept_parts) + len(by_the_rule.dropped_parts) == len(by_the_rule.parts)


def test_dropped_part_names_its_selector_or_line() -> None:
    rule = Selection(drop=("ul", "div.share"), lines=("Read more.",), keep=("p", "div.share", "ul"))
    page = "<p>told<div class=share>Share</div><h6>x</h6><p>Read more.</p>"
    found = decision_by(rule, page)
    assert found is not None
    assert [part.reason for part in found.parts] == [
        "the rule knows this place as content",
        "drop selector div.share",
        "matches none of the rule's keep selectors",
        "template line 'Read more.'",
    ]


def test_decision_without_rules_has_the_probability_of_each_part() -> None:
    found = explain(PAGE, URL)
    assert found.method == "page"
    assert (found.rule, found.cluster, found.tried) == (None, None, ())
    assert all(part.probability is not None for part in found.parts)
    reasons = {part.reason for part in found.parts}
    assert {
        "likely content, judged from the page alone",
        "not likely content, judged from the page alone",
    } <= reasons
    assert "the headline" in reasons


def test_decision_names_a_rule_that_missed_and_what_was_tried() -> None:
    moved = explain(PAGE.replace('id="content"', ""), URL, learn(site(8)))
    assert moved.tried == (Tried("id", "content", 0), Tried("path", "body1/div2/div1", 1))
    missing = Template("hand", Rule("gone", ("gone",), "body1/p9"), frozenset(), pinned=True)
    alone = explain(PAGE, URL, Rules({"news.example": SiteRules("news.example", (missing,))}))
    assert [(one.selector, one.matches) for one in alone.tried] == [
        ("id", 0),
        ("class", 0),
        ("path", 0),
    ]
    assert (alone.method, alone.reason, alone.cluster) == (
        "page",
        "the rule's block was not found",
        "hand",
    )


def test_decision_is_an_immutable_value() -> None:
    one, other = explain(PAGE, URL), explain(PAGE, URL)
    assert one == other
    with pytest.raises(AttributeError):
        one.method = "none"  # type: ignore[misc]


def test_decision_can_be_pickled_and_written_as_json(by_the_rule: Decision) -> None:
    again = pickle.loads(pickle.dumps(by_the_rule))
    assert again == by_the_rule
    assert again.parts == by_the_rule.parts
    assert json.loads(json.dumps(by_the_rule.to_dict()))["kept"][0]["place"]
    assert explain("", URL).to_dict()["reason"] == "the page is empty"


def test_reasons_are_distinct() -> None:
    assert len(REASONS) == len(set(REASONS)) == 15


def test_explain_agrees_with_extract() -> None:
    rules = learn(site(8))
    for html, url in (story(99), story(3, body=0, comments=200), story(5, attributes="")):
        for known in (None, rules):
            article, decision = extract(html, url, known), explain(html, url, known)
            assert article.metadata["method"] == decision.method
            assert article.metadata["probability"] == round(decision.probability, 4)
            assert article.metadata["pageType"] == decision.page_type
            assert article.metadata["reason"] == decision.reason
            assert (article.articleBody is None) == (not any(decision.kept))
