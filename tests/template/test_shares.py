"""Values that are shares lie in 0 to 1, whatever was counted, in rules, documents and articles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pages import story

from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.stores import documents
from scrapy_mainblock.template.learning.evidence import SiteEvidence
from scrapy_mainblock.template.rules import Rule, Template

COUNTS = st.integers(0, 10**6)


def shares(entry: Any, inside: str = "") -> Iterator[float]:
    """Yield the shares in a document, at any depth."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            yield from shares(value, "types" if inside == "types" else key)
    elif isinstance(entry, list):
        for value in entry:
            yield from shares(value)
    elif inside in {"types", "confidence", "linkShare"}:
        yield entry


@given(votes=COUNTS, pages=COUNTS)
def test_agreement_is_a_share(votes: int, pages: int) -> None:
    for pinned in (False, True):
        one = Template("c", Rule(id="x"), frozenset({1}), pages, votes, pinned=pinned)
        assert 0 <= one.agreement <= 1


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0, 5, 120]), st.sampled_from([0, 15, 200])),
        min_size=8,
        max_size=30,
    )
)
def test_values_learnt_from_repeated_pages_are_shares(
    visits: list[tuple[int, int, int]],
) -> None:
    pages = [story(number, body=body, comments=comments) for number, body, comments in visits]
    evidence = SiteEvidence("news.example")
    for html, url in pages:
        evidence.add(evidence_of(Page.of(html, url)))
    rules = evidence.rules()
    document = documents.site_to_document(rules)
    assert all(0 <= share <= 1 for share in shares(document))
    assert documents.site_from_document(document).site == "news.example"
    for template in rules.templates:
        assert 0 <= template.agreement <= 1
    for html, url in pages:
        found = extract(html, url, Rules({"news.example": rules})).metadata
        assert 0 <= found["probability"] <= 1


def test_documents_of_rules_hold_shares() -> None:
    rules = learn([story(number) for number in range(8)] * 3)
    found = [
        share for one in rules.sites.values() for share in shares(documents.site_to_document(one))
    ]
    assert len(found) > 3
    assert all(0 <= share <= 1 for share in found)
