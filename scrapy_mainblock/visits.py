"""A visit: one page on its way through the crawl, from the spider to the pipelines."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_mainblock.core.article import Article, metadata
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.rules import ClusterRule, SiteRules
from scrapy_mainblock.learning import answer
from scrapy_mainblock.pages import is_html, is_long, page_of, text_of
from scrapy_mainblock.threads import run_in_thread

if TYPE_CHECKING:
    from scrapy_mainblock.crawl import Crawl

CURRENT: ContextVar[tuple[Visit, Response] | None] = ContextVar("mainblock_visit", default=None)
"""The page whose item is in the pipelines. A pipeline sees an item and never its response; and by
the item it cannot be told when another component has replaced it."""


@dataclass
class Visit:
    """What is known of one response."""

    crawl: Crawl
    site: str
    released: bool = False
    """Its items have waited already: they pass."""
    row: int | None = None
    """Its place in the spool."""
    replaces: int | None = None
    """The row of an earlier run that this visit goes through anew."""
    is_given: bool = False
    """Its items come out of the spool, and not of its callback."""
    page: Page | None = None
    """Parsed once: for learning, and then to extract from."""
    studied: bool = False
    holds: bool = False
    cluster: str = ""
    rule_then: ClusterRule | None = None
    """The cluster's rule when it was decided that its items wait."""
    sealed: bool = False
    """Its callback has ended."""
    saved_items: int = 0
    unsaved_items: int = 0
    """Items of it in the spool, and those that are no plain data."""
    pending: int = 0
    """Items of it in the pipelines now."""
    lost: bool = False
    """A feed could not write an item of it."""
    article: Article | None = None
    _waiting: list[Deferred[None]] | None = field(default=None, repr=False)

    async def article_of(self, response: Response) -> Article:
        """What was found in the page; found once, however many items it has."""
        if self.article is not None:
            return self.article
        if self._waiting is not None:  # another item's pipeline is at it, in a thread
            done: Deferred[None] = Deferred()
            self._waiting.append(done)
            await maybe_deferred_to_future(done)
            return self.article or _failed(response, "InterruptedError")
        self._waiting = []
        try:
            self.article = await self._extract(response)
        finally:
            waiting, self._waiting, self.page = self._waiting, None, None
            for done in waiting:
                done.callback(None)
        return self.article

    async def _extract(self, response: Response) -> Article:
        rules = self.crawl.rules_of(self.site)
        try:
            if not is_long(response):
                return extract(self.page, response, rules)
            if self.page is None:
                self.page = await make_page(response)
            return await run_in_thread(extract, self.page, response, rules)
        except Exception as error:  # the page's, such as a charset that nothing can decode
            self.crawl.report.trouble("extract", "a page could not be processed: %s", error)
            return _failed(response, type(error).__name__)


async def make_page(response: Response) -> Page:
    """The page of a response, in a tree that a thread may read."""
    if is_long(response):
        await run_in_thread(text_of, response)  # which keeps it: decoding can be long
    return page_of(response, own_tree=is_long(response))


def extract(page: Page | None, response: Response, rules: SiteRules) -> Article:
    """The article of a page, by the site's rules."""
    if not is_html(response):
        kind = (response.headers.get("Content-Type") or b"no content type").decode("latin-1")
        reason = f"the response is not HTML ({kind[:80]})"
        return Article(url=response.url, metadata=metadata("none", reason=reason))
    page = page or page_of(response, own_tree=False)
    return answer(page, rules)


def _failed(response: Response, error: str) -> Article:
    reason = f"the page could not be processed ({error})"
    return Article(url=response.url, metadata=metadata("none", reason=reason))
