"""A check that work takes time linear in its size, on a machine that others share."""

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
"""Ratio of the sizes of the long and the short run.

Quadratic work takes that many times its linear share.
"""
SHORT_RUN = 0.05
"""Least CPU seconds of the short run: a tenth of it is noise on a busy machine."""
SLACK = 1.3
"""Tolerance for the long run, since caches are smaller than long inputs."""
MOST_ROUNDS = 30
"""Limit of the rounds; more than one is needed only while they show nonlinear growth."""
ROUNDS_BESIDE_OTHERS = 5
"""Limit of the rounds while other tests run."""
CLEARLY = 1.5
"""Work that is this many times over the limit in each of `FEW` rounds is not measured again."""
FEW = 2
MOST_TRIES = 3
"""Limit of the measurements: the place of its arrays in memory may cost linear work 1.4 times its
share, for as long as they live."""
MOST_RUNS = 5000

MOST_TAGS = 96_000
"""Limit for the longest page: beyond 100,000 lines or 300,000 elements the rest is read as one."""
MOST_OCTETS = 8_000_000

_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1
"""The option numbers of mallopt() in glibc."""
_BY_DEFAULT, _NEVER = 128 * 1024, 1 << 30


def most_of(piece: str) -> int:
    """Return how often a piece can be repeated before the page is cut, which changes the work."""
    octets = MOST_OCTETS // len(piece)
    return min(octets, MOST_TAGS // piece.count("<")) if "<" in piece else octets


def assert_linear(work: Work, size: int, most: int) -> None:
    """Assert that a run of `TIMES` the size takes at most `TIMES * SLACK` times as long.

    The search for a size that takes long enough starts at `size`; `most` is the largest size that
    is measured. A single run may take any time, so the long run is measured between two short ones,
    in rounds. If others use the machine, a round of linear work gives a share between 0.7 and 1.8.
    So work counts as too slow only if 30 rounds say so while no other test runs (`turns`), both by
    their median and by the fastest of the long and of the short runs, and if this happens again
    with other memory, at another time. Work that is not linear is too slow by all of these. Most
    work that is linear shows it beside another test already, so that none has to wait.
    """
    with _no_garbage_collected(), _memory_kept():
        short, size, runs = _sized(work, size, most)
        share, _ = _share(short, work(size * TIMES), runs, ROUNDS_BESIDE_OTHERS)
    if share <= SLACK:
        return
    for _ in range(MOST_TRIES):
        with turns.alone(), _no_garbage_collected(), _memory_kept():
            short, size, runs = _sized(work, size, most)
            share, shares = _share(short, work(size * TIMES), runs, MOST_ROUNDS)
        if share <= SLACK:
            return
        if len(shares) == FEW:
            break
    rounds = ", ".join(f"{one:.2f}" for one in shares)
    message = f"{TIMES} times {size} takes {share:.2f} times its share, in the rounds {rounds}"
    raise AssertionError(message)


def _share(short: Run, long: Run, runs: int, rounds: int) -> tuple[float, list[float]]:
    """Return the share of the long run, 1 for linear work, and the shares of all rounds."""
    shares: list[float] = []
    share = fastest = fastest_short = math.inf
    while len(shares) < rounds and share > SLACK:
        before, taken, behind = (_seconds(run, runs) for run in (short, long, short))
        fastest = min(fastest, taken)
        fastest_short = min(fastest_short, before, behind)
        shares.append(taken / TIMES / min(before, behind))
        share = min(fastest / TIMES / fastest_short, median_high(shares))
        if len(shares) == FEW and min(shares) > CLEARLY * SLACK:
            break
    return share, shares


def _sized(work: Work, size: int, most: int) -> tuple[Run, int, int]:
    """Return the short run, its size, and how often to run it so that it takes long enough."""
    while True:
        run = work(size)
        is_largest = 2 * size * TIMES > most
        taken = _seconds(run, 1)
        if taken >= SHORT_RUN or is_largest:
            taken = _seconds(run, 1)  # without the work that the first run has cached
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
    """Disable the garbage collector, which visits all live objects as their number grows.

    Existing objects are frozen, so that collecting the garbage of a run takes no time.
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
    """Keep freed memory instead of returning it to the system, if the C library can do that.

    Large arrays are otherwise mapped anew each time, and the kernel has to provide each page at
    its first use: a scan of 70,000 tags took 34 ns a tag with kept memory and 91 ns without. A
    scan of 17,000 tags, whose arrays are too small to be mapped, took 33 ns with either.
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
