"""The JSON document of a site: written documents are read back, invalid ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock import Rules, extract
from scrapy_mainblock.stores.documents import (
    FORMAT,
    DamagedDocumentError,
    NewerDocumentError,
    site_from_document,
    site_from_text,
    site_to_document,
    site_to_text,
)
from scrapy_mainblock.template.field_rules import RULED, FieldRule, in_order
from scrapy_mainblock.template.rules import (
    BlockStats,
    FormerRule,
    Judged,
    Rule,
    SiteRules,
    Template,
)
from scrapy_mainblock.template.selection import Selection

names = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8)
steps = st.lists(st.sampled_from(["body1", "div12", "h1.2", "td3"]))
paths = steps.map(lambda steps: "/".join(["body1", *steps]))
texts = st.lists(st.text(max_size=8), max_size=3).map(tuple)
rules = st.builds(
    Rule,
    st.one_of(st.just(""), st.text(max_size=8)),
    st.lists(names, max_size=3).map(tuple),
    st.one_of(st.just(""), paths),
    st.builds(Selection, drop=texts, keep=texts, lines=texts, known=texts),
).filter(lambda rule: any(rule.selectors))
numbers = st.integers(0, 10**9)
field_rules = st.lists(
    st.one_of(
        st.builds(
            lambda field, place, note: FieldRule(field, place, pinned=True, note=note),
            st.sampled_from(RULED),
            st.text(),
            st.text(max_size=8),
        ),
        st.builds(
            FieldRule,
            st.sampled_from(RULED),
            st.text(max_size=8),
            st.just(False),
            st.sampled_from([0.0, 0.9375, 1.0]),
            numbers,
        ),
    ),
    max_size=2,
    unique_by=lambda one: one.field,
).map(in_order)
templates = st.builds(
    Template,
    st.text(max_size=8),
    rules,
    st.frozensets(st.integers(0, 2**64 - 1), max_size=4),
    pages=numbers,
    votes=numbers,
    version=numbers,
    pinned=st.booleans(),
    looks=st.one_of(
        st.none(), st.builds(BlockStats, numbers, numbers, st.sampled_from([0, 0.5, 1]))
    ),
    judged=st.one_of(
        st.none(),
        st.builds(
            Judged,
            st.sampled_from([0.0, 0.25, 1.0]),
            st.sampled_from([(), (("article", 1.0),), (("forum", 0.6), ("other kind", 0.4))]),
        ),
    ),
    names=texts,
    history=st.lists(st.builds(FormerRule, numbers, rules, numbers, numbers), max_size=5).map(
        tuple
    ),
    fields=field_rules,
)
site_rules = st.builds(
    SiteRules, st.text(max_size=20), st.lists(templates, max_size=3).map(tuple), field_rules
)

SITE = SiteRules(
    "news.example",
    (
        Template("a1", Rule("content", ("entry", "post"), "body1/div2"), frozenset({1, 2}), 8, 7),
        Template("b2", Rule("", (), "body1/h1.2"), frozenset(), pinned=True, version=3),
    ),
)


@given(site_rules)
def test_written_rules_are_read_back(rules: SiteRules) -> None:
    text = site_to_text(rules)
    assert site_from_text(text) == rules
    assert site_from_text(text.encode("utf-8", "backslashreplace")) == rules
    assert site_from_document(site_to_document(rules)) == rules


def test_a_document_is_readable_json() -> None:
    document = json.loads(site_to_text(SITE))
    assert document["format"] == FORMAT == 2
    assert document["site"] == "news.example"
    first, second = document["clusters"]
    assert first["rule"] == {"id": "content", "class": "entry post", "path": "body1/div2"}
    assert first["structure"] == "0000000000000001 0000000000000002"
    assert (first["cluster"], first["pages"], first["votes"]) == ("a1", 8, 7)
    assert second["rule"] == {"path": "body1/h1.2"}
    assert (second["pinned"], second["version"]) == (True, 3)
    assert site_to_text(SITE).endswith("}\n")


def test_a_minimal_handwritten_document_is_accepted() -> None:
    text = '{"format": 2, "site": "s", "clusters": [{"cluster": "x", "rule": {"id": "main"}}]}'
    assert site_from_text(text) == SiteRules("s", (Template("x", Rule("main"), frozenset()),))


def test_every_truncation_of_a_document_is_refused() -> None:
    text = site_to_text(SITE).encode()
    for end in range(len(text) - 1):
        with pytest.raises(DamagedDocumentError):
            site_from_text(text[:end])


@given(st.one_of(st.binary(max_size=100), st.text(max_size=100)))
def test_text_that_is_not_a_document_is_refused(text: str | bytes) -> None:
    with pytest.raises(DamagedDocumentError):
        site_from_text(text)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": 2, "site": ' + "9" * 10_000])
def test_a_hostile_document_is_refused(text: str) -> None:
    with pytest.raises(DamagedDocumentError):
        site_from_text(text)


def with_cluster(**changed: Any) -> dict[str, Any]:
    document = site_to_document(SITE)
    document["clusters"][0] |= changed
    return document


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        "text",
        {},
        {"format": 0, "site": "s", "clusters": []},
        {"format": "2", "site": "s", "clusters": []},
        {"format": 2, "clusters": []},
        {"format": 2, "site": 5, "clusters": []},
        {"format": 2, "site": "s"},
        {"format": 2, "site": "s", "clusters": {}},
        {"format": 2, "site": "s", "clusters": [None]},
        with_cluster(cluster=None),
        with_cluster(judged=[]),
        with_cluster(judged={"confidence": 1.5}),
        with_cluster(judged={"confidence": True}),
        with_cluster(judged={"types": ["article"]}),
        with_cluster(judged={"types": {"article": "much"}}),
        with_cluster(judged={"types": {str(number): 0.0 for number in range(51)}}),
        with_cluster(names="The Daily"),
        with_cluster(names=[5]),
        with_cluster(pinned="yes"),
        with_cluster(version=-1),
        with_cluster(version=1.5),
        with_cluster(pages=True),
        with_cluster(votes="7"),
        with_cluster(structure=["01"]),
        with_cluster(structure="xyz"),
        with_cluster(structure="1 2"),
        with_cluster(rule=None),
        with_cluster(rule={}),
        with_cluster(rule={"id": ""}),
        with_cluster(rule={"class": " "}),
        with_cluster(rule={"id": 5}),
        with_cluster(rule={"path": "div[2]"}),
        with_cluster(rule={"path": "//div"}),
        with_cluster(rule={"path": "div.sect1"}),
        with_cluster(looks=[]),
        with_cluster(looks={"linkShare": 2}),
        with_cluster(looks={"shortest": -1}),
        with_cluster(fields=[]),
        with_cluster(fields={"authors": "p.byline"}),
        with_cluster(fields={"authors": {"place": ["p.byline"]}}),
        with_cluster(fields={"authors": {"place": "p", "pinned": 1}}),
        with_cluster(fields={"authors": {"place": "p", "probability": 2}}),
        with_cluster(fields={"authors": {"place": "p", "pages": -1}}),
        with_cluster(fields={"authors": {"place": "p" * 2001}}),
        {**site_to_document(SITE), "fields": {"datePublished": {"place": None}}},
        with_cluster(history={}),
        with_cluster(history=[{"version": 1}]),
        with_cluster(history=[5]),
    ],
)
def test_an_invalid_document_is_refused(document: object) -> None:
    with pytest.raises(DamagedDocumentError):
        site_from_document(document)


def test_a_document_of_a_later_version_raises_its_own_error() -> None:
    with pytest.raises(NewerDocumentError):
        site_from_document({"format": FORMAT + 1, "anything": "else"})


def test_unknown_keys_are_ignored() -> None:
    assert site_from_document({**site_to_document(SITE), "comment": "by hand"}) == SITE
    assert site_from_document(with_cluster(comment="by hand")) == SITE
    assert site_from_document(with_cluster(fields={"copyright": {"holder": 1}})) == SITE


def test_a_manually_pinned_field_round_trips() -> None:
    entry = {"place": "p.byline > a", "pinned": True, "note": "the desk is no author"}
    document = with_cluster(fields={"authors": entry})
    assert site_from_document(document).templates[0].fields == (
        FieldRule("authors", "p.byline > a", pinned=True, note="the desk is no author"),
    )
    assert site_to_document(site_from_document(document)) == document


# --- documents of version 0.1 -------------------------------------------------------------------


def _format_1_document(**pinned: dict[str, str]) -> dict[str, Any]:
    """Return a document as written by version 0.1: two learned clusters and the pinned ones."""
    learnt = {"rule": {"path": "body1/div2"}, "pages": 8, "votes": 7, "paths": "01ab" * 4}
    clusters = [
        {"cluster": "a1", "pinned": False, "learnedBy": "auto", **learnt},
        {"cluster": "b2", "pinned": False, "learnedBy": "cluster", **learnt},
    ]
    clusters += [
        {**learnt, "cluster": name, "pinned": True, "learnedBy": "auto", "rule": rule}
        for name, rule in pinned.items()
    ]
    return {"format": 1, "site": "s", "clusters": clusters}


def test_pins_of_a_version_0_1_document_apply_to_every_page() -> None:
    rules = site_from_document(
        _format_1_document(one={"id": "a"}, other={"class": "b", "drop": ["p"]})
    )
    assert [(one.cluster, one.pinned, one.structure) for one in rules.templates] == [
        ("one", True, frozenset()),
        ("other", True, frozenset()),
    ]
    assert [one.rule.selectors for one in rules.templates] == [
        (("id", "a"),),
        (("class", "b"),),
    ]
    assert rules.templates[1].rule.selection.drop == ("p",)


def test_each_pin_of_version_0_1_is_used_for_its_own_pages() -> None:
    rules = Rules({"s": site_from_document(_format_1_document(one={"id": "a"}, other={"id": "b"}))})
    for name in "ab":
        page = f"<div id={name}><p>Text of {name}.</p></div><div id=x><p>Other text.</p></div>"
        article = extract(page, rules=rules, site="s")
        assert article.articleBody == f"Text of {name}."
        assert article.metadata["rule"] == {"id": name}


def test_a_version_0_1_document_is_saved_in_the_current_format() -> None:
    rules = site_from_document(_format_1_document(one={"id": "a"}))
    assert site_from_text(site_to_text(rules)) == rules
    assert site_to_document(rules)["format"] == FORMAT


def test_a_damaged_document_of_version_0_1_is_refused() -> None:
    with pytest.raises(DamagedDocumentError):
        site_from_document(_format_1_document(one={"id": ""}))
