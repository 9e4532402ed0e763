"""Releasing: sends pages that waited back through the scraper, a few at a time.

Scrapy's `enqueue_scrape` takes a rebuilt response and a request whose callback yields the items. Of
the ways that were measured it is the only one that loses nothing: the items pass the other spider
middlewares and all pipelines with their own response, the scraper counts them as its work, and
neither the scheduler nor the downloader is involved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_mainblock.crawl.durable import items
from scrapy_mainblock.crawl.durable.spool import Row
from scrapy_mainblock.crawl.pages.responses import unpack
from scrapy_mainblock.crawl.scrapy_compat import enqueue_scrape, needs_backout, wake_engine

if TYPE_CHECKING:
    from scrapy_mainblock.crawl.crawl import Crawl

BATCH = 16
"""Limit on the pages in flight: the number of requests that Scrapy has in flight by default."""


class Replayer:
    """Sends the pages of one crawl from the spool to the scraper."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._in_flight = 0
        self._drained: list[Deferred[None]] = []

    def release_all(self) -> bool:
        """Release everything that waits; return whether anything is still in flight."""
        self._crawl.release()
        self.pump()
        return self._in_flight > 0

    async def drain(self) -> None:
        """Release everything that waits, until nothing is left in flight."""
        while self.release_all():
            drained: Deferred[None] = Deferred()
            self._drained.append(drained)
            await maybe_deferred_to_future(drained)

    def pump(self) -> None:
        """Send the pages that are released, as far as there is room."""
        while self._in_flight < BATCH and not (self._in_flight and self._is_crowded()):
            row = self._crawl.holding.claim()
            if row is None:
                break
            self._send(row)

    def _is_crowded(self) -> bool:
        return needs_backout(self._crawl.crawler)

    def _send(self, row: Row) -> None:
        crawl = self._crawl
        try:
            response, has_callback = unpack(row.document, row.body, crawl.crawler.spider)
        except ValueError as error:
            self._unreadable(row, error)
            return
        request = response.request
        assert request is not None
        visit = crawl.add_visit(response, row)
        if not (row.state == "again" and has_callback):
            held = list(self._items_of(row))
            if row.state == "again" and not held:
                message = "a page of the killed run cannot be processed again: %s"
                crawl.stats.trouble("not_resumed", message, response.url)
            request = _with_items(request, held)
            response.request = request
            visit.from_spool = True
        if visit.released:
            crawl.stats.count("released", len(row.items))
        self._in_flight += 1
        done = enqueue_scrape(crawl.crawler, response, request)
        done.addBoth(self._sent)

    def _items_of(self, row: Row) -> Iterator[Any]:
        for data in row.items:
            try:
                yield items.loads(data)
            except ValueError as error:
                message = "an item in the spool cannot be read and is lost: %s"
                self._crawl.stats.trouble("spool_read", message, error)

    def _unreadable(self, row: Row, error: Exception) -> None:
        message = "a page in the spool cannot be read; its items are passed on without content: %s"
        self._crawl.stats.trouble("spool_read", message, error)
        response = Response("about:blank")
        response.request = _with_items(Request("about:blank"), list(self._items_of(row)))
        self._crawl.add_visit(response, row)
        self._in_flight += 1
        done = enqueue_scrape(self._crawl.crawler, response, response.request)
        done.addBoth(self._sent)

    def _sent(self, _result: object) -> None:
        self._in_flight -= 1
        self.pump()
        if not self._in_flight:
            waiting, self._drained = self._drained, []
            for drained in waiting:
                drained.callback(None)
            if not self._crawl.is_closing:
                wake_engine(self._crawl.crawler)


def _with_items(request: Request, held: list[Any]) -> Request:
    def give(_: object) -> Iterator[Any]:
        yield from held

    # HttpErrorMiddleware would reject a 404 that the spider wanted. If another middleware rejects
    # the response, the errback yields the items.
    meta = {**request.meta, "handle_httpstatus_all": True}
    return request.replace(callback=give, errback=give, cb_kwargs={}, meta=meta, dont_filter=True)
