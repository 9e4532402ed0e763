"""All uses of undocumented parts of Scrapy, as they were seen in versions 2.14 to 2.19.

* `scraper.start_itemproc_async` is the only place that sees an item together with its response on
  its way to the pipelines, whatever the spider middlewares have done to the item.
* `scraper.close_spider_async` is called when all requests are done and before the pipelines close.
  All pipelines close at the same time: of 300 items sent from a pipeline's own `close_spider`, 300
  failed. The signal `spider_idle` is not sent on Ctrl-C, so it is not sufficient.
* `scraper.enqueue_scrape` takes a response and a request whose callback yields the items.

The first two are coroutine methods, which are wrapped on the crawl's scraper object. A subclass of
ITEM_PROCESSOR could do the second but not the first (it never sees the response). It would also
have to be configured by hand, and could not be combined with a project's own ITEM_PROCESSOR.
"""

from __future__ import annotations

import inspect
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from queuelib.queue import LifoDiskQueue
from scrapy import signals
from scrapy.extensions.closespider import CloseSpider
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage, StdoutFeedStorage
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response, TextResponse
    from scrapy.settings import BaseSettings
    from twisted.internet.defer import Deferred

    from scrapy_mainblock.crawl.crawl import Crawl
    from scrapy_mainblock.crawl.pages.visits import Visit


__all__ = [
    "ItemCounts",
    "OpenFeed",
    "ProgressLine",
    "UnknownScrapyError",
    "declared_encoding",
    "enqueue_scrape",
    "extend_scraper",
    "has_feeds",
    "has_known_queues",
    "needs_backout",
    "open_feeds",
    "remember_page_of",
    "run_in_thread",
    "visit_of",
    "wake_engine",
]

P = ParamSpec("P")
T = TypeVar("T")

try:
    from scrapy.utils.asyncio import run_in_thread
