"""Boosted oblivious trees, applied with numpy.

In an oblivious tree all nodes of a level ask the same question (a feature, a threshold), so that a
row's answers, read as a binary number, are the number of its leaf: a whole forest is a comparison,
a few shifts and a look-up, for all rows of a page at once. Trained by `tools/train_content.py`,
kept as plain numbers in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core.native import compiled

FORMAT = "mainblock-forest/2"
ROWS_AT_ONCE = 2000
"""A page of 100,000 segments is scored in parts, so that memory stays bounded."""
DEEPEST = 8
"""The number of a leaf is put together in a byte."""

Floats = npt.NDArray[np.float64]
_native = compiled("scores")


@dataclass(frozen=True)
class Forest:
    """A trained forest: features and thresholds by tree and level, leaves by tree and output.

    One output is the odds of yes; several are those of as many classes.
    """

    names: tuple[str, ...]
    outputs: tuple[str, ...]
    features: npt.NDArray[np.int64]
    thresholds: npt.NDArray[np.float32]
    leaves: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float64]

    def probability(self, rows: npt.NDArray[Any]) -> Floats:
        """How likely each row is a yes."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.scores(rows)[:, 0], -30, 30))))

    def shares(self, rows: npt.NDArray[Any]) -> Floats:
        """How likely each row is of each class; a row's shares add up to 1."""
        scores = self.scores(rows)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def scores(self, rows: npt.NDArray[Any]) -> Floats:
        """The scores of each row, one for each output."""
        if self._trees is not None:
            scores = np.empty((len(rows), len(self.outputs)))
            self._trees.score(np.ascontiguousarray(rows.T, np.float32), scores)
            return scores
        return self.scores_by_numpy(rows)

    @cached_property
    def _trees(self) -> Any:
        """The forest compiled code asks; None where there is none."""
        if _native is None:
            return None
        return _native.Trees(*self._questions, np.ascontiguousarray(self.leaves), self.bias)

    def scores_by_numpy(self, rows: npt.NDArray[Any]) -> Floats:
        """The same without compiled code: the one to read."""
        parts = [
            self._score(np.ascontiguousarray(rows[start : start + ROWS_AT_ONCE].T, np.float32))
            for start in range(0, len(rows), ROWS_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.outputs)))

    def _score(self, columns: npt.NDArray[np.float32]) -> Floats:
        trees, depth = self.features.shape
        features, thresholds, asked = self._questions
        answers = (columns.take(features, axis=0) > thresholds[:, None]).view(np.uint8)
        # A row's answers to a tree's questions, as the bits of a number, are its leaf there.
        leaf = np.zeros((trees, columns.shape[1]), dtype=np.uint8)
        for level in reversed(range(depth)):
            leaf += leaf
            leaf += answers.take(asked[level], axis=0)
        place = leaf + (np.arange(trees, dtype=np.int32) << depth)[:, None]
        scores = [
            self.leaves[:, :, output].ravel().take(place).sum(axis=0, dtype=np.float64)
            for output in range(len(self.outputs))
        ]
        return np.stack(scores, axis=1) + self.bias

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

    def to_text(self) -> str:
        """The forest as JSON, a tree a line."""
        trees = [
            json.dumps(
                [
                    features.tolist(),
                    [round(float(threshold), 6) for threshold in thresholds],
                    [round(float(value), 5) for value in leaves.ravel()],
                ],
                separators=(",", ":"),
            )
            for features, thresholds, leaves in zip(
                self.features, self.thresholds, self.leaves, strict=True
            )
        ]
        return (
            f'{{"format": "{FORMAT}",\n"outputs": {json.dumps(self.outputs)},\n'
            f'"bias": {json.dumps(self.bias.tolist())},\n'
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
        outputs = tuple(data["outputs"])
        features, thresholds, leaves = zip(*data["trees"], strict=True)
        asked = np.array(features, dtype=np.int64)
        trees, depth = asked.shape
        values = np.array(leaves, dtype=np.float32)
        bias = np.array(data["bias"], dtype=np.float64)
        if (
            not 1 <= depth <= DEEPEST
            or values.shape != (trees, len(outputs) << depth)
            or bias.shape != (len(outputs),)
            or not np.isfinite(bias).all()
        ):
            raise ValueError("the forest's trees are not whole")
        return cls(
            tuple(names),
            outputs,
            asked,
            np.array(thresholds, dtype=np.float32),
            values.reshape(trees, 1 << depth, len(outputs)),
            bias,
        )
