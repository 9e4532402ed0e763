"""The parallel map of `--jobs`: results in order, signals left to the parent process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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
    found.close()


SLOW = """
import os, time
from scrapy_mainblock.cli.jobs import ordered_map

def work(number):
    os.write(1, b"%d\\n" % os.getpid())  # at once: two processes write
    time.sleep(0.1)

list(ordered_map(work, range(100_000), 2))
"""


def _is_alive(pid: int) -> bool:
    """Return whether a process runs; one that nobody has waited for yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_processes_end_with_a_parent_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        found: set[int] = set()
        while len(found) < 2:
            found.add(int(parent.stdout.readline()))
        parent.kill()
    end = time.monotonic() + 20
    while any(map(_is_alive, found)):
        assert time.monotonic() < end, "a process of the pool is left"
        time.sleep(0.05)
