"""[Zhou09], as [Bu14] describes it: two thresholds for the length of paragraphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.zhou09 import equations as zhou09


@pytest.mark.parametrize(
    ("lengths", "found"),
    [
        ([], []),
        ([5, 9], []),  # both above n_short, none reaches n_long
        ([5, 10], [0, 1]),
        ([4, 10, 5], [1, 2]),  # "greater than n_short": 4 is not
        ([10, 1, 10], [0, 2]),  # they need not be adjacent
    ],
)
def test_main_text(lengths, found):
    assert zhou09.main_text(lengths, n_short=4, n_long=10) == found


@given(st.lists(st.integers(0, 50)), st.integers(0, 50), st.integers(0, 50))
def test_main_text_obeys_both_conditions(lengths, short, long):
    found = zhou09.main_text(lengths, short, long)
    assert all(lengths[number] > short for number in found)
    assert not found or max(lengths) >= long
