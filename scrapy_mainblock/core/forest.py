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
from functools import cached_property

import numpy as np
import numpy.typing as npt

FORMAT = "mainblock-forest/1"
DEEPEST = 8
"""Levels of a tree: the answers are read as the bits of one octet."""
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

    @cached_property
    def _questions(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """The different questions of the forest, and which one each level of each tree asks.

        Half of the nodes ask what another one has asked already.
        """
        pairs = np.stack([self.features.ravel(), self.thresholds.ravel()], dtype=np.float64)
        different, numbers = np.unique(pairs, axis=1, return_inverse=True)
        asked = np.ascontiguousarray(numbers.reshape(self.features.shape).T)
        return different[0].astype(np.int64), different[1].astype(np.float32), asked

    def probability(self, rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
        """The probability of each row."""
        parts = [
            self._score(rows[start : start + ROWS_AT_ONCE].T.astype(np.float32, copy=False))
            for start in range(0, len(rows), ROWS_AT_ONCE)
        ]
        scores = np.concatenate(parts) if parts else np.zeros(0)
        return np.asarray(1 / (1 + np.exp(-np.clip(scores, -30, 30))))

    def _score(self, columns: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        trees, depth = self.features.shape
        features, thresholds, asked = self._questions
        answers = (columns.take(features, axis=0) > thresholds[:, None]).view(np.uint8)
        # A row's answers to a tree's questions, as the bits of a number, are its leaf there.
        leaf = np.zeros((trees, columns.shape[1]), dtype=np.uint8)
        for level in reversed(range(depth)):
            leaf += leaf
            leaf += answers.take(asked[level], axis=0)
        place = leaf + (np.arange(trees, dtype=np.int32) << depth)[:, None]
        return np.asarray(self.leaves.ravel().take(place).sum(axis=0, dtype=np.float64) + self.bias)

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
        depth = forest.features.shape[1]
        is_whole = depth <= DEEPEST and forest.leaves.shape[1] == 1 << depth
        if not is_whole or not math.isfinite(forest.bias):
            raise ValueError("the forest's trees are not whole")
        return forest
