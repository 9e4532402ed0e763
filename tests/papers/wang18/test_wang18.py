"""[Wang18]: each equation, and both algorithms compared with the paper's pseudocode."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, outline_of, site, story, told

from scrapy_mainblock.papers.methods import extract_by
from scrapy_mainblock.papers.nodes import nodes_of
from scrapy_mainblock.papers.wang18 import equations as wang18
from scrapy_mainblock.papers.wang18.densest_block import scored_blocks
from scrapy_mainblock.papers.wang18.equations import PAPER, similarity
from scrapy_mainblock.papers.wang18.rules import ClusterRules, Seen, learn_rules, seen_of
from scrapy_mainblock.template.rules import Rule

path_sets = st.frozensets(st.integers(0, 12), max_size=8)


# --- equations ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ({1, 2, 3}, {1, 2, 3}, 1.0),
        ({1, 2, 3, 4}, {3, 4, 5, 6, 7, 8}, 0.5),
        ({1}, {1, 2, 3, 4, 5}, 1.0),
        ({1, 2}, {3, 4}, 0.0),
        (set(), set(), 1.0),
        (set(), {1}, 0.0),
    ],
)
def test_equation_1_divides_the_intersection_by_the_smaller_set(
    a: set[int], b: set[int], expected: float
) -> None:
    assert similarity(a, b) == expected


@given(path_sets, path_sets)
def test_similarity_is_symmetric_and_in_0_to_1(a: frozenset[int], b: frozenset[int]) -> None:
    assert similarity(a, b) == similarity(b, a)
    assert 0 <= similarity(a, b) <= 1
    assert similarity(a, a) == 1


def test_equations_2_to_5_are_as_printed() -> None:
    assert wang18.text_density(30, 99) == 0.3
    assert wang18.link_density(2, 9) == 0.2
    assert wang18.node_text_density(30, 39) == 0.75
    assert wang18.combined_density(0.3, 0.8, 0.75, 10, 0.3) == pytest.approx(0.18 / 4)


def test_the_papers_constants_are_as_printed() -> None:
    assert PAPER.block_tags == {"div", "table"}
    assert (PAPER.alpha, PAPER.similarity, PAPER.more_pages_than) == (0.3, 0.82, 5)


counts = st.integers(0, 1000)


@given(text=counts, link_text=counts, size=counts, page=counts, links=st.integers(1, 50))
def test_h_falls_as_the_share_of_links_rises(
    text: int, link_text: int, size: int, page: int, links: int
) -> None:
    def h(link_text: int, links: int) -> float:
        return wang18.combined_density(
            wang18.text_density(text, text + page),
            1 - wang18.link_density(links, 60),
            wang18.node_text_density(text, text + link_text),
            size,
            0.3,
        )

    assert h(link_text, links) <= h(link_text, links - 1)
    assert h(link_text + 1, links) <= h(link_text, links)
    if text:
        assert h(link_text, links) < h(link_text, links - 1)
        assert h(link_text + 1, links) < h(link_text, links)


def test_blocks_are_scored_by_the_counts_of_their_page() -> None:
    inside = '<div id="a">abcd <a href="/x">efgh</a></div><div id="b">ijkl<p>mn</p></div>'
    page = outline(inside)
    scored = {
        page.rows.identifier(one.node.element): one.density
        for one in scored_blocks(nodes_of(page), PAPER)
    }
    p1, p2, p3 = 4 / (1 + 10), 1 - 1 / (1 + 1), 4 / (1 + 8)
    assert scored["a"] == pytest.approx(p1 * p2 * p3 / (1 + 1 * 0.3))
    p1, p2, p3 = 6 / (1 + 10), 1, 6 / (1 + 6)
    assert scored["b"] == pytest.approx(p1 * p2 * p3 / (1 + 1 * 0.3))


# --- algorithms ---------------------------------------------------------------------------------


def get_classes(pages: Sequence[frozenset[int]]) -> list[list[int]]:
    """Algorithm 1 as printed, over page numbers (F_i is added once, not twice)."""
    d = list(range(len(pages)))
    m = []
    while d:
        f_i = d.pop(0)
        c_k = [f_i]
        for f_j in list(d):
            if similarity(pages[f_i], pages[f_j]) > 0.82:
                c_k.append(f_j)
                d.remove(f_j)
        if len(c_k) > 5:
            m.append(c_k)
    return m


Triple = tuple[str, tuple[str, ...], str]


def get_block(votes: Sequence[tuple[Triple, float]]) -> tuple[Triple, int]:
    """Algorithm 2 as printed, for one cluster: the triple L with the greatest sum of H."""
    bf: dict[Triple, list[float]] = {}
    for triple, h in votes:
        bf.setdefault(triple, []).append(h)
    best = max(bf, key=lambda triple: sum(bf[triple]))
    return best, len(bf[best])


votes = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["", "main", "text"]),
        "classes": st.sampled_from([(), ("body",), ("body", "post")]),
        "path": st.sampled_from(["body1/div1", "body1/div2", "body1/div2/div1"]),
        "density": st.sampled_from([0.25, 0.5, 0.75, 0.125]),
    }
)
templates = st.sampled_from([frozenset(range(first, first + 12)) for first in (0, 3, 20)])
pages = st.builds(
    lambda paths, more, vote: Seen(paths | more, **vote),
    st.one_of(templates, path_sets),
    st.frozensets(st.integers(40, 44), max_size=3),
    votes,
)


@given(st.lists(pages, max_size=60))
def test_both_algorithms_on_a_stream_match_the_papers_pseudocode(some: list[Seen]) -> None:
    found = learn_rules(iter(some)).clusters
    expected = get_classes([page.paths for page in some])
    assert [paths for paths, _ in found] == [some[numbers[0]].paths for numbers in expected]
    for (_, rule), numbers in zip(found, expected, strict=True):
        cast = [some[number] for number in numbers]
        triple, _ = get_block([((v.id, v.classes, v.path), v.density) for v in cast])
        assert (rule.id, rule.classes, rule.path) == triple


PATHS = frozenset(range(20))


def _rule_of(*seen: Seen) -> Rule:
    """Return the rule of the one cluster that the pages form."""
    ((_, rule),) = learn_rules(seen).clusters
    return rule


def vote(identifier: str, path: str = "body1/div1", density: float = 1.0) -> Seen:
    return Seen(PATHS, identifier, (), path, density)


def test_the_rule_is_the_block_with_the_greatest_sum_of_h() -> None:
    often, dense = vote("often", density=0.2), vote("dense", density=0.9)
    assert _rule_of(*[often] * 5, *[dense] * 2).id == "dense"


def test_the_same_id_at_another_path_is_a_different_block() -> None:
    votes = [vote("x", path=f"body1/div{n % 3 + 1}") for n in range(6)]
    assert _rule_of(*votes, vote("y", density=2.5)).id == "y"


@pytest.mark.parametrize(
    ("seen", "rule"),
    [
        ([vote(f"post-{n}") for n in range(6)], Rule("", (), "body1/div1")),
        (
            [Seen(PATHS, "", ("entry", f"post-{n}"), "body1/div1", 1.0) for n in range(6)],
            Rule("", ("entry",), "body1/div1"),
        ),
        ([vote("col-8")] * 6, Rule("col-8", (), "body1/div1")),
    ],
)
def test_running_numbers_are_left_out_of_the_triple(seen: list[Seen], rule: Rule) -> None:
    assert _rule_of(*seen) == rule


def test_a_page_without_a_block_is_counted_but_does_not_vote() -> None:
    assert _rule_of(vote("x"), *[Seen(PATHS)] * 5).id == "x"
    assert learn_rules([Seen(PATHS)] * 9) == ClusterRules(())


@pytest.mark.parametrize(("count_of_pages", "clusters"), [(1, 0), (5, 0), (6, 1)])
def test_a_cluster_needs_more_than_five_pages(count_of_pages: int, clusters: int) -> None:
    assert len(rules_of(count_of_pages).clusters) == clusters


@pytest.mark.parametrize(("shared", "alike"), [(82, False), (83, True)])
def test_pages_must_be_more_than_82_percent_similar(shared: int, alike: bool) -> None:
    first = vote("x")._replace(paths=frozenset(range(100)))
    other = vote("x")._replace(paths=frozenset(range(100 - shared, 200 - shared)))
    assert len(learn_rules([first, *[other] * 5]).clusters) == alike


@pytest.mark.parametrize(
    ("attributes", "identifier", "classes"),
    [
        ('id="content" class="b a"', "content", ("a", "b")),
        ('id=" content "', "content", ()),
        ('id="  " class=" "', "", ()),
        ("", "", ()),
    ],
)
def test_a_page_votes_with_the_triple_of_its_densest_block(
    attributes: str, identifier: str, classes: tuple[str, ...]
) -> None:
    seen = seen_of(outline_of(*story(attributes=attributes)))
    assert (seen.id, seen.classes, seen.path) == (identifier, classes, "body1/div2/div1")
    assert 0 < seen.density < 1


# --- the paper's main claim ---------------------------------------------------------------------


def rules_of(count_of_pages: int) -> ClusterRules:
    return learn_rules(seen_of(outline_of(*page)) for page in site(count_of_pages))


def test_density_alone_extracts_long_comments_and_the_rule_does_not() -> None:
    page = outline_of(*story(99, body=12, comments=150))

    alone = extract_by("density", page)
    by_rule = extract_by("cluster", page, rules_of(12))

    assert alone.articleBody == told(150, "comment")
    assert by_rule.articleBody == told(12, "story99w")
    assert by_rule.metadata["method"] == "rule"


def test_a_long_article_is_found_by_density_and_by_rule() -> None:
    page = outline_of(*story(99))
    assert extract_by("density", page).articleBody == told(120, "story99w")
    assert extract_by("cluster", page, rules_of(12)).articleBody == told(120, "story99w")


def test_h_is_finite_for_an_empty_page() -> None:
    assert math.isfinite(wang18.combined_density(0, 1, 0, 0, 0.3))
    assert wang18.text_density(0, 0) == wang18.link_density(0, 0) == 0