except ImportError:  # before Scrapy 2.15
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.threads import deferToThread

    async def run_in_thread(func: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread and return its result."""
        return await maybe_deferred_to_future(deferToThread(func, *args, **kwargs))


class UnknownScrapyError(Exception):
    """This Scrapy is not as expected: held items could not go on to the pipelines."""


@dataclass(eq=False)
class _Passage:
    """An item on its way through the pipelines, with its page."""

    item: Any
    visit: Visit
    response: Response
    is_over: bool = False


class PageOfItem(NamedTuple):
    """The page that an item in the pipelines came from."""

    visit: Visit
    response: Response


_passages: dict[int, _Passage] = {}
"""Passages by `id(item)`, which is unique as long as the passage refers to the item."""
_current: ContextVar[_Passage | None] = ContextVar("mainblock_passage", default=None)
"""The passage of the current context. A pipeline never sees an item's response, and the item does
not identify its page if an earlier pipeline has replaced it."""
_remembered: OrderedDict[int, _Passage] = OrderedDict()
"""The latest yielded items, with their pages; used only if Scrapy is not as expected."""
MOST_REMEMBERED = 10_000


def visit_of(item: object) -> PageOfItem | None:
    """Return the page of an item in the pipelines; None if it has none, or if it is not known.

    The page is found by the item itself, or by the context if an earlier pipeline has replaced the
    item.
    """
    passage = _current.get()
    if passage is None or passage.is_over or passage.item is not item:
        passage = _passages.get(id(item)) or _remembered.pop(id(item), None) or _by_context()
    return None if passage is None else PageOfItem(passage.visit, passage.response)


def _by_context() -> _Passage | None:
    passage = _current.get()
    if passage is None or passage.is_over:
        return None
    # Without asyncio all coroutines share one context: it is right for a single item only.
    is_certain = len(_passages) == 1 or is_asyncio_available()
    return passage if is_certain else None


def remember_page_of(item: object, visit: Visit, response: Response) -> None:
    """Remember the page of a yielded item, if the scraper could not be extended."""
    _remembered[id(item)] = _Passage(item, visit, response)
    if len(_remembered) > MOST_REMEMBERED:
        _remembered.popitem(last=False)


def extend_scraper(crawler: Crawler, crawl: Crawl) -> None:
    """Tell the pipelines the page of each item, and release the held items before they close.

    Raises UnknownScrapyError if Scrapy is not as expected.
    """
    scraper = getattr(crawler.engine, "scraper", None)
    for name in ("start_itemproc_async", "close_spider_async", "enqueue_scrape"):
        if not callable(getattr(scraper, name, None)):
            raise UnknownScrapyError(f"its scraper has no {name}")
    assert scraper is not None
    start_itemproc, close_spider = scraper.start_itemproc_async, scraper.close_spider_async
    for function in (start_itemproc, close_spider):
        if not inspect.iscoroutinefunction(function):
            raise UnknownScrapyError(f"its {function.__name__} is not a coroutine function")

    async def start_itemproc_async(item: Any, *, response: Any) -> None:
        visit = crawl.known_visit(response)
        if visit is None:
            _current.set(None)
            await start_itemproc(item, response=response)
            return
        passage = _Passage(item, visit, response)
        _passages[id(item)] = passage
        _current.set(passage)
        try:
            await start_itemproc(item, response=response)
        finally:
            # The context at the end may differ from that at the start, in which the passage
            # remains. So the passage itself is marked as over.
            passage.is_over = True
            if _passages.get(id(item)) is passage:
                del _passages[id(item)]
            visit.pending.items -= 1
            crawl.holding.done_if_through(visit)

    async def close_spider_async() -> None:
        try:
            await crawl.drain()
        finally:
            await close_spider()

    scraper.start_itemproc_async = start_itemproc_async
    scraper.close_spider_async = close_spider_async


class ItemCounts:
    """Makes Scrapy's CloseSpider count an item when it is held, and not again when it goes on.

    CLOSESPIDER_ITEMCOUNT and CLOSESPIDER_TIMEOUT_NO_ITEM are about the items that a crawl finds,
    and a held item has been found.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._spider = crawler.spider
        self._handlers = []
        extension = crawler.get_extension(CloseSpider)
        asked = getattr(extension, "close_on", {})
        for name, settings in (
            ("item_scraped", ("itemcount", "pagecount_no_item")),
            ("item_scraped_no_item", ("timeout_no_item",)),
        ):
            handler = getattr(extension, name, None)
            if handler is not None and any(asked.get(setting) for setting in settings):
                crawler.signals.disconnect(handler, signals.item_scraped)
                self._handlers.append(handler)

    def held(self, item: Any) -> None:
        """Count an item that is held."""
        for handler in self._handlers:
            handler(item, self._spider)

    def scraped(self, item: Any, *, was_held: bool) -> None:
        """Count an item that has left the pipelines, unless it was held before."""
        if not was_held:
            self.held(item)


class ProgressLine:
    """Adds the number of waiting pages to Scrapy's progress line.

    That is the line "Crawled 40 pages ..., scraped 0 items ...".
    """

    def __init__(self, crawler: Crawler, waiting: Callable[[], int]) -> None:
        self._crawler, self._waiting = crawler, waiting
        self._logger = logging.getLogger("scrapy.extensions.logstats")
        self._logger.addFilter(self._add)

    def _add(self, record: logging.LogRecord) -> bool:
        is_own = getattr(record, "spider", None) is self._crawler.spider
        if is_own and (waiting := self._waiting()):
            record.msg = f"{record.msg}, {waiting} pages wait for a rule"
        return True

    def close(self) -> None:
        """Leave the line unchanged from now on."""
        self._logger.removeFilter(self._add)


class OpenFeed:
    """One of Scrapy's feeds, as far as it shows whether an item is safe on disk."""

    def __init__(self, slot: Any) -> None:
        """Read a feed's slot; raises UnknownScrapyError if Scrapy's feeds are not as expected."""
        try:
            self.key = slot
            self.batch: int = slot.batch_id
            self.written: int = slot.itemcount
            """The number of items that were written."""
            self.file: Any = slot.file
            self.accepts: Callable[[Any], bool] = slot.filter.accepts
            self.format: str = slot.feed_options["format"]
            is_plain = "postprocessing" not in slot.feed_options
            storage = slot.storage
            self.is_stdout = isinstance(storage, StdoutFeedStorage)
            is_file = isinstance(storage, FileFeedStorage)
            self.is_appended = is_file and storage.write_mode == "ab" and is_plain
            self._path: str | None = storage.path if is_file else None
        except (AttributeError, LookupError, TypeError) as error:
            raise UnknownScrapyError(f"its feeds differ from those expected: {error}") from error

    @property
    def path(self) -> Path | None:
        """The feed's file on disk, or None. The Path is built on access, not for each item."""
        return None if self._path is None else Path(self._path)


def open_feeds(crawler: Crawler) -> list[OpenFeed]:
    """Return the feeds of a crawl; raises UnknownScrapyError if they are not as expected."""
    exporter = crawler.get_extension(FeedExporter)
    return [OpenFeed(slot) for slot in getattr(exporter, "slots", ())]


def has_feeds(crawler: Crawler) -> bool:
    """Return whether a crawl has any feeds."""
    return crawler.get_extension(FeedExporter) is not None


def has_known_queues(settings: BaseSettings) -> bool:
    """Return whether the project's request queues are Scrapy's own LIFO disk queues."""
    names = ("SCHEDULER", "SCHEDULER_DISK_QUEUE", "SCHEDULER_PRIORITY_QUEUE")
    try:
        scheduler, queue, priority_queue = (load_object(settings[name]) for name in names)
        known = [load_object(f"scrapy.{name}") for name in _OWN_PRIORITY_QUEUES]
        is_own = scheduler is load_object("scrapy.core.scheduler.Scheduler")
    except Exception:  # caused by what the project names, or absent in a later Scrapy
        return False
    is_lifo = isinstance(queue, type) and issubclass(queue, LifoDiskQueue)
    return is_own and is_lifo and priority_queue in known


_OWN_PRIORITY_QUEUES = ("pqueues.ScrapyPriorityQueue", "pqueues.DownloaderAwarePriorityQueue")


def enqueue_scrape(crawler: Crawler, response: Response, request: Request) -> Deferred[Any]:
    """Send a response through the spider middlewares and the pipelines again."""
    done: Deferred[Any] = crawler.engine.scraper.enqueue_scrape(response, request)
    return done


def needs_backout(crawler: Crawler) -> bool:
    """Return whether the scraper has as much work as it accepts at once."""
    slot = crawler.engine.scraper.slot
    return slot is not None and slot.needs_backout()


def wake_engine(crawler: Crawler) -> None:
    """Make the engine look for work now; an idle engine would wait for its 5 s heartbeat."""
    slot = getattr(crawler.engine, "_slot", None)
    if slot is not None:
        slot.nextcall.schedule()


def declared_encoding(response: TextResponse) -> str:
    """Return the encoding that a page declares, or an empty string if it declares none."""
    return response._declared_encoding() or ""
