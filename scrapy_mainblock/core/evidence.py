"""Learning: pages come in one at a time, clusters and votes are kept, rules come out.

Algorithm 1 of [Wang18] looks like a loop over all pairs, but compares each page with the first
page of each cluster only; done page by page as they arrive the result is the same, and no page
needs to be kept. Algorithm 2 then is a tally: each page votes with its densest block, the weight
of a vote is its H. What is kept of a page is its vote, of a cluster its first page's path set and
a bounded number of candidates.

What the paper leaves open in comparing triples, decided here:

* An id or a class that carries a running number (``post-4711``) differs on every page, and so
  would every triple. Runs of digits are masked for the comparison; what differed in the end among
  the pages of the winning triple is left out of the rule.
* With `learned_by="auto"` two blocks are the same candidate when the selector that would be tried
  first is the same: the same id at another path is the same block, moved down by an advert.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.core import density
from scrapy_mainblock.core.counts import Node
from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.paths import path_of
from scrapy_mainblock.core.rules import (
    SETTINGS,
    ClusterRule,
    LearnedBy,
    Rule,
    SiteRules,
    cluster_name,
)

MOST_CLUSTERS = 400
"""Clusters kept for a site. A site has a handful of templates; beyond this it is a trap, and the
emptiest clusters make room."""
MOST_CANDIDATES = 64
"""Candidate blocks kept for a cluster; the weakest makes room."""
LONGEST_NAME = 200
"""Characters of an id or class list that can be part of a rule."""

_NUMBER = re.compile(r"\d+")


class Vote(NamedTuple):
    """The block a page votes for: [Wang18]'s triple, and its H."""

    id: str
    classes: tuple[str, ...]
    path: str
    density: float


class PageFeatures(NamedTuple):
    """All that learning keeps of a page."""

    paths: frozenset[int]
    vote: Vote | None


NO_FEATURES = PageFeatures(frozenset(), None)


def features(nodes: Sequence[Node], learned_by: LearnedBy) -> PageFeatures:
    """A page as learning sees it."""
    settings = SETTINGS[learned_by]
    paths = density.path_set(nodes, settings)
    best = density.densest_block(nodes, settings)
    if best is None:
        return PageFeatures(paths, None)
    element = best.node.element
    identifier = " ".join((element.get("id") or "").split())
    classes = tuple(sorted(set((element.get("class") or "").split())))
    if len(" ".join(classes)) > LONGEST_NAME:
        classes = ()
    return PageFeatures(
        paths,
        Vote(
            identifier if len(identifier) <= LONGEST_NAME else "",
            classes,
            path_of(element),
            best.density,
        ),
    )


def _mask(name: str) -> str:
    return _NUMBER.sub("#", name)


@dataclass
class _Candidate:
    """Votes for one block."""

    weight: float = 0.0
    votes: int = 0
    ids: set[str] = field(default_factory=set)
    classes: frozenset[str] | None = None
    paths: Counter[str] = field(default_factory=Counter)

    def add(self, vote: Vote) -> None:
        self.weight += vote.density
        self.votes += 1
        if len(self.ids) < 2:
            self.ids.add(vote.id)
        own = frozenset(vote.classes)
        self.classes = own if self.classes is None else self.classes & own
        if vote.path in self.paths or len(self.paths) < MOST_CANDIDATES:
            self.paths[vote.path] += 1

    def rule(self) -> Rule:
        """The triple without what differed among its pages."""
        constant_id = next(iter(self.ids)) if len(self.ids) == 1 else ""
        # A number seen once can be a running number whose next value was not seen.
        if self.votes == 1 and _NUMBER.search(constant_id):
            constant_id = ""
        classes = self.classes or frozenset()
        if self.votes == 1:
            classes = frozenset(name for name in classes if not _NUMBER.search(name))
        (path, _), *_ = self.paths.most_common(1)
        return Rule(constant_id, tuple(sorted(classes)), path)


@dataclass
class _Cluster:
    """The pages that are alike enough to a first one."""

    paths: frozenset[int]
    learned_by: LearnedBy
    pages: int = 0
    candidates: dict[tuple[str, ...], _Candidate] = field(default_factory=dict)

    def add(self, vote: Vote | None) -> None:
        self.pages += 1
        if vote is None:
            return
        key = self._key(vote)
        if key not in self.candidates and len(self.candidates) >= MOST_CANDIDATES:
            weakest = min(self.candidates, key=lambda key: self.candidates[key].weight)
            del self.candidates[weakest]
        self.candidates.setdefault(key, _Candidate()).add(vote)

    def _key(self, vote: Vote) -> tuple[str, ...]:
        masked = tuple(sorted({_mask(name) for name in vote.classes}))
        if self.learned_by == "cluster":
            return (_mask(vote.id), *masked, vote.path)
        if vote.id:
            return ("id", _mask(vote.id))
        return ("class", *masked) if masked else ("path", vote.path)

    def rule(self) -> tuple[Rule, int] | None:
        """Algorithm 2: the candidate with the greatest sum of H, and how many voted for it."""
        if not self.candidates:
            return None
        best = max(self.candidates.values(), key=lambda candidate: candidate.weight)
        return best.rule(), best.votes


class SiteEvidence:
    """What has been seen of one site, and the rules that follow from it."""

    def __init__(self, site: str, learned_by: LearnedBy = "auto") -> None:
        self.site = site
        self._learned_by: LearnedBy = learned_by
        self._settings = SETTINGS[learned_by]
        self._clusters: list[_Cluster] = []

    def add(self, page: PageFeatures) -> None:
        """Algorithm 1, one page at a time, and the page's vote for algorithm 2."""
        self._cluster_for(page.paths).add(page.vote)

    def _cluster_for(self, paths: frozenset[int]) -> _Cluster:
        for cluster in self._clusters:
            if wang18.similarity(paths, cluster.paths) > self._settings.similarity:
                return cluster
        if len(self._clusters) >= MOST_CLUSTERS:
            emptiest = min(reversed(self._clusters), key=lambda cluster: cluster.pages)
            self._clusters.remove(emptiest)
        self._clusters.append(_Cluster(paths, self._learned_by))
        return self._clusters[-1]

    def rules(self) -> SiteRules:
        """A rule for each cluster that has more than five pages and a block."""
        learnt = []
        for cluster in self._clusters:
            found = cluster.rule()
            if found is None or cluster.pages <= self._settings.more_pages_than:
                continue
            rule, votes = found
            learnt.append(
                ClusterRule(
                    cluster_name(cluster.paths),
                    rule,
                    cluster.paths,
                    pages=cluster.pages,
                    votes=votes,
                    learned_by=self._learned_by,
                )
            )
        return SiteRules(self.site, tuple(learnt))
