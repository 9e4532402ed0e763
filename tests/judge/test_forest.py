"""Forests: leaves are found as trees are walked, and numbers survive being written down."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core import forest as module
from scrapy_mainblock.core.forest import Forest

NAMES = ("a", "b", "c")


def forest(seed: int = 1, *, trees: int = 5, depth: int = 3, outputs: int = 1) -> Forest:
    chance = np.random.default_rng(seed)
    return Forest(
        NAMES,
        tuple(f"class {number}" for number in range(outputs)),
        chance.integers(0, len(NAMES), (trees, depth)),
        chance.normal(size=(trees, depth)).round(3).astype(np.float32),
        chance.normal(size=(trees, 1 << depth, outputs)).round(3).astype(np.float32),
        chance.normal(size=outputs).round(3),
    )


def walked(one: Forest, row: np.ndarray) -> np.ndarray:
    """The scores of a row, tree by tree and question by question."""
    scores = one.bias.copy()
    for asked, thresholds, leaves in zip(one.features, one.thresholds, one.leaves, strict=True):
        leaf = 0
        for level, (feature, threshold) in enumerate(zip(asked, thresholds, strict=True)):
            leaf += int(np.float32(row[feature]) > threshold) << level
        scores = scores + leaves[leaf]
    return np.asarray(scores)


@given(
    st.integers(0, 99),
    st.integers(1, 8),
    st.integers(1, 4),
    st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=1, max_size=6),
)
def test_all_rows_at_once_are_scored_as_each_row_is_walked(
    seed: int, depth: int, outputs: int, rows: list[tuple[float, ...]]
) -> None:
    one = forest(seed, depth=depth, outputs=outputs)
    table = np.array(rows)
    expected = np.array([walked(one, row) for row in table])
    odds = np.exp(expected)
    assert one.shares(table) == pytest.approx(odds / odds.sum(axis=1, keepdims=True), abs=1e-5)
    assert one.probability(table) == pytest.approx(1 / (1 + np.exp(-expected[:, 0])), abs=1e-5)


def test_a_page_of_many_segments_is_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(2).normal(size=(25, 3))
    whole = forest().probability(rows)
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 10)
    assert (forest().probability(rows) == whole).all()


def test_no_rows_have_no_scores() -> None:
    assert forest().probability(np.zeros((0, 3))).shape == (0,)
    assert forest(outputs=3).shares(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("outputs", [1, 3])
def test_a_forest_survives_being_written_down(outputs: int) -> None:
    one = forest(outputs=outputs)
    again = Forest.from_text(one.to_text(), NAMES)
    rows = np.random.default_rng(3).normal(size=(9, 3))
    assert again.outputs == one.outputs
    assert again.shares(rows) == pytest.approx(one.shares(rows), abs=1e-5)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"format": "mainblock-forest/1"}, "not a"),
        ({"names": ["a", "b"]}, "other features"),
        ({"outputs": ["one", "two"]}, "not whole"),
        ({"bias": []}, "not whole"),
        ({"bias": [float("nan")]}, "not whole"),
        ({"trees": [[[0] * 9, [0] * 9, [0] * 512]]}, "not whole"),
    ],
)
def test_what_is_no_forest_of_these_features_is_refused(
    changed: dict[str, object], complaint: str
) -> None:
    data = {**json.loads(forest().to_text()), **changed}
    with pytest.raises(ValueError, match=complaint):
        Forest.from_text(json.dumps(data), NAMES)
