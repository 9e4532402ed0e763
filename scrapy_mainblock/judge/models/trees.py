"""A forest's scores: every question once for many rows, in the order of the trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrapy_mainblock.outline.buffers.arrays import view

AT_ONCE = 128
"""Columns whose answers to all questions stay in the processor's cache."""


class Trees:
    """Oblivious trees as numbers in a row, ready to be asked.

    In an oblivious tree all nodes of a level ask the same question (a feature, a threshold), so
    that a row's answers, read as the bits of a number, are the number of its leaf.
    """

    def __init__(self, features: Any, thresholds: Any, leaves: Any, bias: Any) -> None:
        """`features` and `thresholds` are by tree and level, `leaves` by tree, leaf and output."""
        self.trees, self.depth = features.shape
        self.outputs = leaves.shape[2]
        # Half of the nodes ask what another one has asked already.
        pairs = np.stack([features.ravel(), thresholds.ravel()], dtype=np.float64)
        different, asked = np.unique(pairs, axis=1, return_inverse=True)
        self.questions = different.shape[1]
        self.features = view(different[0].astype(np.int32))
        self.thresholds = view(different[1].astype(np.float32))
        self.asked = view(asked.ravel().astype(np.int32))
        self.leaves = view(np.ascontiguousarray(leaves.transpose(0, 2, 1), np.float32).ravel())
        self.bias_column = np.asarray(bias, np.float64)[:, None]
        self.most_feature = int(features.max())

    def scores(self, columns: Any) -> Any:
        """The scores of all columns, a row for each output; `columns` has a row a feature."""
        if columns.shape[0] <= self.most_feature:
            raise ValueError("a feature that is not there")
        found = np.empty((self.outputs, columns.shape[1]))
        found[:] = self.bias_column
        if columns.shape[1]:
            self._ask(view(columns), view(found), columns.shape[1])
        return found

    def _ask(self, columns: Any, found: Any, count: int) -> None:
        """Add up all scores, of so many columns."""
        width = min(count, AT_ONCE)
        room = view(np.empty((self.questions + 1) * width, np.uint8))
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
    """Add to the scores of some columns.

    `answers` has room for those of all questions. All is handed over, since an octet that is
    written might change any attribute, for all a compiler knows, which then has to be read again.
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
