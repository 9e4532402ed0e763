"""Files that are complete or absent: written beside their target, and moved there at the end."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MOST_PARTS = 1000
"""Limit on part files. Earlier runs that were interrupted may have left some; none is
overwritten."""
_NO_REPLACE = {errno.EBUSY, errno.EXDEV}
"""Errors on replacing a file that is a mount of its own, as in containers."""


class UnfinishedError(Exception):
    """The work ended before the file was complete; `part` holds what was written."""

    def __init__(self, part: Path) -> None:
        super().__init__(str(part))
        self.part = part

    def __str__(self) -> str:
        return f"{self.__cause__}; {self.where()}"

    def where(self) -> str:
        """Return a message that says where the incomplete file is."""
        return f"the incomplete output is in {self.part}"


class NotMadeError(Exception):
    """There is nothing to write: if the block raises this, no file is left behind."""


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream that becomes the file at `path` when the block ends, and not before.

    Until then an existing file stays. If the block raises, it stays for good: what was written is
    left in a `.part` file beside it, and an UnfinishedError names that file, with the exception as
    its cause. If `path` is not an ordinary file (a pipe, a device), it is written directly.

    Raises OSError before the block begins if no file can be made beside `path`.
    """
    path = Path(os.path.realpath(path))  # a link still leads to the file afterwards
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
    """Open a part file. `parts` has its name before it exists, in case a signal comes between."""
    for number in range(1, MOST_PARTS):
        part = Path(f"{path}.part{number if number > 1 else ''}")
        if part.exists():
            continue
        parts.append(part)
        try:
            return part.open("xb")
        except FileExistsError:
            parts.pop()
    raise FileExistsError(
        errno.EEXIST, f"{MOST_PARTS} .part files of earlier runs exist", str(path)
    )


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
