"""A rule finds its block: id before class before path; and what the paper leaves open."""

from __future__ import annotations

import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import tree, words

from scrapy_mainblock.core.rules import (
    ClusterRule,
    Rule,
    Rules,
    SiteRules,
    apply_rule,
    cluster_name,
)

PAGE = (
    '<div id="head" class="box"><p>a</p></div>'
    '<div id="text" class="box story wide"><p>b</p></div>'
    '<div class="box foot"><p>c</p></div>'
)


def found(rule: Rule, inside: str = PAGE) -> tuple[str, str] | None:
    """The text a rule finds, and by which of its parts."""
    hit = apply_rule(rule, tree(inside))
    return (hit.block.text_content(), hit.selector) if hit else None


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
    assert found(rule) == expected


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
def test_a_block_must_have_all_classes_in_any_order(
    classes: tuple[str, ...], expected: str | None
) -> None:
    assert found(Rule(classes=classes)) == (expected and (expected, "class"))


@pytest.mark.parametrize(
    ("inside", "rule", "expected"),
    [
        # several have the id or class: the one at the rule's path
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x", (), "body1/div1"), "a"),
        (
            '<div class="x">long text</div><div class="x">b</div>',
            Rule("", ("x",), "body1/div2"),
            "b",
        ),
        # none of them is there: the one with the most text
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x", (), "body1/div9"), "long text"),
        ('<div id="x">a</div><p id="x">long text</p>', Rule("x"), "long text"),
        # what nobody sees is no text
        (
            f'<div class="x">text</div><div class="x">a<script>{words(9)}</script></div>',
            Rule("", ("x",)),
            "text",
        ),
        # one inside of another: the outer one
        ('<div class="x"> <div class="x">text</div></div>', Rule("", ("x",)), " text"),
        ('<svg class="x"></svg><div class="x">text</div>', Rule("", ("x",)), "text"),
    ],
)
def test_of_several_the_one_at_the_path_is_meant_else_the_one_with_the_most_text(
    inside: str, rule: Rule, expected: str
) -> None:
    hit = found(rule, inside)
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
def test_names_are_data_whatever_characters_they_hold(inside: str, rule: Rule) -> None:
    hit = found(rule, inside)
    assert hit is not None
    assert hit[0] == "b"


@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_no_rule_is_an_error(identifier: str, name: str, path: str) -> None:
    apply_rule(Rule(identifier, (name,), path), tree(PAGE))


@pytest.mark.parametrize(
    "inside",
    ['<div class="x">a b</div>' * 50_000, '<div class="x">a' * 2_000 + "<p>b</p>" * 50_000],
)
def test_a_name_that_everything_has_takes_linear_time(inside: str) -> None:
    root = tree(inside)
    before = time.process_time()
    assert apply_rule(Rule("", ("x",), "body1/p1"), root) is not None
    assert time.process_time() - before < 3


# --- clusters -----------------------------------------------------------------------------------


def cluster(name: str, paths: set[int], **more: object) -> ClusterRule:
    return ClusterRule(name, Rule("x"), frozenset(paths), **more)  # type: ignore[arg-type]


def test_a_page_is_matched_to_the_first_cluster_that_is_alike_and_to_pinned_ones_before() -> None:
    first, second = cluster("a", set(range(10))), cluster("b", set(range(1, 11)))
    pinned = cluster("c", set(range(2, 12)), pinned=True)
    page = frozenset(range(1, 10))
    assert SiteRules("s", (first, second)).cluster_of(page, "auto") is first
    assert SiteRules("s", (second, first)).cluster_of(page, "auto") is second
    assert SiteRules("s", (first, second, pinned)).cluster_of(page, "auto") is pinned
    assert SiteRules("s", (first, second, pinned)).cluster_of(frozenset({99}), "auto") is None


def test_a_pinned_rule_without_paths_is_for_every_page_and_an_unpinned_one_is_not() -> None:
    anywhere = cluster("a", set(), pinned=True)
    assert SiteRules("s", (anywhere,)).cluster_of(frozenset({1}), "cluster") is anywhere
    assert SiteRules("s", (cluster("a", set()),)).cluster_of(frozenset({1}), "auto") is None


def test_a_rule_is_used_only_with_the_settings_it_was_learnt_by() -> None:
    paper = cluster("a", {1}, learned_by="cluster")
    rules = SiteRules("s", (paper,))
    assert rules.cluster_of(frozenset({1}), "auto") is None
    assert rules.cluster_of(frozenset({1}), "cluster") is paper


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
    assert cluster("a", {1}, **more).agreement == expected


@given(st.frozensets(st.integers(0, 2**64 - 1), max_size=5), st.frozensets(st.integers(0, 99)))
def test_a_clusters_name_follows_from_its_paths(one: frozenset[int], other: frozenset[int]) -> None:
    assert cluster_name(one) == cluster_name(frozenset(sorted(one, reverse=True)))
    assert (cluster_name(one) == cluster_name(other)) == (one == other)


def test_rules_are_values_that_can_be_sent_to_a_process() -> None:
    rules = Rules({"s": SiteRules("s", (cluster("a", {1, 2}), cluster("b", {3}, pinned=True)))})
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert len(rules) == 2
    assert rules.of("t") is None


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ({1, 2, 3, 4}, "first"),
        ({1, 2, 3, 9}, "first"),
        ({5, 6, 7, 9}, "second"),
        ({1, 2, 5, 6}, "first"),  # as like to both: the one that was founded first
        ({1, 8, 9, 10}, None),
        (set(), None),
    ],
)
def test_a_page_of_no_cluster_may_be_near_one(paths: set[int], expected: str | None) -> None:
    known = SiteRules(
        "a.example",
        (
            ClusterRule("first", Rule("text"), frozenset({1, 2, 3, 4})),
            ClusterRule("second", Rule("text"), frozenset({5, 6, 7, 8})),
            ClusterRule("by hand", Rule("text"), frozenset(), pinned=True),
            ClusterRule("paper", Rule("text"), frozenset(paths), learned_by="cluster"),
        ),
    )
    near = known.nearest(paths)
    assert (near.cluster if near else None) == expected
