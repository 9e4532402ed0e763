"""Finding a rule's block by id, class and path, in that order, and cases the paper leaves open."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable

import pytest
from growth import assert_linear, most_of
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, words

from scrapy_mainblock import Rules
from scrapy_mainblock.judge.decision import Tried
from scrapy_mainblock.template.rules import (
    LONGEST_HISTORY,
    MOST_RULES,
    FormerRule,
    Rule,
    SiteRules,
    Template,
    find_block,
)
from scrapy_mainblock.template.selection import Selection
from scrapy_mainblock.template.similarity import cluster_name, similarity

PAGE = (
    '<div id="head" class="box"><p>a</p></div>'
    '<div id="text" class="box story wide"><p>b</p></div>'
    '<div class="box foot"><p>c</p></div>'
)


def find(rule: Rule, inside: str = PAGE) -> tuple[str, str] | None:
    """Return the text of the block that a rule finds, and the part of the rule that found it."""
    page = outline(inside)
    hit = find_block(rule, page).hit
    if hit is None:
        return None
    return " ".join(page.texts[hit.under.first : hit.under.end]), hit.selector


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (Rule("text", ("foot",), "body1/div1"), ("b", "id")),
        (Rule("gone", ("foot",), "body1/div1"), ("c", "class")),
        (Rule("gone", ("gone",), "body1/div1"), ("a", "path")),
        (Rule("", ("foot",), "body1/div1"), ("c", "class")),
        (Rule("", (), "body1/div3"), ("c", "path")),
        (Rule("gone", ("gone",), "body1/div9"), None),
        (Rule("gone"), None),
        (Rule(), None),
    ],
)
def test_the_id_is_tried_first_then_the_class_then_the_path(
    rule: Rule, expected: tuple[str, str] | None
) -> None:
    assert find(rule) == expected


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (("story", "wide"), "b"),
        (("wide", "story"), "b"),
        (("wide", "box", "story"), "b"),
        (("foot", "wide"), None),
        (("stor",), None),
        (("foot",), "c"),
    ],
)
def test_block_must_have_all_classes_in_any_order(
    classes: tuple[str, ...], expected: str | None
) -> None:
    assert find(Rule(classes=classes)) == (expected and (expected, "class"))


@pytest.mark.parametrize(
    ("inside", "rule", "expected"),
    [
        # several have the id or class: the one at the rule's path wins
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x", (), "body1/div1"), "a"),
        (
            '<div class="x">long text</div><div class="x">b</div>',
            Rule("", ("x",), "body1/div2"),
            "b",
        ),
        # none of them is at the path: the one with the most text wins
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x", (), "body1/div9"), "long text"),
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x"), "long text"),
        # hidden text does not count
        (
            f'<div class="x">text</div><div class="x">a<script>{words(9)}</script></div>',
            Rule("", ("x",)),
            "text",
        ),
        # nested elements: the outer one wins
        ('<div class="x"><p> </p><div class="x">text</div></div>', Rule("", ("x",)), "text"),
        ('<svg class="x"></svg><div class="x">text</div>', Rule("", ("x",)), "text"),
    ],
)
def test_block_at_the_path_wins_else_the_one_with_most_text(
    inside: str, rule: Rule, expected: str
) -> None:
    hit = find(rule, inside)
    assert hit is not None
    assert hit[0] == expected


@pytest.mark.parametrize(
    ("inside", "rule"),
    [
        ('<div id=" text ">b</div>', Rule("text")),
        ("<div class='\n story \t wide '>b</div>", Rule("", ("wide", "story"))),
        ('<div id="a\'b&quot;c">b</div>', Rule("a'b\"c")),
        ("<div class='it\"s'>b</div>", Rule("", ('it"s',))),
        ('<div id="京">b</div>', Rule("京")),
    ],
)
def test_names_may_hold_any_characters(inside: str, rule: Rule) -> None:
    hit = find(rule, inside)
    assert hit is not None
    assert hit[0] == "b"


@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_any_rule_can_be_searched(identifier: str, name: str, path: str) -> None:
    find_block(Rule(identifier, (name,), path), outline(PAGE))


def test_search_reports_what_was_tried() -> None:
    search = find_block(Rule("gone", ("box",), "body1/div1"), outline(PAGE))
    assert search.tried == (Tried("id", "gone", 0), Tried("class", "box", 3))
    assert find_block(Rule(" ", (), "body1/div9"), outline(PAGE)).tried == (
        Tried("id", " ", 0),
        Tried("path", "body1/div9", 0),
    )


@pytest.mark.parametrize("piece", ['<div class="x">a b</div>', '<div class="x">a'])
def test_search_for_a_common_name_takes_linear_time(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        page = outline(piece * times)
        return lambda: find_block(Rule("", ("x",), "body1/p1"), page)

    assert_linear(work, 2000, most_of(piece))


# --- templates ------------------------------------------------------------------------------------


def template(name: str, structure: set[int], **more: object) -> Template:
    return Template(name, Rule("x"), frozenset(structure), **more)  # type: ignore[arg-type]


def test_first_similar_template_matches_and_pinned_ones_precede() -> None:
    first, second = template("a", set(range(10))), template("b", set(range(1, 11)))
    pinned = template("c", set(range(2, 12)), pinned=True)
    page = frozenset(range(1, 10))
    assert SiteRules("s", (first, second)).template_of(page) is first
    assert SiteRules("s", (second, first)).template_of(page) is second
    assert SiteRules("s", (first, second, pinned)).template_of(page) is pinned
    assert SiteRules("s", (first, second, pinned)).template_of(frozenset({99})) is None


def test_only_a_pinned_rule_without_structure_matches_every_page() -> None:
    anywhere = template("a", set(), pinned=True)
    assert SiteRules("s", (anywhere,)).template_of(frozenset({1})) is anywhere
    learnt = SiteRules("s", (template("a", set()),))
    assert learnt.template_of(frozenset({1})) is None
    assert learnt.for_any_page() is learnt.templates[0]
    assert SiteRules("s", (anywhere,)).for_any_page() is None


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"pages": 8, "votes": 6}, 0.75),
        ({"pages": 0, "votes": 0}, 1.0),
        ({"pages": 8, "votes": 0, "pinned": True}, 1.0),
    ],
)
def test_agreement_is_the_share_of_pages_that_voted_for_the_rule(
    more: dict[str, object], expected: float
) -> None:
    assert template("a", {1}, **more).agreement == expected


@given(st.frozensets(st.integers(0, 2**64 - 1), max_size=5), st.frozensets(st.integers(0, 99)))
def test_cluster_name_depends_on_the_structure_only(
    one: frozenset[int], other: frozenset[int]
) -> None:
    assert cluster_name(one) == cluster_name(frozenset(sorted(one, reverse=True)))
    assert (cluster_name(one) == cluster_name(other)) == (one == other)


@given(st.frozensets(st.integers(0, 12)), st.frozensets(st.integers(0, 12)))
def test_similarity_is_symmetric_and_in_0_to_1(a: frozenset[int], b: frozenset[int]) -> None:
    assert similarity(a, b) == similarity(b, a)
    assert 0 <= similarity(a, b) <= 1
    assert similarity(a, a) == 1


def test_rules_can_be_pickled() -> None:
    rules = Rules({"s": SiteRules("s", (template("a", {1, 2}), template("b", {3}, pinned=True)))})
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert len(rules) == 2
    assert rules.of("t") is None


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ({1, 2, 3, 4}, "first"),
        ({1, 2, 3, 9}, "first"),
        ({5, 6, 7, 9}, "second"),
        ({1, 2, 5, 6}, "first"),  # equally similar to both: the older one wins
        ({1, 8, 9, 10}, None),
        (set(), None),
    ],
)
def test_nearest_template_of_a_page_without_cluster(
    structure: set[int], expected: str | None
) -> None:
    known = SiteRules(
        "a.example",
        (
            template("first", {1, 2, 3, 4}),
            template("second", {5, 6, 7, 8}),
            template("by hand", set(), pinned=True),
        ),
    )
    near = known.nearest(memoryview(array("Q", structure)))
    assert (near.cluster if near else None) == expected


def test_successor_has_the_next_version_and_the_history() -> None:
    first = template("a", {1}, pages=6, votes=5)
    same = Template("a", Rule("x"), frozenset({1}), pages=12)
    assert first.successor(same) == Template("a", Rule("x"), frozenset({1}), pages=12, version=1)
    finer = Template("a", Rule("x", selection=Selection(drop=("p",))), frozenset({1}))
    assert (first.successor(finer).version, first.successor(finer).history) == (2, ())
    other = Template("a", Rule("y"), frozenset({1}), pages=8)
    after = first.successor(other)
    assert (after.version, after.rule, after.pages) == (2, Rule("y"), 8)
    assert after.history == (FormerRule(1, Rule("x"), 6, 5),)


def test_history_is_limited_to_the_latest_rules() -> None:
    now = template("a", {1})
    for number in range(2 * LONGEST_HISTORY):
        now = now.successor(Template("a", Rule(f"x{number}"), frozenset({1})))
    assert [former.version for former in now.history] == [10, 9, 8, 7, 6]


def test_pinned_rules_and_those_of_most_pages_survive_the_limit() -> None:
    many = [template(f"c{number}", {number}, pages=number) for number in range(MOST_RULES + 50)]
    pinned = template("hand", {0}, pinned=True)
    kept = SiteRules("s", (*many, pinned)).bounded().templates
    assert len(kept) == MOST_RULES
    assert pinned in kept
    assert [one.pages for one in kept[:2]] == [51, 52]
