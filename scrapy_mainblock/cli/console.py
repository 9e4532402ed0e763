"""Terminal output of the command: one-line errors, escaped text, a progress bar."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from scrapy_mainblock.inputs.pages import Inputs

T = TypeVar("T")

DONE, SOME_UNREADABLE, WRONG_USAGE, HUNG_UP, INTERRUPTED, TERMINATED = 0, 1, 2, 129, 130, 143

MOST_PROBLEMS_SHOWN = 20
_REDRAWN_EVERY = 0.1  # seconds
_WIDTH = 30


class UsageError(Exception):
    """A mistake of the user: reported in one line that says what to do, with exit code 2."""


# Control characters that move the cursor, set the window's title or change a line's direction.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def say(line: str = "") -> None:
    """Write a line of a subcommand's output, with its control characters escaped."""
    sys.stdout.write(harmless(line) + "\n")


def harmless(text: str) -> str:
    """Return untrusted text with its control characters escaped, except newlines and tabs."""
    return _COMMANDS.sub(_escaped, text)


def word(text: str) -> str:
    """Return untrusted text for use within one line: newlines and tabs are escaped as well."""
    return _COMMANDS.sub(_escaped, text.replace("\n", "\\n").replace("\t", "\\t"))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"  # as in JSON


def put(text: str) -> None:
    """Write JSON to standard output, with the bytes of a file, whatever the terminal's encoding."""
    sys.stdout.flush()
    safe = _COMMANDS.sub(_escaped, text)  # in JSON, these characters occur only in strings
    sys.stdout.buffer.write(safe.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def complain(line: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"mainblock: {word(line)}\n")
    sys.stderr.flush()


class Problems:
    """A reporter of inputs that cannot be read: counts all, shows up to MOST_PROBLEMS_SHOWN."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, message: str) -> None:
        """Report one input."""
        self.count += 1
        if self.count <= MOST_PROBLEMS_SHOWN:
            complain(message)

    def summary(self) -> None:
        """Report how many inputs were counted but not shown."""
        if self.count > MOST_PROBLEMS_SHOWN:
            complain(f"and {self.count - MOST_PROBLEMS_SHOWN} more that could not be read")


class Progress:
    """A progress bar on standard error for a pass over the inputs; nothing without a terminal."""

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
        """Yield the pages and count them."""
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
        except OSError:  # the terminal is closed: go on, and do not mask an error being raised
            self._shown = False
