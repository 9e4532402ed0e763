"""What a crawl learns about one site, page by page, without Scrapy and without I/O.

A page is first looked at (`look_at`, which may run in a thread) and then counted
(`SiteLearner.learn`, in the one thread of the crawl). The lesson says whether a rule can answer the
page now, and which rule is new.

* A cluster's rule is learned when the cluster has more than five pages, and again as it grows (6,
  8, 12, 16, 24, 32, ... pages).
* Once a rule is learned from 24 pages, only one in 32 of the pages that it fits is learned from,
  from 48 pages on one in 64, and so on: looking at a page closely costs as much as reading it
  alone, many times a lookup. (On 674 labeled pages of 9 sites, sampling later made no rule better:
  F1 0.945 with 24 pages, 0.944 with 48.)
* A rule of an earlier crawl stays in use until this crawl has seen as many pages as it was learned
  from.
* A page that the rule misses, or whose block is unlike those before (`template.rule_fit`), is not
  evidence for the rule. Six such pages among the last eight are a redesign: the rule is learned
  anew from them. (All six must be recent, so that two alternating templates do not replace each
  other.)
* Of several workers on a site one leads: it counts the pages of all workers (`learn_of_others`) and
  learns. The others count their own pages and wait for its rules (`saved`). A worker that is left
  alone takes the lead, with what it has counted (`lead`). Any worker learns before waiting pages
  are let go (`settle`).
* An index page without items is not learned from. A page is an index page if most of its text is in
  links and the models say so too. LCR and CCR, the papers' measures, separate index pages from
  articles less well on today's pages (docs/papers/wang14.md), where LCR is near 1 on both.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Literal, NamedTuple

from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.recipe.decide import lost_by_rule
from scrapy_mainblock.recipe.field_watch import (
    REDESIGN_PAGES,
    REDESIGN_WINDOW,
    FieldWatch,
    values_by_rule,
)
from scrapy_mainblock.recipe.learn import evidence_of_reading
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.template.field_rules import RULED, FieldRule, merged_fields
from scrapy_mainblock.template.learning.evidence import (
    NO_EVIDENCE,
    Cluster,
    CountedPage,
    PageEvidence,
    SiteEvidence,
)
from scrapy_mainblock.template.match import Match
from scrapy_mainblock.template.rule_fit import Fit, fit
from scrapy_mainblock.template.rules import BlockStats, SiteRules, Template, find_block
from scrapy_mainblock.template.similarity import MORE_PAGES_THAN

FIRST_LESSON = MORE_PAGES_THAN + 1
SETTLED = 4 * FIRST_LESSON
CHECKED = 16
"""Number of pages on which a known rule is compared with the page alone before its proof is
renewed. These pages are read alone anyway, to learn from: a sample of the pages of a settled
rule."""
SAMPLED = 32
"""Of the pages of a rule that has just settled, one in this many is learned from; fewer of a rule
that was learned from more pages. A hash of the URL selects them."""
MOST_WATCHES = 400
"""As many as a site has clusters."""


class Look(NamedTuple):
    """What learning needs to know about a page."""

    evidence: PageEvidence
    fit: Fit | None = None
    """None if no rule is known for the page."""
    passed_over: str | None = None
    """The page's cluster if its rule is settled; nothing is then learned from the page."""
    lost: float | None = None
    """The share of the page's own content that the rule drops; None if it was not compared."""


NOTHING_SEEN = Look(NO_EVIDENCE)


def look_at(reading: Reading, rules: SiteRules, wanted: Collection[str] = RULED) -> Look:
    """Look at a page; return NOTHING_SEEN if it cannot be read. Never raises.

    `wanted` are the fields whose places are to be learned.
    """
    try:
        page = reading.page
        settled = _settled(reading, rules)
        if settled is not None and fit(settled.template, settled.search.hit, page) == "fits":
            return Look(NO_EVIDENCE, fit="fits", passed_over=settled.template.cluster)
        evidence = evidence_of_reading(reading, wanted)
        if not evidence.structure:
            return NOTHING_SEEN
        known = rules.template_of(evidence.structure)
        if known is None:
            return Look(evidence)
        match = Match(known, find_block(known.rule, page))
        fits = fit(known, match.search.hit, page)
        is_checked = fits == "fits" and known.proof is not None and not known.pinned
        return Look(
            evidence, fits, lost=lost_by_rule(match, reading, rules) if is_checked else None
        )
    except Exception as error:  # no page may make this raise
        swallow(error, "could not learn from a page")
        return NOTHING_SEEN


