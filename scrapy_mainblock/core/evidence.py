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
import sys
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from lxml.html import HtmlElement

from scrapy_mainblock.core import density
from scrapy_mainblock.core.candidates import Said
from scrapy_mainblock.core.counts import Node
from scrapy_mainblock.core.facts import fact_places, have_no_prose, may_have_facts
from scrapy_mainblock.core.pagetype import TYPES
from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.paths import path_of
from scrapy_mainblock.core.places import (
    NO_INLINE_SEEN,
    NOTHING_SEEN,
    ROOT,
    InlineSeen,
    PlaceEvidence,
    PlacesSeen,
    content_length,
    content_places,
    count_of_lines,
    inline_seen,
    places_of,
    places_seen,
)
from scrapy_mainblock.core.reading import WHOLE, Reading
from scrapy_mainblock.core.rules import (
    SETTINGS,
    SITE_CLUSTER,
    ClusterRule,
    Judged,
    LearnedBy,
    Looks,
    Rule,
    SiteRules,
    cluster_name,
)
from scrapy_mainblock.core.segments import elements_at
from scrapy_mainblock.core.shipped import ModelError
from scrapy_mainblock.core.sitenames import NameTally, texts_of

MOST_CLUSTERS = 400
"""Clusters kept for a site. A site has a handful of templates; beyond this it is a trap, and the
emptiest clusters make room."""
MOST_SITE_ENTRIES = 150_000
"""Paths, places and lines kept of a site's clusters in all, some 30 MB: the bound on a site that
founds a cluster with every page. A usual site has some thousands."""
WORTH_THINNING = 500
"""Entries of a cluster; one with fewer is better forgotten as a whole."""
LEAST_MANUAL = 0.1
"""The mean probability of documentation from which a cluster is of a manual: 0.13 to 0.6 on seven
manuals that the models had not seen, up to 0.06 on 48 sites of news and blogs, 0.09 and 0.16 on
two of jobs (whose pages lose nothing by it), up to 0.05 on 22 of products, films and books."""
WHOLE_OF_MANUAL = 0.985
"""The share of a manual's content that the rule's block holds, where it is `WHOLE` on other pages:
with more than that, what is left out are the sections of a few pages, and comments elsewhere."""
LEAST_VOTES = 0.5
"""The share of a cluster's pages that must have voted for a block, for it to be the rule's; where
none has so many, it is the most that any has."""
MOST_AROUND = 12
"""Blocks around its own that a page votes for as well: a section may have a name of its own on
every page (`#module-shutil`), and only the block around it one that they share."""
MOST_CANDIDATES = 64
"""Candidate blocks kept for a cluster; the weakest makes room."""
LONGEST_PATH = 10_000
"""Characters of a path that can be part of a rule: a tag's name is a stranger's text as well."""
LONGEST_NAME = 200
"""Characters of an id or class list that can be part of a rule."""

_NUMBER = re.compile(r"\d+")


class Vote(NamedTuple):
    """The block a page votes for: [Wang18]'s triple, and its H (or what else speaks for it)."""

    id: str
    classes: tuple[str, ...]
    path: str
    density: float
    text: int = 0
    """Characters of the block outside of links, and inside of them."""
    link_text: int = 0
    chain: str = ""
    """The block's place, where learning is by places."""


class PageFeatures(NamedTuple):
    """All that learning keeps of a page."""

    paths: frozenset[int]
    vote: Vote | None
    seen: PlacesSeen = NOTHING_SEEN
    inline: InlineSeen = NO_INLINE_SEEN
    around: tuple[Vote, ...] = ()
    """Further votes, for the blocks around that one."""
    judged: Judged | None = None
    names: frozenset[str] = frozenset()
    """What may be the site's name (see `sitenames`)."""


NO_FEATURES = PageFeatures(frozenset(), None)


def features(nodes: Sequence[Node], learned_by: LearnedBy) -> PageFeatures:
    """A page as [Wang18] sees it: the paths of its blocks, and the densest one."""
    settings = SETTINGS[learned_by]
    paths = density.path_set(nodes, settings)
    best = density.densest_block(nodes, settings)
    if best is None:
        return PageFeatures(paths, None)
    node = best.node
    return PageFeatures(paths, _vote(node.element, best.density, node.text, node.link_text))


