"""A page's segments as a few sums: by count, by text, and by what is likely content."""

from __future__ import annotations

from array import array
from math import log
from typing import Any

import numpy as np

from scrapy_mainblock.outline.buffers.arrays import doubles, view

STEPS = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98)
"""Thresholds of probability; for each, the text of the segments that reach it is summed up."""
LEAST_LIKELY = array("d", STEPS)
COUNT = len(STEPS)
SUREST = 1e-3
"""Probabilities are clipped to this and to 1 minus this before their entropy is computed."""
NEARLY_NONE = 1e-9
"""Added to a sum before it divides another, which may be 0 too."""

FINE = 1024


def _entropy(likely: float) -> float:
    bounded = min(max(likely, SUREST), 1 - SUREST)
    return -(bounded * log(bounded) + (1 - bounded) * log(1 - bounded))


ENTROPY = array("d", [_entropy(place / FINE) for place in range(FINE + 2)])
"""The entropy of each multiple of 1 / `FINE`, since computing a logarithm takes longer."""


class Summary:
    """The sums over all segments, and over those that are kept."""

    def __init__(self, likely: Any, sizes: Any, kept: Any) -> None:
        """Sum up the segments; `kept` is an array of booleans."""
        self.n = len(likely)
        self.likely, self.sizes = view(likely), view(sizes)
        self.kept = view(np.ascontiguousarray(kept).view(np.uint8))
        self.text = self.content = self.kept_text = self.kept_content = 0.0
        self.unsure_kept = self.unsure_left = self.surest = self.kept_likely = 0.0
        self.kept_segments = self.kept_runs = 0
        room = doubles(2 * COUNT)
        self.text_from, self.segments_from = room[:COUNT], room[COUNT:]
        self.unsure_text = self.unsure_content = self.unsure_segments = 0.0
        self._add_up()

    def _add_up(self) -> None:
        was_kept = True
        for one in range(self.n):
            likely, size = self.likely[one], self.sizes[one]
            is_kept = self.kept[one] != 0
            self.text += size
            self.content += likely * size
            self.surest = max(self.surest, likely)
            doubt = size * (likely if likely < 0.5 else 1 - likely)
            if is_kept:
                self.kept_segments += 1
                self.kept_text += size
                self.kept_content += likely * size
                self.kept_likely += likely
                self.unsure_kept += doubt
                self.kept_runs += not was_kept
            else:
                self.unsure_left += doubt
            was_kept = is_kept
            for step in range(COUNT):
                if likely < LEAST_LIKELY[step]:
                    break
                self.text_from[step] += size
                self.segments_from[step] += 1
            place = likely * FINE
            step = int(place)
            unsure = ENTROPY[step] + (place - step) * (ENTROPY[step + 1] - ENTROPY[step])
            self.unsure_text += unsure * size
            self.unsure_content += unsure * size * likely
            self.unsure_segments += unsure

    def distribution(self) -> list[float]:
        """Return for each of `STEPS` the share of the text from there on, then of the segments."""
        text, n = self.text + NEARLY_NONE, self.n
        found = [0.0] * (2 * COUNT)
        for step in range(COUNT):
            found[step] = self.text_from[step] / text
            found[COUNT + step] = self.segments_from[step] / n
        return found

    def weights(self) -> Any:
        """Return three rows of weights, a column per segment: by count, by text, by content."""
        found = np.empty((3, self.n), np.float32)
        self._weigh(view(found))
        return found

    def _weigh(self, found: memoryview[float]) -> None:
        text, content = self.text + NEARLY_NONE, self.content + NEARLY_NONE
        for one in range(self.n):
            by_text = self.sizes[one] / text
            found[0, one] = 1 / self.n
            found[1, one] = by_text
            found[2, one] = by_text * self.likely[one] * (text / content)
