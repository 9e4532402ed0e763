"""Scrapy's feeds: when an item is safely on disk, and whether a feed's file is intact.

A feed writes into a buffer of the process, and a kill -9 loses what is in the buffer: items that
had already been exported, and the end of a line whose beginning was written. So the feeds are
flushed now and then, and an item counts as safe only after that. Before a killed crawl is resumed,
a broken last line is cut off, since Scrapy appends to it. (Its item is exported again.)

A feed on a full disk loses the items that it cannot write, and Scrapy goes on. Such an item is
detected by the feed's own count, which has not grown, and the item stays in the spool.
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

    Its methods raise UnknownScrapyError if Scrapy's feeds are not as expected.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._counts: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._closed: WeakSet[Any] = WeakSet()

    @property
    def exist(self) -> bool:
        """Whether the crawl has any feeds."""
        return has_feeds(self._crawler)

    def flush(self) -> bool:
        """Flush all feeds; return False if that does not make every item safe.

        A file that the next run overwrites, that is compressed, or that is uploaded at the end is
        safe only when the feed is closed.
        """
        return all(_flush(feed) for feed in self._feeds())

    def took(self, item: Any) -> bool:
        """Return whether every feed has written an item; call it for each item after the feeds."""
        took = True
        for feed in self._feeds():
            before = self._counts.get(feed.key)
            self._counts[feed.key] = feed.written
            if before is None and feed.batch > 1:  # this item completed the previous batch
                continue
            if feed.written == (before or 0) and feed.accepts(item):
                took = False
                _mend_open(feed)
        return took

    def closed(self, slot: Any) -> None:
        """Note that a feed was closed, whether successfully or not."""
        self._closed.add(slot)

    def are_whole(self) -> bool:
        """Return whether no feed has failed; called at the end of the crawl."""
        stats = self._crawler.stats.get_stats() if self._crawler.stats else {}
        if any(str(name).startswith("feedexport/failed_count") for name in stats):
            return False
        return all(feed.key in self._closed for feed in self._feeds() if feed.file is not None)

    def mend(self) -> list[str]:
        """Cut broken last lines off the files that will be appended to; return these files."""
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
    except (OSError, ValueError):  # the disk is full, or the file was closed meanwhile
        return False
    return True


def _mend_open(feed: OpenFeed) -> None:
    """Cut off the beginning of an item that could not be written as a whole.

    An item longer than the buffer is written in parts, and the last of them may have failed. The
    buffer keeps what it holds, and continues where it stopped once there is room.
    """
    if feed.file is not None and _flush(feed):
        with contextlib.suppress(OSError):
            _cut_last_line(feed)


def _cut_last_line(feed: OpenFeed) -> bool:
    """Cut off a broken last line; return whether there was one."""
    if feed.format not in _LINES or not feed.is_appended or feed.path is None:
        return False
    return feed.path.is_file() and _cut(feed.path, quoted=feed.format == "csv")


def _cut(path: Path, *, quoted: bool) -> bool:
    """Cut off what follows the last complete line (or CSV row); return whether there was any."""
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
    """Return where the last complete row of a CSV file ends.

    A newline within quotes is text: an odd number of quotes precedes it.
    """
    file.seek(0)
    whole = position = quotes = 0
    for line in file:
        position += len(line)
        quotes += line.count(b'"')
        if line.endswith(b"\n") and quotes % 2 == 0:
            whole = position
    return whole
