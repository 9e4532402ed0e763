"""The sites of a crawl: what is learnt of each, in bounded memory, and saved."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.project import inside_project, project_data_dir

from scrapy_mainblock.core.rules import SiteRules
from scrapy_mainblock.learning import SiteLearner
from scrapy_mainblock.report import Report
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.threads import run_in_thread

MOST_PATHS = 500_000
"""Paths kept of all sites, some 40 MB: the bound where many sites are hostile at once."""


@dataclass
class Site:
    """One site, while it is in memory."""

    learner: SiteLearner
    last_seen: float
    held: int = 0
    """Pages that wait."""


class KnownSites:
    """The sites that were seen last; one that has to make room is saved first.

    `let_go` is told the name of one whose pages wait and will not be learnt from any more.
    """

    def __init__(
        self,
        most: int,
        directory: RulesDirectory | None,
        report: Report,
        let_go: Callable[[str], object],
    ) -> None:
        self._most = most
        self._directory = directory
        self._report = report
        self._let_go = let_go
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._saving = False

    def get(self, name: str) -> Site:
        """A site, with the rules of earlier crawls."""
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = Site(SiteLearner(name, self._load(name)), time.monotonic())
            self._make_room()
        self._sites.move_to_end(name)
        return site

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

    def _make_room(self) -> None:
        size = sum(site.learner.size for site in self._sites.values())
        while len(self._sites) > 1 and (len(self._sites) > self._most or size > MOST_PATHS):
            name, site = self._sites.popitem(last=False)
            size -= site.learner.size
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
            self._report.trouble("rules", "the rules of %s cannot be read: %s", name, error)
            return None
        if self._directory.troubles > troubles:  # which has said so
            self._report.count("errors/rules")
        if rules is not None:
            self._report.count("rules/loaded", len(rules.clusters))
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
                if self._directory is None or not changes.clusters:
                    continue
                try:
                    merged = await run_in_thread(self._directory.save, changes)
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
        if self._directory is None or not changes.clusters:
            return
        try:
            learner.saved(self._directory.save(changes))
        except Exception as error:
            self._not_saved(learner, changes, error)

    def _not_saved(self, learner: SiteLearner, changes: SiteRules, error: Exception) -> None:
        learner.not_saved(changes)
        self._report.trouble("rules", "the rules cannot be saved: %s", error)


def rules_directory(path: str | None, jobdir: str | None) -> RulesDirectory | None:
    """Where the rules are kept: MAINBLOCK_RULES_DIR, the project, the JOBDIR, or nowhere."""
    if path is not None:
        return RulesDirectory(path) if path else None
    if inside_project():
        return RulesDirectory(Path(project_data_dir()) / "mainblock" / "rules")
    return RulesDirectory(Path(jobdir) / "mainblock" / "rules") if jobdir else None
