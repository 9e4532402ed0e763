"""Records on disk by key, for data that is not needed in memory until the end.

They are in an unnamed temporary file (in TMPDIR), which disappears with the process, however that
ends.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from typing import IO


class ShelfFullError(OSError):
    """A record could not be written to disk."""


class Shelf:
    """Records under any number of keys, in the order in which they were added."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0
        self._places: dict[str, array[int]] = {}
        """For each key, where each of its records begins and ends."""

    def count(self, key: str) -> int:
        """Return the number of records under a key."""
        return len(self._places.get(key, ())) // 2

    def put(self, key: str, record: bytes) -> None:
        """Add a record. If it cannot be written, raise ShelfFullError and change nothing."""
        try:
            if self._file is None:
                # Unbuffered, so that data that a full disk refused is not written again later.
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
        """Yield the records under a key, in the order in which they were added."""
        places = self._places.get(key, ())
        for start, end in zip(places[::2], places[1::2], strict=True):
            assert self._file is not None
            self._file.seek(start)
            yield self._file.read(end - start)