def features_of_reading(reading: Reading) -> PageFeatures:
    """A page as `auto` sees it: its places, what the model says of each, and the main block."""
    best = reading.main_block()
    if best is None:
        return PageFeatures(reading.structure, None)
    seen = places_seen(reading.segments, reading.chains, reading.probability, reading.begins)
    inline = inline_seen(reading.segments, reading.probability)
    names = texts_of(Said(reading.root, reading.page.url))
    vote, *around = _votes_of(reading, [best, *islice(reading.blocks_around(best), MOST_AROUND)])
    judged = _judged(reading)
    return PageFeatures(reading.structure, vote, seen, inline, tuple(around), judged, names)


def _judged(reading: Reading) -> Judged | None:
    try:
        confidence = reading.confidence
    except ModelError:
        return None
    return Judged(confidence, tuple(zip(TYPES, reading.judgement.types.tolist(), strict=True)))


def _votes_of(reading: Reading, blocks: Sequence[int]) -> list[Vote]:
    elements = elements_at(reading.segments, blocks)
    return [
        _vote(element, reading.expected_f1, *reading.text_in(place), reading.chains[place])
        for element, place in zip(elements, blocks, strict=True)
    ]


def _vote(element: HtmlElement, weight: float, text: int, link_text: int, chain: str = "") -> Vote:
    identifier = " ".join((element.get("id") or "").split())
    classes = tuple(sorted(set((element.get("class") or "").split())))
    if len(" ".join(classes)) > LONGEST_NAME:
        classes = ()
    path = path_of(element)
    return Vote(
        identifier if len(identifier) <= LONGEST_NAME else "",
        classes,
        path if len(path) <= LONGEST_PATH else "",
        weight,
        text,
        link_text,
        chain,
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
    chains: set[str] = field(default_factory=set)
    looks: Looks | None = None

    def add(self, vote: Vote) -> None:
        self.weight += vote.density
        self.votes += 1
        self._look_at(vote)
        if len(self.ids) < 2:
            self.ids.add(vote.id)
        own = frozenset(vote.classes)
        self.classes = own if self.classes is None else self.classes & own
        if len(self.chains) < MOST_CANDIDATES:
            self.chains.add(sys.intern(vote.chain))
        if vote.path in self.paths or len(self.paths) < MOST_CANDIDATES:
            self.paths[vote.path] += 1

    def _look_at(self, vote: Vote) -> None:
        length = vote.text + vote.link_text
        share = vote.link_text / length if length else 0.0
        seen = self.looks or Looks(length, length, share)
        self.looks = Looks(
            min(seen.shortest, length), max(seen.longest, length), max(seen.link_share, share)
        )

    @property
    def size(self) -> int:
        """Entries kept."""
        return len(self.paths) + len(self.chains)

    def depth(self) -> float:
        """How deep the block is nested, on average."""
        return sum(path.count("/") * votes for path, votes in self.paths.items()) / self.votes

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
class _Tally:
    """The votes of a number of pages."""

    learned_by: LearnedBy
    pages: int = 0
    candidates: dict[tuple[str, ...], _Candidate] = field(default_factory=dict)
    places: PlaceEvidence = field(default_factory=PlaceEvidence)
    names: NameTally = field(default_factory=NameTally)
    _types: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TYPES, 0.0))
    _confidence: float = 0.0

    def add(self, page: PageFeatures) -> None:
        self.pages += 1
        self.places.add(page.seen, page.inline)
        if page.vote is not None:
            self.names.add(page.names, hash((page.vote.text, page.vote.link_text)))
        if page.judged is not None:
            self._confidence += page.judged.confidence
            for kind, share in page.judged.types:
                self._types[kind] += share
        for vote in (page.vote, *page.around):
            if vote is not None:
                self._count(vote)

    def _count(self, vote: Vote) -> None:
        key = self._key(vote)
        if key not in self.candidates and len(self.candidates) >= MOST_CANDIDATES:
            weakest = min(self.candidates, key=lambda key: self.candidates[key].weight)
            del self.candidates[weakest]
        candidate = self.candidates.get(key)
        if candidate is None:
            candidate = self.candidates[key] = _Candidate()
        candidate.add(vote)

    @property
    def size(self) -> int:
        """Entries kept."""
        of_blocks = sum(one.size for one in self.candidates.values())
        return self.places.size + of_blocks + len(self.names)

    @property
    def _is_manual(self) -> bool:
        """Whether the pages are like documentation; articles hardly are at all."""
        return self._types["documentation"] >= LEAST_MANUAL * sum(self._types.values()) > 0

    def _facts(self) -> Set[str]:
        if self._is_manual:
            return frozenset()
        content = content_places(self.places)
        if may_have_facts(self._types) or have_no_prose(self.places, content):
            return fact_places(self.places, content)
        return frozenset()

    def judged(self) -> Judged | None:
        """What the models said of the pages, on average."""
        pages = sum(self._types.values())  # the shares of each are 1 in all
        if not pages:
            return None
        shares = ((kind, round(min(share / pages, 1.0), 4)) for kind, share in self._types.items())
        types = tuple(sorted((one for one in shares if one[1]), key=lambda one: -one[1]))
        return Judged(round(min(self._confidence / pages, 1.0), 4), types)

    def _key(self, vote: Vote) -> tuple[str, ...]:
        masked = tuple(sorted({_mask(name) for name in vote.classes}))
        if self.learned_by == "cluster":
            return (_mask(vote.id), *masked, vote.path)
        if vote.id:
            return ("id", _mask(vote.id))
        return ("class", *masked) if masked else ("path", vote.path)

    def best(self) -> _Candidate | None:
        """Algorithm 2: the candidate with the greatest sum of H.

        Where learning is by places: the smallest that most pages have around their content, with
        nearly all of the content as the pages together see it. A page with a short article under
        long comments takes the comments for the content; the others know that place better.
        """
        if self.learned_by == "cluster":
            return max(self.candidates.values(), key=lambda one: one.weight, default=None)
        at_content = content_places(self.places, is_manual=self._is_manual)
        content = content_length(self.places, at_content, [ROOT])
        facts = self._facts()
        values = count_of_lines(self.places, facts, [ROOT])
        most = max((one.votes for one in self.candidates.values()), default=0)
        covered = {
            key: content_length(self.places, at_content, one.chains)
            for key, one in self.candidates.items()
            if one.votes >= min(LEAST_VOTES * self.pages, most)
        }
        least = WHOLE_OF_MANUAL if self._is_manual else WHOLE
        whole = [
            key
            for key, length in covered.items()
            if length >= least * content
            and count_of_lines(self.places, facts, self.candidates[key].chains) >= WHOLE * values
        ]
        keys = whole or [max(covered, key=lambda key: covered[key])] if covered else []
        deepest = max(keys, key=lambda key: self.candidates[key].depth(), default=None)
        return None if deepest is None else self.candidates[deepest]

    def rule_for(self, candidate: _Candidate) -> Rule:
        """A candidate's triple, and what is kept under its block."""
        rule = candidate.rule()
        if self.learned_by == "cluster":
            return rule
        places = places_of(
            self.places, candidate.chains, facts=self._facts(), is_manual=self._is_manual
        )
        return replace(rule, places=places)


