"""A subcommand's output: standard output, or a file that replaces an older one once complete."""

from __future__ import annotations

import contextlib
import gzip
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from scrapy_mainblock.cli.console import Problems, UsageError, put
from scrapy_mainblock.cli.files.stopping import Delayed
from scrapy_mainblock.inputs.pages import STANDARD_INPUT, is_read
from scrapy_mainblock.stores.whole_files import NotMadeError, whole_file

STANDARD_OUTPUT = "-"


class Writable(Protocol):
    """A binary stream to write to: a file, compressed or not, or standard output."""

    def write(self, data: bytes, /) -> int:
        """Write the bytes."""
        ...


class NothingReadError(NotMadeError):
    """No input contained a page; the output of an earlier run stays as it was."""

    def __init__(self, problems: Problems, name: str = STANDARD_OUTPUT) -> None:
        """Make the message; it is empty if the trouble with the inputs was reported already."""
        stays = f"; {name} was not changed" if Path(name).exists() else ""
        super().__init__("" if problems.count else f"no page in any input{stays}")


@contextlib.contextmanager
def output(name: str, option: str, inputs: Sequence[str] = ()) -> Iterator[Writable]:
    """Open the output that `option` names: ``-`` is standard output, a ``.gz`` name compresses.

    Raise UsageError before any work if it cannot be written, or is one of the inputs.
    """
    if name == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if any(one != STANDARD_INPUT and is_read(path, Path(one)) for one in inputs):
        raise UsageError(f"{name} is an input: choose another file for {option}")
    with contextlib.ExitStack() as stack:
        try:
            if path.is_dir():
                raise IsADirectoryError(None, "it is a directory")
            raw = stack.enter_context(whole_file(path))
        except OSError as error:
            message = f"cannot write {name} ({error.strerror}): choose another file for {option}"
            raise UsageError(message) from None
        if name.endswith(".gz"):
            packed = gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0)
            stack.enter_context(packed)
            yield _Uninterrupted(packed, stack.enter_context(Delayed()))
        else:
            yield raw


class _Uninterrupted:
    """A stream that completes each write before a signal: half a write would break a checksum."""

    def __init__(self, stream: Writable, signals: Delayed) -> None:
        self._stream, self._signals = stream, signals

    def write(self, data: bytes) -> int:
        with self._signals.whole():
            return self._stream.write(data)


def write_text(name: str, option: str, text: str, errors: str = "backslashreplace") -> None:
    """Write a text to a file, replacing it, or to standard output."""
    if name == STANDARD_OUTPUT:
        put(text)
        return
    with output(name, option) as stream:
        stream.write(text.encode("utf-8", errors))
