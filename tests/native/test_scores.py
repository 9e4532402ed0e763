"""The compiled forest says what the one in numpy says, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core import confidence, content, pagetype
from scrapy_mainblock.core.forest import Forest
from scrapy_mainblock.core.native import compiled

scores = compiled("scores")
pytestmark = pytest.mark.skipif(scores is None, reason="core/native/scores is not compiled")

MODELS = {
    "content": content.first_model,
    "context": content.second_model,
    "pagetype": pagetype.model,
    "confidence": confidence.model,
}


def assert_same(forest: Forest, rows: np.ndarray) -> None:
    assert forest.scores(rows).tolist() == forest.scores_by_numpy(rows).tolist()


@pytest.mark.parametrize("rows", [0, 1, 3, 127, 128, 129, 256, 2500])
@pytest.mark.parametrize("name", MODELS)
def test_a_shipped_forest_scores_the_same(name: str, rows: int) -> None:
    """At its thresholds, and right beside them."""
    forest = MODELS[name]()
    random = np.random.default_rng(rows)
    numbers = random.normal(size=(rows, len(forest.names))).astype(np.float32)
    for feature in range(len(forest.names)):
        asked = forest.thresholds[forest.features == feature]
        if len(asked):
            numbers[:, feature] = random.choice(asked, rows)
    beside = np.nextafter(numbers, np.float32(random.choice([-9e9, 9e9])))
    for one in (numbers, beside, np.asfortranarray(numbers), numbers.astype(float)):
        assert_same(forest, one)


@given(
    trees=st.integers(1, 9),
    depth=st.integers(1, 8),
    outputs=st.integers(1, 3),
    seed=st.integers(0, 999),
    rows=st.integers(1, 20),
)
def test_any_forest_scores_the_same(
    trees: int, depth: int, outputs: int, seed: int, rows: int
) -> None:
    random = np.random.default_rng(seed)
    forest = Forest(
        ("a", "b", "c"),
        tuple("xyz"[:outputs]),
        random.integers(0, 3, (trees, depth)),
        random.integers(0, 4, (trees, depth)).astype(np.float32),
        random.normal(size=(trees, 1 << depth, outputs)).astype(np.float32),
        random.normal(size=outputs),
    )
    numbers = random.integers(-1, 5, (rows, 3)).astype(np.float32)
    numbers[0] = (np.nan, np.inf, -np.inf)
    assert_same(forest, numbers)


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="not there"):
        content.first_model().scores(np.zeros((2, 3)))
