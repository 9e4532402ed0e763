"""A visit: one page on its way through the crawl, from the spider to the pipelines."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_mainblock.crawl.pages.responses import is_html, is_long, own_tag, page_of
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.recipe.extract import article_of, article_of_reading
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import NOTHING_SEEN, Look, look_at
from scrapy_mainblock.render.article import ALL_FIELDS, Article, without_content
from scrapy_mainblock.template.field_rules import RULED
from scrapy_mainblock.template.rules import SiteRules, Template

if TYPE_CHECKING:
    from scrapy_mainblock.crawl.crawl import Crawl


@dataclass(eq=False)
class Pending:
    """Items of one page that were yielded and have not left the last pipeline."""

    items: int = 0


@dataclass(eq=False)
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
    reading: Reading | None = None
    """Judged once: for learning, and then to extract from."""
    studied: bool = False
    holds: bool = False
    cluster: str = ""
    rule_then: Template | None = None
    """The cluster's rule when it was decided that its items wait."""
    sealed: bool = False
    """Its callback has ended."""
    saved_items: int = 0
    unsaved_items: int = 0
    """Items of it in the spool, and those that are no plain data."""
    held_items: int = 0
    """Those of the saved ones that wait."""
    pending: Pending = field(default_factory=Pending)
    successor: Visit | None = None
    """The visit of the same page when it comes out of the spool, which has the same `pending`."""
    is_source: bool = False
    """Whether it was kept for items of later pages."""
    lost: bool = False
    """A feed could not write an item of it."""
    article: Article | None = None
    wanted: frozenset[str] = frozenset()
    """The fields that are worked out in it."""
    _waiting: list[Deferred[None]] | None = field(default=None, repr=False)

    async def article_of(self, response: Response, wanted: frozenset[str] = ALL_FIELDS) -> Article:
        """What was found in the page; found once, however many items it has.

        An item that has more fields than those before it has the page read anew.
        """
        if self.article is not None and wanted <= self.wanted:
            return self.article
        if self._waiting is not None:  # another item's pipeline is at it, in a thread
            done: Deferred[None] = Deferred()
            self._waiting.append(done)
            await maybe_deferred_to_future(done)
            if self.article is None:
                return _failed(response, "InterruptedError")
            return await self.article_of(response, wanted)
        self._waiting = []
        try:
            self.wanted |= wanted
            self.article = await self._extract(response)
        finally:
            waiting, self._waiting, self.reading = self._waiting, None, None
            for done in waiting:
                done.callback(None)
        return self.article

    async def _extract(self, response: Response) -> Article:
        try:
            site = await self.crawl.sites.open(self.site, response.url)
            rules = site.learner.rules
            if is_long(response):
                found = await run_in_thread(extract, self.reading, response, rules, self.wanted)
            else:
                found = extract(self.reading, response, rules, self.wanted)
            for lost in site.learner.saw_fields(found, self.wanted):
                self.crawl.stats.lost_field(site.learner.site, found.metadata["cluster"], lost)
        except Exception as error:  # the page's, such as a charset that nothing can decode
            self.crawl.stats.trouble("extract", "a page could not be processed: %s", error)
            return _failed(response, type(error).__name__)
        else:
            return found


def look_at_response(
    visit: Visit, response: Response, rules: SiteRules, wanted: Collection[str] = RULED
) -> Look:
    """Look at a page for learning; what is worked out for that is kept to extract with."""
    tag = own_tag(response)
    page = tag.page if tag else page_of(response)
    if page.why_unreadable:
        return NOTHING_SEEN
    visit.reading = Reading(tag.take_outline() if tag else Outline(page))
    return look_at(visit.reading, rules, wanted)


def extract(
    reading: Reading | None,
    response: Response,
    rules: SiteRules,
    wanted: frozenset[str] = ALL_FIELDS,
) -> Article:
    """The article of a page, by the site's rules."""
    if not is_html(response):
        kind = (response.headers.get("Content-Type") or b"no content type").decode("latin-1")
        return without_content(response.url, f"the response is not HTML ({kind[:80]})")
    if reading is not None:
        return article_of_reading(reading, rules, wanted)
    return article_of(page_of(response), rules, wanted)


def _failed(response: Response, error: str) -> Article:
    return without_content(response.url, f"the page could not be processed ({error})")
