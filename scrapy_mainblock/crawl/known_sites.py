"""The sites of a crawl, and what is learned of each, in bounded memory.

Their rules are loaded and saved in a thread.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import Deferred

from scrapy_mainblock.crawl.fleet.shared_learning import SharedLearning, shares
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.crawl.stats import Stats
from scrapy_mainblock.page import sites
from scrapy_mainblock.recipe.site_learner import Lesson, Look, SiteLearner
from scrapy_mainblock.stores.addresses import StoreAwayError
from scrapy_mainblock.stores.directory import merge
from scrapy_mainblock.stores.documents import NewerDocumentError
from scrapy_mainblock.stores.rules import Store, key_in
from scrapy_mainblock.template.rules import SiteRules

MOST_ENTRIES = 1_000_000
"""Limit on the places and lines kept of all sites together, some 200 MB."""
MOST_HOSTS = 10_000
"""Limit on the hosts whose rules key is cached."""
REFRESH_SECONDS = 3.0
"""Seconds between checks for changed rules of the sites in memory, such as a new pin."""


@dataclass
class Site:
    """One site, while it is in memory."""

    learner: SiteLearner
    owner: str
    """The registered domain, whose owner can create any number of hosts."""
    last_seen: float
    earlier: frozenset[str] = frozenset()
    """The clusters that an earlier crawl has learned: their pages do not wait."""
    is_loaded: bool = False
    """Whether the rules of earlier crawls have been looked up."""
    held: int = 0
    """The number of pages that wait."""
    size: int = 0
    """The number of entries kept, when last measured."""


class KnownSites:
    """The sites that were seen last; a site that is evicted is saved.

    If there are too many sites, the domain that has the most of them loses the one that was not
    seen for longest. If they take too much memory, the largest site of the domain that takes the
    most forgets what only few of its pages have shown, or is evicted. So neither an endless number
    of hosts (`a.evil.example`, `b.evil.example`, ...) nor an endless number of templates pushes out
    what is known of other domains.

    `release` is called with the name of a site that is evicted while pages of it wait, and with a
    site and one of its clusters if another worker has learned the rule of that cluster.
    """

    def __init__(
        self,
        most: int,
        store: Store | None,
        stats: Stats,
        release: Callable[..., object],
    ) -> None:
        self._most = most
        self._store = store
        self._stats = stats
        self.release = release
        shared = shares(store)
        self._shared = SharedLearning(shared, self, stats) if shared else None
        self._troubles = 0
        """How many of the store's troubles have been counted."""
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._evicted: dict[str, SiteLearner] = {}
        """Evicted sites that are still to be saved."""
        self._keys: OrderedDict[str, str] = OrderedDict()
        self._loading: dict[str, list[Deferred[Site]]] = {}
        self._size = 0
        self._is_saving = False
        self._wait_for_save: list[Deferred[None]] = []
        self._is_refreshing = False
        self._refreshed = time.monotonic()

    @property
    def address(self) -> str | None:
        """Where the rules are kept, without a password; None if they are not kept."""
        return self._store.address if self._store is not None else None

    # ---- loading and evicting ------------------------------------------------------------------

    async def open(self, name: str, url: str) -> Site:
        """Return a site with the rules of earlier crawls; `name` is the project's name for it.

        If `name` is the registered domain of the URL, and the store has rules for the URL's host or
        for a domain between the two, the most specific of these is used instead.
        """
        key = await self._key_of(name, url)
        site = self.get(key)
        if site.is_loaded:
            return site
        if key in self._loading:
            done: Deferred[Site] = Deferred()
            self._loading[key].append(done)
            return await maybe_deferred_to_future(done)
        self._loading[key] = []
        try:
            self._take_in(site, await run_in_thread(self._load, key))
        finally:
            site.is_loaded = True
            self._put(site)  # it may have been evicted meanwhile
            for waiting in self._loading.pop(key):
                waiting.callback(site)
        return site

    async def _key_of(self, name: str, url: str) -> str:
        if self._store is None:
            return name
        host = sites.host(url)
        if host == name or sites.registered_domain(url) != name:
            return name
        if host not in self._keys:
            self._keys[host] = await run_in_thread(self._most_specific, name, url)
            if len(self._keys) > MOST_HOSTS:
                self._keys.popitem(last=False)
        return self._keys[host]

    def _most_specific(self, name: str, url: str) -> str:
        assert self._store is not None
        return key_in(self._store, sites.keys(url), name)

    def in_memory(self, name: str) -> Site | None:
        """Return a site if it is in memory, else None."""
        return self._sites.get(name)

    def get(self, name: str) -> Site:
        """Return a site from memory, or else a new one without the rules of earlier crawls."""
        site = self._sites.get(name)
        if site is None:
            learner = self._evicted.pop(name, None)
            site = Site(
                learner or SiteLearner(name),
                sites.owner(name),
                time.monotonic(),
                is_loaded=learner is not None or self._store is None,
            )
            if learner is None and self._shared is not None:
                site.learner.leads = False  # until the store says that no other worker does
        self._put(site)
        return site

    def _put(self, site: Site) -> None:
        """Put a site into memory as the most recently used one."""
        name = site.learner.site
        if self._sites.get(name) is not site:
            self._sites[name] = site
            self._measure(site)
            if len(self._sites) > max(self._most, 1):
                self._evict(self._heaviest(dict.fromkeys(self._sites, 1), except_for=name))
        self._sites.move_to_end(name)

    def _take_in(self, site: Site, known: SiteRules | None) -> None:
        if known is not None:
            site.learner.start_from(known)
            site.earlier = frozenset(one.cluster for one in known.templates)
            self._stats.count("rules/loaded", len(known.templates))
            if self._sites.get(site.learner.site) is site:
                self._measure(site)

    def weigh(self, site: Site) -> None:
        """Measure a site that has learned from a page; thin or evict sites if all take too much."""
        self._measure(site)
        while len(self._sites) > 1 and self._size > MOST_ENTRIES:
            heaviest = self._heaviest({name: one.size for name, one in self._sites.items()})
            if heaviest.learner.thin():
                self._measure(heaviest)
            else:
                self._evict(heaviest)

    def _measure(self, site: Site) -> None:
        self._size += site.learner.size - site.size
        site.size = site.learner.size

    def _heaviest(self, weights: Mapping[str, int], except_for: str = "") -> Site:
        """Return the heaviest site of the domain whose sites weigh the most together.

        Of equally heavy sites the first is returned, and never the one that is named `except_for`.
        """
        owners: Counter[str] = Counter()
        for name, weight in weights.items():
            owners[self._sites[name].owner] += weight
        candidates = (name for name in weights if name != except_for)
        heaviest = max(candidates, key=lambda one: (owners[self._sites[one].owner], weights[one]))
        return self._sites[heaviest]

    def _evict(self, site: Site) -> None:
        name = site.learner.site
        del self._sites[name]
        self._size -= site.size
        site.size = 0
        if site.held:
            site.learner.settle()
        if self._store is not None and site.learner.has_changed:
            self._evicted[name] = site.learner
            self.save_in_thread()
        if site.held:
            self.release(name)

    # ---- learning ------------------------------------------------------------------------------

    def learn(self, site: Site, look: Look) -> Lesson:
        """Learn from a page that was looked at, and share it with other workers on the site."""
        site.last_seen = time.monotonic()
        if not look.evidence.structure:  # nothing to count or to share
            return site.learner.learn(look)
        rule_version = site.learner.rule_version(look) if self._shared is not None else 0
        lesson = site.learner.learn(look)
        self.weigh(site)
        if self._shared is not None:
            self._shared.share(site, look, rule_version)
        return lesson

    # ---- waiting pages -------------------------------------------------------------------------

    def quiet(self, seconds: float) -> list[str]:
        """Return the sites that have waiting pages, but had no new page for this many seconds."""
        now = time.monotonic()
        return [
            name
            for name, site in self._sites.items()
            if site.held and now - site.last_seen >= seconds
        ]

    def settle(self, name: str | None) -> None:
        """Learn the rule that applies to any page of a site; of all sites if `name` is None."""
        for site in self._sites.values() if name is None else filter(None, [self._sites.get(name)]):
            site.learner.settle()

    def released(self, name: str | None, number: int | None) -> None:
        """Note that `number` held pages (None: all) of a site (None: of all) wait no longer."""
        for site in self._sites.values() if name is None else filter(None, [self._sites.get(name)]):
            site.held = 0 if number is None else max(0, site.held - number)

    # ---- loading and saving rules --------------------------------------------------------------

    def _load(self, name: str) -> SiteRules | None:
        assert self._store is not None
        try:
            return self._store.load_site(name)
        except StoreAwayError:  # logged by the store, which reports when they can be read
            return None
        except Exception as error:  # whatever the file contains
            self._stats.trouble("rules", "the rules of %s cannot be read: %s", name, error)
            return None

    def _count_troubles(self) -> None:
        """Count what went wrong in the store, which has logged it."""
        if self._store is not None and (new := self._store.troubles - self._troubles):
            self._troubles += new
            self._stats.count("errors/rules", new)

    def save_in_thread(self) -> None:
        """Save changes in a thread: another process may hold the lock, and the disk may be slow."""
        if not self._is_saving and self._changed():
            self._is_saving = True
            deferred_from_coro(self._save())

    def _changed(self) -> list[SiteLearner]:
        learners = [site.learner for site in self._sites.values()]
        return [one for one in (*self._evicted.values(), *learners) if one.has_changed]

    async def _save(self) -> None:
        try:
            for learner in self._changed():
                await self._save_one(learner)
        finally:
            self._is_saving = False
            for waiting in self._wait_for_save:
                waiting.callback(None)

    async def _save_one(self, learner: SiteLearner) -> None:
        changes = learner.take_changes()
        if self._store is None or not changes.templates:
            return
        try:
            merged = await run_in_thread(_merge_into, self._store, changes)
        except Exception as error:
            if not isinstance(error, NewerDocumentError):  # the document stays as it is
                learner.not_saved(changes)
            if not isinstance(error, StoreAwayError):  # which the store has logged
                self._stats.trouble("rules", "the rules cannot be saved: %s", error)
        else:
            self._go_on_with(learner, merged)
        if not learner.has_changed and self._evicted.get(learner.site) is learner:
            del self._evicted[learner.site]

    def _go_on_with(self, learner: SiteLearner, rules: SiteRules) -> None:
        """Adopt a site's rules from the store, and release the pages that waited for them."""
        for cluster in learner.saved(rules):
            self.release(learner.site, cluster)

    def exchange_in_thread(self) -> None:
        """Exchange pages with the other workers, and find out which sites to learn here."""
        self._count_troubles()
        if self._shared is not None:
            # The store's thread keeps the changes of others in memory: checking costs nothing.
            self.refresh_in_thread(now=True)
            self._shared.exchange_in_thread(self._sites.values())

    def refresh_in_thread(self, *, now: bool = False) -> None:
        """Every few seconds, or now, adopt the rules that others have changed or pinned."""
        is_due = time.monotonic() - self._refreshed >= REFRESH_SECONDS
        if self._store is not None and (is_due or now) and not self._is_refreshing:
            self._is_refreshing = True
            if is_due:
                self._refreshed = time.monotonic()
            deferred_from_coro(self._refresh(with_keys=is_due))

    async def _refresh(self, *, with_keys: bool) -> None:
        assert self._store is not None
        loaded = [name for name, site in self._sites.items() if site.is_loaded]
        try:
            for name in await run_in_thread(self._store.changed, loaded):
                known = await run_in_thread(self._store.load_site, name)
                site = self._sites.get(name)
                if site is not None:
                    self._go_on_with(site.learner, known or SiteRules(name))
                    self._stats.count("rules/refreshed")
            if with_keys:
                hosts = await run_in_thread(self._keys_now, list(self._keys))
                self._keys.update((host, key) for host, key in hosts.items() if host in self._keys)
        except StoreAwayError:  # which the store has logged
            pass
        except Exception as error:
            self._stats.trouble("rules", "changed rules cannot be read: %s", error)
        finally:
            self._is_refreshing = False

    def _keys_now(self, hosts: Iterable[str]) -> dict[str, str]:
        return {
            host: self._most_specific(sites.registered_domain(f"//{host}"), f"//{host}")
            for host in hosts
        }

    async def close(self) -> None:
        """Wait for a save in progress, which may still fail, and save what is left."""
        if self._is_saving:
            done: Deferred[None] = Deferred()
            self._wait_for_save.append(done)
            await maybe_deferred_to_future(done)
        for learner in self._changed():
            await self._save_one(learner)
        if self._shared is not None:
            await self._shared.close()
        if left := len(self._changed()):
            self._stats.trouble("rules_lost", "the rules of %s sites could not be saved", left)
        self._count_troubles()


def _merge_into(store: Store, changes: SiteRules) -> SiteRules:
    return store.update(changes.site, lambda known: merge(known, changes))
