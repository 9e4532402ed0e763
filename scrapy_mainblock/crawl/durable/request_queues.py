"""What a kill leaves of Scrapy's own request queues in the JOBDIR, made fit to be opened again.

A queue of Scrapy's (queuelib's LifoDiskQueue) is a file of records, each followed by its length,
with their number at the beginning; that number is written when the queue is closed, and the rest
goes through a buffer. After a kill -9 the file may be empty, end within a record, or have another
number of records than it says: Scrapy then raises at every request that it takes or gives, and its
crawl never ends (seen on 2.14 and 2.19). So, before Scrapy opens them, broken ends are cut off and
the number is set right; requests that were on disk are not lost then.
"""

from __future__ import annotations

import contextlib
import json
import struct
from collections.abc import Iterator
from pathlib import Path

_NUMBER = struct.Struct(">L")
_LONGEST_END = 1 << 17
"""Bytes of a broken end: a buffer's worth, and a request that was longer than that."""


def mend_queues(jobdir: str | Path) -> int:
    """Mend the queues of a run that was killed; returns how many files were not as they should be.

    What cannot be mended is left as it is.
    """
    mended = 0
    for file in _files(Path(jobdir) / "requests.queue"):
        with contextlib.suppress(OSError):
            mended += _mend_state(file) if file.name == "active.json" else _mend_queue(file)
    return mended


def _files(directory: Path) -> Iterator[Path]:
    for file in sorted(directory.rglob("*")):
        # A directory of its own is a queue of the other kind (first in, first out).
        is_fifo = file.parent != directory and (
            file.name == "info.json" or file.name.startswith("q0")
        )
        if file.is_file() and not is_fifo:
            yield file


def _mend_state(file: Path) -> bool:
    """Which queues there are: Scrapy does without, where it is not there."""
    try:
        json.loads(file.read_bytes())
    except ValueError:
        file.unlink()
        return True
    return False


def _mend_queue(file: Path) -> bool:
    content = file.read_bytes()
    for end in range(len(content), max(0, len(content) - _LONGEST_END), -1):
        records = _records(content, end)
        if records is None:
            continue
        if end == len(content) and _NUMBER.unpack_from(content)[0] == records:
            return False
        with file.open("rb+") as stream:
            stream.truncate(end)
            stream.write(_NUMBER.pack(records))
        return True
    file.unlink()
    return True


def _records(content: bytes, end: int) -> int | None:
    """How many whole records there are up to an end; None where it is not the end of one."""
    records = 0
    while end > _NUMBER.size:
        if end < 2 * _NUMBER.size:
            return None
        (length,) = _NUMBER.unpack_from(content, end - _NUMBER.size)
        end -= _NUMBER.size + length
        records += 1
    return records if end == _NUMBER.size else None
