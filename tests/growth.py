"""Whether what takes time takes no more than in proportion, on a machine that others share."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 4
NOISE = 0.03
"""Seconds that everything may take."""


def seconds(work: Callable[[], object]) -> float:
    """The better of two CPU times."""
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def assert_linear(
    work: Callable[[int], Callable[[], object]], size: int, times: int = 4, noise: float = NOISE
) -> None:
    """What `work` gives for `times` the size takes about so many times as long, not its square.

    Everything may take any time once, on a busy machine; a square takes it every time.
    """
    short, long = work(size), work(size * times)
    measured = []
    for _ in range(TIMES):
        measured.append((seconds(short), seconds(long)))
        if measured[-1][1] < times**1.5 * measured[-1][0] + noise:
            return
    raise AssertionError(f"{times} times the size, seconds: {measured}")
