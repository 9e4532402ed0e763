"""Learning: collects evidence page by page, clusters the pages, and derives the rules of a site.

Algorithm 1 of [Wang18] looks like a loop over all pairs, but it compares each page only with the
first page of each cluster. Done page by page as they arrive, the result is the same, and no page
needs to be kept. Algorithm 2 then is a tally: each page votes for its main block. For a page, only
its votes and the evidence on its places are kept; for a cluster, the structure of its first page, a
bounded number of candidates, and tallies.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from scrapy_mainblock.judge.page_type import TYPES
from scrapy_mainblock.outline.places import ROOT
from scrapy_mainblock.template.learning.content_places import (
    Manual,
    content_length,
    content_places,
    count_of_lines,
    kept_under,
)
from scrapy_mainblock.template.learning.facts import fact_places, have_no_prose, may_have_facts
from scrapy_mainblock.template.learning.field_tally import FieldSeen, FieldsTally, PackedField
from scrapy_mainblock.template.learning.names import NameTally
from scrapy_mainblock.template.learning.place_stats import (
    NO_INLINE_SEEN,
    NOTHING_SEEN,
    InlineSeen,
    PageCounts,
    PlaceEvidence,
    PlacesSeen,
)
from scrapy_mainblock.template.learning.sample import prove
from scrapy_mainblock.template.learning.votes import (
    WHOLE,
    BlockCandidate,
    BlockCandidates,
    Vote,
    candidate_key,
)
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rules import (
    SITE_CLUSTER,
    Judged,
    Rule,
    SiteRules,
    Template,
)
from scrapy_mainblock.template.similarity import (
    MORE_PAGES_THAN,
    SAME_CLUSTER,
    cluster_name,
    overlap,
)
from scrapy_mainblock.template.structure import Structure

MOST_CLUSTERS = 400
"""Maximum number of clusters kept per site. A site has a handful of templates; one with more
clusters than this is a crawler trap, and the clusters with the fewest pages make room."""
MOST_SITE_ENTRIES = 150_000
"""Maximum number of paths, places and lines kept for all clusters of a site, some 30 MB: the bound
for a site that founds a cluster with every page. A usual site has some thousands."""
WORTH_THINNING = 500
"""A cluster with fewer entries than this is not thinned; it is better forgotten as a whole."""
LEAST_MANUAL = 0.1
"""The mean probability of documentation from which a cluster belongs to a manual: 0.13 to 0.6 on
seven manuals that the models had not seen, up to 0.06 on 48 sites of news and blogs, 0.09 and 0.16
on two of jobs (whose pages lose nothing by it), up to 0.05 on 22 of products, films and books."""
LEAST_SURE_MANUAL = 0.17
"""The mean probability from which a cluster surely belongs to a manual: most clusters of seven
manuals are at .17 to .52, sites of news, of goods and of jobs at .093 at most, generated pages of
words in a row at .155. (With .2 one draw of ten lost most tables of a reference:
docs/lab/auto.md.)"""
CLEAR = 0.005
"""Blocks of a manual whose F1 is within this of the best are equal; the rule takes the deepest."""
LEAST_VOTES = 0.5
"""Minimum share of a cluster's pages that must have voted for the rule's block; if no block has so
many votes, the maximum that any block has."""


LEAST_VOTES_BY_PATH, LEAST_STEPS = 0.75, 3
"""Minimum share of votes for a rule for the whole site that has neither id nor class, and the
minimum number of steps in its path. (Manuals by rules from 12 pages: .82 of the other pages by rule
instead of .69, F1 .9856 instead of .9854.)"""
LEAST_OF_MANUAL = 8
"""Number of pages from which that path may have fewer steps, down to the body, if the site is a
manual: the text of a manual is surrounded only by its menus, which a rule for a manual leaves out.
(Seven manuals held out, by rules from 12 pages on the others: .98 of them by rule instead of .81,
F1 .9875 instead of .9868; if 6 pages are enough, one manual of the seven gets worse by .008.)"""


class PageEvidence(NamedTuple):
    """Everything that learning keeps of a page."""

    structure: Set[int]
    """The hashes of the page's places, by which pages are clustered."""
    votes: tuple[Vote, ...] = ()
    """The vote for the main block first, then those for the blocks around it."""
    seen: PlacesSeen = NOTHING_SEEN
    inline: InlineSeen = NO_INLINE_SEEN
    judged: Judged | None = None
    names: frozenset[str] = frozenset()
    """Texts that may be the site's name (see `names`)."""
    is_index: bool = False
    """Whether the page is an index: mostly links, and of that type according to the models."""
    fields: tuple[FieldSeen, ...] = ()
    """The page's values for the fields that have rules, as far as these fields are wanted."""

    def without_page(self) -> PageEvidence:
        """Return the evidence in a form that can wait, or be packed by another thread.

        As long as nobody asks for them, the chains and lines of a page are those of its Outline.
        """
        return self._replace(seen=dict(self.seen))


