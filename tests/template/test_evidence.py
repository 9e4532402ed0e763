"""What learning keeps of pages, and the rule that follows."""

from __future__ import annotations

import pickle
import random

import pytest
from pages import site, story

from scrapy_mainblock import extract, learn
from scrapy_mainblock.core.evidence import MOST_CLUSTERS, PageFeatures, SiteEvidence, Vote
from scrapy_mainblock.core.mainblock import page_features
from scrapy_mainblock.core.rules import ClusterRule, Rule

PATHS = frozenset(range(20))


def vote(identifier: str = "", classes: str = "", path: str = "body1/div1", h: float = 1) -> Vote:
    return Vote(identifier, tuple(sorted(classes.split())), path, h)


def learnt(*votes: Vote, learned_by: str = "auto") -> ClusterRule:
    """The rule of pages of one template that vote so."""
    evidence = SiteEvidence("s", learned_by)  # type: ignore[arg-type]
    for one in votes:
        evidence.add(PageFeatures(PATHS, one))
    (cluster,) = evidence.rules().clusters
    return cluster


def test_the_rule_is_the_block_with_the_greatest_sum_of_h() -> None:
    votes = [*[vote("often", h=0.2)] * 5, *[vote("dense", h=0.9)] * 2]
    cluster = learnt(*votes, learned_by="cluster")
    assert cluster.rule.id == "dense"
    assert (cluster.votes, cluster.pages) == (2, 7)


@pytest.mark.parametrize(
    ("votes", "rule"),
    [
        # the same on all pages
        ([vote("main", "a b", "body1/div2")] * 6, Rule("main", ("a", "b"), "body1/div2")),
        # ids that change from page to page
        ([vote(f"post-{n}") for n in range(6)], Rule("", (), "body1/div1")),
        ([vote(f"post-{n}", "entry") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        # classes that do
        ([vote("", f"entry post-{n}") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        ([vote("", f"post-{n}") for n in range(6)], Rule("", (), "body1/div1")),
        # ... and whose order among the others changes with their number
        ([vote("", f"a{n} a{9 - n}b entry") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        # ... and how many there are
        (
            [vote("", " ".join(["entry", *(f"cat-{m}" for m in range(n))])) for n in range(1, 7)],
            Rule("", ("cat-0", "entry"), "body1/div1"),
        ),
        # a number that is the same on all pages is no running number
        ([vote("col-8")] * 6, Rule("col-8", (), "body1/div1")),
        # the path that most pages have
        (
            [vote("x", path=f"body1/div{1 + (n > 1)}") for n in range(6)],
            Rule("x", (), "body1/div2"),
        ),
    ],
)
def test_what_differs_among_the_pages_is_left_out_of_the_rule(
    votes: list[Vote], rule: Rule
) -> None:
    assert learnt(*votes).rule == rule


def test_a_number_seen_once_may_be_a_running_number() -> None:
    votes = [vote("post-1", "entry post-1", h=9), *[vote("", "x", h=0.1)] * 5]
    rule = learnt(*votes, learned_by="cluster").rule
    assert rule == Rule("", ("entry",), "body1/div1")


def test_the_same_id_at_another_path_is_the_same_block_and_in_the_paper_another() -> None:
    votes = [vote("x", path=f"body1/div{n % 3 + 1}") for n in range(6)] + [vote("y", h=2.5)]
    assert learnt(*votes).rule.id == "x"
    assert learnt(*votes, learned_by="cluster").rule.id == "y"


def test_pages_without_a_block_count_as_pages_and_do_not_vote() -> None:
    evidence = SiteEvidence("s")
    for one in [vote("x"), *[None] * 5]:
        evidence.add(PageFeatures(PATHS, one))
    (cluster,) = evidence.rules().clusters
    assert (cluster.votes, cluster.pages) == (1, 6)


def test_a_cluster_without_any_block_has_no_rule() -> None:
    evidence = SiteEvidence("s")
    for _ in range(9):
        evidence.add(PageFeatures(PATHS, None))
    assert evidence.rules().clusters == ()


def test_clusters_come_in_the_order_in_which_they_were_founded() -> None:
    evidence = SiteEvidence("s")
    for number in [3, 1, 2] * 6:
        evidence.add(PageFeatures(frozenset({number}), vote(f"x{'abc'[number - 1]}")))
    assert [c.rule.id for c in evidence.rules().clusters] == ["xc", "xa", "xb"]


@pytest.mark.parametrize(
    ("attributes", "identifier", "classes"),
    [
        ('id="content" class="b a"', "content", ("a", "b")),
        ('id=" content "', "content", ()),
        ('id="  " class=" "', "", ()),
        (f'id="{"x" * 201}" class="{"y" * 201}"', "", ()),
        ("", "", ()),
    ],
)
def test_a_page_votes_with_the_triple_of_its_densest_block(
    attributes: str, identifier: str, classes: tuple[str, ...]
) -> None:
    html, _ = story(attributes=attributes)
    cast = page_features(html).vote
    assert cast is not None
    assert (cast.id, cast.classes, cast.path) == (identifier, classes, "body1/div2/div1")
    assert 0 < cast.density < 1


def test_a_control_character_in_an_id_is_no_way_to_stop_extraction() -> None:
    pages = site(8, attributes='id="a&#1;b\x02"')
    rules = learn(pages)
    assert extract(*pages[0], rules).articleBody is not None


# --- bounds -------------------------------------------------------------------------------------


def size_after(pages: int) -> int:
    evidence = SiteEvidence("s")
    for number in range(pages):
        html, _ = story(number, attributes=f'id="post-{number}" class="c{number}"')
        evidence.add(page_features(html))
    return len(pickle.dumps(evidence))


def test_what_is_kept_of_a_template_is_bounded_whatever_its_pages() -> None:
    assert size_after(1500) < 1.2 * size_after(750) < 200_000


def test_of_a_pages_text_only_what_other_pages_repeat_is_kept() -> None:
    evidence = SiteEvidence("s")
    for number in range(8):
        html, _ = story(number)
        evidence.add(page_features(html))
    assert b"story7w" not in pickle.dumps(evidence)


def test_a_trap_of_ever_new_templates_does_not_push_out_the_real_one() -> None:
    evidence = SiteEvidence("s")
    for number in range(3 * MOST_CLUSTERS):
        evidence.add(PageFeatures(frozenset({1000 + number}), vote("trap")))
        if number % 50 == 0:
            evidence.add(PageFeatures(PATHS, vote("main")))
    assert [one.rule.id for one in evidence.rules().clusters if one.paths] == ["main"]


def test_a_template_that_begins_after_a_trap_is_learnt_all_the_same() -> None:
    evidence = SiteEvidence("s")
    for number in range(3 * MOST_CLUSTERS):
        evidence.add(PageFeatures(frozenset({1000 + number}), vote("trap")))
        if number > MOST_CLUSTERS and number % 50 == 0:
            evidence.add(PageFeatures(PATHS, vote("main")))
    assert [one.rule.id for one in evidence.rules().clusters if one.paths] == ["main"]


def test_any_number_of_candidates_leaves_room_for_the_one_that_recurs() -> None:
    generator = random.Random(1)
    evidence = SiteEvidence("s")
    for number in range(2000):
        name = "".join(generator.choices("abcdefgh", k=12)) if number % 4 else "main"
        evidence.add(PageFeatures(PATHS, vote(name)))
    (cluster,) = evidence.rules().clusters
    assert cluster.rule.id == "main"
    assert cluster.votes > 400
