"""Which segments to keep, given the probability that each is content.

No single threshold is right. On a clear page a segment is kept if it is more likely content than
not. On an unclear page keeping too little costs more than keeping too much, so the cut with the
greatest expected F1 is taken.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge.content.best_cut import BestCut
from scrapy_mainblock.outline.folding import Folded

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

CLEAR = 0.8
"""A page is clear from this expected F1 on. Of the values from 0.6 to 1, tried on sites that the
models had not seen, it is the one that costs clear pages nothing."""
LIKELY = 0.5
"""From this probability on, a segment is more likely content than not."""
A_MANUAL = 0.1
"""From this probability of documentation on, text that occurs twice on a page is kept twice."""
A_FORUM = 0.2
"""From this probability of a forum on, dated entries may be the content of the page."""
LEAST_REPEATED = 30
"""Minimum size, in bytes of UTF-8, from which a repeated segment is kept once: five words, or ten
Chinese characters."""

PASSAGE = 0.25
"""A passage of at least two segments that is repeated at its own place is kept once if it is at
least this share of all kept text; a song's refrain is less."""


def expected_f1(probability: Floats, sizes: Floats) -> tuple[float, float]:
    """Return the greatest expected F1 of keeping the most likely segments, and its cut."""
    found = BestCut(probability, sizes)
    return found.expected, found.cut if found.expected else LIKELY


def likely_segments(
    probability: Floats, sizes: Floats, best: tuple[float, float] | None = None
) -> Bools:
    """Return which segments to keep; `best` is the greatest expected F1 and its cut, if known."""
    expected, cut = best or expected_f1(probability, sizes)
    likely = probability >= LIKELY
    if expected > CLEAR and np.count_nonzero(likely):  # several times as fast as `any`
        return np.asarray(likely)
    return np.asarray(probability >= min(LIKELY, cut))


def repeated_segments(
    kept: Bools, folded: Folded, text_hashes: npt.NDArray[np.uint64], place: Callable[[int], int]
) -> list[int]:
    """Return the kept segments that repeat text of a kept segment before them.

    Pages repeat a text for another screen width, and forums quote and pin posts. A repetition at
    the same place is intended, like a song's refrain or a table cell, unless it is a good part of
    all kept text: then the page has its text twice.
    """
    # A shorter text is a label, or a number in a table.
    sizes = np.diff(np.asarray(folded.starts))
    asked = np.flatnonzero(kept & (sizes >= LEAST_REPEATED))
    hashes = text_hashes[asked].tolist()
    if len(set(hashes)) == len(hashes):
        return []
    first: dict[int, int] = {}
    found = []
    runs: list[list[int]] = []
    distance = 0  # from the run's segments back to those that they repeat
    for order, (number, text) in enumerate(zip(asked.tolist(), hashes, strict=True)):
        before = first.setdefault(text, order)
        if before == order:
            distance = 0
        elif place(int(asked[before])) != place(number):
            found.append(number)
        elif order - before == distance:
            runs[-1].append(number)
        else:
            distance = order - before
            runs.append([number])
    least = PASSAGE * int(sizes[kept].sum())
    passages = (run for run in runs if len(run) > 1 and sizes[run].sum() >= least)
    found += [one for run in passages for one in run]
    return found
