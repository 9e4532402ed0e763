"""Learning a site together with the other workers of a fleet, through the store of their rules.

A worker sends the others the pages that it learned from, and finds out which sites it is to learn
(to lead). If the store is unavailable, each worker learns alone, also from the pages counted so
far.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from scrapy.utils.defer import deferred_from_coro

from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.recipe.site_learner import Look
from scrapy_mainblock.stores.addresses import StoreAwayError
from scrapy_mainblock.stores.packed_pages import SharedPage
from scrapy_mainblock.stores.rules import Exchanged, SharedStore

if TYPE_CHECKING:
    from scrapy_mainblock.crawl.known_sites import KnownSites, Site
    from scrapy_mainblock.crawl.stats import Stats
    from scrapy_mainblock.template.rule_fit import Fit

ACTIVE_SECONDS = 30.0
"""Seconds without a page of a site after which a worker gives up the lead; other workers may see
pages of the site."""
MOST_UNSENT = 1000
"""Limit on the pages, of all sites, that wait to be sent to the others."""


class SharedLearning:
    """The exchange of pages between one crawl and the other workers."""

    def __init__(self, store: SharedStore, sites: KnownSites, stats: Stats) -> None:
        self._store, self._sites, self._stats = store, sites, stats
        self._unsent: dict[str, list[SharedPage]] = {}
        self._is_exchanging = False
        self._is_closed = False

    def share(self, site: Site, look: Look, rule_version: int) -> None:
        """Send the others a page that was learned from here."""
        if not look.evidence.structure:
            return
        if sum(map(len, self._unsent.values())) < MOST_UNSENT:
            page = SharedPage(look.evidence.without_page(), look.fit, rule_version)
            self._unsent.setdefault(site.learner.site, []).append(page)
        self.exchange_in_thread(())

    def exchange_in_thread(self, sites: Iterable[Site]) -> None:
        """Send the waiting pages and ask about some sites, unless an exchange is in progress."""
        if self._is_exchanging or self._is_closed:
            return
        now = time.monotonic()
        asked = [
            site.learner.site
            for site in sites
            if site.held or (site.learner.leads and now - site.last_seen < ACTIVE_SECONDS)
        ]
        if asked or self._unsent:
            self._is_exchanging = True
            deferred_from_coro(self._exchange(asked))

    async def _exchange(self, asked: Iterable[str]) -> None:
        try:
            while asked or self._unsent:
                shared, self._unsent = self._unsent, {}
                for site in asked:
                    shared.setdefault(site, [])
                asked = ()
                await self._exchange_once(shared)
        finally:
            self._is_exchanging = False

    async def _exchange_once(self, shared: dict[str, list[SharedPage]]) -> None:
        try:
            answers = await run_in_thread(self._store.exchange, shared)
        except StoreAwayError:  # which the store has logged
            self._learn_alone(shared)
            return
        except Exception as error:
            self._stats.trouble("rules", "cannot learn together with other workers: %s", error)
            self._learn_alone(shared)
            return
        for name, exchanged in answers.items():
            site = self._sites.in_memory(name)
            if site is not None:
                self._take_in(site, exchanged)
        self._sites.save_in_thread()
        self._sites.refresh_in_thread(now=True)

    def _learn_alone(self, names: Iterable[str]) -> None:
        for site in filter(None, map(self._sites.in_memory, names)):
            self._lead(site)

    def _take_in(self, site: Site, exchanged: Exchanged) -> None:
        if not exchanged.leads:
            site.learner.leads = False
            return
        self._lead(site)
        name = site.learner.site
        for page in exchanged.pages:
            fit = cast("Fit | None", page.fit)
            lesson = site.learner.learn_of_others(Look(page.evidence, fit), page.rule_version)
            self._stats.count("rules/pages_of_others")
            if lesson is not None and lesson.news:
                self._stats.news(name, lesson.news)
            if lesson is not None and lesson.settled and lesson.cluster is not None:
                self._sites.release(name, lesson.cluster)
        if exchanged.pages:
            self._sites.weigh(site)

    def _lead(self, site: Site) -> None:
        for news in site.learner.lead():
            self._stats.news(site.learner.site, news)
            self._sites.release(site.learner.site, news.template.cluster)

    async def close(self) -> None:
        """Give up the lead of all sites, so that the others can learn them."""
        self._is_closed = True
        await run_in_thread(self._store.close)


def shares(store: object) -> SharedStore | None:
    """Return the store if several workers can learn together through it, else None."""
    return store if isinstance(store, SharedStore) else None
