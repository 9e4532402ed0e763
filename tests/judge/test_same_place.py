"""Segments at the same place are judged together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.judge.content.same_place import judged_together
from scrapy_mainblock.outline.outline import Outline

POSTS = "".join(f'<div class="post"><p class="text">Post {number}</p></div>' for number in "1234")


def judge_together(
    page: Outline, likely: list[float], sizes: list[float] | None = None
) -> np.ndarray:
    lengths = np.array(sizes or [10.0] * len(likely))
    return np.asarray(judged_together(np.array(likely), lengths, page.places))


def test_unlikely_post_among_likely_ones_is_content() -> None:
    found = judge_together(outline(POSTS), [0.9, 0.9, 0.1, 0.9])
    assert found.min() > 0.5


def test_likely_post_among_unlikely_ones_is_boilerplate() -> None:
    found = judge_together(outline(POSTS), [0.1, 0.1, 0.9, 0.1])
    assert found.max() < 0.5


def test_long_post_counts_more_than_a_short_one() -> None:
    found = judge_together(outline(POSTS), [0.9, 0.1, 0.1, 0.1], [300.0, 10.0, 10.0, 10.0])
    assert found.min() > 0.5


@pytest.mark.parametrize("other", ['<p class="note">', "<div>", '<div class="user"><p class=text>'])
def test_segments_at_another_place_have_no_influence(other: str) -> None:
    alone = judge_together(outline(POSTS), [0.9, 0.8, 0.9, 0.9])
    found = judge_together(outline(f"{POSTS}{other}Elsewhere"), [0.9, 0.8, 0.9, 0.9, 0.2])
    assert found[:4] == pytest.approx(alone)
    assert found[4] == pytest.approx(0.2)


def test_segments_of_length_zero_stay_as_they_are() -> None:
    assert judge_together(outline(POSTS), [0.3] * 4, [0.0] * 4).tolist() == [0.3] * 4


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 500)), min_size=4, max_size=4))
def test_mean_by_length_stays_and_spread_shrinks(
    segments: list[tuple[float, int]],
) -> None:
    likely, sizes = (np.array(column, float) for column in zip(*segments, strict=True))
    found = judge_together(outline(POSTS), likely.tolist(), sizes.tolist())
    assert found @ sizes == pytest.approx(likely @ sizes)
    assert np.ptp(found) == pytest.approx(0.2 * np.ptp(likely))


def test_full_share_gives_each_segment_the_mean_of_its_place() -> None:
    page, likely = outline(POSTS), np.array([0.9, 0.1, 0.5, 0.5])
    found = judged_together(likely, np.array([30.0, 10.0, 10.0, 10.0]), page.places, 1.0)
    assert np.asarray(found) == pytest.approx([38 / 60] * 4)