class Cluster:
    """The pages that are alike enough to a first one.

    Index pages are tallied apart: a list of links that has an article's structure must not vote
    on where the article is, and a cluster of lists has a rule all the same.
    """

    def __init__(self, paths: frozenset[int], learned_by: LearnedBy) -> None:
        self.paths = paths
        self.learned_by: LearnedBy = learned_by
        self._articles = _Tally(learned_by)
        self._lists = _Tally(learned_by)

    @cached_property
    def name(self) -> str:
        """The name that the first page gives it."""
        return cluster_name(self.paths)

    def add(self, page: PageFeatures, *, is_index: bool = False) -> None:
        """One more page."""
        (self._lists if is_index else self._articles).add(page)

    def start_anew(self, since: Cluster) -> None:
        """Forget all pages but those that another one has counted: the site has changed."""
        self._articles, self._lists = since._articles, since._lists

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        return len(self.paths) + self._articles.size + self._lists.size

    def thin(self) -> bool:
        """Forget half of what its pages have said; False where that is too little to halve."""
        before = self.size
        if before >= WORTH_THINNING:
            self._articles.places.thin()
            self._lists.places.thin()
        return self.size < before

    @property
    def is_ruled(self) -> bool:
        """Whether there are pages enough for a rule."""
        return self.pages > SETTINGS[self.learned_by].more_pages_than

    @property
    def all_pages(self) -> int:
        """How many pages were seen."""
        return self._articles.pages + self._lists.pages

    @property
    def pages(self) -> int:
        """How many of them count: the articles, or the lists where those are more."""
        return self._counted.pages

    @property
    def _counted(self) -> _Tally:
        return max(self._articles, self._lists, key=lambda tally: tally.pages)

    def learnt(self) -> ClusterRule | None:
        """The rule, once there are more than five pages and a block."""
        counted = self._counted
        best = counted.best()
        if best is None or not self.is_ruled:
            return None
        rule = counted.rule_for(best)
        if not any(rule.selectors()):  # the root of a page without a body
            return None
        return ClusterRule(
            self.name,
            rule,
            self.paths,
            pages=self.pages,
            votes=best.votes,
            learned_by=self.learned_by,
            looks=best.looks,
            judged=counted.judged(),
            names=counted.names.names(),
        )


