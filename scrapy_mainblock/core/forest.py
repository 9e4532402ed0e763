"""Boosted oblivious trees, applied with numpy.

In an oblivious tree all nodes of a level ask the same question (a feature, a threshold), so that a
row's answers, read as a binary number, are the number of its leaf: a whole forest is a comparison,
a dot product and a look-up, for all rows of a page at once. Trained by `tools/train_content.py`,
kept as plain numbers in JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FORMAT = "mainblock-forest/1"
ROWS_AT_ONCE = 2000
"""A page of 100,000 segments is scored in parts, so that memory stays bounded."""


@dataclass(frozen=True)
class Forest:
    """A trained forest: features and thresholds by tree and level, leaves by tree."""

    names: tuple[str, ...]
    features: npt.NDArray[np.int64]
    thresholds: npt.NDArray[np.float32]
    leaves: npt.NDArray[np.float32]
    bias: float

    def probability(self, rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The probability of each row."""
        parts = [
            self._score(rows[start : start + ROWS_AT_ONCE].astype(np.float32))
            for start in range(0, len(rows), ROWS_AT_ONCE)
        ]
        scores = np.concatenate(parts) if parts else np.zeros(0)
        return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))))

    def _score(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        trees, depth = self.features.shape
        leaf = np.zeros((len(rows), trees), dtype=np.int64)
        for level in range(depth):
            answers = rows[:, self.features[:, level]] > self.thresholds[:, level]
            leaf += answers.astype(np.int64) << level
        leaf += np.arange(trees) << depth
        return np.asarray(self.leaves.ravel()[leaf].sum(axis=1, dtype=np.float64) + self.bias)

    def to_text(self) -> str:
        """The forest as JSON, a tree a line."""
        trees = [
            json.dumps(
                [
                    features.tolist(),
                    [round(float(threshold), 6) for threshold in thresholds],
                    [round(float(value), 5) for value in leaves],
                ],
                separators=(",", ":"),
            )
            for features, thresholds, leaves in zip(
                self.features, self.thresholds, self.leaves, strict=True
            )
        ]
        return (
            f'{{"format": "{FORMAT}",\n"bias": {self.bias!r},\n'
            f'"names": {json.dumps(self.names)},\n"trees": [\n' + ",\n".join(trees) + "\n]}\n"
        )

    @classmethod
    def from_text(cls, text: str, names: Sequence[str]) -> Forest:
        """Read a forest; ValueError when it is none, or of other features than `names`."""
        data = json.loads(text)
        if data.get("format") != FORMAT:
            raise ValueError(f"not a {FORMAT}")
        if tuple(data["names"]) != tuple(names):
            raise ValueError("the forest was trained on other features: train it again")
        features, thresholds, leaves = zip(*data["trees"], strict=True)
        forest = cls(
            tuple(names),
            np.array(features, dtype=np.int64),
            np.array(thresholds, dtype=np.float32),
            np.array(leaves, dtype=np.float32),
            float(data["bias"]),
        )
        if forest.leaves.shape[1] != 1 << forest.features.shape[1] or not math.isfinite(
            forest.bias
        ):
            raise ValueError("the forest's trees are not whole")
        return forest
