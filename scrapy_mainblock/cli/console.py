"""How the command talks to its user: errors in one line, a progress bar on a terminal."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from scrapy_mainblock.cli.inputs import Inputs

T = TypeVar("T")

DONE, SOME_UNREADABLE, WRONG_USAGE, HUNG_UP, INTERRUPTED, TERMINATED = 0, 1, 2, 129, 130, 143

MOST_TROUBLES_SHOWN = 20
_REDRAWN_EVERY = 0.1  # seconds
_WIDTH = 30


class UsageError(Exception):
    """The operator's own mistake: one line that says what to do, exit 2."""


# What moves the cursor, sets the window's title or turns the direction of a terminal's line.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def say(line: str = "") -> None:
    """A line of a subcommand's own output; what of it is a stranger's text commands no terminal."""
    sys.stdout.write(harmless(line) + "\n")


def harmless(text: str) -> str:
    """A stranger's text without what a terminal would obey."""
    return _COMMANDS.sub(_escaped, text)


def word(text: str) -> str:
    """A stranger's text within a line, so that it becomes no line of its own."""
    return _COMMANDS.sub(_escaped, text.replace("\n", "\\n").replace("\t", "\\t"))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"  # as JSON has it


def put(text: str) -> None:
    """JSON on standard output: the bytes a file of it has, whatever the terminal's encoding."""
    sys.stdout.flush()
    safe = _COMMANDS.sub(_escaped, text)  # in JSON these stand in texts alone
    sys.stdout.buffer.write(safe.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def complain(line: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"mainblock: {word(line)}\n")
    sys.stderr.flush()


class Troubles:
    """Names each input that cannot be read, up to a number a person would read."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, message: str) -> None:
        """Name one."""
        self.count += 1
        if self.count <= MOST_TROUBLES_SHOWN:
            complain(message)

    def summary(self) -> None:
        """Say how many were not shown."""
        if self.count > MOST_TROUBLES_SHOWN:
            complain(f"and {self.count - MOST_TROUBLES_SHOWN} more that could not be read")


class Progress:
    """A bar on standard error while a pass over the inputs goes on; nothing in a pipe."""

    def __init__(self, label: str, inputs: Inputs) -> None:
        self._label = label
        self._inputs = inputs
        self._shown = sys.stderr.isatty()
        self._total = inputs.total_bytes() if self._shown else None
        self._pages = 0
        self._drawn = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._draw(done=kind is None, end="\n")

    def over(self, pages: Iterable[T]) -> Iterator[T]:
        """Pass the pages through and count them."""
        for page in pages:
            yield page
            self._pages += 1
            if self._shown and time.monotonic() - self._drawn > _REDRAWN_EVERY:
                self._draw()

    def _draw(self, *, done: bool = False, end: str = "") -> None:
        self._drawn = time.monotonic()
        if self._total:
            share = 1.0 if done else min(self._inputs.bytes_read / self._total, 1.0)
            filled = round(share * _WIDTH)
            bar = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {share:4.0%}"
        else:
            bar = "[reading]"
        try:
            sys.stderr.write(f"\r{self._label} {bar} {self._pages} pages {end}")
            sys.stderr.flush()
        except OSError:  # the terminal is gone: no reason to end, and none to forget why it ends
            self._shown = False
