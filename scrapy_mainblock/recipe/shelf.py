"""Records on disk, by a key, for what need not be in memory until the end.

A temporary file without a name (in TMPDIR), gone with the process, however that ends.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from typing import IO


class ShelfFullError(OSError):
    """The disk takes no more."""


class Shelf:
    """Records in the order in which they came, of any number of keys."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0
        self._places: dict[str, array[int]] = {}
        """By key: where each record begins, and where it ends."""

    def count(self, key: str) -> int:
        """How many records there are of a key."""
        return len(self._places.get(key, ())) // 2

    def put(self, key: str, record: bytes) -> None:
        """Add a record; ShelfFullError where it cannot be written, and then nothing is changed."""
        try:
            if self._file is None:
                # Without a buffer: what a full disk does not take must not be tried again later.
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it stays open
            self._file.seek(self._end)
            left = memoryview(record)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise ShelfFullError(str(error)) from error
        self._places.setdefault(key, array("Q")).extend((self._end, self._end + len(record)))
        self._end += len(record)

    def records(self, key: str) -> Iterator[bytes]:
        """The records of a key, as they came."""
        places = self._places.get(key, ())
        for start, end in zip(places[::2], places[1::2], strict=True):
            assert self._file is not None
            self._file.seek(start)
            yield self._file.read(end - start)
