"""Pipelines find the page of their item, or none, whatever happens to the context variables."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Generator
from contextvars import Context, copy_context
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.http import HtmlResponse

from scrapy_mainblock.crawl import scrapy_compat
from scrapy_mainblock.crawl.pages.visits import Pending
from scrapy_mainblock.crawl.scrapy_compat import (
    UnknownScrapyError,
    extend_scraper,
    remember_page_of,
    visit_of,
)


class Pause(Awaitable[None]):
    """An awaitable that suspends a pipeline once."""

    def __await__(self) -> Generator[None]:
        yield


class Scraper:
    """The parts of Scrapy's scraper that are extended."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.closed = False

    async def start_itemproc_async(self, item: Any, *, response: Any) -> None:
        await Pause()  # a pipeline before ours, which then passes on another item
        self.told.append(visit_of({"instead of": item}))

    async def close_spider_async(self) -> None:
        self.closed = True

    def enqueue_scrape(self) -> None:
        """Never called in these tests."""


class Visits:
    """The parts of a crawl that the extended scraper uses."""

    def __init__(self) -> None:
        self.visits = {}
        self.holding = SimpleNamespace(done_if_through=lambda visit: None)

    def page(self, url: str) -> HtmlResponse:
        response = HtmlResponse(url)
        self.visits[response] = SimpleNamespace(pending=Pending(1))
        return response

    def known_visit(self, response: Any) -> Any:
        return self.visits.get(response)

    async def drain(self) -> None:
        """Do nothing, since no item waits."""


@pytest.fixture
def crawl() -> Visits:
    return Visits()


@pytest.fixture
def scraper(crawl: Visits) -> Scraper:
    scraper = Scraper()
    extend_scraper(SimpleNamespace(engine=SimpleNamespace(scraper=scraper)), crawl)
    return scraper


def _step(context: Context, coroutine: Any) -> None:
    with contextlib.suppress(StopIteration):
        context.run(coroutine.send, None)


def test_a_context_that_cannot_be_reset_does_not_affect_other_items(
    crawl: Visits, scraper: Scraper
) -> None:
    """The call begins in one context and ends in another, as happens without asyncio."""
    first, other = copy_context(), copy_context()
    under_way = scraper.start_itemproc_async({}, response=crawl.page("https://a.example/1"))
    _step(first, under_way)
    assert first.run(visit_of, object()) is not None
    _step(other, under_way)
    assert first.run(visit_of, object()) is None


def test_an_item_without_a_page_does_not_get_the_page_of_a_waiting_one(
    crawl: Visits, scraper: Scraper
) -> None:
    shared = copy_context()
    waiting = scraper.start_itemproc_async({}, response=crawl.page("https://a.example/1"))
    _step(shared, waiting)
    without = scraper.start_itemproc_async({}, response=HtmlResponse("https://a.example/opted-out"))
    _step(shared, without)
    _step(shared, without)
    assert scraper.told == [None]


@pytest.mark.parametrize("asyncio", [True, False])
def test_without_asyncio_a_context_shared_by_two_items_is_not_used(
    crawl: Visits, scraper: Scraper, monkeypatch: pytest.MonkeyPatch, asyncio: bool
) -> None:
    monkeypatch.setattr(scrapy_compat, "is_asyncio_available", lambda: asyncio)
    contexts = [copy_context() for _ in range(2)] if asyncio else [copy_context()] * 2
    pages = [crawl.page(f"https://a.example/{number}") for number in range(2)]
    under_way = [scraper.start_itemproc_async({}, response=page) for page in pages]
    for _ in range(2):
        for context, one in zip(contexts, under_way, strict=True):
            _step(context, one)
    if asyncio:
        assert [told.response for told in scraper.told] == pages
    else:
        assert scraper.told[0] is None  # the second item had taken over the context
        assert all(told is None or told.response is pages[1] for told in scraper.told)


def test_an_unreplaced_item_is_recognized_in_any_context(crawl: Visits, scraper: Scraper) -> None:
    item, page = {"own": 1}, crawl.page("https://a.example/1")
    under_way = scraper.start_itemproc_async(item, response=page)
    _step(copy_context(), under_way)
    found = visit_of(item)
    assert found is not None
    assert found.response is page


def test_remembered_pages_are_returned_once_and_for_the_latest_items(
    crawl: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrapy_compat, "MOST_REMEMBERED", 3)
    page = crawl.page("https://a.example/1")
    items = [{"number": number} for number in range(4)]
    for item in items:
        remember_page_of(item, crawl.visits[page], page)
    assert [visit_of(item) is not None for item in items] == [False, True, True, True]
    assert [visit_of(item) for item in items] == [None] * 4


@pytest.mark.parametrize("name", ["start_itemproc_async", "close_spider_async", "enqueue_scrape"])
def test_a_scraper_without_one_of_its_methods_is_refused(name: str) -> None:
    scraper = Scraper()
    setattr(scraper, name, None)
    with pytest.raises(UnknownScrapyError, match=name):
        extend_scraper(SimpleNamespace(engine=SimpleNamespace(scraper=scraper)), Visits())
