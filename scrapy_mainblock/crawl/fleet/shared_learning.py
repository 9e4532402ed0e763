"""Learning a site together with the other workers of a fleet, through the store of their rules.

What a worker learns from it tells the others, and it hears which sites are its own to learn. Where
the store is away each worker learns alone, what it has counted until then included.
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
"""Without a page for so long a worker gives up a site that it leads; others may see pages of it."""
MOST_UNTOLD = 1000
"""Pages that wait to be told, of all sites."""


class SharedLearning:
    """What one crawl tells the others, and hears from them."""

    def __init__(self, store: SharedStore, sites: KnownSites, stats: Stats) -> None:
        self._store, self._sites, self._stats = store, sites, stats
        self._untold: dict[str, list[SharedPage]] = {}
        self._is_exchanging = False
        self._is_closed = False

    def tell(self, site: Site, look: Look, rule_version: int) -> None:
        """A page was learnt from here."""
        if not look.evidence.structure:
            return
        if sum(map(len, self._untold.values())) < MOST_UNTOLD:
            page = SharedPage(look.evidence, look.fit, rule_version)
            self._untold.setdefault(site.learner.site, []).append(page)
        self.exchange_in_thread(())

    def exchange_in_thread(self, sites: Iterable[Site]) -> None:
        """Tell what is to be told, and ask about some sites, unless that is being done."""
        if self._is_exchanging or self._is_closed:
            return
        now = time.monotonic()
        asked = [
            site.learner.site
            for site in sites
            if site.held or (site.learner.leads and now - site.last_seen < ACTIVE_SECONDS)
        ]
        if asked or self._untold:
            self._is_exchanging = True
            deferred_from_coro(self._exchange(asked))

    async def _exchange(self, asked: Iterable[str]) -> None:
        try:
            while asked or self._untold:
                told, self._untold = self._untold, {}
                for site in asked:
                    told.setdefault(site, [])
                asked = ()
                await self._exchange_once(told)
        finally:
            self._is_exchanging = False

    async def _exchange_once(self, told: dict[str, list[SharedPage]]) -> None:
        try:
            heard = await run_in_thread(self._store.exchange, told)
        except StoreAwayError:  # which the store has said
            self._learn_alone(told)
            return
        except Exception as error:
            self._stats.trouble("rules", "cannot learn together with others: %s", error)
            self._learn_alone(told)
            return
        for name, exchanged in heard.items():
            site = self._sites.in_memory(name)
            if site is not None:
                self._hear(site, exchanged)
        self._sites.save_in_thread()
        self._sites.refresh_in_thread(now=True)

    def _learn_alone(self, names: Iterable[str]) -> None:
        for site in filter(None, map(self._sites.in_memory, names)):
            self._lead(site)

    def _hear(self, site: Site, exchanged: Exchanged) -> None:
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
        """Let the others learn."""
        self._is_closed = True
        await run_in_thread(self._store.close)


def shares(store: object) -> SharedStore | None:
    """A store as one through which several learn together, if it is one."""
    return store if isinstance(store, SharedStore) else None
