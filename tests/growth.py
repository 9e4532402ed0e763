"""Whether what takes time takes no more than in proportion, on a machine that others share."""

from __future__ import annotations

import ctypes
import gc
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median_high

from turns import turns

Run = Callable[[], object]
Work = Callable[[int], Run]

TIMES = 4
"""How much larger the long run is. What grows by the square takes that many times its share."""
SHORT_RUN = 0.05
"""Seconds of CPU that the short run takes at least: a tenth of it is noise on a busy machine."""
SLACK = 1.3
"""What the long run may take over its share: caches are smaller than long inputs."""
MOST_ROUNDS = 30
"""There are more than one only while they say that something is not linear."""
CLEARLY = 1.5
"""What is so many times too slow in each of `FEW` rounds is not measured again."""
FEW = 2
MOST_RUNS = 5000

MOST_TAGS = 96_000
"""Of the longest page: behind 100,000 lines, or 300,000 elements, what is more is read as one."""
MOST_OCTETS = 8_000_000

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
"""mallopt()'s numbers for them, in glibc."""
_BY_DEFAULT, _NEVER = 128 * 1024, 1 << 30


def most_of(piece: str) -> int:
    """How many times a piece can stand in a page until that is cut, and is another work."""
    octets = MOST_OCTETS // len(piece)
    return min(octets, MOST_TAGS // piece.count("<")) if "<" in piece else octets


def assert_linear(work: Work, size: int, most: int) -> None:
    """What `work` gives for `TIMES` the size takes at most `SLACK` times as much longer.

    `size` is where to begin to look for one that takes long enough, and `most` the largest that is
    measured. A run may take any time once, so the long one is measured between two short ones, in
    rounds, while no other test runs (`turns`). Where others use the machine a round says anything
    between 0.7 and 1.8 of what is linear: nothing is called too slow before 30 rounds have said so
    by their median, and by the fastest of the long runs and of the short. What is not linear is too
    slow by both.
    """
    with turns.alone(), _no_garbage_collected(), _memory_kept():
        short, size, runs = _sized(work, size, most)
        long = work(size * TIMES)
        shares: list[float] = []
        fastest = fastest_short = math.inf
        for _ in range(MOST_ROUNDS):
            before, taken, behind = (_seconds(run, runs) for run in (short, long, short))
            fastest = min(fastest, taken)
            fastest_short = min(fastest_short, before, behind)
            shares.append(taken / TIMES / min(before, behind))
            share = min(fastest / TIMES / fastest_short, median_high(shares))
            if share <= SLACK:
                return
            if len(shares) == FEW and min(shares) > CLEARLY * SLACK:
                break
    rounds = ", ".join(f"{one:.2f}" for one in shares)
    message = f"{TIMES} times {size} takes {share:.2f} times its share, in the rounds {rounds}"
    raise AssertionError(message)


def _sized(work: Work, size: int, most: int) -> tuple[Run, int, int]:
    """The short run, its size, and how often it is run to take long enough to be measured."""
    while True:
        run = work(size)
        is_largest = 2 * size * TIMES > most
        taken = _seconds(run, 1)
        if taken >= SHORT_RUN or is_largest:
            taken = _seconds(run, 1)  # without what the first run has cached
            if taken >= SHORT_RUN or is_largest:
                break
        is_far = taken < SHORT_RUN / TIMES**2 and 4 * size * TIMES <= most
        size *= 4 if is_far else 2
    runs = math.ceil(SHORT_RUN / max(taken, 1e-9))
    assert runs <= MOST_RUNS, f"{size} takes {taken:.7f} s: measure more"
    return run, size, runs


def _seconds(run: Run, runs: int) -> float:
    gc.collect()
    begun = time.process_time()
    for _ in range(runs):
        run()
    return time.process_time() - begun


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Of its own accord, the garbage collector looks at all that lives, by the number of objects.

    What is there already is frozen, so that to collect what a run leaves takes no time.
    """
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


@contextmanager
def _memory_kept() -> Iterator[None]:
    """Keep what is freed, instead of giving it back to the system, where the C library can.

    Large arrays are mapped anew each time, and the first touch of each page is the kernel's work:
    a scan of 70,000 tags took 34 ns a tag with kept memory, 91 with such, and one of 17,000, whose
    arrays are too small to be mapped, 33 with either.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        yield
        return
    mallopt(_MMAP_THRESHOLD, _NEVER)
    mallopt(_TRIM_THRESHOLD, _NEVER)
    try:
        yield
    finally:
        mallopt(_MMAP_THRESHOLD, _BY_DEFAULT)
        mallopt(_TRIM_THRESHOLD, _BY_DEFAULT)
        ctypes.CDLL(None).malloc_trim(0)
