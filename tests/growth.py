"""Whether what takes time takes no more than in proportion, on a machine that others share."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

Work = Callable[[int], Callable[[], object]]

SHORT_RUN = 0.05
"""Seconds of CPU that the short run takes at least: a tenth of it is noise on a busy machine."""
SLACK = 1.3
"""What the long run may take over its share: caches are smaller than long inputs. Anything that
grows by the square takes four times its share at the fourfold size."""
MOST_TRIES = 6
CLEARLY = 1.5
"""Times what is allowed: who is so far off twice is not tried again."""
LARGEST_GROWTH = 4096
"""Times the first size. What takes no time at that size either does not depend on it."""


def seconds(run: Callable[[], object]) -> float:
    """The CPU time of one run, without the garbage collector's: that looks at all that lives."""
    gc.disable()
    try:
        begun = time.process_time()
        run()
        return time.process_time() - begun
    finally:
        gc.enable()


def sized(work: Work, size: int) -> tuple[int, Callable[[], object]]:
    """The size, this one or larger, at which a run takes long enough to be measured."""
    for growth in (1 << power for power in range(LARGEST_GROWTH.bit_length())):
        run = work(size * growth)
        if min(seconds(run), seconds(run)) >= SHORT_RUN:
            return size * growth, run
    raise AssertionError(
        f"{LARGEST_GROWTH} times {size} takes less than {SHORT_RUN} s: measure more"
    )


def assert_linear(work: Work, size: int, times: int = 4) -> None:
    """What `work` gives for `times` the size takes at most `SLACK` times as much longer.

    `size` is where to begin to look for one that takes long enough. A run may take any time once,
    on a busy machine, so the shortest of some runs counts; what is not linear takes it each time.
    """
    size, short = sized(work, size)
    long = work(size * times)
    shortest = longest = float("inf")
    for tries in range(1, MOST_TRIES + 1):
        shortest, longest = min(shortest, seconds(short)), min(longest, seconds(long))
        allowed = SLACK * times * shortest
        if longest <= allowed:
            return
        if tries > 1 and longest > CLEARLY * allowed:
            break
    raise AssertionError(f"{size}: {shortest:.3f} s, {times} times that: {longest:.3f} s")
