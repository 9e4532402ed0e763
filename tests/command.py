"""The `mainblock` command, as a process of its own and within this one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_mainblock.cli.main import main

COMMAND = (sys.executable, "-m", "scrapy_mainblock.cli.main")


def run(
    *arguments: Path | str, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        timeout=60,
    )


def heed_interrupts() -> None:
    """In a child of ours: be as a shell's command in the foreground, which SIGINT ends.

    What a shell starts in the background ignores it, and so do all its children: with the whole
    suite run there, so would a command that a test interrupts.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Result:
    """What a run within this process did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err


class Mainblock:
    """The command within this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: Path | str) -> Result:
        self._capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:  # argparse: --help, wrong usage
            code = error.code if isinstance(error.code, int) else 1
        captured = self._capsys.readouterr()
        return Result(code, captured.out, captured.err)
