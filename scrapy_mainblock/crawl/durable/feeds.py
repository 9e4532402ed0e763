"""Scrapy's feeds, as far as an item's safety goes: when it is on disk, and if the file is whole.

A feed writes into a buffer of the process, and a kill -9 takes with it what is in there: items that
had "come out", and the end of a line of which the beginning was written. So the feeds are flushed
now and then, and an item counts as safe only after that; and before a killed crawl is resumed, a
broken last line is cut off, since Scrapy appends to it. (The item of that line comes out again.)

A feed on a full disk loses the items that it cannot write, and Scrapy goes on: such an item is told
by the feed's own count, which has not grown, and stays in the spool.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage, StdoutFeedStorage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_mainblock")

_LINES = ("jsonlines", "jsonl", "jl", "csv")
_BLOCK = 1 << 16


class Feeds:
    """The feeds of one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._exporter = crawler.get_extension(FeedExporter)
        self._counts: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._closed: WeakSet[Any] = WeakSet()

    @property
    def are_there(self) -> bool:
        """Whether the crawl has any."""
        return self._exporter is not None

    def flush(self) -> bool:
        """Write out what is buffered; False where that does not make an item safe.

        A file that the next run overwrites, a compressed one, or one that is uploaded at the end is
        safe only when the feed is closed.
        """
        return all(_flush(slot) for slot in self._slots())

    def took(self, item: Any) -> bool:
        """Whether every feed has written an item. To be asked of each, right after the feeds."""
        took = True
        for slot in self._slots():
            before = self._counts.get(slot)
            self._counts[slot] = slot.itemcount
            if before is None and slot.batch_id > 1:  # the batch before it was full with this item
                continue
            if slot.itemcount == (before or 0) and slot.filter.accepts(item):
                took = False
                _mend_open(slot)
        return took

    def closed(self, slot: Any) -> None:
        """A feed was closed, for better or worse."""
        self._closed.add(slot)

    def are_whole(self) -> bool:
        """At the end: whether no feed has failed."""
        stats = self._crawler.stats.get_stats() if self._crawler.stats else {}
        if any(str(name).startswith("feedexport/failed_count") for name in stats):
            return False
        return all(slot in self._closed for slot in self._slots() if slot.file is not None)

    def mend(self) -> list[str]:
        """Cut a broken last line off the files that will be appended to; returns their paths."""
        return [
            str(slot.storage.path)
            for slot in self._slots()
            if slot.file is None and _cut_last_line(slot)
        ]

    def _slots(self) -> Iterator[Any]:
        return iter(self._exporter.slots if self._exporter else ())


def _is_appended(slot: Any) -> bool:
    return (
        isinstance(slot.storage, FileFeedStorage)
        and slot.storage.write_mode == "ab"
        and "postprocessing" not in slot.feed_options
    )


def _flush(slot: Any) -> bool:
    if slot.file is None:  # no item yet
        return True
    if not _is_appended(slot) and not isinstance(slot.storage, StdoutFeedStorage):
        return False
    try:
        slot.file.flush()
    except (OSError, ValueError):  # full, or closed under us
        return False
    return True


def _mend_open(slot: Any) -> None:
    """An item longer than the buffer goes to disk in parts, and the last of them may have failed.

    What is in the buffer itself is kept there, and goes on where it stopped when there is room.
    """
    if slot.file is not None and _flush(slot):
        with contextlib.suppress(OSError):
            _cut_last_line(slot)


def _cut_last_line(slot: Any) -> bool:
    """Cut a broken last line off; whether there was one."""
    if slot.feed_options["format"] not in _LINES or not _is_appended(slot):
        return False
    path = Path(slot.storage.path)
    return path.is_file() and _cut(path, quoted=slot.feed_options["format"] == "csv")


def _cut(path: Path, *, quoted: bool) -> bool:
    """Cut off what stands behind the last end of a line; `quoted` ends do not count."""
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        whole = _end_of_last_row(file) if quoted else _end_of_last_line(file, end)
        if whole == end:
            return False
        file.truncate(whole)
        return True


def _end_of_last_line(file: Any, end: int) -> int:
    while end > 0:
        start = max(0, end - _BLOCK)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + int(found) + 1
        end = start
    return 0


def _end_of_last_row(file: Any) -> int:
    """In CSV a newline between quotes is text: it has an odd number of quotes before it."""
    file.seek(0)
    whole = position = quotes = 0
    for line in file:
        position += len(line)
        quotes += line.count(b'"')
        if line.endswith(b"\n") and quotes % 2 == 0:
            whole = position
    return whole