def _settled(reading: Reading, rules: SiteRules) -> Match | None:
    """Return the match with a page's settled template; None without one, or for a sampled page."""
    url = reading.page.url
    if not url or all(one.pages < SETTLED for one in rules.templates):
        return None
    match = reading.match_with(rules)
    if match is None or match.template.pages < SETTLED or not match.template.structure:
        return None
    one_in = SAMPLED * (match.template.pages // SETTLED)
    is_sample = zlib.crc32(url.encode("utf-8", "replace")) % one_in == 0
    return None if is_sample else match


class News(NamedTuple):
    """A rule that is new, or that has failed."""

    template: Template
    kind: Literal["learnt", "relearnt", "failed"]


class Lesson(NamedTuple):
    """The result of counting a page."""

    cluster: str | None
    answerable: bool
    """Whether the item of the page need not wait: a rule fits, or none will be learned for the
    page."""
    missed: bool = False
    news: News | None = None
    settled: bool = False
    """Whether waiting pages of this cluster can be answered now."""
    why: str = ""
    """The reason in a few words, for the log."""


@dataclass
class _Watch:
    """The latest pages of a cluster that has a rule, and whether they fit the rule."""

    misfits: Cluster
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=REDESIGN_WINDOW))

    def is_redesign(self) -> bool:
        return sum(self.recent) >= REDESIGN_PAGES


