"""The sites of a crawl: what is learnt of each, in bounded memory, and saved."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.project import inside_project, project_data_dir

from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.crawl.stats import Stats
from scrapy_mainblock.page import sites
from scrapy_mainblock.recipe.site_learner import SiteLearner
from scrapy_mainblock.stores.directory import RulesDirectory, merge
from scrapy_mainblock.stores.documents import NewerDocumentError
from scrapy_mainblock.template.rules import SiteRules

MOST_ENTRIES = 1_000_000
"""Paths, places and lines kept of all sites, some 200 MB."""


@dataclass
class Site:
    """One site, while it is in memory."""

    learner: SiteLearner
    owner: str
    """The domain that someone registered: who has it can have any number of hosts."""
    last_seen: float
    held: int = 0
    """Pages that wait."""
    size: int = 0
    """Entries kept, when last looked at."""


class KnownSites:
    """The sites that were seen last; one that has to make room is saved first.

    Where there are too many, the one that was not seen for longest goes, of the domain that has
    most of them; where they take too much memory, the fattest of the domain that takes most forgets
    what few of its pages have said, or goes. So neither hosts without end (`a.evil.example`,
    `b.evil.example`, ...) nor templates without end push out what is known of other domains.
    `let_go` is told the name of a site that goes while pages of it wait.
    """

    def __init__(
        self,
        most: int,
        directory: RulesDirectory | None,
        stats: Stats,
        let_go: Callable[[str], object],
    ) -> None:
        self._most = most
        self._directory = directory
        self._stats = stats
        self._let_go = let_go
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._size = 0
        self._saving = False

    def get(self, name: str) -> Site:
        """A site, with the rules of earlier crawls."""
        site = self._sites.get(name)
        if site is None:
            learner = SiteLearner(name, self._load(name))
            size = learner.size
            site = Site(learner, sites.owner(name), time.monotonic(), size=size)
            self._sites[name] = site
            self._size += size
            if len(self._sites) > max(self._most, 1):
                self._forget(self._greedy(dict.fromkeys(self._sites, 1), but=name))
        self._sites.move_to_end(name)
        return site

    def weigh(self, site: Site) -> None:
        """A site has learnt from a page: all may take too much memory now."""
        self._measure(site)
        while len(self._sites) > 1 and self._size > MOST_ENTRIES:
            fattest = self._greedy({name: one.size for name, one in self._sites.items()})
            if fattest.learner.thin():
                self._measure(fattest)
            else:
                self._forget(fattest)

    def _measure(self, site: Site) -> None:
        self._size += site.learner.size - site.size
        site.size = site.learner.size

    def in_memory(self, name: str) -> Site | None:
        """A site, if it is there."""
        return self._sites.get(name)

    def quiet(self, seconds: float) -> list[str]:
        """The sites with pages that wait, of which none has come for so long."""
        now = time.monotonic()
        return [
            name
            for name, site in self._sites.items()
            if site.held and now - site.last_seen >= seconds
        ]

    def settle(self, name: str | None) -> None:
        """Learn what is for any page of a site, or of all sites."""
        for site in self._sites.values() if name is None else filter(None, [self.in_memory(name)]):
            site.learner.settle()

    def _greedy(self, weights: Mapping[str, int], but: str = "") -> Site:
        """Of the domain whose sites weigh most together, the heaviest, the first of equals."""
        owners: Counter[str] = Counter()
        for name, weight in weights.items():
            owners[self._sites[name].owner] += weight
        candidates = (name for name in weights if name != but)
        heaviest = max(candidates, key=lambda one: (owners[self._sites[one].owner], weights[one]))
        return self._sites[heaviest]

    def _forget(self, site: Site) -> None:
        name = site.learner.site
        del self._sites[name]
        self._size -= site.size
        if site.held:
            site.learner.settle()
        self._save(site.learner)
        if site.held:
            self._let_go(name)

    def _load(self, name: str) -> SiteRules | None:
        if self._directory is None:
            return None
        troubles = self._directory.troubles
        try:
            rules = self._directory.load_site(name)
        except Exception as error:  # whatever the file holds
            self._stats.trouble("rules", "the rules of %s cannot be read: %s", name, error)
            return None
        if self._directory.troubles > troubles:  # which has said so
            self._stats.count("errors/rules")
        if rules is not None:
            self._stats.count("rules/loaded", len(rules.templates))
        return rules

    def save_in_thread(self) -> None:
        """Save what has changed: another process may have the lock, and the disk may be slow."""
        if not self._saving and any(site.learner.has_changed for site in self._sites.values()):
            self._saving = True
            deferred_from_coro(self._save_in_thread())

    async def _save_in_thread(self) -> None:
        try:
            for site in list(self._sites.values()):
                changes = site.learner.take_changes()
                if self._directory is None or not changes.templates:
                    continue
                try:
                    merged = await run_in_thread(_merge_into, self._directory, changes)
                except Exception as error:
                    self._not_saved(site.learner, changes, error)
                else:
                    site.learner.saved(merged)
        finally:
            self._saving = False

    def save(self) -> None:
        """Save what has changed, now."""
        for site in self._sites.values():
            self._save(site.learner)

    def _save(self, learner: SiteLearner) -> None:
        changes = learner.take_changes()
        if self._directory is None or not changes.templates:
            return
        try:
            learner.saved(_merge_into(self._directory, changes))
        except Exception as error:
            self._not_saved(learner, changes, error)

    def _not_saved(self, learner: SiteLearner, changes: SiteRules, error: Exception) -> None:
        if not isinstance(error, NewerDocumentError):  # which stays as it is
            learner.not_saved(changes)
        self._stats.trouble("rules", "the rules cannot be saved: %s", error)


def _merge_into(directory: RulesDirectory, changes: SiteRules) -> SiteRules:
    return directory.update(changes.site, lambda known: merge(known, changes))


def rules_directory(path: str | None, jobdir: str | None) -> RulesDirectory | None:
    """Where the rules are kept: MAINBLOCK_RULES_DIR, the project, the JOBDIR, or nowhere."""
    if path is not None:
        return RulesDirectory(path) if path else None
    if inside_project():
        return RulesDirectory(Path(project_data_dir()) / "mainblock" / "rules")
    return RulesDirectory(Path(jobdir) / "mainblock" / "rules") if jobdir else None