NO_EVIDENCE = PageEvidence(Structure())

Allows = Callable[[BlockCandidate], bool]
"""Whether a block may be that of a rule."""


class CountedPage:
    """A page's evidence, prepared once for the two tallies that count it: cluster's and site's."""

    def __init__(self, page: PageEvidence) -> None:
        self.evidence = page
        self.counts = PageCounts(page.seen)
        self.keys = [candidate_key(vote) for vote in page.votes]
        self.fields = [PackedField(seen) for seen in page.fields]


@dataclass
class _Tally:
    """The evidence from a number of pages."""

    pages: int = 0
    candidates: BlockCandidates = field(default_factory=BlockCandidates)
    places: PlaceEvidence = field(default_factory=PlaceEvidence)
    names: NameTally = field(default_factory=NameTally)
    fields: FieldsTally = field(default_factory=FieldsTally)
    _types: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TYPES, 0.0))
    _confidence: float = 0.0

    def add(self, counted: CountedPage) -> None:
        page = counted.evidence
        self.pages += 1
        self.places.add(counted.counts, page.inline)
        self.fields.add(counted.fields)
        if page.votes:
            self.names.add(page.names, hash((page.votes[0].text, page.votes[0].link_text)))
        if page.judged is not None:
            self._confidence += page.judged.confidence
            for kind, share in page.judged.types:
                self._types[kind] += share
        self.candidates.add(page.votes, counted.keys)

    @property
    def size(self) -> int:
        """The number of entries kept."""
        return self.places.size + self.candidates.size + len(self.names) + self.fields.size

    @property
    def manual(self) -> Manual:
        """Whether the pages are documentation; articles hardly ever look like it."""
        documentation, pages = self._types["documentation"], sum(self._types.values())
        if documentation >= LEAST_SURE_MANUAL * pages > 0:
            return Manual.SURE
        return Manual.LIKELY if documentation >= LEAST_MANUAL * pages > 0 else Manual.NO

    def _facts(self) -> Set[str]:
        if self.manual:
            return frozenset()
        content = content_places(self.places)
        if may_have_facts(self._types) or have_no_prose(self.places, content):
            return fact_places(self.places, content)
        return frozenset()

    def judged(self) -> Judged | None:
        """Return the average result of the models on the pages."""
        pages = sum(self._types.values())  # the shares of a page sum to 1
        if not pages:
            return None
        shares = ((kind, round(min(share / pages, 1.0), 4)) for kind, share in self._types.items())
        types = tuple(sorted((one for one in shares if one[1]), key=lambda one: -one[1]))
        return Judged(round(min(self._confidence / pages, 1.0), 4), types)

    def best(self) -> BlockCandidate | None:
        """Return the smallest candidate that most pages have around nearly all of their content.

        Content is what the pages together take for it. A page with a short article and long
        comments takes the comments for the content, but the others know that place better.
        """
        by_key: Mapping[tuple[str, ...], BlockCandidate] = self.candidates.by_key
        at_content = content_places(self.places, is_manual=bool(self.manual))
        content = content_length(self.places, at_content, [ROOT])
        facts = self._facts()
        values = count_of_lines(self.places, facts, [ROOT])
        most = max((one.votes for one in by_key.values()), default=0)
        covered = {
            key: content_length(self.places, at_content, one.chains)
            for key, one in by_key.items()
            if one.votes >= min(LEAST_VOTES * self.pages, most)
        }
        whole = [
            key
            for key, length in covered.items()
            if length >= WHOLE * content
            and count_of_lines(self.places, facts, by_key[key].chains) >= WHOLE * values
        ]
        if self.manual is Manual.SURE:
            whole = self._clearest(covered, content)
        keys = whole or [max(covered, key=lambda key: covered[key])] if covered else []
        deepest = max(keys, key=lambda key: by_key[key].depth(), default=None)
        return None if deepest is None else by_key[deepest]

    def _clearest(
        self, covered: Mapping[tuple[str, ...], float], content: float
    ) -> list[tuple[str, ...]]:
        """Return the blocks of a manual with the best F1 if all but sure noise is kept under them.

        Requiring a share of the content alone would choose the block around the menus because of a
        page or two that have their content elsewhere.
        """
        by_key = self.candidates.by_key
        places = self.places.places
        kept = {chain for chain, tally in places.items() if not tally.is_surely_noise()}
        f1 = {
            key: 2 * length / (content_length(self.places, kept, by_key[key].chains) + content)
            for key, length in covered.items()
            if length
        }
        best = max(f1.values(), default=0.0)
        return [key for key, value in f1.items() if value >= best - CLEAR]

    def rule_for(self, candidate: BlockCandidate, structure: Set[int]) -> tuple[Rule, Proof]:
        """Return a candidate's rule, with what is kept under its block, and the rule's proof."""
        kept = kept_under(self.places, candidate.chains, facts=self._facts(), manual=self.manual)
        rule = replace(candidate.rule(), selection=kept.selection)
        return rule, prove(self.places.sample, candidate.chains, kept.left_out, structure)


