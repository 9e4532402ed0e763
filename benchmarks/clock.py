"""CPU times of several functions on the same pages, side by side.

A machine's speed drifts, and so does the state of its caches. So the work is done in rounds, and
within a round in turns over a few dozen pages: what is compared runs within the same second, each
function on page after page, as in a program that does nothing else. Nothing runs off the clock:
results are freed on it, and memory stays as the previous function left it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Nanoseconds = npt.NDArray[np.int64]
"""A row for each round, a column for each page."""
IN_TURN = 24
"""Pages that one function processes before the next has its turn: some 2 MB of sources."""


def time_rounds(
    works: Mapping[str, Callable[[T], object]], pages: Sequence[T], rounds: int
) -> dict[str, Nanoseconds]:
    """Return the times of each function on each page, in every round.

    `gc.freeze()` hides the objects loaded so far from the garbage collector, as in a program that
    has run for a while: otherwise each function would pay for what the others have imported.
    """
    times = {name: np.zeros((rounds, len(pages)), np.int64) for name in works}
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            for start in range(0, len(pages), IN_TURN):
                turn = range(start, min(start + IN_TURN, len(pages)))
                for name, work in works.items():
                    _time_turn(work, pages, turn, times[name][number])
    finally:
        gc.unfreeze()
    return times


def _time_turn(
    work: Callable[[T], object], pages: Sequence[T], turn: range, into: Nanoseconds
) -> None:
    now = time.process_time_ns
    for number in turn:
        page = pages[number]
        start = now()
        work(page)
        into[number] = now() - start
