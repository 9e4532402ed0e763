"""START HERE for the Scrapy side: the state of one crawl, which its three components share.

    downloader middleware -> tags the response                                 (middleware)
    spider callback -> item -> collector: is there a rule for the page?        (collector, learning)
        yes -> on to the pipelines     no -> into the spool, until there is    (spool, release)
    pipeline: the page's rule, or the page alone, fills the item               (visits, pipeline)

There is one `Crawl` for each crawler, kept at the crawler: several spiders in one process share
nothing.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call

from scrapy_mainblock import __version__, compiled
from scrapy_mainblock.crawl.durable import items
from scrapy_mainblock.crawl.durable.feeds import Feeds
from scrapy_mainblock.crawl.durable.request_queues import mend_queues
from scrapy_mainblock.crawl.durable.spool import Row, Spool, SpoolError, has_ended_badly
from scrapy_mainblock.crawl.gc_freeze import freeze_once
from scrapy_mainblock.crawl.known_sites import KnownSites, rules_directory
from scrapy_mainblock.crawl.replay import Replayer
from scrapy_mainblock.crawl.responses import LARGEST_BODY, is_html, is_long, opted_out, pack
from scrapy_mainblock.crawl.scrapy_compat import CURRENT, extend_scraper, run_in_thread
from scrapy_mainblock.crawl.settings import (
    Options,
    WrongSettingError,
    read_options,
    unknown_settings,
)
from scrapy_mainblock.crawl.stats import Stats, logger
from scrapy_mainblock.crawl.visits import Visit, look_at_response
from scrapy_mainblock.page.sites import registered_domain
from scrapy_mainblock.recipe.site_learner import Look
from scrapy_mainblock.template.rules import SiteRules

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_ATTRIBUTE = "_scrapy_mainblock"
HEARTBEAT = 1.0
"""Seconds between looks at what is quiet, what is to be saved and which items are safe."""


class Crawl:
    """The state of one crawl."""

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """The crawl of a crawler; WrongSettingError when a setting is wrong."""
        crawl: Crawl | None = getattr(crawler, _ATTRIBUTE, None)
        if crawl is None:
            try:
                options = read_options(crawler.settings)
            except WrongSettingError:
                # By a crawler without a spider Scrapy 2.14 knows that it did not start, and
                # `scrapy crawl` ends with the status 1; later ones see the error itself.
                crawler.spider = None
                raise
            crawl = cls(crawler, options)
            setattr(crawler, _ATTRIBUTE, crawl)
        return crawl

    @classmethod
    def of_component(cls, crawler: Crawler) -> Crawl:
        """The same for a component, which MAINBLOCK_ENABLED may have switched off."""
        crawl = cls.of(crawler)
        if not crawl.options.enabled:
            raise NotConfigured
        return crawl

    def __init__(self, crawler: Crawler, options: Options) -> None:
        self.crawler = crawler
        self.options = options
        self.stats = Stats(crawler, options.sites)
        self.replayer = Replayer(self)
        self.spool: Spool | None = None
        self.is_collecting = False
        self.is_closing = False
        self._has_lost = False
        """Whether a feed has failed to write an item."""
        self._feeds: Feeds | None = None
        self._jobdir: str | None = crawler.settings.get("JOBDIR")
        directory = rules_directory(options.rules_dir, self._jobdir)
        self._sites = KnownSites(options.sites, directory, self.stats, self.make_ready)
        self._visits: WeakKeyDictionary[Response, Visit] = WeakKeyDictionary()
        self._done: list[Visit] = []
        self._older: list[Visit] = []
        self._heartbeat: Any = None

    # ---- the crawl begins and ends -------------------------------------------------------------

    def collect(self) -> None:
        """Called by the collector: from the spider's opening on, items may be held."""
        self.is_collecting = True
        self._mend_queues()
        connect = self.crawler.signals.connect
        connect(self._open, signals.spider_opened)
        connect(self._idle, signals.spider_idle)
        connect(self._spider_closed, signals.spider_closed)
        connect(self._item_scraped, signals.item_scraped)
        connect(self._feed_closed, signals.feed_slot_closed)
        connect(self._feeds_closed, signals.feed_exporter_closed)

    def _mend_queues(self) -> None:
        # Scrapy opens them after its components are made, and before the spider is opened.
        if self._jobdir and has_ended_badly(Path(self._jobdir) / "mainblock"):
            try:
                mended = mend_queues(self._jobdir)
            except OSError as error:
                self.stats.trouble("jobdir", "Scrapy's queues cannot be looked at: %s", error)
                return
            if mended:
                logger.info("mainblock: the last run was killed; mended %d request queues", mended)

    def _open(self) -> None:
        logger.info("mainblock %s, %s", __version__, compiled.describe())
        for name in unknown_settings(self.crawler.settings):
            logger.warning("mainblock: there is no setting %s", name)
        self._feeds = Feeds(self.crawler)
        try:
            self.spool = Spool(Path(self._jobdir) / "mainblock" if self._jobdir else None)
        except SpoolError as error:
            self.stats.trouble("spool", "no item can be held: %s", error)
        else:
            self._resume(self.spool)
        try:
            extend_scraper(self.crawler.engine.scraper, self)
        except AttributeError as error:  # a Scrapy of some later year: what is held could not go
            self.stats.trouble("scraper", "this Scrapy is not known, no item is held: %s", error)
            self._close(is_clean=False)
        if self.options.freeze:
            freeze_once()
        self._heartbeat = create_looping_call(self._beat)
        self._heartbeat.start(HEARTBEAT, now=False)

    def _resume(self, spool: Spool) -> None:
        if spool.put_aside:
            what = "of a later version" if spool.is_newer else "damaged"
            message = "the spool of an earlier run is %s; put aside as %s; %s pages of it go on"
            self.stats.trouble("spool", message, what, spool.put_aside.name, spool.saved_pages)
        if not spool.was_killed or self._feeds is None:
            return
        try:
            for path in self._feeds.mend():
                logger.info(
                    "mainblock: the last run did not end well; cut a broken last line off %s", path
                )
        except OSError as error:
            self.stats.trouble("feeds", "a feed's file cannot be looked at: %s", error)
        if left := self.count_spool("left", "again"):
            self.stats.count("resumed", left)
            logger.info("mainblock: %d pages of the last run are not known to be safe: again", left)

    def _idle(self) -> None:
        # The next idle signal may be 5 seconds away: nothing may be left for it.
        if self.replayer.release_all():
            raise DontCloseSpider

    async def drain(self) -> None:
        """At the close: let all that waits go through the pipelines before those close."""
        self.is_closing = True
        if waiting := self.count_spool("held", "ready", "left", "again"):
            logger.info("mainblock: answering the items of %d pages that waited", waiting)
        await self.replayer.drain()

    def _item_scraped(self, item: Any) -> None:
        # Connected after the feeds, which have been told of the item.
        if self._feeds is None or self._feeds.took(item):
            return
        keeps = self.spool is not None and self.spool.is_durable
        fate = "stays in the JOBDIR, for the next run" if keeps else "is lost (not so with JOBDIR)"
        self.stats.trouble("feeds", "a feed could not write an item, which %s", fate)
        self._has_lost = True
        current = CURRENT.get()
        if current is not None:
            current[0].lost = True

    def _feed_closed(self, slot: Any) -> None:
        if self._feeds is not None:
            self._feeds.closed(slot)

    def _feeds_closed(self) -> None:
        is_whole = self._feeds is None or self._feeds.are_whole()
        self._close(is_clean=is_whole and not self._has_lost)

    def _spider_closed(self) -> None:
        if self._heartbeat is not None and self._heartbeat.running:
            self._heartbeat.stop()
        self._sites.save()
        self.stats.table()
        if self._feeds is None or not self._feeds.are_there:
            self._close(is_clean=True)

    def _close(self, *, is_clean: bool) -> None:
        if self.spool is not None:
            lost = self.count_spool("held", "ready", "left", "again", "stuck")
            if lost:  # the scraper could not be extended, or the database not be read
                logger.error("mainblock: the items of %d pages are still in the spool", lost)
            self.spool.close(is_clean=is_clean and not lost)
            self.spool = None

    def _beat(self) -> None:
        for name in self._sites.quiet(self.options.quiet):
            self._let_go(name)
        self.replayer.pump()
        self._settle()
        self._sites.save_in_thread()

    def rules_of(self, site: str) -> SiteRules:
        """The rules of a site as they are now."""
        return self._sites.get(site).learner.rules

    # ---- pages ---------------------------------------------------------------------------------

    def visit(self, response: Response) -> Visit | None:
        """The visit of a response that reaches the spider; None of one that has opted out."""
        if opted_out(response):
            self.stats.count("opted_out")
            return None
        visit = self._visits.get(response)
        if visit is None:
            visit = self._visits[response] = Visit(self, self._name_of_site(response))
        return visit

    def known_visit(self, response: object) -> Visit | None:
        """The visit of what an item came from, which may be a response, a Failure or None."""
        return self._visits.get(response) if isinstance(response, Response) else None

    def add_visit(self, response: Response, row: Row) -> Visit:
        """The visit of a page that comes out of the spool."""
        visit = Visit(self, row.site)
        if row.state != "ready":  # of an earlier run: to be learnt from, and to wait, anew
            visit.replaces = row.id
        else:
            visit.released, visit.row, visit.saved_items = True, row.id, len(row.items)
        self._visits[response] = visit
        return visit

    def _name_of_site(self, response: Response) -> str:
        try:
            return str(self.options.site(response))
        except Exception as error:
            message = "MAINBLOCK_SITE raised %s; the registered domain is used"
            self.stats.trouble("site", message, f"{type(error).__name__}: {error}")
            return registered_domain(response.url)

    def arrived(self, response: Response) -> None:
        """A page is about to reach the spider: with JOBDIR it is kept from here on."""
        if self.spool is None or not self.spool.is_durable or opted_out(response):
            return
        visit = self.visit(response)
        if visit is not None and not visit.released:
            self._keep_page(visit, response)

    async def holds(self, item: Any, visit: Visit, response: Response) -> bool:
        """Whether an item waits; it is in the spool then."""
        is_kept = visit.row is not None and self._keep_item(visit, item)
        visit.unsaved_items += not is_kept
        await self.study(visit, response)
        if not visit.holds:
            return False
        if not is_kept:
            if visit.row is None and not self._keep_page(visit, response):
                return False
            if not self._keep_item(visit, item):
                return False
            visit.unsaved_items -= 1
        self.stats.count("held")
        return True

    async def study(self, visit: Visit, response: Response, *, has_items: bool = True) -> None:
        """Look at the page and learn from it, once; then it is known whether its items wait."""
        if visit.studied or not is_html(response):
            return
        visit.studied = True
        self.stats.count_of_site(visit.site, "pages")
        try:
            rules = self.rules_of(visit.site)
            if is_long(response):
                look = await run_in_thread(look_at_response, visit, response, rules)
            else:
                look = look_at_response(visit, response, rules)
        except Exception as error:  # the page's, such as a charset that nothing can decode
            self.stats.trouble("learn", "a page could not be looked at: %s", error)
            return
        if not has_items:
            visit.reading = None
            if look.evidence.is_index:
                return
        self._learn(visit, look)

    def _learn(self, visit: Visit, look: Look) -> None:
        site = self._sites.get(visit.site)
        site.last_seen = time.monotonic()
        lesson = site.learner.learn(look)
        self._sites.weigh(site)
        visit.cluster = lesson.cluster or ""
        visit.rule_then = site.learner.rule_named(visit.cluster)
        wants_to_wait = not lesson.answerable and self.options.hold
        visit.holds = wants_to_wait and self.spool is not None and not self.is_closing
        if visit.holds:
            visit.reading = None  # it will be judged when it comes back
        if lesson.missed:
            self.stats.count("rules/missed")
        if lesson.news:
            self.stats.news(visit.site, lesson.news)
        if lesson.settled and lesson.cluster is not None:
            self._let_go(visit.site, lesson.cluster)

    def _let_go(self, site: str, cluster: str | None = None) -> None:
        known = self._sites.in_memory(site)
        if known and known.held:
            released = self.make_ready(site, cluster)
            known.held = 0 if cluster is None else max(0, known.held - released)

    # ---- the spool -----------------------------------------------------------------------------

    def _keep_page(self, visit: Visit, response: Response) -> bool:
        if self.spool is None or len(response.body) > LARGEST_BODY:
            return False
        try:
            document, body = pack(response, self.crawler.spider)
            visit.row = self.spool.add_page(visit.site, document, body)
        except Exception as error:
            self._spool_trouble(error)
            return False
        if visit.is_given:  # after another kill there is no callback to call, and the old row
            self._end(visit)
        return True

    def _keep_item(self, visit: Visit, item: Any) -> bool:
        if self.spool is None or visit.row is None:
            return False
        try:
            data = items.dumps(item)
        except items.NotPlainError as error:
            message = "an item cannot be kept on disk and is answered at once: it holds %s"
            self.stats.trouble("not_plain", message, error)
            return False
        except Exception as error:  # an item class's own
            self.stats.trouble("not_plain", "an item cannot be read: %s", error)
            return False
        try:
            self.spool.add_item(visit.row, data)
        except SpoolError as error:
            self._spool_trouble(error)
            return False
        visit.saved_items += 1
        return True

    def _spool_trouble(self, error: Exception) -> None:
        message = "a page cannot be kept on disk and is answered at once: %s"
        self.stats.trouble("spool", message, error)

    def make_ready(self, site: str | None = None, cluster: str | None = None) -> int:
        """Let pages go that are held."""
        if cluster is None:
            self._sites.settle(site)
        if self.spool is None:
            return 0
        try:
            number = self.spool.make_ready(site, cluster)
        except SpoolError as error:
            self.stats.trouble("spool_read", "held items cannot be read back: %s", error)
            return 0
        if number:
            self.replayer.pump()
        return number

    def claim(self) -> Row | None:
        """The next page to go."""
        while self.spool is not None:
            try:
                return self.spool.claim()
            except SpoolError as error:
                self.stats.trouble("spool_read", "held items cannot be read back: %s", error)
            if not self.count_spool("ready", "left", "again"):
                break
        return None

    def count_spool(self, *states: Any) -> int:
        """How many pages are in the spool in these states."""
        try:
            return self.spool.count(*states) if self.spool else 0
        except SpoolError:
            return 0

    def seal(self, visit: Visit) -> None:
        """The page's callback has ended: no more items of it will come."""
        visit.sealed = True
        if visit.replaces is not None:
            self._remove([visit.replaces])
        if visit.row is None or self.spool is None:
            return
        if visit.holds and visit.saved_items:
            self._hold(visit)
        elif not (visit.released or visit.saved_items or visit.unsaved_items):
            self._remove([visit.row])
        else:
            # A page with items that could not be kept stays open: its callback would be called
            # again.
            if not visit.released and not visit.unsaved_items:
                self._end(visit)
            self.settle_if_done(visit)

    def _end(self, visit: Visit) -> None:
        try:
            if self.spool is not None and visit.row is not None and self.spool.is_durable:
                self.spool.end(visit.row)
        except SpoolError as error:
            self._spool_trouble(error)

    def _hold(self, visit: Visit) -> None:
        assert visit.row is not None
        assert self.spool is not None
        try:
            self.spool.hold(visit.row, visit.site, visit.cluster)
        except SpoolError as error:
            self.stats.trouble("spool_read", "held items cannot be read back: %s", error)
            return
        if not visit.unsaved_items:
            self._end(visit)
        site = self._sites.get(visit.site)
        site.held += 1
        if self.is_closing or site.held > self.options.hold_pages:
            self._let_go(visit.site)
        elif site.learner.rule_named(visit.cluster) != visit.rule_then:
            # The rule has come while the callback was still at it.
            self._let_go(visit.site, visit.cluster)

    def settle_if_done(self, visit: Visit) -> None:
        """Once its items have been through the pipelines, they are safe with the next flush."""
        waits = visit.holds and visit.saved_items
        if visit.row is None or not visit.sealed or visit.pending or waits:
            return
        if self.spool is not None and self.spool.is_durable:
            self._done.append(visit)
        else:
            self._remove([visit.row])

    def _settle(self) -> None:
        """Forget what is safe: through the pipelines for a heartbeat at least, and flushed.

        An item between the collector and the pipelines is not counted as pending for a moment; the
        heartbeat is far longer than that.
        """
        if self._feeds is None or not (self._older or self._done) or not self._feeds.flush():
            return
        safe = (v for v in self._older if not v.pending and not v.lost)
        self._remove([v.row for v in safe if v.row is not None])
        self._older, self._done = [v for v in self._older if v.pending] + self._done, []

    def _remove(self, rows: list[int]) -> None:
        try:
            if self.spool is not None:
                self.spool.remove(rows)
        except SpoolError as error:
            self.stats.trouble("spool", "the spool cannot be written: %s", error)


def forget_copied_tag(request: Request, response: Response) -> None:
    """A tag in the meta of a new request is the page's where its user copied the meta."""
    if request is not response.request and isinstance(request.meta.get("mainblock"), dict):
        del request.meta["mainblock"]
