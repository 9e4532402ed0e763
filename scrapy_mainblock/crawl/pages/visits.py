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
    """The number of items of a page that were yielded and have not left the last pipeline."""

    items: int = 0


@dataclass(eq=False)
class Visit:
    """What the crawl knows about one response."""

    crawl: Crawl
    site: str
    released: bool = False
    """Whether its items have waited already and pass now."""
    row: int | None = None
    """Its row in the spool."""
    replaces: int | None = None
    """The row of an earlier run whose page this visit processes again."""
    from_spool: bool = False
    """Whether its items come from the spool instead of its callback."""
    reading: Reading | None = None
    """The reading of its page, judged once: used for learning, then for extraction."""
    studied: bool = False
    holds: bool = False
    cluster: str = ""
    rule_then: Template | None = None
    """The cluster's rule when it was decided whether its items wait."""
    sealed: bool = False
    """Whether its callback has ended."""
    saved_items: int = 0
    unsaved_items: int = 0
    """The numbers of its items that are in the spool, and that could not be kept there."""
    held_items: int = 0
    """The number of saved items that wait."""
    pending: Pending = field(default_factory=Pending)
    successor: Visit | None = None
    """The visit of the same page after it was read from the spool; it shares `pending`."""
    is_source: bool = False
    """Whether its page was kept for items of later pages."""
    lost: bool = False
    """Whether a feed could not write one of its items."""
    article: Article | None = None
    wanted: frozenset[str] = frozenset()
    """The fields that are computed in `article`."""
    _waiting: list[Deferred[None]] | None = field(default=None, repr=False)

    async def article_of(self, response: Response, wanted: frozenset[str] = ALL_FIELDS) -> Article:
        """Return the page's article, which is extracted once, however many items the page has.

        If an item wants more fields than those before it, the article is extracted again.
        """
        if self.article is not None and wanted <= self.wanted:
            return self.article
        if self._waiting is not None:  # another item's pipeline is extracting it in a thread
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
        except Exception as error:  # caused by the page, such as an undecodable charset
            self.crawl.stats.trouble("extract", "a page could not be processed: %s", error)
            return _failed(response, type(error).__name__)
        else:
            return found


def look_at_response(
    visit: Visit, response: Response, rules: SiteRules, wanted: Collection[str] = RULED
) -> Look:
    """Look at a page to learn from it; keep the reading in the visit for the extraction."""
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
    """Return the article of a page, extracted by the site's rules."""
    if not is_html(response):
        kind = (response.headers.get("Content-Type") or b"no content type").decode("latin-1")
        return without_content(response.url, f"the response is not HTML ({kind[:80]})")
    if reading is not None:
        return article_of_reading(reading, rules, wanted)
    return article_of(page_of(response), rules, wanted)


def _failed(response: Response, error: str) -> Article:
    return without_content(response.url, f"the page could not be processed ({error})")
