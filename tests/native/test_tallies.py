"""Lines are counted the same by compiled code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core.linetally import Counts, LineTally
from scrapy_mainblock.core.native import compiled

tallies = compiled("tallies")
pytestmark = pytest.mark.skipif(tallies is None, reason="core/native/tallies is not compiled")

numbers = st.integers(-(2**62), 2**62) | st.integers(-5, 20)


@given(st.lists(st.lists(numbers, unique=True, max_size=20), max_size=12))
def test_numbers_are_counted_the_same(pages: list[list[int]]) -> None:
    found, wanted = Counts(), Counts()
    for page in pages:
        added = np.array(page, dtype=np.int64)
        assert found.add(added) == wanted.add_by_numpy(added)
    for one in ("keys", "counts", "since"):
        assert getattr(found, one).tolist() == getattr(wanted, one).tolist()
        assert getattr(found, one).dtype == getattr(wanted, one).dtype
    order = np.argsort(wanted.since)[::2]
    assert found.of(wanted.keys[order]).tolist() == wanted.counts[order].tolist()


LINES = (
    "Menu",
    "x" * 23,
    "x" * 24,
    "A long line, which says the same anywhere.",
    "é",
    "\ud800",
    "",
)


@given(
    st.lists(
        st.dictionaries(st.text("abc", max_size=2), st.lists(st.sampled_from(LINES), unique=True)),
        max_size=5,
    )
)
def test_a_page_s_lines_are_numbered_the_same(pages: list[dict[str, list[str]]]) -> None:
    found, wanted = LineTally(), LineTally()
    for page in pages:
        standing, on_page = found._keys_of(page.items())
        standing_wanted, on_page_wanted = wanted.keys_in_python(page.items())
        assert standing.tolist() == standing_wanted.tolist()
        assert standing.dtype == standing_wanted.dtype
        assert list(on_page.items()) == list(on_page_wanted.items())
        assert found._numbers == wanted._numbers


def test_places_without_end_are_not_numbered() -> None:
    assert tallies is not None
    page = [(str(place), ["line"]) for place in range(9)]
    standing, on_page = tallies.keys_of(iter(page), {}, 24, 5, 43)
    assert len(standing) == len(on_page) == 5
