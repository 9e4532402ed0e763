"""The `mainblock` command, run in a separate process or in this one."""

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
    """Run the command in a separate process."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=cwd,
        timeout=60,
    )


def heed_interrupts() -> None:
    """Let SIGINT end this child process, as it ends a foreground command of a shell.

    A shell starts background commands with SIGINT ignored, and their children inherit that: if the
    whole suite ran in the background, a command that a test interrupts would ignore the signal.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Result:
    """The result of a run in this process."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err


class Mainblock:
    """A callable that runs the command in this process."""

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
