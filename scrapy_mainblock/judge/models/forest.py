"""A trained forest: how it is stored, and the probabilities that its scores stand for.

It is trained by `tools/train_content.py` and stored as plain numbers in JSON, one tree per line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge.models.trees import Trees
from scrapy_mainblock.page.lazy import cached

FORMAT = "mainblock-forest/2"
DEEPEST = 8
"""Maximum depth of a tree: the number of a leaf has to fit into one byte."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Forest:
    """Features and thresholds by tree and level, leaves by tree, leaf and output.

    A single output is the log odds of "yes"; several outputs are the scores of as many classes.
    """

    names: tuple[str, ...]
    outputs: tuple[str, ...]
    features: npt.NDArray[np.int64]
    thresholds: npt.NDArray[np.float32]
    leaves: npt.NDArray[np.float32]
    bias: Floats

    def probability(self, columns: Any) -> Floats:
        """Return the probability of "yes" for each column; `columns` has a row per name."""
        return np.asarray(self._trees.probability(_as_floats(columns)))

    def shares(self, columns: Any) -> Floats:
        """Return the probability of each class for each column, as a row per class."""
        return np.asarray(self._trees.shares(_as_floats(columns)))

    def scores(self, columns: Any) -> Floats:
        """Return the scores of each column, with a row for each output."""
        return np.asarray(self._trees.scores(_as_floats(columns)))

    @cached
    def _trees(self) -> Trees:
        return Trees(self.features, self.thresholds, self.leaves, self.bias)

    def to_text(self) -> str:
        """Return the forest as JSON."""
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
        """Parse a forest; raise ValueError if it is malformed or its features are not `names`."""
        data = json.loads(text)
        if data.get("format") != FORMAT:
            raise ValueError(f"not a {FORMAT}")
        if tuple(data["names"]) != tuple(names):
            raise ValueError("the forest was trained on different features: retrain it")
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
            or not 0 <= asked.min() <= asked.max() < len(names)
        ):
            raise ValueError("the forest's trees are malformed")
        return cls(
            tuple(names),
            outputs,
            asked,
            np.array(thresholds, dtype=np.float32),
            values.reshape(trees, 1 << depth, len(outputs)),
            bias,
        )


def _as_floats(columns: Any) -> Any:
    return np.ascontiguousarray(columns, np.float32)
