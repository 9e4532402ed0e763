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
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet

from scrapy_mainblock.crawl.scrapy_compat import OpenFeed, has_feeds, open_feeds

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger("scrapy_mainblock")

_LINES = ("jsonlines", "jsonl", "jl", "csv")
_BLOCK = 1 << 16


class Feeds:
    """The feeds of one crawl.

    Raises UnknownScrapyError where Scrapy's feeds are not as expected.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._counts: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._closed: WeakSet[Any] = WeakSet()

    @property
    def are_there(self) -> bool:
        """Whether the crawl has any."""
        return has_feeds(self._crawler)

    def flush(self) -> bool:
        """Write out what is buffered; False where that does not make an item safe.

        A file that the next run overwrites, a compressed one, or one that is uploaded at the end is
        safe only when the feed is closed.
        """
        return all(_flush(feed) for feed in self._feeds())

    def took(self, item: Any) -> bool:
        """Whether every feed has written an item. To be asked of each, right after the feeds."""
        took = True
        for feed in self._feeds():
            before = self._counts.get(feed.key)
            self._counts[feed.key] = feed.written
            if before is None and feed.batch > 1:  # the batch before it was full with this item
                continue
            if feed.written == (before or 0) and feed.accepts(item):
                took = False
                _mend_open(feed)
        return took

    def closed(self, slot: Any) -> None:
        """A feed was closed, for better or worse."""
        self._closed.add(slot)

    def are_whole(self) -> bool:
        """At the end: whether no feed has failed."""
        stats = self._crawler.stats.get_stats() if self._crawler.stats else {}
        if any(str(name).startswith("feedexport/failed_count") for name in stats):
            return False
        return all(feed.key in self._closed for feed in self._feeds() if feed.file is not None)

    def mend(self) -> list[str]:
        """Cut a broken last line off the files that will be appended to; returns their paths."""
        return [
            str(feed.path) for feed in self._feeds() if feed.file is None and _cut_last_line(feed)
        ]

    def _feeds(self) -> list[OpenFeed]:
        return open_feeds(self._crawler)


def _flush(feed: OpenFeed) -> bool:
    if feed.file is None:  # no item yet
        return True
    if not feed.is_appended and not feed.is_stdout:
        return False
    try:
        feed.file.flush()
    except (OSError, ValueError):  # full, or closed under us
        return False
    return True


def _mend_open(feed: OpenFeed) -> None:
    """An item longer than the buffer goes to disk in parts, and the last of them may have failed.

    What is in the buffer itself is kept there, and goes on where it stopped when there is room.
    """
    if feed.file is not None and _flush(feed):
        with contextlib.suppress(OSError):
            _cut_last_line(feed)


def _cut_last_line(feed: OpenFeed) -> bool:
    """Cut a broken last line off; whether there was one."""
    if feed.format not in _LINES or not feed.is_appended or feed.path is None:
        return False
    return feed.path.is_file() and _cut(feed.path, quoted=feed.format == "csv")


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
