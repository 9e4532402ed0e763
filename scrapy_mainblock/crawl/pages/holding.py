"""Pages and items that wait, or that a kill must not lose: what is written to the spool, and when.

With JOBDIR a page is in the spool from when it reaches the spider until all its items have left the
last pipeline and the feeds have been flushed. Without, only what waits for a rule is there.

An item is pending from when the collector yields it until it has left the last pipeline: another
spider middleware may keep it back for a while, and a kill then must not find it forgotten.
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
    """The spool of one crawl, and what is done with it."""

    def __init__(self, stats: Stats, options: Options, sites: KnownSites) -> None:
        self._stats, self._options, self._sites = stats, options, sites
        self.spool: Spool | None = None
        self.has_lost = False
        """Whether a feed has failed to write an item."""

    @property
    def is_open(self) -> bool:
        """Whether anything can be held."""
        return self.spool is not None

    @property
    def is_durable(self) -> bool:
        """Whether what is kept outlives the process."""
        return self.spool is not None and self.spool.is_durable

    # ---- into the spool ------------------------------------------------------------------------

    def keep_page(self, visit: Visit, response: Response, spider: Spider | None) -> bool:
        """Keep a page on disk; whether it is there."""
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
        if visit.is_given:  # after another kill there is no callback to call, and the old row
            self._end(visit)
        return True

    def keep_item(self, visit: Visit, item: Any, *, passes: bool = False) -> bool:
        """Keep an item of a page that is on disk; whether it is there.

        One that `passes` does not wait, whether its page does or not.
        """
        if self.spool is None or visit.row is None:
            return False
        try:
            data = items.dumps(item)
        except items.NotPlainError as error:
            message = "an item cannot be kept on disk and is answered at once: it holds %s"
            self._stats.trouble("not_plain", message, error)
            return False
        except Exception as error:  # an item class's own
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
        message = "a page cannot be kept on disk and is answered at once: %s"
        self._stats.trouble("spool", message, error)

    # ---- a page's callback has ended -----------------------------------------------------------

    def seal(self, visit: Visit, *, is_closing: bool) -> bool:
        """The page's callback has ended; whether pages may go now."""
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
        # A page with items that could not be kept stays open: its callback would be called again.
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
            # The rule has come while the callback was still at work.
            return self.release(visit.site, visit.cluster) > 0
        return False

    # ---- out of the spool ----------------------------------------------------------------------

    def release(self, site: str | None = None, cluster: str | None = None) -> int:
        """Let held pages go: of a cluster, of a site, or all."""
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

    def release_due(self) -> int:
        """Let pages go that have waited for as long as they may."""
        if self.spool is None:
            return 0
        try:
            due = self.spool.make_ready_since(time.monotonic() - self._options.hold_seconds)
        except SpoolError as error:
            self._cannot_be_read(error)
            return 0
        for site, number in due.items():
            self._sites.settle(site)
            self._sites.released(site, number)
        return sum(due.values())

    def claim(self) -> Row | None:
        """The next page to go."""
        while self.spool is not None:
            try:
                return self.spool.claim()
            except SpoolError as error:
                self._cannot_be_read(error)
            if not self.count("ready", "left", "again"):
                break
        return None

    def count(self, *states: State) -> int:
        """How many pages are in the spool in these states."""
        try:
            return self.spool.count(*states) if self.spool else 0
        except SpoolError:
            return 0

    def _cannot_be_read(self, error: Exception) -> None:
        self._stats.trouble("spool_read", "held items cannot be read back: %s", error)

    # ---- what is safe --------------------------------------------------------------------------

    def done_if_through(self, visit: Visit) -> None:
        """Once its items have left the pipelines, a page is safe with the next flush."""
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
        """Forget the pages that are done, once `flush` has written their items to disk."""
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
        """Close the spool; a clean end, with nothing lost, leaves nothing for the next run."""
        if self.spool is None:
            return
        left = self.count("held", "ready", "left", "again", "stuck")
        if left:  # the scraper could not be extended, or the database not be read
            self._stats.trouble("left", "the items of %s pages are still in the spool", left)
        self.spool.close(is_clean=is_clean and not left and not self.has_lost)
        self.spool = None
