"""[Wang14]: invariants of definition 5 and the two ratios; one test for each misprint."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.wang14 import equations as wang14

distances = st.lists(st.integers(0, 100), max_size=30)
thresholds = st.integers(1, 100)


@pytest.mark.parametrize(
    ("between", "c_t", "d_t", "is_block"),
    [
        ([1, 2], 3, 40, True),
        ([1], 3, 40, False),
        ([39, 39], 3, 40, True),
        ([39, 40], 3, 40, False),
        ([], 1, 40, True),
        ([0, 0, 0], 3, 1, True),
    ],
)
def test_a_block_has_enough_links_with_small_distances(
    between: list[int], c_t: int, d_t: int, is_block: bool
) -> None:
    assert wang14.is_link_block(between, c_t, d_t) is is_block


def test_slip_1_a_distance_of_exactly_d_t_separates_two_blocks() -> None:
    """The prose says "over d_t", definition 5 says `max(d_i) < d_t`."""
    assert wang14.runs([40], 40) == [(0, 1), (1, 2)]


def test_slip_1_exactly_c_t_links_are_a_block() -> None:
    """The prose says "exceeds C_t", definition 5 says `C_link >= C_t`."""
    assert wang14.is_link_block([0, 0], 3, 40)


def test_slip_2_merging_blocks_raises_ccr_and_not_lcr() -> None:
    """Figure 4, remark (4): a merge of two blocks adds the code between them but no new link."""
    before, after = [(0, 3), (3, 6)], [(0, 6)]
    assert wang14.runs([0, 0, 10, 0, 0], 10) == before
    assert wang14.runs([0, 0, 10, 0, 0], 11) == after
    assert wang14.lcr(3 + 3, 6) == wang14.lcr(6, 6) == 1.0
    assert wang14.ccr(40 + 40, 200) < wang14.ccr(100, 200)


def test_slip_3_text_and_code_have_separate_thresholds() -> None:
    """`d_t^l` on the figures' axes means `d_t^t`; `d_t^c` is another value, with its own range."""
    assert wang14.THRESHOLD == {"text": 40, "code": 80}
    assert wang14.CURVES_D_T_TEXT == (5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60)
    assert wang14.CURVES_D_T_CODE == (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120)
    assert wang14.CURVES_C_T == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    assert wang14.C_T == 3


@given(distances, thresholds)
def test_runs_partition_all_links_in_order(between: list[int], d_t: int) -> None:
    found = wang14.runs(between, d_t)
    assert found[0][0] == 0
    assert found[-1][1] == len(between) + 1
    assert all(before[1] == behind[0] for before, behind in pairwise(found))


@given(distances, thresholds)
def test_runs_are_maximal_and_have_distances_below_d_t(between: list[int], d_t: int) -> None:
    found = wang14.runs(between, d_t)
    assert all(wang14.is_link_block(between[first : last - 1], 1, d_t) for first, last in found)
    assert all(between[last - 1] >= d_t for _, last in found[:-1])


@given(distances, thresholds, thresholds)
def test_a_larger_d_t_only_merges_runs(between: list[int], one: int, other: int) -> None:
    fine = {last for _, last in wang14.runs(between, min(one, other))}
    rough = {last for _, last in wang14.runs(between, max(one, other))}
    assert rough <= fine


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_the_ratios_are_between_0_and_1(part: int, whole: int) -> None:
    part = min(part, whole)
    assert 0 <= wang14.lcr(part, whole) <= 1
    assert 0 <= wang14.ccr(part, whole) <= 1


def test_the_ratios_of_an_empty_page_are_0() -> None:
    assert wang14.lcr(0, 0) == 0
    assert wang14.ccr(0, 0) == 0
