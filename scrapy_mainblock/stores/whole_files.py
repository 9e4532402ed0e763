"""Files that are there as a whole or not at all: written beside their target, moved at the end."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MOST_PARTS = 1000
"""Parts of earlier runs that were interrupted may lie there: none of them is overwritten."""
_NO_REPLACE = {errno.EBUSY, errno.EXDEV}
"""What replacing a file says that is mounted by itself, as containers do it."""


class UnfinishedError(Exception):
    """The work ended before the file was whole; what there is of it is in `part`."""

    def __init__(self, part: Path) -> None:
        super().__init__(str(part))
        self.part = part

    def __str__(self) -> str:
        return f"{self.__cause__}; {self.where()}"

    def where(self) -> str:
        """Where what there is of it is."""
        return f"what was done until then is in {self.part}"


class NotMadeError(Exception):
    """There is nothing to make the file of: raised in the block, it leaves nothing behind."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream that becomes the file at `path` when the block ends, and not before.

    What stood there stays until then. If the block raises, it stays for good: what was written is
    left in a `.part` beside it and named by an UnfinishedError with the exception as its cause.
    What is no ordinary file (a pipe, a device) is written as it is.

    Raises OSError where no file can be made beside `path`, before the block begins.
    """
    path = Path(os.path.realpath(path))  # a link goes on leading to the file
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    parts: list[Path] = []
    try:
        with _opened_beside(path, parts) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _move(parts[-1], path)
    except BaseException as error:
        part = parts[-1] if parts else None
        if part is None or not part.exists():
            raise
        if part.stat().st_size and not isinstance(error, NotMadeError):
            raise UnfinishedError(part) from error
        part.unlink()
        raise


def _opened_beside(path: Path, parts: list[Path]) -> BinaryIO:
    """Open a part; `parts` has its name before it is there, since a signal may come in between."""
    for number in range(1, MOST_PARTS):
        part = Path(f"{path}.part{number if number > 1 else ''}")
        if part.exists():
            continue
        parts.append(part)
        try:
            return part.open("xb")
        except FileExistsError:
            parts.pop()
    raise FileExistsError(errno.EEXIST, f"{MOST_PARTS} parts of earlier runs are there", str(path))


def _move(part: Path, path: Path) -> None:
    if path.exists():
        shutil.copymode(path, part)
    try:
        part.replace(path)
    except OSError as error:
        if error.errno not in _NO_REPLACE:
            raise
        shutil.copyfile(part, path)
        part.unlink()
