"""The cut (the probability from which segments are kept) that gives the greatest expected F1."""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.outline.buffers.arrays import filled, ints, view

FINE = 4096
"""Number of steps that probabilities are sorted into."""
MANY = 6
"""2 to this power is the number of steps that are skipped at once if none of them holds a segment:
most do not, and looking at each of them takes longer than all the rest."""


class BestCut:
    """How many of the most likely segments to keep, so that the expected F1 is greatest.

    The F1 is that of kept characters against content characters, where a segment's characters count
    as content in proportion to its probability. `cut` is the smallest probability that is kept.
    """

    def __init__(self, probability: Any, sizes: Any) -> None:
        self.expected, self.cut = 0.0, 0.0
        self._find(view(probability), view(sizes), len(probability))

    def _find(self, probability: memoryview[float], sizes: memoryview[float], count: int) -> None:
        # Linked lists: the first segment of each step, and for each segment the next in its step.
        first, behind = filled(FINE + 1, -1), ints(count)
        all_content = 0.0
        for one in range(count):
            all_content += probability[one] * sizes[one]
        if all_content <= 0:
            return
        held = filled((FINE >> MANY) + 1, 0)
        for one in range(count - 1, -1, -1):
            step = int(probability[one] * FINE)
            behind[one] = first[step]
            first[step] = one
            held[step >> MANY] = 1
        content = text = 0.0
        step = FINE
        while step >= 0:
            if not held[step >> MANY]:
                step = (step >> MANY << MANY) - 1
                continue
            one = first[step]
            step -= 1
            if one < 0:
                continue
            least = probability[one]
            more_content = more_text = 0.0
            while one >= 0:
                more_content += probability[one] * sizes[one]
                more_text += sizes[one]
                least = min(least, probability[one])
                one = behind[one]
            if more_text > 0:
                content += more_content
                text += more_text
                expected = 2 * content / (text + all_content)
                if expected > self.expected:
                    self.expected, self.cut = expected, least
