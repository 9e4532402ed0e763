"""Pages shared between workers: packed pages are unpacked unchanged, other data is refused."""

from __future__ import annotations

import contextlib
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_pages import URL, sources

from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.stores import packed_pages as module
from scrapy_mainblock.stores.packed_pages import SharedPage, UnreadablePageError, pack, unpack
from scrapy_mainblock.template.learning.evidence import NO_EVIDENCE


@pytest.mark.parametrize("name", sources())
def test_a_page_is_unpacked_unchanged(name: str) -> None:
    page = SharedPage(evidence_of(Page.of(sources()[name], URL)), "missed", 3)
    packed = pack(page)
    assert packed is not None
    assert unpack(packed) == page


def _packed(value: object) -> bytes:
    return zlib.compress(json.dumps(value).encode())


def _plain() -> list:
    packed = pack(SharedPage(evidence_of(Page.of(sources()["tables"], URL))))
    assert packed
    return json.loads(zlib.decompress(packed))


def _with(value: object, *place: int | str) -> bytes:
    """Return a packed page with another value at a place."""
    page = _plain()
    inside = page
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    return _packed(page)


WRONG = {
    "empty": b"",
    "not compressed": b"[]",
    "cut off": _packed(_plain())[:-9],
    "no JSON": zlib.compress(b"{"),
    "too short": _packed([]),
    "too long": _packed([*_plain(), 1]),
    "a text for the structure": _with("ab", 0, 0),
    "texts for hashes": _with(["a"], 0, 0),
    "a negative hash": _with([1, -1], 0, 0),
    "a hash of 65 bits": _with([1 << 64], 0, 0),
    "a number that is none": _with(float("nan"), 0, 1, 0, 3),
    "an endless number": _with(float("inf"), 0, 1, 0, 3),
    "a huge number": _with(10**40, 0, 1, 0, 4),
    "true for a number": _with(True, 0, 1, 0, 4),
    "a list for the places": _with([], 0, 2),
    "a negative length": _with({"p": [0.5, -1, [], 0.5, 0]}, 0, 2),
    "a length that no page has": _with({"p": [0.5, 1 << 31, [], 0.5, 0]}, 0, 2),
    "a value that is no hash": _with([["authors", 1, [["p", 1 << 32, 1, 0.5, True]]]], 0, 7),
    "a number for the fit": _with(3, 1),
    "deep": zlib.compress(b"[" * 100_000),
    "a bomb": zlib.compress(json.dumps(_plain()).encode() + b" " * 5_000_000),
}


@pytest.mark.parametrize("name", WRONG)
def test_data_that_is_not_a_page_is_refused(name: str) -> None:
    with pytest.raises(UnreadablePageError):
        unpack(WRONG[name])


@given(st.binary(max_size=60) | st.builds(_packed, st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
)))  # fmt: skip
def test_any_data_raises_only_unreadable_page_errors(packed: bytes) -> None:
    with contextlib.suppress(UnreadablePageError):
        unpack(packed)


def test_a_page_that_is_too_large_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    page = SharedPage(NO_EVIDENCE)
    assert pack(page) is not None
    monkeypatch.setattr(module, "LARGEST", 5)
    assert pack(page) is None
