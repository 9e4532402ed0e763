"""Work on a stream in several processes, results in order, a bounded number of items on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Any, TypeVar

from scrapy_mainblock.cli.files import stopping

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_JOBS = 1024
"""Processes; they are all started before the first page is worked on."""
BATCH = 8
"""Items sent to a process at once: pages are some 100 KB, so that a batch costs more to work on
than to send."""
BATCHES_ON_THE_WAY = 3
"""For each process: one that it works on, and two to go on with."""


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Apply `function` to each item; in this process when `jobs` is 1."""
    if jobs <= 1:
        yield from map(function, items)
        return
    iterator = iter(items)
    # The function goes to each process once: it may carry the rules of thousands of sites.
    with ProcessPoolExecutor(jobs, initializer=_keep, initargs=(function,)) as pool:
        waiting: deque[Future[list[Result]]] = deque()
        while batch := list(islice(iterator, BATCH)):
            waiting.append(pool.submit(_work, batch))
            if len(waiting) >= jobs * BATCHES_ON_THE_WAY:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


_kept: list[Callable[[Any], Any]] = []


def _keep(function: Callable[[Any], Any]) -> None:
    stopping.as_it_was()
    _kept.append(function)


def _work(batch: list[Any]) -> list[Any]:
    return [_kept[-1](item) for item in batch]
