"""Invariants that hold for any input hold for hostile pages that are cut, spliced and modified.

To test the same invariants for an hour, guided by coverage: `python tools/fuzz.py --minutes 60`.
"""

from __future__ import annotations

import json

import pytest
from hostile_laws import (
    decoding_holds,
    page_holds,
    rules_are_used,
    rules_hold,
    scanner_holds,
    selectors_hold,
)
from hostile_pages import FIXED, GROWING, PAGE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import site, story

from scrapy_mainblock import learn
from scrapy_mainblock.stores import documents

SEEDS = [
    *(make(400) for make in GROWING.values()),
    *(page[:1000] for page in FIXED.values()),
    PAGE,
]
TEXTS = [seed if isinstance(seed, str) else seed.decode("latin-1") for seed in SEEDS]
PIECES = (
    "< > </ <!-- --> <![CDATA[ ]]> \" ' = &amp; &#0; &#x110000; <a\thref=x> </a> <p> </p> <pre>"
    " <table> <td> <svg> <select> <script> </script> <title> </html> <body> <frameset> \x00 \ufeff"
    " \ud800 \u202e 2014-03-08 北"
).split(" ")


@st.composite
def spliced(draw: st.DrawFn) -> str:
    """Concatenate parts of hostile pages, with other pieces inserted between them."""
    parts = []
    for text in draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4)):
        start = draw(st.integers(0, len(text)))
        parts.append(text[start : start + draw(st.integers(0, 300))])
        parts.append(draw(st.one_of(st.sampled_from(PIECES), st.text(max_size=4))))
    return "".join(parts)


quick = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


@quick
@given(spliced())
def test_scanner_invariants_hold(source: str) -> None:
    scanner_holds(source)


@quick
@given(spliced())
def test_selector_invariants_hold(source: str) -> None:
    selectors_hold(source)


@quick
@given(st.one_of(st.binary(), spliced().map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_decoding_invariants_hold(body: bytes) -> None:
    decoding_holds(body)


@settings(quick, max_examples=100)
@given(spliced(), st.sampled_from([None, "http://e.example/", "x:y", "http://[::1]:8080/", "\x00"]))
def test_page_invariants_hold_for_every_method_and_learning(source: str, url: str | None) -> None:
    page_holds(source, url)


@settings(quick, max_examples=100)
@given(spliced().map(lambda text: text.encode("utf-16-le", "surrogatepass")[1:]))
def test_page_invariants_hold_for_bytes(body: bytes) -> None:
    page_holds(body)


@quick
@given(spliced(), st.integers(0, 400), st.binary(max_size=3))
def test_rules_invariants_hold_for_a_document_with_inserted_bytes(
    page: str, place: int, put: bytes
) -> None:
    rule = {"id": "content", "drop": ["div.menu", page[:20]], "dropLines": [page[20:60]]}
    cluster = {"cluster": "x", "pinned": True, "version": 1, "rule": rule, "structure": "0" * 16}
    document = json.dumps({"format": documents.FORMAT, "site": "x", "clusters": [cluster]}).encode()
    rules_hold(document, page)
    rules_hold(document[:place] + put + document[place:], page)
    rules_hold(document[:place] + put + document[place + len(put) :], page)


HONEST = story()[0]
LEARNT = learn(site(8)).sites["news.example"]


@quick
@given(st.integers(0, len(HONEST)), spliced(), st.integers(0, 400))
def test_learned_rules_are_usable_on_pages_with_hostile_insertions(
    place: int, put: str, left_out: int
) -> None:
    rules_are_used(LEARNT, HONEST[:place] + put + HONEST[place + left_out :])


FOUND: dict[str, str | bytes] = {
    "a control character in a text method's answer": "<p>\x00o</p>" + "\x01 some words " * 9,
    "a page without a body taught a rule that could not be read again": (
        '<frameset oncopy="alert(1)" contenteditable>test</frameset>'
    ),
    "a page of nothing but a control character had an empty text for its content": "<div>\x7f",
    "the same in Latin-1": "<p>\x80</p>",
}
"""Inputs that failed under fuzzing; each is fixed."""


def test_control_characters_of_the_page_url_are_in_no_link() -> None:
    page_holds(PAGE.replace("go on", "<a href=x>go</a> on"), "http://e.example\x01\x9b/\u202e")


@pytest.mark.parametrize("name", FOUND)
def test_inputs_found_by_fuzzing_stay_fixed(name: str) -> None:
    page_holds(FOUND[name])
    scanner_holds(FOUND[name])