class Cluster:
    """The pages that are similar enough to the first page of the cluster.

    Index pages are counted separately: a list of links with an article's structure must not vote on
    where the article is, and a cluster of lists gets a rule all the same.
    """

    def __init__(self, structure: Set[int]) -> None:
        self.structure = Structure.of(structure)
        self._articles = _Tally()
        self._lists = _Tally()

    @cached_property
    def name(self) -> str:
        """The name of the cluster, which depends on its first page."""
        return cluster_name(self.structure)

    def add(self, page: CountedPage) -> int:
        """Count one more page; return how many entries the evidence has grown by."""
        tally = self._lists if page.evidence.is_index else self._articles
        before = tally.size
        tally.add(page)
        return tally.size - before

    def restart_from(self, since: Cluster) -> None:
        """Forget all pages except those that `since` has counted, because the site has changed."""
        self._articles, self._lists = since._articles, since._lists

    def forget_field(self, name: str) -> None:
        """Forget the evidence for a field, whose place has changed."""
        for tally in (self._articles, self._lists):
            tally.fields.forget(name)

    @property
    def size(self) -> int:
        """The number of entries kept, which determines the memory used."""
        return len(self.structure) + self._articles.size + self._lists.size

    def thin(self) -> bool:
        """Forget half of the evidence; return False if there is too little to halve."""
        before = self.size
        if before >= WORTH_THINNING:
            for tally in (self._articles, self._lists):
                tally.places.thin()
                tally.fields.thin()
        return self.size < before

    @property
    def is_ruled(self) -> bool:
        """Whether there are enough pages for a rule."""
        return self.pages > MORE_PAGES_THAN

    @property
    def all_pages(self) -> int:
        """How many pages were seen."""
        return self._articles.pages + self._lists.pages

    @property
    def pages(self) -> int:
        """How many pages count: the articles, or the lists if there are more of those."""
        return self._counted.pages

    @property
    def is_of_manual(self) -> bool:
        """Whether its pages are documentation."""
        return bool(self._counted.manual)

    @property
    def _counted(self) -> _Tally:
        return max(self._articles, self._lists, key=lambda tally: tally.pages)

    def template(
        self, fields: Container[str] | None = None, allows: Allows | None = None
    ) -> Template | None:
        """Return the template, or None if there are too few pages or no block was found.

        With `fields`, it has rules for these fields only. With `allows`, return None also for a
        block that it does not allow.
        """
        if not self.is_ruled:
            return None
        counted = self._counted
        best = counted.best()
        if best is None or (allows is not None and not allows(best)):
            counted.places.forget_caches()
            return None
        rule, proof = counted.rule_for(best, self.structure)
        counted.places.forget_caches()
        if not any(rule.selectors):  # the root of a page without a body
            return None
        judged = counted.judged()
        return Template(
            self.name,
            rule,
            self.structure,
            pages=self.pages,
            votes=best.votes,
            looks=best.looks,
            proof=proof.against(judged.confidence) if judged else proof,
            judged=judged,
            names=counted.names.names(),
            fields=counted.fields.rules(fields),
        )


