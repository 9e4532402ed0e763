"""What a crawl learns of one site, page by page: pure, with no Scrapy and no I/O.

A page is looked at (`look_at`: may be done in a thread) and then counted (`SiteLearner.learn`: in
the one thread of the crawl). The lesson says whether the page can be answered by a rule now, and
which rule is new.

* A cluster's rule is learnt when it has more than five pages, and again as they grow (6, 8, 12, 16,
  24, 32, ...).
* Once a rule is learnt from 24 pages, one in 32 of those that it fits is learnt from, once from 48
  one in 64, and so on: to look at a page closely costs as much as to answer it from the page alone,
  many times a look-up. (On 674 labelled pages of 9 sites more pages before that made no rule
  better: F1 0.945 with 24, 0.944 with 48.)
* A rule of an earlier crawl stands until this crawl has seen as many pages as it was learnt from.
* A page that the rule misses, or whose block is unlike (`core.redesign`), is no evidence for the
  rule. Six such pages among the last eight are a redesign: the rule is learnt anew from them. (All
  six must be recent, so that two templates that take turns do not replace each other for ever.)
* An index page without items is not learnt from. What an index page is, its share of text in links
  says: LCR and CCR, the papers' measure, tell the two apart worse on today's pages
  (docs/papers/wang14.md), where LCR is near 1 on both.
"""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from scrapy_mainblock.core.article import Article
from scrapy_mainblock.core.evidence import NO_FEATURES, Cluster, PageFeatures, SiteEvidence
from scrapy_mainblock.core.mainblock import extract_page, features_of
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.papers.wang18 import TODAY
from scrapy_mainblock.core.reading import Reading, reading_of
from scrapy_mainblock.core.recognition import Known, expect, recognize
from scrapy_mainblock.core.redesign import Fit, fit, fit_of_hit
from scrapy_mainblock.core.rules import ClusterRule, Looks, Rules, SiteRules

LEARNED_BY: Literal["auto"] = "auto"
FIRST_LESSON = TODAY.more_pages_than + 1
SETTLED = 4 * FIRST_LESSON
SAMPLED = 32
"""One in so many pages is learnt from where a rule has just settled, and the fewer the more pages
it was learnt from. Which ones, their URLs say."""
UNLIKE = "the rule's block is unlike those that it was learnt from"
REDESIGN_PAGES = 6
REDESIGN_WINDOW = 8
MOST_WATCHES = 400
"""As many as clusters of a site."""


class Look(NamedTuple):
    """What learning wants to know of a page."""

    features: PageFeatures
    is_index: bool = False
    fit: Fit | None = None
    """None where no rule is known for the page."""
    passed_over: str | None = None
    """The page's cluster, where its rule is settled: nothing is learnt from the page."""


NOTHING_SEEN = Look(NO_FEATURES)


def look_at(page: Page, rules: SiteRules) -> Look:
    """Look at a page; NOTHING_SEEN of one that cannot be read. Never raises."""
    try:
        expect(page, rules)
        root = page.root
        if root is None:
            return NOTHING_SEEN
        reading = reading_of(page, root)
        settled = _settled(reading, rules)
        if settled is not None and fit_of_hit(*settled, page) == "fits":
            return Look(NO_FEATURES, fit="fits", passed_over=settled.cluster.cluster)
        features = features_of(page, LEARNED_BY)
        if not features.paths:
            return NOTHING_SEEN
        known = rules.cluster_of(features.paths, LEARNED_BY)
        fits = None if known is None else fit(known, page)
        return Look(features, reading.is_index, fits)
    except Exception:  # a page never raises
        return NOTHING_SEEN


