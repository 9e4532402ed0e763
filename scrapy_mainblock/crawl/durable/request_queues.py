"""Mend Scrapy's own request queues in the JOBDIR after a kill, before Scrapy opens them.

A queue of queuelib's LIFO kind is a file of records, each followed by its length, with their number
at the beginning; that number is written when the queue is closed, and the rest goes through a
buffer. After a kill -9 the file may be empty, end within a record, or hold another number of
records than it says: Scrapy then raises at every request that it takes or gives, and its crawl
never ends (seen on 2.14 and 2.19). And which queues there are stands in ``active.json``, which is
written at a clean end only: requests on disk that it does not name are not taken up again.

So broken ends are cut off, the number is set right, and the queues that are there are named. Only
files of that kind are touched, by the project's settings and by their form; no file is deleted, and
what is cut is kept in a folder beside.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_NUMBER = struct.Struct(">L")
_MIN_END = 2 * _NUMBER.size + 1
_STATE = "active.json"
_FIRST_BYTES = b"\x80{\xfb"
"""What a request begins with in Scrapy's two queues of this kind: a pickle, a marshalled dict."""
_MOST_LOOKED_AT = 1 << 24
"""Bytes of a broken end that are searched for the last whole record; a buffer is some kilobytes."""
ASIDE = "cut"
"""The folder that what is cut off goes to, in our own folder of the JOBDIR."""


class Mended(NamedTuple):
    """A file that was not as it should be."""

    file: Path
    bytes_cut: int
    aside: Path | None
    """Where the bytes are that were cut off."""
    is_left: bool = False
    """Whether it was left as it is: by its form it is no queue of this kind."""


def mend_queues(jobdir: str | Path) -> list[Mended]:
    """Mend the queues of a run that was killed; returns the files that were mended.

    Raises OSError when a file cannot be read or written.
    """
    directory = Path(jobdir) / "requests.queue"
    aside = Path(jobdir) / "mainblock" / ASIDE
    mended = [one for file in _queue_files(directory) if (one := _mend_queue(file, aside))]
    if directory.is_dir() and (one := _mend_state(directory, aside)):
        mended.append(one)
    return mended


def _queue_files(directory: Path) -> Iterator[Path]:
    """The files that are named as Scrapy names queues: by their priority, in a folder a slot."""
    folders = [directory, *(path for path in directory.glob("*") if path.is_dir())]
    for folder in folders:
        for file in sorted(folder.glob("*")):
            if file.is_file() and _priority(file.name) is not None:
                yield file


def _priority(name: str) -> int | None:
    """The priority that a queue is named for, None for any other name."""
    with contextlib.suppress(ValueError):
        return int(name.removesuffix("s"))
    return None


def _mend_queue(file: Path, aside: Path) -> Mended | None:
    content = file.read_bytes()
    whole = _last_whole(content) if _has_our_form(content) else None
    if whole is None:
        return Mended(file, 0, None, is_left=True)
    end, records = whole
    if 0 < end == len(content) and _NUMBER.unpack_from(content)[0] == records:
        return None
    kept = _keep_aside(content[end:], file, aside) if end < len(content) else None
    with file.open("rb+") as stream:
        stream.truncate(end)
        stream.write(_NUMBER.pack(records))
    return Mended(file, len(content) - end, kept)


def _has_our_form(content: bytes) -> bool:
    """Whether a file can be such a queue, by how its first record begins."""
    return len(content) <= _NUMBER.size or content[_NUMBER.size] in _FIRST_BYTES


def _last_whole(content: bytes) -> tuple[int, int] | None:
    """Where the last whole record ends, and how many there are; None where that is too far off."""
    if len(content) < _NUMBER.size:
        return 0, 0
    no_ends = bytearray(len(content) + 1)  # a set of them would take 60 times as much
    for end in range(len(content), max(_NUMBER.size, len(content) - _MOST_LOOKED_AT) - 1, -1):
        records = _records(content, end, no_ends)
        if records is not None:
            return end, records
    return None


def _records(content: bytes, end: int, no_ends: bytearray) -> int | None:
    """How many whole records there are up to an end; None where it is not the end of one.

    No place that is known not to be an end is followed twice: a broken end may hold anything.
    """
    records = 0
    while end > _NUMBER.size and not no_ends[end]:
        no_ends[end] = 1
        records += 1
        length = _NUMBER.unpack_from(content, end - _NUMBER.size)[0] if end >= _MIN_END else 0
        end -= _NUMBER.size + length
        if not length or end < _NUMBER.size or content[end] not in _FIRST_BYTES:
            break  # no request is empty, but a disk may leave zeros
    else:
        if end == _NUMBER.size:
            return records
    return None


def _mend_state(directory: Path, aside: Path) -> Mended | None:
    """Name the queues that are there, where the file that should do so is missing or broken."""
    file = directory / _STATE
    try:
        content = file.read_bytes()
        known = json.loads(content)
    except FileNotFoundError:
        content, known = b"", None
    except ValueError:
        known = None
    found = _state_of(directory)
    if not found or _names(known) >= _names(found):
        return None
    kept = _keep_aside(content, file, aside) if content else None
    temporary = file.with_name(f"{_STATE}.new")
    temporary.write_text(json.dumps(_merged(known, found)), encoding="utf-8")
    temporary.replace(file)
    return Mended(file, 0, kept)


def _state_of(directory: Path) -> Any:
    """The state as Scrapy would have written it: priorities, or those of each download slot."""
    own = _priorities_in(directory)
    if own:
        return own
    slots = {}
    for folder in sorted(directory.glob("*")):
        slot, _, digest = folder.name.rpartition("-")
        if folder.is_dir() and hashlib.md5(slot.encode()).hexdigest() == digest:  # noqa: S324
            priorities = _priorities_in(folder)
            if priorities:
                slots[slot] = priorities
    return slots


def _priorities_in(folder: Path) -> list[int]:
    found = (_priority(file.name) for file in folder.glob("*") if _may_be_opened(file))
    return sorted({one for one in found if one is not None})


def _may_be_opened(file: Path) -> bool:
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        return _has_our_form(stream.read(_NUMBER.size + 1))


def _names(state: Any) -> set[tuple[str, int]]:
    if isinstance(state, dict):
        return {(slot, one) for slot, priorities in state.items() for one in priorities}
    return {("", one) for one in state} if isinstance(state, list) else set()


def _merged(known: Any, found: Any) -> Any:
    if isinstance(known, dict) and isinstance(found, dict):
        return {
            slot: sorted({*known.get(slot, ()), *found.get(slot, ())})
            for slot in {**known, **found}
        }
    return found


def _keep_aside(content: bytes, file: Path, aside: Path) -> Path:
    aside.mkdir(parents=True, exist_ok=True)
    for number in range(1, 10_000):
        kept = aside / f"{file.parent.name}.{file.name}.{number}"
        with contextlib.suppress(FileExistsError), kept.open("xb") as stream:
            stream.write(content)
            return kept
    raise OSError(f"{aside} is full of what was cut off before: empty it")
