"""Everything of Scrapy that it does not document, with the versions it was seen in: 2.14 to 2.19.

* `scraper.start_itemproc_async` is the one place that sees an item together with its response on
  its way to the pipelines, whatever the spider middlewares have made of it.
* `scraper.close_spider_async` is called when all requests are done and before the pipelines close.
  They close at the same time as each other: items sent from a pipeline's own `close_spider` failed,
  300 of 300. `spider_idle` is not sent on Ctrl-C, so that it is not enough.
* `scraper.enqueue_scrape` takes a response and a request whose callback yields the items.

The first two are coroutine methods, and extended at the one object of the crawl. A subclass of
ITEM_PROCESSOR could do the second but not the first (it never sees the response), would be one more
thing to list by hand, and could not stand beside a project's own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from scrapy import signals
from scrapy.extensions.closespider import CloseSpider

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response, TextResponse
    from twisted.internet.defer import Deferred

    from scrapy_mainblock.crawl.crawl import Crawl
    from scrapy_mainblock.crawl.visits import Visit


__all__ = [
    "CURRENT",
    "ItemCounts",
    "UnknownScrapyError",
    "declared_encoding",
    "enqueue_scrape",
    "extend_scraper",
    "needs_backout",
    "run_in_thread",
    "visit_of",
    "wake_engine",
]

CURRENT: ContextVar[tuple[Visit, Response] | None] = ContextVar("mainblock_visit", default=None)
"""The page whose item is in the pipelines. A pipeline sees an item and never its response; and by
the item it cannot be told when another component has replaced it."""

P = ParamSpec("P")
T = TypeVar("T")

try:
    from scrapy.utils.asyncio import run_in_thread
except ImportError:  # before Scrapy 2.15
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.threads import deferToThread

    async def run_in_thread(func: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread."""
        return await maybe_deferred_to_future(deferToThread(func, *args, **kwargs))


class UnknownScrapyError(Exception):
    """This Scrapy is not as it was seen: what is held could not go on to the pipelines."""


_items: dict[int, tuple[Visit, Response]] = {}
"""The items that are in the pipelines, by identity, each with its page."""


def visit_of(item: object) -> tuple[Visit, Response] | None:
    """The page of an item in the pipelines.

    By the item itself; where a pipeline before ours has replaced it, by the context.
    """
    return _items.get(id(item)) or CURRENT.get()


def extend_scraper(crawler: Crawler, crawl: Crawl) -> None:
    """Tell the pipelines whose page it is, and let go of what is held before they close.

    Raises UnknownScrapyError where Scrapy is not as expected.
    """
    scraper = getattr(crawler.engine, "scraper", None)
    for name in ("start_itemproc_async", "close_spider_async", "enqueue_scrape"):
        if not callable(getattr(scraper, name, None)):
            raise UnknownScrapyError(f"its scraper has no {name}")
    assert scraper is not None
    start_itemproc, close_spider = scraper.start_itemproc_async, scraper.close_spider_async
    if not inspect.iscoroutinefunction(start_itemproc):
        raise UnknownScrapyError("its start_itemproc_async is no coroutine function")

    async def start_itemproc_async(item: Any, *, response: Any) -> None:
        visit = crawl.known_visit(response)
        if visit is None:
            await start_itemproc(item, response=response)
            return
        _items[id(item)] = (visit, response)
        token = CURRENT.set((visit, response))
        try:
            await start_itemproc(item, response=response)
        finally:
            _items.pop(id(item), None)
            try:
                CURRENT.reset(token)
            except ValueError:  # without asyncio this may be another context
                CURRENT.set(None)
            visit.pending -= 1
            crawl.holding.done_if_through(visit)

    async def close_spider_async() -> None:
        try:
            await crawl.drain()
        finally:
            await close_spider()

    scraper.start_itemproc_async = start_itemproc_async
    scraper.close_spider_async = close_spider_async


class ItemCounts:
    """Lets Scrapy's CloseSpider count an item when it is held, and not once more when it goes on.

    CLOSESPIDER_ITEMCOUNT and CLOSESPIDER_TIMEOUT_NO_ITEM are about what a crawl finds; an item that
    waits is found.
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
        """An item is held."""
        for handler in self._handlers:
            handler(item, self._spider)

    def scraped(self, item: Any, *, was_held: bool) -> None:
        """An item has been through the pipelines."""
        if not was_held:
            self.held(item)


def enqueue_scrape(crawler: Crawler, response: Response, request: Request) -> Deferred[Any]:
    """Send a response through the spider middlewares and the pipelines once more."""
    done: Deferred[Any] = crawler.engine.scraper.enqueue_scrape(response, request)
    return done


def needs_backout(crawler: Crawler) -> bool:
    """Whether the scraper has as much to do as it takes at once."""
    slot = crawler.engine.scraper.slot
    return slot is not None and slot.needs_backout()


def wake_engine(crawler: Crawler) -> None:
    """Let the engine look for work now: an idle one does with its next heartbeat, in 5 s."""
    slot = getattr(crawler.engine, "_slot", None)
    if slot is not None:
        slot.nextcall.schedule()


def declared_encoding(response: TextResponse) -> str:
    """The encoding that a page declares, empty where it declares none."""
    return response._declared_encoding() or ""