class SiteLearner:
    """The rules of one site, as they are learned."""

    def __init__(self, site: str, known: SiteRules | None = None) -> None:
        self.site = site
        self.rules = replace(known, site=site) if known else SiteRules(site)
        self._evidence = SiteEvidence(site, self.rules)
        self._watches: dict[str, _Watch] = {}
        self._field_watch = FieldWatch()
        self._changed: set[str] = set()
        self._losses: dict[str, list[float]] = {}
        """For each known rule, the losses on the pages it was checked on since its proof was last
        renewed."""
        self.leads = True
        """Whether this worker learns the site; of several workers one does at a time."""

    def start_from(self, known: SiteRules) -> None:
        """Take in the rules of earlier crawls; what was learned in the meantime stays."""
        learnt = self.rules.templates
        self.rules = replace(known, site=self.site)
        for template in learnt:
            self.rules = _with(self.rules, template)
        self._evidence.know(self.rules)

    @property
    def size(self) -> int:
        """The number of entries kept, which memory use grows with."""
        watched = sum(watch.misfits.size for watch in self._watches.values())
        return self._evidence.size + watched + self._rules_size

    def thin(self) -> bool:
        """Forget some evidence seen on few pages; return False if there is little to forget."""
        return self._evidence.thin()

    @property
    def rules(self) -> SiteRules:
        """The current rules."""
        return self._rules

    @rules.setter
    def rules(self, rules: SiteRules) -> None:
        self._rules = rules
        self._rules_size = sum(len(one.structure) for one in rules.templates)

    def rule_named(self, cluster: str) -> Template | None:
        """Return the template of a cluster, or None."""
        return next((one for one in self.rules.templates if one.cluster == cluster), None)

    def learn(self, look: Look) -> Lesson:
        """Count a page that was looked at, and return what came of it."""
        if look.passed_over is not None:
            if watch := self._watches.get(look.passed_over):
                watch.recent.append(False)
            return Lesson(look.passed_over, answerable=True, why="by its settled rule")
        evidence = look.evidence
        if not evidence.structure:
            return Lesson(None, answerable=True, why="a page without text")
        known = self.rules.template_of(evidence.structure)
        if known is None:
            return self._of_new_cluster(look)
        if known.pinned:
            return Lesson(known.cluster, answerable=True, why="by a pinned rule")
        if look.fit not in (None, "fits"):
            return self._of_misfit(known, look)
        if watch := self._watches.get(known.cluster):
            watch.recent.append(False)
        cluster = self._evidence.add(evidence)
        news = self._relearn(known, cluster) or self._check(known.cluster, look.lost)
        return Lesson(known.cluster, answerable=True, news=news, why="by its rule")

    def _of_new_cluster(self, look: Look) -> Lesson:
        cluster = self._evidence.add(look.evidence)
        learnt = cluster.template() if self.leads else None
        if learnt is None:
            return Lesson(
                cluster.name, answerable=False, why=f"{cluster.pages} pages of its cluster so far"
            )
        self._set(learnt)
        return Lesson(
            cluster.name,
            answerable=True,
            news=News(learnt, "failed" if learnt.has_failed else "learnt"),
            settled=True,
            why="its rule was just learned",
        )

    def _check(self, cluster: str, lost: float | None) -> News | None:
        """Renew a known rule's proof after checks on enough pages; return news if it failed."""
        known = self.rule_named(cluster)
        if lost is None or known is None or known.proof is None or not self.leads:
            return None
        if cluster not in self._losses and len(self._losses) >= MOST_WATCHES:
            self._losses.pop(next(iter(self._losses)))
        losses = self._losses.setdefault(cluster, [])
        losses.append(lost)
        if len(losses) < CHECKED:
            return None
        del self._losses[cluster]
        day = datetime.now(tz=timezone.utc).date().isoformat()
        after = replace(known, proof=known.proof.renewed(losses, day))
        self._set(after)
        return News(after, "failed") if after.has_failed else None

    def _relearn(self, known: Template, cluster: Cluster) -> News | None:
        if not self.leads or not _is_lesson(cluster.pages) or cluster.pages < known.pages:
            return None
        if self.rules.template_of(cluster.structure) != known:
            return None  # the page is between two clusters: like one, ruled by the other
        learnt = cluster.template()
        if learnt is None or learnt.has_failed:  # the known rule may be right
            return None
        return self._succeed(known, learnt)

    def _of_misfit(self, known: Template, look: Look) -> Lesson:
        missed = look.fit == "missed"
        if look.evidence.is_index:
            return Lesson(known.cluster, answerable=True, missed=missed, why="a list of links")
        watch = self._watch(known)
        watch.recent.append(True)
        watch.misfits.add(CountedPage(look.evidence))
        learnt = watch.misfits.template() if self.leads and watch.is_redesign() else None
        if learnt is None:
            return Lesson(
                known.cluster, answerable=False, missed=missed, why="its rule does not fit"
            )
        del self._watches[known.cluster]
        if _same_block(learnt, known) and learnt.looks and known.looks and not known.has_failed:
            # The same block that only looks different: shorter articles now.
            self._set(replace(known, looks=_both(known.looks, learnt.looks)))
            news = None
        else:
            news = self._succeed(known, learnt)
            self._evidence.restart_from(watch.misfits)
        return Lesson(
            known.cluster,
            answerable=True,
            missed=missed,
            news=news,
            settled=True,
            why="its rule was relearned",
        )

    def _watch(self, known: Template) -> _Watch:
        if known.cluster not in self._watches and len(self._watches) >= MOST_WATCHES:
            self._watches.pop(next(iter(self._watches)))
        fresh = _Watch(Cluster(known.structure))
        return self._watches.setdefault(known.cluster, fresh)

    def _succeed(self, known: Template, learnt: Template) -> News | None:
        learnt = replace(learnt, cluster=known.cluster, structure=known.structure)
        after = known.successor(learnt)
        self._set(after)
        # Finer places within the same block are not news.
        return None if _same_block(known, after) else News(after, "relearnt")

    def learn_of_others(self, look: Look, rule_version: int) -> Lesson | None:
        """Count a page that another worker has looked at.

        If that worker had another version of the rule and the page did not fit it, ignore the page
        and return None.
        """
        known = self.rules.template_of(look.evidence.structure)
        if (known.version if known else 0) == rule_version:
            return self.learn(look)
        return self.learn(look._replace(fit=None)) if look.fit in (None, "fits") else None

    def rule_version(self, look: Look) -> int:
        """Return the version of the rule that a page was looked at with, or 0 if there was none."""
        known = self.rules.template_of(look.evidence.structure)
        return known.version if known else 0

    def lead(self) -> list[News]:
        """Lead the site from now on; return the rules learned from what was counted so far."""
        if self.leads:
            return []
        self.leads = True
        return self._learn_counted()

    def _learn_counted(self) -> list[News]:
        """Learn and return the rules of the clusters that have enough pages and no rule yet."""
        news = []
        for cluster in self._evidence.clusters:
            if cluster.is_ruled and self.rules.template_of(cluster.structure) is None:
                learnt = cluster.template()
                if learnt is not None:
                    self._set(learnt)
                    news.append(News(learnt, "learnt"))
        return news

    def settle(self) -> None:
        """Learn the rule for any page, before pages without a cluster's rule are let go.

        A worker that does not lead also learns the clusters that it has counted.
        """
        if not self.leads:
            self._learn_counted()
        learnt = self._evidence.site_rule()
        known = self.rules.for_any_page()
        if learnt is not None and (known is None or learnt.pages >= known.pages):
            after = learnt if known is None else known.successor(learnt)
            if after != known:
                self._set(after)

    def _set(self, template: Template) -> None:
        self.rules = _with(self.rules, template)
        self._changed.add(template.cluster)

    @property
    def has_changed(self) -> bool:
        """Whether there is something to save."""
        return bool(self._changed)

    def saw_fields(self, article: Article, wanted: Collection[str]) -> list[FieldRule]:
        """Watch the fields of an extracted page; return the field rules that no longer fit.

        These are learned anew; until then the field is read from each page alone.
        """
        template = self.rule_named(article.metadata["cluster"] or "")
        if template is None or template.pinned or not template.fields or not self.leads:
            return []
        lost = self._field_watch.lost(template, values_by_rule(article, wanted, template))
        if not lost:
            return []
        self._set(replace(template, fields=merged_fields(template.fields, lost)))
        self._evidence.forget_fields(template.cluster, [one.field for one in lost])
        names = {one.field for one in lost}
        return [one for one in template.fields if one.field in names]

    def take_changes(self) -> SiteRules:
        """Return what to save: only what changed here, since others may have changed the rest."""
        changed = tuple(one for one in self.rules.templates if one.cluster in self._changed)
        self._changed.clear()
        return SiteRules(self.site, changed)

    def not_saved(self, changes: SiteRules) -> None:
        """Take changes back, to save them another time."""
        self._changed.update(one.cluster for one in changes.templates)

    def saved(self, merged: SiteRules) -> list[str]:
        """Continue with the rules as they are saved now, including what others learned or pinned.

        Return the clusters whose waiting pages the new rules can answer.
        """
        before = self.rules
        unsaved = [one for one in self.rules.templates if one.cluster in self._changed]
        self.rules = replace(merged, site=self.site)
        for template in unsaved:
            self.rules = _with(self.rules, template)
        return [] if self.rules == before else self._now_ruled(before)

    def _now_ruled(self, before: SiteRules) -> list[str]:
        then = {one.cluster: one for one in before.templates}
        news = [
            one.cluster
            for one in self.rules.templates
            if one.cluster not in then or not _same_block(one, then[one.cluster])
        ]
        for name in news:
            self._watches.pop(name, None)
        ruled = (
            one.name
            for one in self._evidence.clusters
            if before.template_of(one.structure) is None
            and self.rules.template_of(one.structure) is not None
        )
        return [*news, *(name for name in ruled if name not in news)]


def _same_block(a: Template, b: Template) -> bool:
    return a.rule.selectors == b.rule.selectors


def _is_lesson(pages: int) -> bool:
    """Return whether a rule is learned at this number of pages: 6, 8, 12, 16, 24, 32, 48, ..."""
    return any(
        not rest and times > 0 and times & (times - 1) == 0
        for times, rest in (divmod(pages, FIRST_LESSON), divmod(pages, FIRST_LESSON + 2))
    )


def _both(a: BlockStats, b: BlockStats) -> BlockStats:
    return BlockStats(
        min(a.shortest, b.shortest), max(a.longest, b.longest), max(a.link_share, b.link_share)
    )


def _with(rules: SiteRules, template: Template) -> SiteRules:
    """Return the rules with a template added or replaced by name; a pinned one stays."""
    templates = list(rules.templates)
    for place, one in enumerate(templates):
        if one.cluster == template.cluster:
            templates[place] = one if one.pinned else template
            break
    else:
        templates.append(template)
    return replace(rules, templates=tuple(templates)).bounded()
