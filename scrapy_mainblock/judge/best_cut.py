"""The cut with the greatest expected F1."""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.outline.arrays import doubles, view

FINE = 4096
"""Probabilities are told apart by so many steps."""


class BestCut:
    """Keep the most likely segments: how many, so that the expected F1 is greatest.

    Expected: of kept characters against content characters, a segment's counted as content to the
    share of its probability. `cut` is the least probability that is kept.
    """

    def __init__(self, probability: Any, sizes: Any) -> None:
        self.expected, self.cut = 0.0, 0.0
        room = doubles(3 * FINE + 3)
        self.content, self.text = room[: FINE + 1], room[FINE + 1 : 2 * FINE + 2]
        self.least = room[2 * FINE + 2 :]
        """Of each step, the least probability."""
        self._find(view(probability), view(sizes), len(probability))

    def _find(self, probability: memoryview[float], sizes: memoryview[float], count: int) -> None:
        all_content = 0.0
        for one in range(count):
            step = int(probability[one] * FINE)
            likely = probability[one] * sizes[one]
            self.content[step] += likely
            if not self.text[step] or probability[one] < self.least[step]:
                self.least[step] = probability[one]
            self.text[step] += sizes[one]
            all_content += likely
        if all_content <= 0:
            return
        content = text = 0.0
        for step in range(FINE, -1, -1):
            if self.text[step] > 0:
                content += self.content[step]
                text += self.text[step]
                expected = 2 * content / (text + all_content)
                if expected > self.expected:
                    self.expected, self.cut = expected, self.least[step]
