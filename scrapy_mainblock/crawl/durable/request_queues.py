"""Mend Scrapy's own request queues in the JOBDIR after a kill, before Scrapy opens them.

A LIFO queue of queuelib is a file that begins with the number of its records; each record is
followed by its length. The number is written when the queue is closed, and the rest goes through a
buffer. After a kill -9 the file may be empty, end within a record, or state a wrong number of
records. Scrapy then raises at every request that it pushes or pops, and the crawl never ends (seen
on 2.14 and 2.19). The queues are listed in ``active.json``, which is written at a clean end only:
requests on disk that it does not list are not resumed.

So this module cuts off broken ends, corrects the number, and lists the existing queues. It touches
only files of that kind, according to the project's settings and to their form. It deletes no file,
and keeps what it cuts off in a separate folder.
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
"""First bytes of a request in Scrapy's two LIFO queues: of a pickle, and of a marshalled dict."""
_MOST_LOOKED_AT = 1 << 24
"""Limit on the bytes at the end that are searched for the last complete record; a buffer holds some
kilobytes."""
ASIDE = "cut"
"""The folder, in our own folder of the JOBDIR, for the bytes that are cut off."""


class Mended(NamedTuple):
    """A file that was not as expected."""

    file: Path
    bytes_cut: int
    aside: Path | None
    """The file with the bytes that were cut off."""
    is_left: bool = False
    """Whether the file was left unchanged, since by its form it is not a queue of this kind."""


def mend_queues(jobdir: str | Path) -> list[Mended]:
    """Mend the queues of a run that was killed; return the files that were not as expected.

    Raises OSError if a file cannot be read or written.
    """
    directory = Path(jobdir) / "requests.queue"
    aside = Path(jobdir) / "mainblock" / ASIDE
    mended = [one for file in _queue_files(directory) if (one := _mend_queue(file, aside))]
    if directory.is_dir() and (one := _mend_state(directory, aside)):
        mended.append(one)
    return mended


def _queue_files(directory: Path) -> Iterator[Path]:
    """Yield the files that are named like Scrapy's queues: by priority, in one folder per slot."""
    folders = [directory, *(path for path in directory.glob("*") if path.is_dir())]
    for folder in folders:
        for file in sorted(folder.glob("*")):
            if file.is_file() and _priority(file.name) is not None:
                yield file


def _priority(name: str) -> int | None:
    """Return the priority in the name of a queue's file; None for any other name."""
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
    """Return whether a file can be such a queue, judging by how its first record begins."""
    return len(content) <= _NUMBER.size or content[_NUMBER.size] in _FIRST_BYTES


def _last_whole(content: bytes) -> tuple[int, int] | None:
    """Return where the last complete record ends, and the number of complete records.

    Return None if no record ends within the last bytes that are searched.
    """
    if len(content) < _NUMBER.size:
        return 0, 0
    no_ends = bytearray(len(content) + 1)  # a set would take 60 times the memory
    for end in range(len(content), max(_NUMBER.size, len(content) - _MOST_LOOKED_AT) - 1, -1):
        records = _records(content, end, no_ends)
        if records is not None:
            return end, records
    return None


def _records(content: bytes, end: int, no_ends: bytearray) -> int | None:
    """Return the number of complete records before `end`; None if no record ends there.

    No position that is known not to be an end is followed twice, since a broken end may contain
    anything.
    """
    records = 0
    while end > _NUMBER.size and not no_ends[end]:
        no_ends[end] = 1
        records += 1
        length = _NUMBER.unpack_from(content, end - _NUMBER.size)[0] if end >= _MIN_END else 0
        end -= _NUMBER.size + length
        if not length or end < _NUMBER.size or content[end] not in _FIRST_BYTES:
            break  # a request is never empty, but a disk may leave zeros
    else:
        if end == _NUMBER.size:
            return records
    return None


def _mend_state(directory: Path, aside: Path) -> Mended | None:
    """List the existing queues in active.json, if it is missing, broken or incomplete."""
    file = directory / _STATE
    try:
        content = file.read_bytes()
        known = json.loads(content)
    except FileNotFoundError:
        content, known = b"", None
    except ValueError:
        known = None
    found = _state_of(directory)
    if not found or _queues_in(known) >= _queues_in(found):
        return None
    kept = _keep_aside(content, file, aside) if content else None
    temporary = file.with_name(f"{_STATE}.new")
    temporary.write_text(json.dumps(_merged(known, found)), encoding="utf-8")
    temporary.replace(file)
    return Mended(file, 0, kept)


def _state_of(directory: Path) -> Any:
    """Return the state as Scrapy would have written it: priorities, or those by download slot."""
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


def _queues_in(state: Any) -> set[tuple[str, int]]:
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
    raise OSError(f"{aside} has too many files: empty it")
