"""Releasing: pages that waited go back through the scraper, a few at a time.

Scrapy's `enqueue_scrape` takes a rebuilt response and a request whose callback yields the
items. Of the ways that were measured it is the only one that loses nothing: the items go with
their own response through the other spider middlewares and all pipelines, the scraper counts them
as its work, and neither scheduler nor downloader sees anything.
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
"""Pages on their way at once: as many as Scrapy has requests in flight by default."""


class Replayer:
    """The pages of one crawl that are on their way out of the spool."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._in_flight = 0
        self._drained: list[Deferred[None]] = []

    def release_all(self) -> bool:
        """Let all go that waits; whether there is still anything on its way."""
        self._crawl.release()
        self.pump()
        return self._in_flight > 0

    async def drain(self) -> None:
        """Let all go, and wait until it is through."""
        while self.release_all():
            drained: Deferred[None] = Deferred()
            self._drained.append(drained)
            await maybe_deferred_to_future(drained)

    def pump(self) -> None:
        """Send what may go, as far as there is room."""
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
                message = "a page of the killed run cannot be gone through again: %s"
                crawl.stats.trouble("not_resumed", message, response.url)
            request = _with_items(request, held)
            response.request = request
            visit.is_given = True
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
        message = "a page in the spool cannot be read; its items come out without it: %s"
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

    # HttpErrorMiddleware would refuse a 404 whose spider wanted it; what another middleware
    # refuses comes out by the errback.
    meta = {**request.meta, "handle_httpstatus_all": True}
    return request.replace(callback=give, errback=give, cb_kwargs={}, meta=meta, dont_filter=True)
