"""Run a command to its end, and measure its time and memory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1e6
_LOOK_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class Usage:
    """The resources used by a process, and by the processes that it started and waited for."""

    cpu: float
    """CPU seconds, including the start of Python and all imports."""
    wall: float
    cpu_seen: float
    """CPU seconds of all processes under it, even those that no process waited for, such as a JVM's
    workers. It is sampled, so slightly too small; 0 if there is no /proc."""
    busiest: float
    """The largest CPU seconds of one of these processes: no machine finishes sooner than that."""
    peak: float
    """Peak megabytes of the largest process; 0 if there is no /proc."""


def run(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str] | None = None
) -> Usage:
    """Run a command and return its usage; if it fails, raise RuntimeError with its last output."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        peaks: dict[int, float] = {}
        seconds: dict[int, float] = {}
        ended = threading.Event()
        watching = threading.Thread(target=_watch, args=(process.pid, peaks, seconds, ended))
        watching.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watching.join()
        if process.returncode:
            output.seek(0)
            said = output.read().decode(errors="replace")[-3000:]
            raise RuntimeError(f"{' '.join(command)}: {said}")
    cpu, peak = used.ru_utime + used.ru_stime, max(peaks.values(), default=0.0)
    busiest = max(seconds.values(), default=0.0)
    return Usage(cpu, wall, sum(seconds.values()), busiest, peak)


def _watch(
    pid: int, peaks: dict[int, float], seconds: dict[int, float], ended: threading.Event
) -> None:
    while not ended.wait(_LOOK_EVERY):
        for one in _tree(pid):
            peaks[one] = max(_peak_of(one), peaks.get(one, 0.0))
            seconds[one] = max(_seconds_of(one), seconds.get(one, 0.0))


def _tree(pid: int) -> list[int]:
    """Return a process and all its descendants; none if there is no /proc."""
    try:
        files = Path(f"/proc/{pid}/task").glob("*/children")  # a JVM starts them from any thread
        names = " ".join(file.read_text() for file in files).split()
    except OSError:
        return []
    return [pid, *(one for name in names for one in _tree(int(name)))]


def _seconds_of(pid: int) -> float:
    """Return the CPU seconds of a process itself."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_of(pid: int) -> float:
    """Return the peak memory of a process in megabytes.

    Not `ru_maxrss`, which starts with the size of the parent when it started the process.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    found = (int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    return sum(found) / MEGABYTE
