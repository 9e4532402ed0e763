"""The evidence that learning keeps of pages, and the rules made from it."""

from __future__ import annotations

import gc
import pickle
import random

import pytest
from pages import site, story

from scrapy_mainblock import extract, learn
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.template.learning import evidence as module
from scrapy_mainblock.template.learning.evidence import (
    MOST_CLUSTERS,
    NO_EVIDENCE,
    PageEvidence,
    SiteEvidence,
)
from scrapy_mainblock.template.learning.field_tally import FieldSeen, ReadAt
from scrapy_mainblock.template.learning.place_stats import PlaceSeen
from scrapy_mainblock.template.learning.votes import (
    MOST_CANDIDATES,
    BlockCandidate,
    BlockCandidates,
    Vote,
    candidate_key,
)
from scrapy_mainblock.template.rules import SITE_CLUSTER, BlockStats, Judged, Rule, Template

STRUCTURE = frozenset(range(20))


def vote(
    identifier: str = "", classes: str = "", path: str = "body1/div1", weight: float = 1
) -> Vote:
    return Vote(identifier, tuple(sorted(classes.split())), path, weight)


def page(*votes: Vote, structure: frozenset[int] = STRUCTURE) -> PageEvidence:
    """Return the evidence of a page of the one template, with the given votes."""
    return PageEvidence(structure, votes)


def learn_template(*votes: Vote) -> Template:
    """Return the template learnt from one page for each vote."""
    evidence = SiteEvidence("s")
    for one in votes:
        evidence.add(page(one))
    (template,) = evidence.rules().templates
    return template


