"""A parallel map over a stream: results in order, with a bounded number of items in flight."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

from scrapy_mainblock.cli.files import stopping
from scrapy_mainblock.cli.memory import give_back_large_blocks

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_JOBS = 1024
"""Maximum number of processes: all are started before the first page is processed."""
BATCH = 8
"""Items sent to a process at once. Pages are some 100 KB each, so processing a batch costs more
than sending it."""
BATCHES_ON_THE_WAY = 3
"""Batches per process in flight: the one that it works on, and two that wait."""


def ordered_map(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Generator[Result, None, None]:
    """Yield the result of `function` for each item, in order; in this process if `jobs` is 1."""
    if jobs <= 1:
        yield from map(function, items)
        return
    iterator = iter(items)
    # Send the function to each process once: it may carry the rules of thousands of sites.
    pool = ProcessPoolExecutor(jobs, initializer=_keep, initargs=(function,))
    try:
        waiting: deque[Future[list[Result]]] = deque()
        while batch := list(islice(iterator, BATCH)):
            waiting.append(pool.submit(_work, batch))
            if len(waiting) >= jobs * BATCHES_ON_THE_WAY:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        # On Ctrl-C this may run as late as the interpreter's exit. Once in some fifty runs, a pipe
        # of the pool was closed by then.
        with suppress(OSError):
            pool.shutdown(cancel_futures=True)


_kept: list[Callable[[Any], Any]] = []


def _keep(function: Callable[[Any], Any]) -> None:
    stopping.leave_to_parent()
    give_back_large_blocks()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _kept.append(function)


def _end_with_parent() -> None:
    """End this process when its parent has ended, as after kill -9, which no process can handle."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(batch: list[Any]) -> list[Any]:
    return [_kept[-1](item) for item in batch]
