"""Pages and items that wait, or that a kill must not lose: what is written to the spool, and when.

With a JOBDIR a page is in the spool from the moment that it reaches the spider until all its items
have left the last pipeline and the feeds have been flushed. Without a JOBDIR only pages that wait
for a rule are in the spool.

An item is pending from the moment that the collector yields it until it has left the last pipeline:
another spider middleware may delay it, and a kill in the meantime must not lose it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scrapy_mainblock.crawl.durable import items
from scrapy_mainblock.crawl.durable.spool import Row, Spool, SpoolError, State
from scrapy_mainblock.crawl.pages.responses import LARGEST_BODY, pack

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response

    from scrapy_mainblock.crawl.known_sites import KnownSites
    from scrapy_mainblock.crawl.pages.visits import Visit
    from scrapy_mainblock.crawl.settings import Options
    from scrapy_mainblock.crawl.stats import Stats


class Holding:
    """The spool of one crawl, and the operations on it."""

    def __init__(self, stats: Stats, options: Options, sites: KnownSites) -> None:
        self._stats, self._options, self._sites = stats, options, sites
        self.spool: Spool | None = None
        self.has_lost = False
        """Whether a feed failed to write an item."""

    @property
    def is_open(self) -> bool:
        """Whether pages can be held."""
        return self.spool is not None

    @property
    def is_durable(self) -> bool:
        """Whether the spool outlives the process."""
        return self.spool is not None and self.spool.is_durable

    # ---- into the spool ------------------------------------------------------------------------

    def keep_page(self, visit: Visit, response: Response, spider: Spider | None) -> bool:
        """Keep a page on disk; return whether it is there."""
        if visit.row is not None:
            return True
        if self.spool is None or len(response.body) > LARGEST_BODY:
            return False
        try:
            document, body = pack(response, spider)
            visit.row = self.spool.add_page(visit.site, document, body)
        except Exception as error:
            self._cannot_be_kept(error)
            return False
        if visit.from_spool:  # after another kill, its items come from the old row
            self._end(visit)
        return True

    def keep_item(self, visit: Visit, item: Any, *, passes: bool = False) -> bool:
        """Keep an item of a page that is on disk; return whether the item is there.

        An item that `passes` does not wait, even if its page does.
        """
        if self.spool is None or visit.row is None:
            return False
        try:
            data = items.dumps(item)
        except items.NotPlainError as error:
            message = "an item cannot be kept on disk and is filled without waiting: %s"
            self._stats.trouble("not_plain", message, error)
            return False
        except Exception as error:  # raised by the item class
            self._stats.trouble("not_plain", "an item cannot be read: %s", error)
            return False
        try:
            self.spool.add_item(visit.row, data, passes=passes)
        except SpoolError as error:
            self._cannot_be_kept(error)
            return False
        visit.saved_items += 1
        return True

    def _cannot_be_kept(self, error: Exception) -> None:
        message = "a page cannot be kept on disk, so its items do not wait: %s"
        self._stats.trouble("spool", message, error)

    # ---- the end of a page's callback ----------------------------------------------------------

    def seal(self, visit: Visit, *, is_closing: bool) -> bool:
        """Note that the page's callback has ended; return whether this releases pages."""
        visit.sealed = True
        if visit.replaces is not None:
            self._remove([visit.replaces])
        if visit.row is None or self.spool is None:
            return False
        if visit.held_items:
            return self._hold(visit, is_closing=is_closing)
        if not (visit.released or visit.saved_items or visit.unsaved_items):
            self._remove([visit.row])
            return False
        # A page with unsaved items is not marked as ended: after a kill its callback runs again.
        if not visit.released and not visit.unsaved_items:
            self._end(visit)
        self.done_if_through(visit)
        return False

    def _end(self, visit: Visit) -> None:
        try:
            if self.spool is not None and visit.row is not None and self.spool.is_durable:
                self.spool.end(visit.row)
        except SpoolError as error:
            self._cannot_be_kept(error)

    def _hold(self, visit: Visit, *, is_closing: bool) -> bool:
        assert visit.row is not None
        assert self.spool is not None
        try:
            self.spool.hold(visit.row, visit.site, visit.cluster, time.monotonic())
        except SpoolError as error:
            self._cannot_be_read(error)
            return False
        if not visit.unsaved_items:
            self._end(visit)
        site = self._sites.get(visit.site)
        site.held += 1
        if is_closing or site.held > self._options.hold_pages:
            return self.release(visit.site) > 0
        if site.learner.rule_named(visit.cluster) != visit.rule_then:
            # The rule was learned while the callback was still running.
            return self.release(visit.site, visit.cluster) > 0
        return False

    # ---- out of the spool ----------------------------------------------------------------------

    def release(self, site: str | None = None, cluster: str | None = None) -> int:
        """Release the held pages of a cluster, of a site, or all; return their number."""
        if self.spool is None:
            return 0
        if cluster is None:
            self._sites.settle(site)
        try:
            number = self.spool.make_ready(site, cluster)
        except SpoolError as error:
            self._cannot_be_read(error)
            return 0
        self._sites.released(site, number if cluster is not None else None)
        return number

    def release_due(self, within: float = 0.0) -> int:
        """Release the pages that may wait no longer than `within` seconds; return their number."""
        if self.spool is None:
            return 0
        try:
            due = self.spool.make_ready_since(
                time.monotonic() + within - self._options.hold_seconds
            )
        except SpoolError as error:
            self._cannot_be_read(error)
            return 0
        for site, number in due.items():
            self._sites.settle(site)
            self._sites.released(site, number)
        return sum(due.values())

    def claim(self) -> Row | None:
        """Return the next page to release, or None."""
        while self.spool is not None:
            try:
                return self.spool.claim()
            except SpoolError as error:
                self._cannot_be_read(error)
            if not self.count("ready", "left", "again"):
                break
        return None

    def count(self, *states: State) -> int:
        """Return the number of pages in the spool that are in these states."""
        try:
            return self.spool.count(*states) if self.spool else 0
        except SpoolError:
            return 0

    def _cannot_be_read(self, error: Exception) -> None:
        self._stats.trouble("spool_read", "held items cannot be read back: %s", error)

    # ---- pages that are safe -------------------------------------------------------------------

    def done_if_through(self, visit: Visit) -> None:
        """Mark a page as done if all its items have left the pipelines.

        The next flush makes it safe.
        """
        visit = visit.successor or visit
        waits = visit.held_items and not visit.released
        is_under_way = not visit.sealed or visit.pending.items > 0 or waits
        if visit.row is None or is_under_way or visit.lost:
            return
        try:
            if self.spool is not None and self.spool.is_durable:
                self.spool.done(visit.row)
            else:
                self._remove([visit.row])
        except SpoolError as error:
            self._cannot_be_kept(error)

    def settle(self, flush: Callable[[], bool]) -> None:
        """Delete the pages that are done, once `flush` has written their items to disk."""
        try:
            if self.spool is not None and self.spool.mark_done() and flush():
                self.spool.remove_marked()
        except SpoolError as error:
            self._stats.trouble("spool", "the spool cannot be written: %s", error)

    def _remove(self, rows: list[int]) -> None:
        try:
            if self.spool is not None:
                self.spool.remove(rows)
        except SpoolError as error:
            self._stats.trouble("spool", "the spool cannot be written: %s", error)

    def close(self, *, is_clean: bool) -> None:
        """Close the spool; a clean end without losses leaves nothing for the next run."""
        if self.spool is None:
            return
        left = self.count("held", "ready", "left", "again", "stuck")
        if left:  # the scraper was not extended, or the spool cannot be read
            self._stats.trouble("left", "the items of %s pages are still in the spool", left)
        self.spool.close(is_clean=is_clean and not left and not self.has_lost)
        self.spool = None
