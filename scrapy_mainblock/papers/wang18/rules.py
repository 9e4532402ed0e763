"""Algorithms 1 and 2 of [Wang18]: clustering the pages of a site, and learning a rule per cluster.

Algorithm 1 looks like a loop over all pairs, but it compares each page only with the first page of
each cluster. Processing the pages one by one as they arrive gives the same result, and no page has
to be kept. Algorithm 2 then is a vote: each page votes for its densest block with that block's H.

The paper does not say how to compare triples whose id or class contains a running number
(``post-4711``), which differs on every page. Here runs of digits are masked for the comparison, and
ids and classes that differ among the pages of the winning triple are left out of the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import path_of
from scrapy_mainblock.papers.nodes import nodes_of
from scrapy_mainblock.papers.wang18.densest_block import densest_block, path_set
from scrapy_mainblock.papers.wang18.equations import PAPER, Settings, similarity
from scrapy_mainblock.template.rules import Rule

_NUMBER = re.compile(r"\d+")


class Seen(NamedTuple):
    """The data that learning keeps of a page: its path set, its densest block and the block's H."""

    paths: frozenset[int]
    id: str = ""
    classes: tuple[str, ...] = ()
    path: str = ""
    density: float = 0.0


def seen_of(page: Outline, settings: Settings = PAPER) -> Seen:
    """Return the data that learning needs from a page."""
    nodes = nodes_of(page)
    paths = path_set(nodes, settings)
    best = densest_block(nodes, settings)
    if best is None:
        return Seen(paths)
    rows, element = page.rows, best.node.element
    return Seen(
        paths,
        " ".join(rows.identifier(element).split()),
        tuple(sorted(set(rows.classes(element).split()))),
        path_of(rows, element),
        best.density,
    )


@dataclass
class Candidate:
    """The votes for one block of a cluster."""

    density: float = 0.0
    """The sum of H."""
    pages: int = 0
    ids: set[str] = field(default_factory=set)
    classes: frozenset[str] | None = None
    path: str = ""

    def add(self, page: Seen) -> None:
        """Count the vote of one page."""
        self.density += page.density
        self.pages += 1
        self.ids.add(page.id)
        own = frozenset(page.classes)
        self.classes = own if self.classes is None else self.classes & own
        self.path = self.path or page.path

    def rule(self) -> Rule:
        """Return the triple without the ids and classes that differ among its pages."""
        constant = next(iter(self.ids)) if len(self.ids) == 1 else ""
        classes = self.classes or frozenset()
        if self.pages == 1:  # a number seen only once may be a running number
            constant = "" if _NUMBER.search(constant) else constant
            classes = frozenset(name for name in classes if not _NUMBER.search(name))
        return Rule(constant, tuple(sorted(classes)), self.path)


@dataclass
class Cluster:
    """The pages that are similar enough to the first page of the cluster."""

    paths: frozenset[int]
    pages: int = 0
    candidates: dict[tuple[str, ...], Candidate] = field(default_factory=dict)

    def add(self, page: Seen) -> None:
        """Count one page and its vote."""
        self.pages += 1
        if page.density:
            masked = sorted({_mask(name) for name in page.classes})
            key = (_mask(page.id), *masked, page.path)
            self.candidates.setdefault(key, Candidate()).add(page)


def _mask(name: str) -> str:
    return _NUMBER.sub("#", name)


class ClusterRules(NamedTuple):
    """The clusters of a site, each as the path set of its first page and its rule."""

    clusters: tuple[tuple[frozenset[int], Rule], ...]
    settings: Settings = PAPER

    def rule_for(self, paths: frozenset[int]) -> Rule | None:
        """Return the rule of the cluster that a page belongs to, or None."""
        for first, rule in self.clusters:
            if similarity(paths, first) > self.settings.similarity:
                return rule
        return None


def learn_rules(pages: Iterable[Seen], settings: Settings = PAPER) -> ClusterRules:
    """Cluster the pages of a site, and learn a rule for each cluster of more than five pages."""
    clusters = Clusters(settings)
    for page in pages:
        clusters.add(page)
    return clusters.rules()


class Clusters:
    """The clusters of a site, built page by page."""

    def __init__(self, settings: Settings = PAPER) -> None:
        self._settings = settings
        self._clusters: list[Cluster] = []

    def add(self, page: Seen) -> None:
        """Add a page to the first cluster that is similar enough, otherwise to a new cluster."""
        for cluster in self._clusters:
            if similarity(page.paths, cluster.paths) > self._settings.similarity:
                break
        else:
            cluster = Cluster(page.paths)
            self._clusters.append(cluster)
        cluster.add(page)

    def rules(self) -> ClusterRules:
        """Return a rule for each cluster of more than five pages."""
        found = []
        for cluster in self._clusters:
            best = max(cluster.candidates.values(), key=lambda one: one.density, default=None)
            if best is not None and cluster.pages > self._settings.more_pages_than:
                found.append((cluster.paths, best.rule()))
        return ClusterRules(tuple(found), self._settings)