def _settled(reading: Reading, rules: SiteRules) -> Known | None:
    """The page's cluster and what its rule finds; None of a sample, and if it has not settled."""
    url = reading.page.url
    if not url or all(one.pages < SETTLED for one in rules.clusters):
        return None
    known = recognize(reading, rules)
    if known is None or known.cluster.pages < SETTLED or not known.cluster.paths:
        return None
    one_in = SAMPLED * (known.cluster.pages // SETTLED)
    is_sample = zlib.crc32(url.encode("utf-8", "replace")) % one_in == 0
    return None if is_sample else known


def answer(page: Page, rules: SiteRules) -> Article:
    """The article of a page by its site's rules, or from the page alone.

    A block that is unlike what the rule was learnt from is no answer, unless there is no other.
    """
    by_rule = extract_page(page, Rules({rules.site: rules}), site=rules.site)
    cluster = by_rule.metadata["cluster"]
    if by_rule.metadata["method"] != "rule" or not _is_another_block(page, rules, cluster):
        return by_rule
    alone = extract_page(page)
    if alone.articleBody is None:
        return by_rule
    reason = f"{UNLIKE}; {page.cut}" if page.cut else UNLIKE
    found = {**alone.metadata, "cluster": cluster, "reason": reason}
    return replace(alone, metadata=found)


def _is_another_block(page: Page, rules: SiteRules, cluster: str) -> bool:
    known = next((one for one in rules.clusters if one.cluster == cluster), None)
    try:
        return known is not None and bool(known.paths) and fit(known, page) == "unlike"
    except Exception:  # a page never raises
        return False


class News(NamedTuple):
    """A rule that is new."""

    rule: ClusterRule
    kind: Literal["learnt", "relearnt"]


class Lesson(NamedTuple):
    """What came of a page."""

    cluster: str | None
    answerable: bool
    """Whether to wait is of no use: a rule fits, or none ever will."""
    missed: bool = False
    news: News | None = None
    settled: bool = False
    """Whether pages of this cluster that wait can be answered now."""


@dataclass
class _Watch:
    """The latest pages of a cluster that has a rule, and whether they fit it."""

    misfits: Cluster
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=REDESIGN_WINDOW))

    def is_redesign(self) -> bool:
        return sum(self.recent) >= REDESIGN_PAGES


