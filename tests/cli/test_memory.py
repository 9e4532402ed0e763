"""The memory of large pages is given back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from scrapy_mainblock.cli import jobs, main

HELD_AFTER_LARGE_BLOCKS = """
import resource

from scrapy_mainblock.cli.memory import LARGE, give_back_large_blocks

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

if {fixed}:
    give_back_large_blocks()
page = b"x" * 20 * LARGE
del page
before, small = megabytes(), []
for _ in range(5):
    page = b"x" * 8 * LARGE
    small.append(bytes(100_000))
    del page
    small.append(bytes(200_000))
print(megabytes() - before)
"""


def held(*, fixed: bool) -> float:
    code = HELD_AFTER_LARGE_BLOCKS.format(fixed=fixed)
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_of_large_blocks_is_given_back() -> None:
    assert held(fixed=True) < 4
    assert held(fixed=False) > 6  # else the test shows nothing, and the function may go


def test_command_and_its_processes_give_large_blocks_back(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(main, "give_back_large_blocks", lambda: called.append("command"))
    monkeypatch.setattr(jobs, "give_back_large_blocks", lambda: called.append("process"))
    monkeypatch.setattr(jobs.stopping, "leave_to_parent", lambda: None)
    with pytest.raises(SystemExit):
        main.main(["--version"])
    jobs._keep(len)
    assert jobs._kept.pop() is len
    assert called == ["command", "process"]
