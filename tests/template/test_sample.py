"""Checking a rule against the latest pages of its cluster."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.template.learning.place_stats import PlaceSeen
from scrapy_mainblock.template.learning.place_tally import places_of
from scrapy_mainblock.template.learning.sample import (
    PAGES,
    Sample,
    SamplePage,
    prove,
)
from scrapy_mainblock.template.proof import FEW, MUCH, Proof

BLOCK = frozenset({"div.post"})


def sample_page(places: Mapping[str, tuple[int, bool]]) -> SamplePage:
    """Return a page, given the characters at each place and whether they are likely content."""
    seen = {
        chain: PlaceSeen(float(is_likely), length, ())
        for chain, (length, is_likely) in places.items()
    }
    return SamplePage(*places_of(seen).texts())


def page(*, text: int = 800, aside: int = 100, menu: int = 200, is_text: bool = True) -> SamplePage:
    """Return a page with text and an aside in its block, and a menu outside it."""
    return sample_page(
        {
            "div.post > p": (text, is_text),
            "div.post > div.aside": (aside, not is_text),
            "div.menu": (menu, False),
        }
    )


def test_rule_that_keeps_the_likely_content_loses_nothing() -> None:
    proof = prove([page() for _ in range(6)], BLOCK, {"div.aside"})
    assert proof == Proof(
        6,
        0.0,
        0,
        outside=0.1818,
        left=0.1111,
        dropped=0.1111,
        most_left=100,
        most_dropped=100,
        most_outside=200,
        least_kept=800,
    )


def test_proof_reports_the_worst_page() -> None:
    worst = sample_page({"div.post > div.aside": (300, True), "div.post > p": (100, True)})
    proof = prove([*(page() for _ in range(9)), worst], BLOCK, {"div.aside"})
    assert proof.worst == 0.75
    assert proof.losing == 1


def test_few_pages_with_large_loss_do_not_set_the_usual_values() -> None:
    few = [page(), page(), page(), page(), page(is_text=False)]
    assert FEW * len(few) >= 1
    assert prove(few, BLOCK, {"p"}).losing == 4  # on these pages the rule loses the text
    exceptional = [page(), page(), page(), page(), page(text=10, aside=900, is_text=False)]
    proof = prove(exceptional, BLOCK, {"div.aside"})
    assert proof.loses_on_few
    assert (proof.left, proof.most_left, proof.most_dropped) == (0.1111, 100, 100)
    assert proof.least_kept == 800


def test_large_loss_on_many_pages_is_accepted() -> None:
    """Comments under short articles: each page alone takes them for the text."""
    pages = [page(text=50, aside=900, is_text=False) for _ in range(4)] + [page()]
    proof = prove(pages, BLOCK, {"div.aside"})
    assert proof.losing == 4
    assert not proof.loses_on_few
    assert proof.left == 0.9474


def test_places_of_the_clusters_structure_may_vary_in_size() -> None:
    """Comments below the text and inside its block."""
    pages = [page(), page(text=50, aside=900, menu=5000)]
    structure = {hash_of(chain.encode()) for chain in pages[0].chains}
    proof = prove(pages, BLOCK, {"div.aside"}, structure)
    assert (proof.outside, proof.left, proof.most_left) == (0.0, 0.0, 0)
    assert (proof.dropped, proof.most_dropped) == (0.9474, 900)


def test_pages_without_the_block_give_an_empty_proof() -> None:
    assert prove([page()], frozenset({"div.other"}), set()) == Proof()
    assert prove([], BLOCK, set()) == Proof()


def test_place_of_the_block_with_most_text_wins() -> None:
    both = sample_page({"div.a > p": (10, True), "div.b > p": (90, True)})
    proof = prove([both], {"div.a", "div.b"}, set())
    assert (proof.least_kept, proof.most_outside, proof.worst) == (90, 10, 0.1)
    assert prove([both], {"div.a", "div.b"}, {"p"}).most_dropped == 90


def test_link_text_does_not_count_and_one_half_is_likely() -> None:
    seen = {
        "p": PlaceSeen(0.5, 100, (), linked=30),
        "ul > li": PlaceSeen(0.9, 50, (), linked=50),
        "div": PlaceSeen(0.49, 10, ()),
    }
    chains, texts = places_of(seen).texts()
    assert chains == ["p", "div"]
    assert [(text >> 1, text & 1) for text in texts] == [(70, 1), (10, 0)]


def test_sample_keeps_the_latest_pages_and_thinning_halves_it() -> None:
    sample = Sample()
    for number in range(PAGES + 5):
        sample.add(page(text=number + 1))
    assert sample.size == 3 * PAGES
    assert next(iter(sample)).texts[0] >> 1 == 6
    sample.thin()
    assert sample.size == 3 * PAGES / 2
    assert MUCH < 0.5


@pytest.mark.parametrize(
    ("losing", "confidence", "failed"),
    [
        (8, 0.98, True),
        (8, 0.32, False),  # the pages together know better about short articles under long comments
        (4, 0.98, False),
    ],
)
def test_proof_fails_if_confident_pages_lose_most_of_their_text(
    losing: int, confidence: float, failed: bool
) -> None:
    assert Proof(8, 0.9, losing).against(confidence).failed is failed