class SiteEvidence:
    """The evidence from the pages of one site, and the rules that follow from it.

    With `known`, the clusters of earlier rules exist from the start, without pages, so that a page
    of a known template does not found a second cluster for it.
    """

    def __init__(self, site: str, known: SiteRules | None = None) -> None:
        self.site = site
        self._clusters: list[Cluster] = []
        self._site = Cluster(frozenset())
        self.size = 0
        """The number of entries kept, which determines the memory used."""
        if known is not None:
            self.know(known)

    @property
    def clusters(self) -> Sequence[Cluster]:
        """The clusters, in the order in which they were founded."""
        return self._clusters

    def know(self, rules: SiteRules) -> None:
        """Found the clusters of earlier rules, without pages."""
        here = {cluster.structure for cluster in self._clusters}
        structures = (Structure.of(one.structure) for one in rules.templates)
        new = [Cluster(one) for one in structures if one and one not in here]
        self._clusters = [*new, *self._clusters][:MOST_CLUSTERS]
        self.size = self._site.size + sum(cluster.size for cluster in self._clusters)

    def add(self, page: PageEvidence) -> Cluster:
        """Add a page with its votes (algorithm 2) to its cluster (algorithm 1), and return that."""
        cluster = self._cluster_for(page.structure)
        counted = CountedPage(page)
        self.size += cluster.add(counted)
        if not cluster.is_ruled:
            self.size += self._site.add(counted)
        self._make_room(cluster)
        return cluster

    def _make_room(self, latest: Cluster) -> None:
        """Thin the largest cluster, or forget the one with the fewest pages, until the size fits.

        So an endless number of templates take room from each other, and hardly any from a cluster
        with many pages, whose rule rests on what most of them have in common.
        """
        while self.size > MOST_SITE_ENTRIES:
            if not self.thin() and not self._forget_emptiest(but=latest):
                break

    def thin(self) -> bool:
        """Halve the evidence of the largest cluster; return False if it is too little to halve."""
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

    def restart_from(self, since: Cluster) -> None:
        """Forget the pages of the cluster of the same name, except those counted by `since`."""
        for cluster in self._clusters:
            if cluster.name == since.name:
                before = cluster.size
                cluster.restart_from(since)
                self.size += cluster.size - before

    def forget_fields(self, cluster: str, names: Iterable[str]) -> None:
        """Forget the evidence of a cluster for some fields."""
        for one in self._clusters:
            if one.name == cluster:
                before = one.size
                for name in names:
                    one.forget_field(name)
                self.size += one.size - before

    def _cluster_for(self, places: Set[int]) -> Cluster:
        structure = Structure.of(places)
        for cluster in self._clusters:
            shared = cluster.structure.shared_with(structure)
            if overlap(shared, len(structure), len(cluster.structure)) > SAME_CLUSTER:
                return cluster
        if len(self._clusters) >= MOST_CLUSTERS:
            self._forget_emptiest()
        self._clusters.append(Cluster(structure))
        self.size += len(structure)
        return self._clusters[-1]

    def site_rule(self) -> Template | None:
        """Return a rule for pages outside of all clusters, if most pages of the site share a block.

        The pages of a manual differ so much in structure that many are alone in their cluster, and
        yet all have their text in the same block. A path alone means little on a page of another
        structure, so more pages must agree on it, and it must lead into the page. Pages of a
        cluster that has a rule do not vote.
        """
        if all(cluster.is_ruled for cluster in self._clusters):
            return None
        # Most sites have no such block, so that is tested before the rest of the template is made.
        template = self._site.template(fields={"headline"}, allows=self._is_of_site)
        if template is None or template.has_failed:
            return None
        rule = template.rule
        if rule.id or rule.classes:
            rule = replace(rule, path="")
        return replace(template, cluster=SITE_CLUSTER, rule=rule, structure=Structure())

    def _is_of_site(self, best: BlockCandidate) -> bool:
        """Return whether enough pages have a block for a rule that is used on any page."""
        site, rule = self._site, best.rule()
        if rule.id or rule.classes:
            return best.votes >= LEAST_VOTES * site.pages
        if rule.path and rule.path.count("/") + 1 < LEAST_STEPS:
            if not (site.is_of_manual and site.pages >= LEAST_OF_MANUAL):
                return False
        return best.votes >= LEAST_VOTES_BY_PATH * site.pages

    def rules(self) -> SiteRules:
        """Return a template for each cluster that has more than five pages and a block."""
        learned = (cluster.template() for cluster in self._clusters)
        templates = [one for one in (*learned, self.site_rule()) if one is not None]
        return SiteRules(self.site, tuple(templates))
