"""Scrapy's feeds, as far as an item's safety goes: when it is on disk, and if the file is whole.

A feed writes into a buffer of the process, and a kill -9 takes with it what is in there: items that
had "come out", and the end of a line of which the beginning was written. So the feeds are flushed
now and then, and an item counts as safe only after that; and before a killed crawl is resumed, a
broken last line is cut off, since Scrapy appends to it. (The item of that line comes out again.)
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage, StdoutFeedStorage

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_mainblock")

_LINES = ("jsonlines", "jsonl", "jl", "csv")
_BLOCK = 1 << 16


class Feeds:
    """The feeds of one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._exporter = crawler.get_extension(FeedExporter)

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

    def mend(self) -> list[str]:
        """Cut a broken last line off the files that will be appended to; returns their paths."""
        mended = []
        for slot in self._slots():
            is_lines = slot.feed_options["format"] in _LINES
            if is_lines and slot.file is None and _is_appended(slot):
                path = Path(slot.storage.path)
                if path.is_file() and _cut(path, quoted=slot.feed_options["format"] == "csv"):
                    mended.append(str(path))
        return mended

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
