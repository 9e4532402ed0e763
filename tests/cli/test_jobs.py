"""The parallel map of `--jobs`: results in order, signals left to the parent process."""

from __future__ import annotations

import os
import signal

from scrapy_mainblock.cli.jobs import BATCH, ordered_map

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _signaled(number: int) -> int:
    """Return a number, after the signals that a terminal or `timeout` sends to a whole group."""
    for one in SIGNALS:
        os.kill(os.getpid(), one)
    return number


def test_signal_to_a_process_of_the_pool_loses_no_result() -> None:
    numbers = list(range(5 * BATCH))
    assert list(ordered_map(_signaled, numbers, 2)) == numbers


def test_results_come_in_order_in_one_process_and_in_several() -> None:
    numbers = list(range(5 * BATCH + 3))
    assert list(ordered_map(abs, numbers, 1)) == list(ordered_map(abs, numbers, 3)) == numbers


def test_a_map_that_is_left_early_starts_nothing_more() -> None:
    found = ordered_map(abs, iter(range(10_000)), 2)
    assert next(found) == 0
    found.close()  # type: ignore[attr-defined]
