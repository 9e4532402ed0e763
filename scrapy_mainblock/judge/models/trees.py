"""A forest's scores: every question once for many rows, in the order of the trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrapy_mainblock.outline.arrays import view

AT_ONCE = 128
"""Rows whose answers to all questions stay in the processor's cache."""


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
        self.bias = view(np.ascontiguousarray(bias, np.float64))
        self.most_feature = int(features.max())

    def scores(self, columns: Any) -> Any:
        """The scores of all columns, a row for each output; `columns` has a row a feature."""
        if columns.shape[0] <= self.most_feature:
            raise ValueError("a feature that is not there")
        found = np.zeros((self.outputs, columns.shape[1]))
        if columns.shape[1]:
            _Asking(self, view(columns), view(found)).ask()
        return found


class _Asking:
    """A forest that is asked about some rows of numbers."""

    def __init__(self, forest: Trees, columns: Any, found: Any) -> None:
        self.forest, self.columns, self.found = forest, columns, found
        self.count = columns.shape[1]
        # 16 bits each: a store of single octets might change anything, for all a compiler knows.
        self.answers = view(np.empty(forest.questions * AT_ONCE, np.int16))
        self.leaf = view(np.empty(AT_ONCE, np.int16))

    def ask(self) -> None:
        """Write down all scores."""
        start = 0
        while start < self.count:
            end = min(start + AT_ONCE, self.count)
            for question in range(self.forest.questions):
                self._answer(question, start, end - start)
            for output in range(self.forest.outputs):
                for one in range(start, end):
                    self.found[output, one] = self.forest.bias[output]
            for tree in range(self.forest.trees):
                self._find_leaves(tree, end - start)
                for output in range(self.forest.outputs):
                    self._add(tree, output, start, end - start)
            start = end

    def _answer(self, question: int, start: int, count: int) -> None:
        """Which rows have more of a question's feature than its threshold."""
        feature, threshold = self.forest.features[question], self.forest.thresholds[question]
        place = question * AT_ONCE
        for one in range(count):
            self.answers[place + one] = self.columns[feature, start + one] > threshold

    def _find_leaves(self, tree: int, count: int) -> None:
        """The leaf of a tree that each row comes to."""
        asked, depth = self.forest.asked, self.forest.depth
        place = asked[tree * depth] * AT_ONCE
        for one in range(count):
            self.leaf[one] = self.answers[place + one]
        for level in range(1, depth):
            place = asked[tree * depth + level] * AT_ONCE
            for one in range(count):
                self.leaf[one] += self.answers[place + one] << level

    def _add(self, tree: int, output: int, start: int, count: int) -> None:
        """Add a tree's values to the scores."""
        leaves = self.forest.leaves
        first = (tree * self.forest.outputs + output) << self.forest.depth
        for one in range(count):
            self.found[output, start + one] += leaves[first + self.leaf[one]]
