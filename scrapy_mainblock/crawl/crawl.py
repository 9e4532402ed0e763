"""START HERE for the Scrapy side: the state of one crawl, which its three components share.

    downloader middleware: tags the response                                   (middleware)
    spider callback -> item -> collector: is there a rule for the page?        (Crawl.study)
        yes: the item goes on to the pipelines
        no: the item is held on disk until there is a rule                     (holding, replay)
    pipeline: fills the item by the page's rule, or from the page alone        (visits, pipeline)

Each crawler has its own `Crawl`, stored as an attribute of the crawler, so that several spiders in
one process share no state.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.utils.asyncio import create_looping_call

from scrapy_mainblock import __version__, compiled
from scrapy_mainblock.crawl.durable.feeds import Feeds
from scrapy_mainblock.crawl.durable.request_queues import mend_queues
from scrapy_mainblock.crawl.durable.spool import Row, Spool, SpoolError, has_ended_badly
from scrapy_mainblock.crawl.fleet.rules_address import rules_address
from scrapy_mainblock.crawl.gc_freeze import freeze_once
from scrapy_mainblock.crawl.known_sites import KnownSites
from scrapy_mainblock.crawl.look.report import CrawlReport
from scrapy_mainblock.crawl.pages import sources
from scrapy_mainblock.crawl.pages.holding import Holding
from scrapy_mainblock.crawl.pages.replay import Replayer
from scrapy_mainblock.crawl.pages.responses import is_html, is_long, opted_out
from scrapy_mainblock.crawl.pages.sources import Source
from scrapy_mainblock.crawl.pages.visits import Visit, look_at_response
from scrapy_mainblock.crawl.scrapy_compat import (
    ItemCounts,
    ProgressLine,
    UnknownScrapyError,
    extend_scraper,
    has_known_queues,
    remember_page_of,
    run_in_thread,
)
from scrapy_mainblock.crawl.settings import (
    Options,
    WrongSettingError,
    read_options,
    unknown_settings,
)
from scrapy_mainblock.crawl.stats import Stats, is_written, logger, rule_in_words
from scrapy_mainblock.page import swallowed
from scrapy_mainblock.page.sites import load_suffixes, registered_domain
from scrapy_mainblock.page.status import status_in_words
from scrapy_mainblock.recipe.site_learner import Look
from scrapy_mainblock.stores.rules import store_at

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_ATTRIBUTE = "_scrapy_mainblock"
HEARTBEAT = 1.0
"""Seconds between checks for pages to release, rules to save and items that are safe on disk."""


class Crawl:
    """The state of one crawl."""

    @classmethod
    def of(cls, crawler: Crawler) -> Crawl:
        """Return the crawler's `Crawl`, which is created on the first call.

        Raises WrongSettingError if a setting has an invalid value.
        """
        crawl: Crawl | None = getattr(crawler, _ATTRIBUTE, None)
        if crawl is None:
            try:
                options = read_options(crawler.settings)
            except WrongSettingError:
                # Scrapy 2.14 takes a crawler without a spider for one that failed to start, and
                # `scrapy crawl` exits with status 1. Later versions detect the error itself.
                crawler.spider = None
                raise
            crawl = cls(crawler, options)
            setattr(crawler, _ATTRIBUTE, crawl)
        return crawl

    @classmethod
    def of_component(cls, crawler: Crawler) -> Crawl:
        """Return the crawler's `Crawl`; raises NotConfigured if MAINBLOCK_ENABLED is False."""
        crawl = cls.of(crawler)
        if not crawl.options.enabled:
            raise NotConfigured
        return crawl

    def __init__(self, crawler: Crawler, options: Options) -> None:
        self.crawler = crawler
        self.options = options
        self.stats = Stats(crawler, options.sites)
        self.replayer = Replayer(self)
        self.is_collecting = False
        self.is_closing = False
        jobdir: str | None = crawler.settings.get("JOBDIR")
        self._jobdir = Path(jobdir) if jobdir else None
        address = rules_address(options.rules, options.rules_dir, crawler.settings)
        store = store_at(address) if address else None
        self.sites = KnownSites(options.sites, store, self.stats, self.release)
        self.holding = Holding(self.stats, options, self.sites)
        self._report = CrawlReport(self, Path(options.report)) if options.report else None
        self._feeds: Feeds | None = None
        self._counts: ItemCounts | None = None
        self._visits: WeakKeyDictionary[Response, Visit] = WeakKeyDictionary()
        self._waiting: WeakValueDictionary[int, Visit] = WeakValueDictionary()
        """The visits of waiting pages by spool row, as long as anything else refers to them."""
        self._progress: ProgressLine | None = None
        self._heartbeat: Any = None
        self._is_extended = True
        """Whether the scraper was extended, so that the pipelines know the page of each item."""

    # ---- start and end of the crawl ------------------------------------------------------------

    def collect(self) -> None:
        """Connect the signal handlers. Called by the collector; items may be held from then on."""
        self.is_collecting = True
        self._mend_queues()
        connect = self.crawler.signals.connect
        connect(self._open, signals.spider_opened)
        connect(self._idle, signals.spider_idle)
        connect(self._spider_closed, signals.spider_closed)
        connect(self._item_scraped, signals.item_scraped)
        if self._report is not None:
            self._report.listen()
        connect(self._feed_closed, signals.feed_slot_closed)
        connect(self._feeds_closed, signals.feed_exporter_closed)

    def _mend_queues(self) -> None:
        # Scrapy opens its queues after it has created its components and before the spider opens.
        if self._jobdir is None or not has_ended_badly(self._jobdir / "mainblock"):
            return
        if not has_known_queues(self.crawler.settings):
            logger.info("mainblock: the last run was killed; its request queues are of an unknown"
                        " type and were left unchanged")  # fmt: skip
            return
        try:
            mended = mend_queues(self._jobdir)
        except OSError as error:
            self.stats.trouble("jobdir", "Scrapy's request queues cannot be checked: %s", error)
            return
        for one in mended:
            if one.is_left:
                message = "%s is not a queue of Scrapy's default type and was left unchanged"
                self.stats.trouble("jobdir", message, one.file)
                continue
            kept = f", kept as {one.aside}" if one.aside else ""
            logger.info("mainblock: the last run was killed; repaired %s (%d bytes cut off%s)",
                        one.file, one.bytes_cut, kept)  # fmt: skip

    def _open(self) -> None:
        logger.info("mainblock %s, %s", __version__, compiled.describe())
        for name in unknown_settings(self.crawler.settings):
            logger.warning("mainblock: unknown setting %s", name)
        swallowed.listen(self.stats.swallowed)
        self._feeds = self._known_feeds()
        self._counts = ItemCounts(self.crawler)
        self._progress = ProgressLine(self.crawler, lambda: self.holding.count("held", "ready"))
        try:
            self.holding.spool = Spool(self._jobdir / "mainblock" if self._jobdir else None)
        except SpoolError as error:
            self.stats.trouble("spool", "items cannot be held: %s", error)
        else:
            self._resume(self.holding.spool)
        try:
            extend_scraper(self.crawler, self)
        except UnknownScrapyError as error:  # a later Scrapy: held items could not go on
            self._is_extended = False
            message = (
                "this Scrapy version is not supported: items are not held, and a kill may lose"
                " items: %s"
            )
            self.stats.trouble("scraper", message, error, level=logging.ERROR)
            self.holding.close(is_clean=False)
        load_suffixes()  # not while the first page waits, and before gc.freeze()
        if self.options.freeze:
            freeze_once()
        self._heartbeat = create_looping_call(self._beat)
        self._heartbeat.start(HEARTBEAT, now=False)

    def _known_feeds(self) -> Feeds | None:
        feeds = Feeds(self.crawler)
        try:
            feeds.flush()
        except UnknownScrapyError as error:
            message = (
                "this Scrapy version is not supported: a kill or a full disk may lose items: %s"
            )
            self.stats.trouble("scraper", message, error, level=logging.ERROR)
            return None
        return feeds

    def _resume(self, spool: Spool) -> None:
        if spool.put_aside:
            what = "of a later version" if spool.is_newer else "damaged"
            message = (
                "the spool of an earlier run is %s; put aside as %s; %s of its pages were recovered"
            )
            self.stats.trouble("spool", message, what, spool.put_aside.name, spool.saved_pages)
        if not spool.was_killed or self._feeds is None:
            return
        try:
            for path in self._feeds.mend():
                logger.info(
                    "mainblock: the last run ended abnormally; removed an incomplete last line from"
                    " %s",
                    path,
                )
        except OSError as error:
            self.stats.trouble("feeds", "a feed's file cannot be checked: %s", error)
        if left := self.holding.count("left", "again"):
            self.stats.count("resumed", left)
            logger.info("mainblock: processing %d pages of the last run again: their items may not"
                        " have been saved", left)  # fmt: skip

    def _idle(self) -> None:
        # Release everything now: the next idle signal may be 5 seconds away.
        if self.replayer.release_all():
            raise DontCloseSpider

    async def drain(self) -> None:
        """Send everything that waits through the pipelines before Scrapy closes them."""
        self.is_closing = True
        if waiting := self.holding.count("held", "ready", "left", "again"):
            logger.info("mainblock: filling the items of %d waiting pages", waiting)
        await self.replayer.drain()

    def _item_scraped(self, item: Any, response: Response | None) -> None:
        # This handler is connected after those of the feeds, which have handled the item by now.
        visit = self.known_visit(response)
        if self._counts is not None:
            self._counts.scraped(item, was_held=visit is not None and visit.released)
        if self._feeds is None or self._feeds.took(item):
            return
        fate = "stays in the JOBDIR for the next run" if self.holding.is_durable else (
            "is lost (set JOBDIR to keep such items)"
        )  # fmt: skip
        self.stats.trouble("feeds", "a feed could not write an item; the item %s", fate)
        self.holding.has_lost = True
        if visit is not None:
            visit.lost = True

    def _feed_closed(self, slot: Any) -> None:
        if self._feeds is not None:
            self._feeds.closed(slot)

    def _feeds_closed(self) -> None:
        self.holding.close(is_clean=self._feeds is None or self._feeds.are_whole())

    async def _spider_closed(self) -> None:
        if self._heartbeat is not None and self._heartbeat.running:
            self._heartbeat.stop()
        swallowed.forget(self.stats.swallowed)
        if self._progress is not None:
            self._progress.close()
        if self._report is not None:
            await self._report.write()
        await self.sites.close()
        self.stats.table()
        if self._feeds is None or not self._feeds.exist:
            self.holding.close(is_clean=True)

    def _beat(self) -> None:
        for name in self.sites.quiet(self.options.quiet):
            self.release(name)
        if self.holding.release_due(within=HEARTBEAT):
            self.replayer.pump()
        self.replayer.pump()
        if self._feeds is not None:
            self.holding.settle(self._feeds.flush)
        self.stats.now(self.holding.count("held", "ready"))
        self.sites.save_in_thread()
        self.sites.refresh_in_thread()
        self.sites.exchange_in_thread()

    # ---- pages ---------------------------------------------------------------------------------

    def visit(self, response: Response) -> Visit | None:
        """Return the visit of a response that reaches the spider; None if it has opted out."""
        if opted_out(response):
            self.stats.count("opted_out")
            return None
        visit = self._visits.get(response)
        if visit is None:
            visit = self._visits[response] = Visit(self, self.name_of_site(response))
        return visit

    def known_visit(self, response: object) -> Visit | None:
        """Return the visit of an item's response; None if it is unknown, a Failure or None."""
        return self._visits.get(response) if isinstance(response, Response) else None

    def add_visit(self, response: Response, row: Row) -> Visit:
        """Create and return the visit of a page that was read from the spool."""
        visit = Visit(self, row.site)
        if row.state != "ready":  # of an earlier run: it is learned from, and may wait, again
            visit.replaces = row.id
        else:
            visit.released, visit.row, visit.saved_items = True, row.id, len(row.items)
            earlier = self._waiting.pop(row.id, None)
            if earlier is not None:
                visit.pending, earlier.successor = earlier.pending, visit
        self._visits[response] = visit
        return visit

    def name_of_site(self, response: Response) -> str:
        """Return the name of a response's site, as MAINBLOCK_SITE defines it."""
        try:
            return str(self.options.site(response))
        except Exception as error:
            message = "MAINBLOCK_SITE raised %s; the registered domain is used"
            self.stats.trouble("site", message, f"{type(error).__name__}: {error}")
            return registered_domain(response.url)

    def arrived(self, response: Response) -> None:
        """Keep a page that is about to reach the spider, if there is a JOBDIR."""
        if not self.holding.is_durable or opted_out(response):
            return
        visit = self.visit(response)
        if visit is not None and not visit.released:
            self.holding.keep_page(visit, response, self.crawler.spider)

    def room_in(self, item: Any) -> frozenset[str]:
        """Return the names of the results that an item has room for (see `Options.room_in`)."""
        try:
            return self.options.room_in(item)
        except Exception as error:  # raised by the item class or the callable in MAINBLOCK_ITEMS
            message = "cannot determine whether a %s is to be filled: %s"
            self.stats.trouble("items", message, type(item).__qualname__, error)
            return frozenset()

    async def holds(
        self, item: Any, visit: Visit, response: Response, room: frozenset[str]
    ) -> bool:
        """Study an item's page; return whether the item waits, in which case it is in the spool."""
        may_wait = bool(room - {"url"})
        is_kept = self.holding.keep_item(visit, item, passes=not may_wait)
        if may_wait or self.holding.is_durable:
            visit.unsaved_items += not is_kept
        if not room:
            return False
        await self.study(visit, response, room)
        if not visit.holds or not may_wait:
            return False
        if not is_kept:
            if not self.holding.keep_page(visit, response, self.crawler.spider):
                return False
            if not self.holding.keep_item(visit, item):
                return False
            visit.unsaved_items -= 1
        visit.held_items += 1
        self.stats.count("held")
        if self._counts is not None:
            self._counts.held(item)
        return True

    async def study(
        self,
        visit: Visit,
        response: Response,
        wanted: frozenset[str] = frozenset(),
        *,
        has_items: bool = True,
    ) -> None:
        """Look at the page and learn from it, once; this decides whether its items wait.

        `wanted` are the fields that the page's first item takes. `has_items` is False if the
        callback has yielded no item to fill.
        """
        if visit.studied:
            return
        visit.studied = True
        if not is_html(response):
            self._say(visit, response, "it is not HTML")
            return
        self.stats.count_of_site(visit.site, "pages")
        if wrong := status_in_words(response.status):
            self._say(visit, response, wrong)
            return
        try:
            site = await self.sites.open(visit.site, response.url)
            visit.site = site.learner.site
            rules = site.learner.rules
            if is_long(response):
                look = await run_in_thread(look_at_response, visit, response, rules, wanted)
            else:
                look = look_at_response(visit, response, rules, wanted)
        except Exception as error:  # caused by the page, such as an undecodable charset
            self.stats.trouble("learn", "could not learn from a page: %s", error)
            return
        if not has_items:
            visit.reading = None
            if look.evidence.is_index:
                self._say(visit, response, "a list of links, without an item")
                return
        self._learn(visit, look, response)

    def _learn(self, visit: Visit, look: Look, response: Response) -> None:
        site = self.sites.get(visit.site)
        lesson = self.sites.learn(site, look)
        visit.cluster = lesson.cluster or ""
        visit.rule_then = site.learner.rule_named(visit.cluster)
        wants_to_wait = not lesson.answerable and visit.cluster not in site.earlier
        can_wait = self.options.hold and self.holding.is_open and not self.is_closing
        visit.holds = wants_to_wait and can_wait
        if visit.holds:
            visit.reading = None  # the page is judged when it comes back from the spool
        self._say(visit, response, lesson.why)
        if lesson.missed:
            self.stats.count("rules/missed")
        if lesson.news:
            self.stats.news(visit.site, lesson.news)
        if lesson.settled and lesson.cluster is not None:
            self.release(visit.site, lesson.cluster)

    def _say(self, visit: Visit, response: Response, why: str) -> None:
        if is_written(logging.DEBUG):
            rule = rule_in_words(visit.rule_then) if visit.rule_then else "none"
            logger.debug("mainblock: %s: cluster %s, rule %s, %s: %s", response.url,
                         visit.cluster or "none", rule, "held" if visit.holds else "passed on", why,
                         extra={"spider": self.crawler.spider})  # fmt: skip

    def keep_source(
        self, visit: Visit, response: Response, request: Request, *, has_items: bool
    ) -> None:
        """Keep a page that requests another page, whose items may be about this page."""
        if visit.is_source or (has_items and not sources.hands_on(request, response)):
            return
        if self.holding.spool is not None and is_html(response):
            visit.is_source = True
            sources.keep(self.holding.spool, response, visit.site, self.stats)

    def passes(self, item: Any, visit: Visit, response: Response) -> None:
        """Count an item that goes on, through the other spider middlewares to the pipelines."""
        visit.pending.items += 1
        if not self._is_extended:
            remember_page_of(item, visit, response)

    def source_of(self, url: str, response: Response) -> Source | None:
        """Return the other page of this crawl that an item's URL names, if there is one."""
        if self.holding.spool is None or url == response.url:  # true of nearly all items
            return None
        if sources.without_fragment(url) in sources.urls_of(response):
            return None
        return sources.find(self.holding.spool, url, self.stats)

    def release(self, site: str | None = None, cluster: str | None = None) -> int:
        """Release the held pages of a cluster, of a site, or all; return their number."""
        number = self.holding.release(site, cluster)
        if number:
            self.replayer.pump()
        return number

    def seal(self, visit: Visit) -> None:
        """Note that the page's callback has ended and will yield no more items."""
        if visit.held_items and visit.row is not None:
            self._waiting[visit.row] = visit
        if self.holding.seal(visit, is_closing=self.is_closing):
            self.replayer.pump()


def forget_copied_tag(request: Request, response: Response) -> None:
    """Delete the page's tag from the meta of a new request, if the spider copied the meta."""
    if request is not response.request and isinstance(request.meta.get("mainblock"), dict):
        del request.meta["mainblock"]
