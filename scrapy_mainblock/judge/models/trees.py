"""The scores of a forest: each distinct question is answered once for many columns.

The trees are flat arrays, so that Cython can compile the loop over them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scrapy_mainblock.outline.buffers.arrays import octets_of, view

AT_ONCE = 128
"""Columns scored at once: their answers to all questions fit in the processor's cache."""
MOST_ODDS = 30.0
"""Log odds are clipped at this absolute value; the probability beyond is practically 0 or 1."""


class Trees:
    """Oblivious trees as flat arrays, ready to be scored.

    In an oblivious tree all nodes of a level ask the same question (a feature, a threshold), so
    that the answers for a column, read as the bits of a number, are the number of its leaf.
    """

    def __init__(self, features: Any, thresholds: Any, leaves: Any, bias: Any) -> None:
        """Take `features` and `thresholds` by tree and level, `leaves` by tree, leaf and output."""
        self.trees, self.depth = features.shape
        self.outputs = leaves.shape[2]
        # Half of the nodes repeat the question of another one.
        pairs = np.stack([features.ravel(), thresholds.ravel()], dtype=np.float64)
        different, asked = np.unique(pairs, axis=1, return_inverse=True)
        self.questions = different.shape[1]
        self.features = view(different[0].astype(np.int32))
        self.thresholds = view(different[1].astype(np.float32))
        self.asked = view(asked.ravel().astype(np.int32))
        self.leaves = view(np.ascontiguousarray(leaves.transpose(0, 2, 1), np.float32).ravel())
        self.bias = view(np.ascontiguousarray(bias, np.float64))
        self.most_feature = int(features.max())

    def scores(self, columns: Any) -> Any:
        """Return the scores of all columns, a row per output; `columns` has a row per feature."""
        if columns.shape[0] <= self.most_feature:
            raise ValueError("too few feature rows")
        found = np.empty((self.outputs, columns.shape[1]))
        if columns.shape[1]:
            self._ask(view(columns), view(found), columns.shape[1])
        return found

    def probability(self, columns: Any) -> Any:
        """Return the probability of "yes" for each column; the only output is its log odds."""
        found = self.scores(columns)
        if columns.shape[1]:
            to_probability(view(found), columns.shape[1])
        return found[0]

    def shares(self, columns: Any) -> Any:
        """Return the probability of each class for each column, as a row per class."""
        found = self.scores(columns)
        if columns.shape[1]:
            to_shares(view(found), columns.shape[1])
        return found

    def _ask(self, columns: Any, found: Any, count: int) -> None:
        """Write the scores of `count` columns to `found`."""
        for output in range(self.outputs):
            for one in range(count):
                found[output, one] = self.bias[output]
        width = min(count, AT_ONCE)
        room = octets_of((self.questions + 1) * width)
        answers, leaf = room[: self.questions * width], room[self.questions * width :]
        for start in range(0, count, width):
            add_scores(
                columns,
                found,
                self.features,
                self.thresholds,
                self.asked,
                self.leaves,
                answers,
                leaf,
                self.depth,
                start,
                min(width, count - start),
            )


def add_scores(  # noqa: PLR0913, PLR0917 - a memory view of `self` would be read again and again
    columns: memoryview[float],
    found: memoryview[float],
    features: memoryview[int],
    thresholds: memoryview[float],
    asked: memoryview[int],
    leaves: memoryview[float],
    answers: memoryview[int],
    leaf: memoryview[int],
    depth: int,
    start: int,
    count: int,
) -> None:
    """Add the scores of all trees to `found`, for the `count` columns from `start`.

    `answers` has room for the answers to all questions. Everything is passed as an argument: the
    compiler has to assume that a byte written to an array may change any attribute of an object,
    and would read the attribute again each time.
    """
    for question in range(len(features)):
        feature, threshold = features[question], thresholds[question]
        place = question * count
        for one in range(count):
            answers[place + one] = columns[feature, start + one] > threshold
    outputs = len(found)
    for tree in range(len(asked) // depth):
        place = asked[tree * depth + depth - 1] * count
        for one in range(count):
            leaf[one] = answers[place + one]
        for level in range(depth - 2, -1, -1):
            place = asked[tree * depth + level] * count
            for one in range(count):
                leaf[one] = leaf[one] + leaf[one] + answers[place + one]
        for output in range(outputs):
            first = (tree * outputs + output) << depth
            for one in range(count):
                found[output, start + one] += leaves[first + leaf[one]]


def to_probability(found: memoryview[float], count: int) -> None:
    """Replace log odds by probabilities."""
    for one in range(count):
        odds = min(max(found[0, one], -MOST_ODDS), MOST_ODDS)
        found[0, one] = 1 / (1 + math.exp(-odds))


def to_shares(found: memoryview[float], count: int) -> None:
    """Replace the scores of classes by their probabilities."""
    for one in range(count):
        most = found[0, one]
        for output in range(len(found)):
            most = max(most, found[output, one])
        total = 0.0
        for output in range(len(found)):
            found[output, one] = math.exp(found[output, one] - most)
            total += found[output, one]
        for output in range(len(found)):
            found[output, one] /= total