class SiteLearner:
    """The rules of one site, as they grow."""

    def __init__(self, site: str, known: SiteRules | None = None) -> None:
        self.site = site
        self.rules = SiteRules(site, known.clusters if known else ())
        self._evidence = SiteEvidence(site, LEARNED_BY, self.rules)
        self._watches: dict[str, _Watch] = {}
        self._changed: set[str] = set()

    @property
    def size(self) -> int:
        """Entries kept: what the memory that this takes grows with."""
        watched = sum(watch.misfits.size for watch in self._watches.values())
        return self._evidence.size + watched + self._rules_size

    def thin(self) -> bool:
        """Forget some of what few pages have said; False where there is little to forget."""
        return self._evidence.thin()

    @property
    def rules(self) -> SiteRules:
        """The rules as they are now."""
        return self._rules

    @rules.setter
    def rules(self, rules: SiteRules) -> None:
        self._rules = rules
        self._rules_size = sum(len(one.paths) for one in rules.clusters)

    def rule_named(self, cluster: str) -> ClusterRule | None:
        """The rule of a cluster."""
        return next((one for one in self.rules.clusters if one.cluster == cluster), None)

    def learn(self, look: Look) -> Lesson:
        """Count a page that was looked at."""
        if look.passed_over is not None:
            if watch := self._watches.get(look.passed_over):
                watch.recent.append(False)
            return Lesson(look.passed_over, answerable=True)
        features = look.features
        if not features.paths:
            return Lesson(None, answerable=True)
        known = self.rules.cluster_of(features.paths, LEARNED_BY)
        if known is None:
            return self._of_new_cluster(look)
        if known.pinned:
            return Lesson(known.cluster, answerable=True)
        if look.fit not in (None, "fits"):
            return self._of_misfit(known, look)
        if watch := self._watches.get(known.cluster):
            watch.recent.append(False)
        cluster = self._evidence.add(features, is_index=look.is_index)
        return Lesson(known.cluster, answerable=True, news=self._relearn(known, cluster))

    def _of_new_cluster(self, look: Look) -> Lesson:
        cluster = self._evidence.add(look.features, is_index=look.is_index)
        learnt = cluster.learnt()
        if learnt is None:
            return Lesson(cluster.name, answerable=False)
        self._set(learnt)
        return Lesson(cluster.name, answerable=True, news=News(learnt, "learnt"), settled=True)

    def _relearn(self, known: ClusterRule, cluster: Cluster) -> News | None:
        if not _is_lesson(cluster.pages) or cluster.pages < known.pages:
            return None
        if self.rules.cluster_of(cluster.paths, LEARNED_BY) != known:
            return None  # a page between two clusters: alike to one, and ruled by the other
        learnt = cluster.learnt()
        return None if learnt is None else self._succeed(known, learnt)

    def _of_misfit(self, known: ClusterRule, look: Look) -> Lesson:
        missed = look.fit == "missed"
        if look.is_index:
            return Lesson(known.cluster, answerable=True, missed=missed)
        watch = self._watch(known)
        watch.recent.append(True)
        watch.misfits.add(look.features)
        learnt = watch.misfits.learnt() if watch.is_redesign() else None
        if learnt is None:
            return Lesson(known.cluster, answerable=False, missed=missed)
        del self._watches[known.cluster]
        if _same_block(learnt, known) and learnt.looks and known.looks:
            # The same block, only other than it was: shorter articles now.
            self._set(replace(known, looks=_both(known.looks, learnt.looks)))
            news = None
        else:
            news = self._succeed(known, learnt)
            self._evidence.start_anew(watch.misfits)
        return Lesson(known.cluster, answerable=True, missed=missed, news=news, settled=True)

    def _watch(self, known: ClusterRule) -> _Watch:
        if known.cluster not in self._watches and len(self._watches) >= MOST_WATCHES:
            self._watches.pop(next(iter(self._watches)))
        fresh = _Watch(Cluster(known.paths, LEARNED_BY))
        return self._watches.setdefault(known.cluster, fresh)

    def _succeed(self, known: ClusterRule, learnt: ClusterRule) -> News | None:
        learnt = replace(learnt, cluster=known.cluster, paths=known.paths)
        after = known.successor(learnt)
        self._set(after)
        # Finer places within the same block are no news.
        return None if _same_block(known, after) else News(after, "relearnt")

    def settle(self) -> None:
        """Before pages are let go that no cluster's rule came for: learn the one for any page."""
        learnt = self._evidence.site_rule()
        known = self.rules.for_any_page()
        if learnt is not None and (known is None or learnt.pages >= known.pages):
            after = learnt if known is None else known.successor(learnt)
            if after != known:
                self._set(after)

    def _set(self, rule: ClusterRule) -> None:
        self.rules = _with(self.rules, rule)
        self._changed.add(rule.cluster)

    @property
    def has_changed(self) -> bool:
        """Whether there is something to save."""
        return bool(self._changed)

    def take_changes(self) -> SiteRules:
        """What to save: only what changed here, since others may have changed the rest."""
        changed = tuple(one for one in self.rules.clusters if one.cluster in self._changed)
        self._changed.clear()
        return SiteRules(self.site, changed)

    def not_saved(self, changes: SiteRules) -> None:
        """Take changes back, to be saved another time."""
        self._changed.update(one.cluster for one in changes.clusters)

    def saved(self, merged: SiteRules) -> None:
        """Go on with the rules as they are saved now, with what others learnt or pinned."""
        unsaved = [one for one in self.rules.clusters if one.cluster in self._changed]
        self.rules = SiteRules(self.site, merged.clusters)
        for rule in unsaved:
            self.rules = _with(self.rules, rule)


def _same_block(a: ClusterRule, b: ClusterRule) -> bool:
    return tuple(a.rule.selectors()) == tuple(b.rule.selectors())


def _is_lesson(pages: int) -> bool:
    """6, 8, 12, 16, 24, 32, 48, ..."""
    return any(
        not rest and times > 0 and times & (times - 1) == 0
        for times, rest in (divmod(pages, FIRST_LESSON), divmod(pages, FIRST_LESSON + 2))
    )


def _both(a: Looks, b: Looks) -> Looks:
    return Looks(
        min(a.shortest, b.shortest), max(a.longest, b.longest), max(a.link_share, b.link_share)
    )


def _with(rules: SiteRules, rule: ClusterRule) -> SiteRules:
    """The rules with one more, or in the place of the one of its name; a pinned one stays."""
    clusters = list(rules.clusters)
    for place, one in enumerate(clusters):
        if one.cluster == rule.cluster:
            clusters[place] = one if one.pinned else rule
            break
    else:
        clusters.append(rule)
    return replace(rules, clusters=tuple(clusters)).bounded()
