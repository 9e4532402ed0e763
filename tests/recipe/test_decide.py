"""What a rule keeps of a page, what it asks the page itself, and what a decision says of it."""

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
    """A reading that was judged already; one that may not be asked."""

    def __init__(self, inside: str, title: str = "", likely: Sequence[bool] | None = None) -> None:
        super().__init__(outline(inside, head=f"<title>{title}</title>"))
        if likely is not None:
            sizes = np.array([len(text) for text in self.page.texts], float)
            types = np.zeros(len(page_type.TYPES))
            self.judgement = Judgement(np.array(likely, float), types, sizes)
        self.may_be_asked = likely is not None

    def likely_at_places(self, asked: Sequence[int]) -> list[bool]:
        assert self.may_be_asked, "the rule knows every place"
        return super().likely_at_places(asked)


def decided(
    selection: Selection, inside: str, likely: Sequence[bool] | None = None, title: str = ""
) -> Decision | None:
    """What is decided by a rule for the whole body."""
    reading = KnownReading(inside, title, likely)
    template = Template("t", Rule(path="body1", selection=selection), frozenset(), pinned=True)
    found = decide_by_rule(Match(template, find_block(template.rule, reading.page)), reading)
    return None if found is None else found.decision


def kept(
    selection: Selection, inside: str, likely: Sequence[bool] | None = None, title: str = ""
) -> list[str]:
    """The texts that a rule keeps; it fails when it asks though it need not."""
    decision = decided(selection, inside, likely, title)
    texts = outline(inside).texts
    return [] if decision is None else [t for t, k in zip(texts, decision.kept, strict=True) if k]


def test_what_the_rule_does_not_know_the_page_judges() -> None:
    rule = Selection(drop=("div.share",), known=("p",))
    page = "<p>told</p><ul><li>one</li></ul><ol><li>two</ol><div class=share>Share</div>"
    # what the page thinks of the places that the rule knows is not asked for
    assert kept(rule, page, [False, True, False, True]) == ["told", "one"]
    assert kept(rule, "<p>told</p><div class=share>Share</div>") == ["told"]


def test_what_stands_at_one_place_is_judged_together() -> None:
    rule = Selection(known=("p",))
    page = "<p>told</p><ul><li>one<li>a longer one</ul>"
    assert kept(rule, page, [True, True, False]) == ["told"]
    assert kept(rule, page, [True, False, True]) == ["told", "one", "a longer one"]


def test_of_the_title_alone_nobody_is_asked() -> None:
    rule = Selection(known=("p", "h2"))
    page = "<h1>The title of it</h1><p>told</p><h2>more</h2><p>too</p>"
    assert kept(rule, page, title="The title of it") == ["told", "more", "too"]


def test_a_heading_above_nothing_that_is_kept_is_left_out() -> None:
    rule = Selection(known=("p", "h2"), lines=("x",))
    page = f"<p>told</p><h2>more</h2>{'<p>x' * 4}<p>too, and more of it</p><h2>and now</h2>"
    assert kept(rule, page) == ["told", "too, and more of it"]


def test_a_rule_by_hand_that_only_drops_keeps_the_rest() -> None:
    page = "<p>told</p><ul><li>one</ul><div class=share>Share</div>"
    assert kept(Selection(drop=("div.share",)), page) == ["told", "one"]
    assert kept(Selection(keep=("ul",)), page) == ["one"]


def test_a_rule_that_keeps_nothing_has_missed() -> None:
    assert decided(Selection(drop=("p",)), "<p>told") is None
    assert decided(Selection(known=("h1",)), "<p>told", [False]) is None
    assert decided(Selection(), "") is None


def test_the_headline_is_not_of_the_body_where_the_rule_is_fine() -> None:
    title = "Rain in May falls on Rome"
    found = decided(Selection(drop=("ul",)), f"<h1>{title}</h1><p>{words(9)}", title=title)
    assert found is not None
    assert found.why[0] == TITLE


# --- the decision -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_the_rule() -> Decision:
    html, url = story(99)
    return explain(html, url, learn(site(8)))


def test_a_decision_by_a_rule_says_which_and_what_was_tried(by_the_rule: Decision) -> None:
    assert by_the_rule.method == "rule"
    assert by_the_rule.rule == {"id": "content"}
    assert by_the_rule.tried == (Tried("id", "content", 1),)
    assert (by_the_rule.rule_version, by_the_rule.rule_pages) == (1, 8)
    assert by_the_rule.reason is None


def test_each_part_says_where_it_stands_and_why_it_is_kept_or_not(by_the_rule: Decision) -> None:
    html, _ = story(99)
    source = html.encode()
    whys = {part.place: part.reason for part in by_the_rule.parts}
    assert whys["div.main > div#content > p"] == "the rule knows this place as content"
    assert whys["div.comments > p"] == "outside of the rule's block"
    kept_text = [source[part.start : part.end].decode() for part in by_the_rule.kept_parts]
    article = extract(html, "http://news.example/99", learn(site(8))).articleBody
    assert "\n\n".join(kept_text) == article
    assert len(by_the_rule.kept_parts) + len(by_the_rule.dropped_parts) == len(by_the_rule.parts)


def test_a_dropped_part_names_its_selector_or_line() -> None:
    rule = Selection(drop=("ul", "div.share"), lines=("Read more.",), keep=("p", "div.share", "ul"))
    page = "<p>told<div class=share>Share</div><h6>x</h6><p>Read more.</p>"
    found = decided(rule, page)
    assert found is not None
    assert [part.reason for part in found.parts] == [
        "the rule knows this place as content",
        "drop selector div.share",
        "matches none of the rule's keep selectors",
        "template line 'Read more.'",
    ]


def test_a_page_alone_says_how_likely_each_part_is() -> None:
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


def test_a_rule_that_missed_is_named_with_what_it_tried() -> None:
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


def test_a_decision_is_a_value() -> None:
    one, other = explain(PAGE, URL), explain(PAGE, URL)
    assert one == other
    with pytest.raises(AttributeError):
        one.method = "none"  # type: ignore[misc]


def test_a_decision_can_be_sent_to_a_process_and_written_down(by_the_rule: Decision) -> None:
    again = pickle.loads(pickle.dumps(by_the_rule))
    assert again == by_the_rule
    assert again.parts == by_the_rule.parts
    assert json.loads(json.dumps(by_the_rule.to_dict()))["kept"][0]["place"]
    assert explain("", URL).to_dict()["reason"] == "the page is empty"


def test_every_reason_is_one() -> None:
    assert len(REASONS) == len(set(REASONS)) == 15


def test_explain_says_what_extract_does() -> None:
    rules = learn(site(8))
    for html, url in (story(99), story(3, body=0, comments=200), story(5, attributes="")):
        for known in (None, rules):
            article, decision = extract(html, url, known), explain(html, url, known)
            assert article.metadata["method"] == decision.method
            assert article.metadata["probability"] == round(decision.probability, 4)
            assert article.metadata["pageType"] == decision.page_type
            assert article.metadata["reason"] == decision.reason
            assert (article.articleBody is None) == (not any(decision.kept))
