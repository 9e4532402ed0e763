"""Whether what takes time takes no more than in proportion, on a machine that others share."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

Work = Callable[[int], Callable[[], object]]

SHORT_RUN = 0.05
"""Seconds of CPU that the short run takes at least: a tenth of it is noise on a busy machine."""
SLACK = 1.3
"""What the long run may take over its share: caches are smaller than long inputs. Anything that
grows by the square takes four times its share at the fourfold size."""
MOST_TRIES = 12
CLEARLY = 1.8
"""Times what is allowed: what is so far off in `FEW_TRIES` is not tried again."""
FEW_TRIES = 3
LARGEST_GROWTH = 2
"""Times the first size: there are limits to what a page may hold, and beyond them other work. What
takes less than `SHORT_RUN` at that size is run several times."""
MOST_RUNS = 1000


def seconds(run: Callable[[], object], runs: int = 1) -> float:
    """The CPU time of some runs, without the garbage collector's: that looks at all that lives."""
    gc.disable()
    try:
        begun = time.process_time()
        for _ in range(runs):
            run()
        return time.process_time() - begun
    finally:
        gc.enable()


def sized(work: Work, size: int) -> tuple[int, int]:
    """The size, this one or larger, and the number of runs that take long enough to be measured."""
    growth = 1
    while True:
        run = work(size * growth)
        taken = min(seconds(run), seconds(run))
        if taken >= SHORT_RUN or growth >= LARGEST_GROWTH:
            break
        growth *= 2
    runs = math.ceil(SHORT_RUN / max(taken, 1e-9))
    assert runs <= MOST_RUNS, f"{size * growth} takes {taken:.7f} s: measure more"
    return size * growth, runs


def assert_linear(work: Work, size: int, times: int = 4) -> None:
    """What `work` gives for `times` the size takes at most `SLACK` times as much longer.

    `size` is where to begin to look for one that takes long enough. A run may take any time once,
    on a busy machine, so the shortest of some runs counts; what is not linear takes it each time.
    """
    size, runs = sized(work, size)
    short, long = work(size), work(size * times)
    shortest = longest = float("inf")
    for tries in range(1, MOST_TRIES + 1):
        shortest, longest = min(shortest, seconds(short, runs)), min(longest, seconds(long, runs))
        allowed = SLACK * times * shortest
        if longest <= allowed:
            return
        if tries >= FEW_TRIES and longest > CLEARLY * allowed:
            break
    raise AssertionError(f"{size}: {shortest:.3f} s, {times} times that: {longest:.3f} s")
