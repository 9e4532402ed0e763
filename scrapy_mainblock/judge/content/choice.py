"""Which segments to keep, once it is known how likely each is content.

No single threshold is right: on a clear page a segment is kept when it is more likely content than
not; on an unclear one, where keeping too little costs more than keeping too much, the cut with the
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
"""From this expected F1 up a page is clear. Out of 0.6 to 1, tried over sites that the models had
not seen, the one that costs clear pages nothing."""
LIKELY = 0.5
"""From this probability up a segment is more likely content than not."""
A_MANUAL = 0.1
"""From this probability of documentation up, what a page says twice is kept twice."""
A_FORUM = 0.2
"""From this probability of a forum up, dated entries may be what a page is for."""
LEAST_REPEATED = 30
"""Octets in UTF-8 from which on a repeated segment is kept once: five words, or ten Chinese
characters."""

PASSAGE = 0.25
"""A passage, of two segments at the least, that stands again at its own place is kept once if it
is so much of all that is kept; a song's refrain is less."""


def expected_f1(probability: Floats, sizes: Floats) -> tuple[float, float]:
    """The greatest expected F1 of keeping the most likely segments, and the cut it takes."""
    found = BestCut(probability, sizes)
    return found.expected, found.cut if found.expected else LIKELY


def likely_segments(
    probability: Floats, sizes: Floats, best: tuple[float, float] | None = None
) -> Bools:
    """Which segments are kept; with `best`, the greatest expected F1 and its cut are known."""
    expected, cut = best or expected_f1(probability, sizes)
    likely = probability >= LIKELY
    if expected > CLEAR and likely.any():
        return np.asarray(likely)
    return np.asarray(probability >= min(LIKELY, cut))


def repeated_segments(
    kept: Bools, folded: Folded, text_hashes: npt.NDArray[np.uint64], place: Callable[[int], int]
) -> list[int]:
    """The kept segments that say again what is kept already.

    Pages show a text again for another width of screen, and forums quote and pin. What stands
    again at the same place is meant, as a song's refrain is, or a cell of a table, unless it is a
    good part of all: then the page has its text twice.
    """
    # What is shorter is a label, or a number in a table.
    sizes = np.diff(np.asarray(folded.starts))
    asked = np.flatnonzero(kept & (sizes >= LEAST_REPEATED))
    hashes = text_hashes[asked].tolist()
    if len(set(hashes)) == len(hashes):
        return []
    first: dict[int, int] = {}
    found = []
    runs: list[list[int]] = []
    distance = 0  # from the run's segments back to what they repeat
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
