"""Forests: scores equal those of a walk through the trees, and survive serialization."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.judge import confidence, judgement, page_type
from scrapy_mainblock.judge.models.forest import Forest

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


def scores_by_walk(one: Forest, row: np.ndarray) -> np.ndarray:
    """Return the scores of a row, computed tree by tree and comparison by comparison."""
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
def test_scores_of_a_table_equal_those_of_walking_each_row(
    seed: int, depth: int, outputs: int, rows: list[tuple[float, ...]]
) -> None:
    one = forest(seed, depth=depth, outputs=outputs)
    table = np.array(rows)
    expected = np.array([scores_by_walk(one, row) for row in table])
    odds = np.exp(expected)
    shares = (odds / odds.sum(axis=1, keepdims=True)).T
    assert one.shares(table.T) == pytest.approx(shares, abs=1e-5)
    assert one.probability(table.T) == pytest.approx(1 / (1 + np.exp(-expected[:, 0])), abs=1e-5)


MODELS = {
    "content": judgement.first_model,
    "context": judgement.second_model,
    "page type": page_type.model,
    "confidence": confidence.model,
}


@pytest.mark.parametrize("rows", [1, 3, 127, 128, 129, 300])
@pytest.mark.parametrize("name", MODELS)
def test_shipped_forest_at_and_beside_its_thresholds(name: str, rows: int) -> None:
    shipped = MODELS[name]()
    chance = np.random.default_rng(rows)
    numbers = chance.normal(size=(rows, len(shipped.names))).astype(np.float32)
    for feature in range(len(shipped.names)):
        asked = shipped.thresholds[shipped.features == feature]
        if len(asked):
            numbers[:, feature] = chance.choice(asked, rows)
    beside = np.nextafter(numbers, np.float32(chance.choice([-9e9, 9e9])))
    for table in (numbers, beside):
        found = shipped.scores(table.T)
        for row in {0, rows // 2, rows - 1}:
            assert found[:, row] == pytest.approx(scores_by_walk(shipped, table[row]), abs=1e-4)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_compare_as_floats_do(odd: float) -> None:
    one = forest()
    assert one.scores(np.full((3, 1), odd))[:, 0] == pytest.approx(
        scores_by_walk(one, np.full(3, odd))
    )


def test_many_segments_score_the_same_together_and_alone() -> None:
    table = np.random.default_rng(2).normal(size=(3, 1000))
    whole = forest().probability(table)
    alone = [forest().probability(table[:, at : at + 1])[0] for at in range(0, 1000, 111)]
    assert whole[::111].tolist() == alone


def test_scores_do_not_depend_on_the_memory_layout() -> None:
    table = np.random.default_rng(4).normal(size=(3, 20)).astype(np.float32)
    expected = forest().scores(table).tolist()
    for one in (np.asfortranarray(table), table.astype(float), np.repeat(table, 2, axis=1)[:, ::2]):
        assert forest().scores(one).tolist() == expected


def test_empty_table_has_no_scores() -> None:
    assert forest().probability(np.zeros((3, 0))).shape == (0,)
    assert forest(outputs=3).shares(np.zeros((3, 0))).shape == (3, 0)


def test_table_with_too_few_features_is_refused() -> None:
    with pytest.raises(ValueError, match="too few feature rows"):
        judgement.first_model().scores(np.zeros((3, 2)))


@pytest.mark.parametrize("outputs", [1, 3])
def test_forest_survives_serialization(outputs: int) -> None:
    one = forest(outputs=outputs)
    again = Forest.from_text(one.to_text(), NAMES)
    table = np.random.default_rng(3).normal(size=(3, 9))
    assert again.outputs == one.outputs
    assert again.shares(table) == pytest.approx(one.shares(table), abs=1e-5)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"format": "mainblock-forest/1"}, "not a"),
        ({"names": ["a", "b"]}, "different features"),
        ({"outputs": ["one", "two"]}, "malformed"),
        ({"bias": []}, "malformed"),
        ({"bias": [float("nan")]}, "malformed"),
        ({"trees": [[[0] * 9, [0] * 9, [0] * 512]]}, "malformed"),
    ],
)
def test_invalid_or_mismatched_forest_is_refused(
    changed: dict[str, object], complaint: str
) -> None:
    data = {**json.loads(forest().to_text()), **changed}
    with pytest.raises(ValueError, match=complaint):
        Forest.from_text(json.dumps(data), NAMES)
