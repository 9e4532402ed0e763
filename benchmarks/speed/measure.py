"""CPU time as ratios to one parse of the same bytes, and what other processes took."""

from __future__ import annotations

import gc
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import lxml.html

Work = Callable[[int], object]
"""Works on the page of a number."""
MEGABYTE = 1e6
_LOOKED_AT_EVERY = 0.02  # seconds
_SETTLES = 70_000
"""Bytes: asked for 64 KB and more, glibc puts together what was freed before it looks for room."""


class Cost(NamedTuple):
    """What one kind of work on a page takes."""

    ratio: float
    """In parses of the page: the sum over the pages, by the sum of the parses beside them."""
    milliseconds: float
    """A page, on this machine."""


def costs(
    bodies: Sequence[bytes],
    works: Mapping[str, Work],
    passes: int,
    prepare: Mapping[str, Work] | None = None,
) -> dict[str, Cost]:
    """The median over passes. Each piece of work stands right behind a parse of the same page.

    Of each, the parse too, the memory that another has freed is put together beforehand, off the
    clock: otherwise whoever comes first pays for that, and a parse in the place of some work took
    1.13 times what the parse before it did.

    What `prepare` makes of a page just before is not counted, and given to the work's caller by
    being kept: `lambda n: kept.update(page=…)`.
    """
    found: dict[str, list[Cost]] = {name: [] for name in works}
    prepare = prepare or {}
    for _ in range(passes):
        spent = dict.fromkeys(works, 0.0)
        parsing = dict.fromkeys(works, 0.0)
        gc.collect()
        for number, body in enumerate(bodies):
            for name, work in works.items():
                parsing[name] += _seconds(lxml.html.document_fromstring, body)
                if name in prepare:
                    prepare[name](number)
                spent[name] += _seconds(work, number)
        for name in works:
            each = spent[name] / len(bodies) * 1000
            found[name].append(Cost(spent[name] / parsing[name], each))
    return {
        name: Cost(median(one.ratio for one in all_), median(one.milliseconds for one in all_))
        for name, all_ in found.items()
    }


def _seconds(work: Callable[[Any], object], argument: object) -> float:
    bytes(_SETTLES)
    start = time.process_time()
    result = work(argument)
    taken = time.process_time() - start
    del result  # a tree is freed off the clock, as its user would later
    return taken


@dataclass
class Usage:
    """What a process took, with the processes that it started and waited for."""

    cpu: float
    wall: float
    peak: float
    """Megabytes: the largest process at its largest."""
    peak_together: float
    """Megabytes that all of them had at once, shared pages counted once. 0 where unknown."""
    longest: float
    """CPU seconds of the process that took the most: no number of cores is faster."""
    output: bytes


def run(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Usage:
    """Run a command to its end; RuntimeError when that is a bad one."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
    )
    output: list[bytes] = []
    assert process.stdout is not None
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    peak, together, longest = 0.0, 0.0, {}
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        tree = _tree(process.pid)
        peak = max(peak, *map(peak_of, tree), 0.0)
        together = max(together, sum(map(_proportional_size, tree)))
        longest.update({one: taken for one in tree if (taken := _cpu_of(one))})
        time.sleep(_LOOKED_AT_EVERY)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    process.stdout.close()
    if process.returncode:
        raise RuntimeError(f"{command}: {output[0].decode(errors='replace')[-3000:]}")
    cpu = used.ru_utime + used.ru_stime
    busiest = max(longest.values(), default=cpu)
    return Usage(cpu, wall, peak, together / MEGABYTE, busiest, output[0])


def _tree(pid: int) -> list[int]:
    """A process and all under it; none where there is no /proc."""
    try:
        names = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for name in names for one in _tree(int(name)))]


def peak_of(pid: int | str) -> float:
    """Megabytes of a process at its largest; 0 where there is no /proc.

    Not `ru_maxrss`, which begins with what its parent had when it was started.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")) / (
        MEGABYTE
    )


def _proportional_size(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _cpu_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident() -> float:
    """Megabytes of this process now; 0 where there is no /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