@pytest.mark.parametrize(
    ("votes", "rule"),
    [
        # the same on all pages
        ([vote("main", "a b", "body1/div2")] * 6, Rule("main", ("a", "b"), "body1/div2")),
        # ids that change from page to page
        ([vote(f"post-{n}") for n in range(6)], Rule("", (), "body1/div1")),
        ([vote(f"post-{n}", "entry") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        # classes that change likewise
        ([vote("", f"entry post-{n}") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        ([vote("", f"post-{n}") for n in range(6)], Rule("", (), "body1/div1")),
        # ... whose order changes with their number
        ([vote("", f"a{n} a{9 - n}b entry") for n in range(6)], Rule("", ("entry",), "body1/div1")),
        # ... whose count changes
        (
            [vote("", " ".join(["entry", *(f"cat-{m}" for m in range(n))])) for n in range(1, 7)],
            Rule("", ("cat-0", "entry"), "body1/div1"),
        ),
        # a number that is the same on all pages is not a running number
        ([vote("col-8")] * 6, Rule("col-8", (), "body1/div1")),
        # the path that most pages have
        (
            [vote("x", path=f"body1/div{1 + (n > 1)}") for n in range(6)],
            Rule("x", (), "body1/div2"),
        ),
    ],
)
def test_names_that_differ_between_pages_are_left_out_of_the_rule(
    votes: list[Vote], rule: Rule
) -> None:
    assert learn_template(*votes).rule == rule


def test_number_seen_once_may_be_a_running_number() -> None:
    once = BlockCandidate()
    once.add(vote("post-1", "entry post-1"))
    assert once.rule() == Rule("", ("entry",), "body1/div1")


def test_looks_of_a_block_are_the_extremes_of_its_votes() -> None:
    candidate = BlockCandidate()
    assert candidate.looks is None
    for text, linked in [(90, 10), (0, 0), (30, 30), (1 << 64, 0)]:  # any number may be claimed
        candidate.add(vote("x")._replace(text=text, link_text=linked))
    assert candidate.looks == BlockStats(0, 1 << 64, 0.5)


def test_same_id_at_another_path_is_the_same_block() -> None:
    votes = [vote("x", path=f"body1/div{n % 3 + 1}") for n in range(6)] + [vote("y", weight=2.5)]
    assert learn_template(*votes).rule.id == "x"


def test_pages_without_a_block_count_but_do_not_vote() -> None:
    evidence = SiteEvidence("s")
    for one in [page(vote("x")), *[page()] * 5]:
        evidence.add(one)
    (template,) = evidence.rules().templates
    assert (template.votes, template.pages) == (1, 6)


def test_a_cluster_without_any_block_has_no_rule() -> None:
    evidence = SiteEvidence("s")
    for _ in range(9):
        evidence.add(page())
    assert evidence.rules().templates == ()


@pytest.mark.parametrize(("pages", "templates"), [(0, 0), (1, 0), (5, 0), (6, 1)])
def test_a_cluster_needs_more_than_five_pages(pages: int, templates: int) -> None:
    assert len(learn(site(pages))) == templates


@pytest.mark.parametrize(("shared", "alike"), [(82, False), (83, True)])
def test_pages_must_be_more_alike_than_82_percent(shared: int, alike: bool) -> None:
    first = page(vote("x"), structure=frozenset(range(100)))
    other = page(vote("x"), structure=frozenset(range(100 - shared, 200 - shared)))
    evidence = SiteEvidence("s")
    for one in [first, other, other, other, other, other]:
        evidence.add(one)
    templates = [one for one in evidence.rules().templates if one.structure]
    assert [one.pages for one in templates] == ([6] if alike else [])


def test_clusters_come_in_the_order_in_which_they_were_founded() -> None:
    evidence = SiteEvidence("s")
    for number in [3, 1, 2] * 6:
        one = page(vote(f"x{'abc'[number - 1]}"), structure=frozenset({number}))
        evidence.add(one)
    assert [one.rule.id for one in evidence.rules().templates] == ["xc", "xa", "xb"]


def test_pages_with_unique_structures_share_the_most_common_block() -> None:
    evidence = SiteEvidence("s")
    for number in range(7):
        evidence.add(page(vote("main", path=f"body1/div{number}"), structure=frozenset({number})))
    (template,) = evidence.rules().templates
    assert (template.cluster, template.structure) == (SITE_CLUSTER, frozenset())
    assert template.rule == Rule("main")


def test_site_rule_has_a_place_for_the_headline_only() -> None:
    """The names around a date or an author differ from page to page."""
    evidence = SiteEvidence("s")
    for number in range(7):
        at = (ReadAt("h1", number + 1, number + 1, 0.9, False),)
        fields = tuple(FieldSeen(name, number + 1, at) for name in ("headline", "authors"))
        main = vote("main", path=f"body1/div{number}")
        evidence.add(page(main, structure=frozenset({number}))._replace(fields=fields))
    (template,) = evidence.rules().templates
    assert [(one.field, one.place) for one in template.fields] == [("headline", "h1")]


@pytest.mark.parametrize(
    ("path", "documentation", "pages", "has_rule"),
    [
        ("body1/div1/div2", 0.0, 7, True),
        ("body1/div1", 0.0, 20, False),
        ("body1/div1", 0.5, 7, False),
        ("body1/div1", 0.5, 8, True),
        ("body1", 0.5, 8, True),
    ],
)
def test_path_alone_is_a_site_rule_if_deep_or_in_documentation(
    path: str, documentation: float, pages: int, has_rule: bool
) -> None:
    judged = Judged(0.9, (("article", 1 - documentation), ("documentation", documentation)))
    evidence = SiteEvidence("s")
    for number in range(pages):
        evidence.add(PageEvidence(frozenset({number}), (vote(path=path),), judged=judged))
    found = [(one.cluster, one.rule.path) for one in evidence.rules().templates]
    assert found == ([(SITE_CLUSTER, path)] if has_rule else [])


def test_index_pages_do_not_vote() -> None:
    evidence = SiteEvidence("s")
    for number in range(12):
        evidence.add(page(vote("list"))._replace(is_index=True) if number % 2 else page(vote("x")))
    (template,) = evidence.rules().templates
    assert (template.rule.id, template.pages) == ("x", 6)


@pytest.mark.parametrize(("beside", "expected"), [(4, "inner"), (20, "outer")])
def test_rule_has_the_smallest_block_with_nearly_all_content(beside: int, expected: str) -> None:
    inner = vote("inner", path="body1/div1/div1/p1")._replace(chain="div#outer > div#inner")
    outer = vote("outer")._replace(chain="div#outer")
    evidence = SiteEvidence("s")
    for number in range(6):
        seen = {
            "div#outer > div#inner > p": PlaceSeen(0.9, 100, (f"told {number}",)),
            "div#outer > p": PlaceSeen(0.9, beside, (f"more {number}",)),
        }
        evidence.add(PageEvidence(STRUCTURE, (inner, outer), seen))
    (template,) = evidence.rules().templates
    assert template.rule.id == expected


def test_rule_records_the_text_sizes_of_its_block() -> None:
    votes = [vote("x")._replace(text=80 + n, link_text=20 - n) for n in range(6)]
    assert learn_template(*votes).looks == BlockStats(100, 100, 0.2)


# --- pages ----------------------------------------------------------------------------------------


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
def test_page_votes_with_the_triple_of_its_main_block(
    attributes: str, identifier: str, classes: tuple[str, ...]
) -> None:
    html, url = story(attributes=attributes)
    cast, *around = evidence_of(Page.of(html, url)).votes
    assert (cast.id, cast.classes, cast.path) == (identifier, classes, "body1/div2/div1")
    assert 0 < cast.weight < 1
    assert [one.path for one in around] == ["body1/div2", "body1"]


@pytest.mark.parametrize("source", ["", "no markup", b"\x00" * 99, "<script>x</script>"])
def test_page_without_text_is_not_evidence(source: bytes | str) -> None:
    found = evidence_of(Page.of(source))
    assert (found.votes, found.seen) == (NO_EVIDENCE.votes, NO_EVIDENCE.seen)


def test_control_characters_in_an_id_do_not_prevent_extraction() -> None:
    pages = site(8, attributes='id="a&#1;b\x02"')
    rules = learn(pages)
    assert extract(*pages[0], rules).articleBody is not None


def test_block_of_one_control_character_does_not_prevent_learning() -> None:
    pages = [(html.replace("<h1>", "<div>\x7f</div><h1>"), url) for html, url in site(8)]
    assert len(learn(pages)) == 1


# --- limits ---------------------------------------------------------------------------------------


def size_after(pages: int) -> int:
    evidence = SiteEvidence("s")
    for number in range(pages):
        html, _ = story(number, attributes=f'id="post-{number}" class="c{number}"')
        evidence.add(evidence_of(Page.of(html)))
    return len(pickle.dumps(evidence))


def test_evidence_of_a_template_is_bounded() -> None:
    assert size_after(600) < 1.2 * size_after(300) < 200_000


def test_evidence_that_waits_does_not_hold_its_page() -> None:
    evidence = evidence_of(Page.of(*story(1))).without_page()
    reached: dict[int, object] = {}
    found: list[object] = [evidence]
    while found:
        one = found.pop()
        if id(one) not in reached and not isinstance(one, type):
            reached[id(one)] = one
            found += gc.get_referents(one)
    assert not [one for one in reached.values() if isinstance(one, (Rows, Outline))]


def test_evidence_that_has_waited_counts_the_same() -> None:
    fresh, mixed = SiteEvidence("news.example"), SiteEvidence("news.example")
    for number in range(8):
        html, _ = story(number, attributes='id="a\0b"')  # a NUL is not part of the name
        one = evidence_of(Page.of(html))
        fresh.add(one)
        mixed.add(one.without_page() if number % 2 else one)
    assert (mixed.size, mixed.rules()) == (fresh.size, fresh.rules())


def test_evidence_keeps_only_repeated_text() -> None:
    evidence = SiteEvidence("s")
    for number in range(8):
        html, _ = story(number)
        evidence.add(evidence_of(Page.of(html)))
    assert b"story7w" not in pickle.dumps(evidence)


def test_many_trap_templates_do_not_evict_the_real_one() -> None:
    evidence = SiteEvidence("s")
    for number in range(3 * MOST_CLUSTERS):
        evidence.add(page(vote("trap"), structure=frozenset({1000 + number})))
        if number % 50 == 0:
            evidence.add(page(vote("main")))
    assert [one.rule.id for one in evidence.rules().templates if one.structure] == ["main"]


def test_template_that_begins_after_a_trap_is_learnt() -> None:
    evidence = SiteEvidence("s")
    for number in range(3 * MOST_CLUSTERS):
        evidence.add(page(vote("trap"), structure=frozenset({1000 + number})))
        if number > MOST_CLUSTERS and number % 50 == 0:
            evidence.add(page(vote("main")))
    assert [one.rule.id for one in evidence.rules().templates if one.structure] == ["main"]


def test_recurring_candidate_survives_many_others() -> None:
    generator = random.Random(1)
    evidence = SiteEvidence("s")
    for number in range(2000):
        name = "".join(generator.choices("abcdefgh", k=12)) if number % 4 else "main"
        evidence.add(page(vote(name)))
    (template,) = evidence.rules().templates
    assert template.rule.id == "main"
    assert template.votes > 400


def test_number_of_candidates_is_limited_and_the_weakest_is_evicted() -> None:
    candidates = BlockCandidates()
    weak = [vote(f"a{'b' * number}", weight=0.1) for number in range(3 * MOST_CANDIDATES)]
    for one in (vote("strong", weight=9), *weak):
        candidates.add([one], [candidate_key(one)])
    assert len(candidates.by_key) == MOST_CANDIDATES
    assert ("id", "strong") in candidates.by_key
    assert candidates.size == sum(one.size for one in candidates.by_key.values())


def test_evidence_of_a_site_of_many_clusters_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_SITE_ENTRIES", 10_000)
    evidence = SiteEvidence("s")
    for number in range(60):
        places = {f"div.p{number}x{n}": PlaceSeen(0.9, 9, (f"line {n}",)) for n in range(400)}
        structure = frozenset(range(1000 * number, 1000 * number + 400))
        evidence.add(PageEvidence(structure, (vote("x"),), places))
        assert evidence.size <= 10_000