class SiteEvidence:
    """What has been seen of one site, and the rules that follow from it.

    With `known`, the clusters of earlier rules are there from the start, without pages: a page of
    a known template then founds no second cluster for it.
    """

    def __init__(
        self, site: str, learned_by: LearnedBy = "auto", known: SiteRules | None = None
    ) -> None:
        self.site = site
        self._learned_by: LearnedBy = learned_by
        self._settings = SETTINGS[learned_by]
        self._clusters = [
            Cluster(one.paths, learned_by)
            for one in (known.clusters if known else ())
            if one.paths and one.learned_by == learned_by
        ][:MOST_CLUSTERS]
        self._site = Cluster(frozenset(), learned_by)
        self.size = sum(cluster.size for cluster in self._clusters)
        """Entries kept: what memory grows with."""

    def add(self, page: PageFeatures, *, is_index: bool = False) -> Cluster:
        """Algorithm 1, one page at a time, and the page's vote for algorithm 2."""
        cluster = self._cluster_for(page.paths)
        self._count(cluster, page, is_index=is_index)
        if self._learned_by == "auto" and not cluster.is_ruled:
            self._count(self._site, page, is_index=is_index)
        self._make_room(cluster)
        return cluster

    def _count(self, cluster: Cluster, page: PageFeatures, *, is_index: bool) -> None:
        before = cluster.size
        cluster.add(page, is_index=is_index)
        self.size += cluster.size - before

    def _make_room(self, latest: Cluster) -> None:
        """The fattest cluster forgets what few of its pages have said; or the emptiest goes.

        So templates without end take the room of each other, and hardly that of one with many
        pages, whose rule rests on what most of them say.
        """
        while self.size > MOST_SITE_ENTRIES:
            if not self.thin() and not self._forget_emptiest(but=latest):
                break

    def thin(self) -> bool:
        """Let the fattest cluster forget half; False where that is too little to halve."""
        fattest = max((self._site, *self._clusters), key=lambda cluster: cluster.size)
        before = fattest.size
        is_thinner = fattest.thin()
        self.size += fattest.size - before
        return is_thinner

    def _forget_emptiest(self, but: Cluster | None = None) -> bool:
        others = [cluster for cluster in self._clusters if cluster is not but]
        emptiest = min(others, key=lambda cluster: cluster.all_pages, default=None)
        if emptiest is None:
            return False
        self._clusters.remove(emptiest)
        self.size -= emptiest.size
        return True

    def start_anew(self, since: Cluster) -> None:
        """Forget the pages of the cluster of its name, but those that `since` has counted."""
        for cluster in self._clusters:
            if cluster.name == since.name:
                before = cluster.size
                cluster.start_anew(since)
                self.size += cluster.size - before

    def _cluster_for(self, paths: frozenset[int]) -> Cluster:
        for cluster in self._clusters:
            if wang18.similarity(paths, cluster.paths) > self._settings.similarity:
                return cluster
        if len(self._clusters) >= MOST_CLUSTERS:
            self._forget_emptiest()
        self._clusters.append(Cluster(paths, self._learned_by))
        self.size += len(paths)
        return self._clusters[-1]

    def site_rule(self) -> ClusterRule | None:
        """A rule for the pages that no cluster has, where most of the site's pages share a block.

        The pages of a manual differ so much in structure that many are alone in their cluster, and
        yet all have their text in the same block. It must be one with a name: a path means nothing
        on a page of another structure. Pages of a cluster with a rule of its own have no say.
        """
        if all(cluster.is_ruled for cluster in self._clusters):
            return None
        learnt = self._site.learnt()
        if learnt is None or not (learnt.rule.id or learnt.rule.classes):
            return None
        if learnt.votes < LEAST_VOTES * learnt.pages:
            return None
        rule = replace(learnt.rule, path="")
        return replace(learnt, cluster=SITE_CLUSTER, rule=rule, paths=frozenset())

    def rules(self) -> SiteRules:
        """A rule for each cluster that has more than five pages and a block."""
        learnt = (cluster.learnt() for cluster in self._clusters)
        rules = [rule for rule in (*learnt, self.site_rule()) if rule is not None]
        return SiteRules(self.site, tuple(rules))
