"""The survey behind a report: one row for each page, and counts for each cluster.

The survey also rates how doubtful each page is, and picks the pages that are drawn in full.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from scrapy_mainblock.judge import decision as reasons
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.papers.wang18.rules import ClusterRules, Clusters, seen_of
from scrapy_mainblock.report.inspected import Inspected, inspect_page
from scrapy_mainblock.template.learning.lines.line_tally import without_rare
from scrapy_mainblock.template.rules import SiteRules, Template

ReviewReason = Literal["nothing", "missed", "hardly", "longer", "shorter", "disagree", "unsure"]
REVIEW_REASONS: Mapping[ReviewReason, str] = {
    "nothing": "nothing was found",
    "missed": "its rule did not match",
    "hardly": "hardly any text is kept",
    "longer": "far longer than its cluster's pages",
    "shorter": "far shorter than its cluster's pages",
    "disagree": "the rule and the page-alone result disagree",
    "unsure": "low confidence",
}
"""Why a page deserves a look, in words."""
WEIGHTS: Mapping[ReviewReason, float] = {
    "nothing": 0.8,
    "missed": 0.5,
    "hardly": 0.5,
    "longer": 0.3,
    "shorter": 0.4,
    "disagree": 0.6,
    "unsure": 0.0,
}
"""How much each adds to the doubt that the probability leaves: for ordering only, not a measure."""
LEAST_SURE = 0.5
HARDLY = 0.03
"""Minimum kept share of a page's characters, except on index pages, which rightly keep little."""
FAR = 4.0
"""A page is "longer" or "shorter" if it differs from its cluster's median by this factor."""
LEAST_PAGES = 5
"""Minimum pages of a cluster for its median to be meaningful."""
DISAGREE = 0.6
"""Minimum F1 between the characters kept by the rule and by the page alone."""

MOST_PLACES = 3000
"""Maximum places counted for a cluster; beyond it the rarest are forgotten."""
MOST_REASONS = 300
MOST_BY_PAPER = 60
"""Maximum pages of a site for the method of [Wang18]; more hardly change its rules."""
LEFT_OUT = frozenset({reasons.DROPPED, reasons.LINE, reasons.NOT_KEPT, reasons.UNLIKELY_PLACE})
"""Reasons for which a rule leaves out a part of its own block."""


@dataclass
class PageRow:
    """What the overview shows for a page."""

    number: int
    """The number of the page in the input, from 0."""
    id: str
    url: str | None
    site: str
    cluster: str | None
    method: str
    probability: float
    page_type: str | None
    reason: str | None
    headline: str | None
    kept: int
    """Number of kept characters, without whitespace."""
    chars: int
    """Number of characters of the page, without whitespace."""
    agreement: float | None
    """F1 between the rule and the page alone; None if no rule was used."""
    review_reasons: list[ReviewReason] = field(default_factory=list)
    doubt: float = 0.0


@dataclass
class PlaceCount:
    """How often a place occurred, and how often it was content."""

    pages: int = 0
    content: int = 0
    """Number of pages on which something was kept there."""
    chars: int = 0
    kept: int = 0


@dataclass
class LeftOut:
    """How much rules left out for one particular reason."""

    pages: int = 0
    parts: int = 0
    chars: int = 0


@dataclass
class ClusterCount:
    """Counts over the pages of one cluster."""

    pages: int = 0
    by_rule: int = 0
    kept: list[int] = field(default_factory=list)
    places: dict[str, PlaceCount] = field(default_factory=dict)
    left: dict[str, LeftOut] = field(default_factory=dict)

    def add(self, inspected: Inspected) -> None:
        """Count one page."""
        self.pages += 1
        self.by_rule += inspected.decision.method == "rule"
        self._count_places(inspected)
        self._count_left_out(inspected)

    def _count_places(self, inspected: Inspected) -> None:
        page, kept = inspected.page, inspected.decision.kept
        here: dict[str, list[int]] = {}
        sizes = list(page.rows.segment_chars)
        for segment, block in enumerate(page.rows.segment_block):
            found = here.setdefault(page.chains[block], [0, 0])
            found[0] += sizes[segment]
            found[1] += sizes[segment] * kept[segment]
        around: dict[str, list[int]] = {}
        for chain, (chars, content) in here.items():
            for prefix in prefixes(chain):
                found = around.setdefault(prefix, [0, 0])
                found[0] += chars
                found[1] += content
        for chain, (chars, content) in around.items():
            place = self.places.setdefault(chain, PlaceCount())
            place.pages += 1
            place.content += content > 0
            place.chars += chars
            place.kept += content
        if len(self.places) > MOST_PLACES:
            counts = {chain: place.pages for chain, place in self.places.items()}
            self.places = without_rare(self.places, counts)

    def _count_left_out(self, inspected: Inspected) -> None:
        decision = inspected.decision
        if decision.method != "rule":
            return
        on_page: Counter[str] = Counter()
        for part in inspected.parts:
            if decision.why[part.segment] in LEFT_OUT:
                if part.reason not in self.left and len(self.left) >= MOST_REASONS:
                    continue
                found = self.left.setdefault(part.reason, LeftOut())
                found.parts += 1
                found.chars += inspected.page.rows.segment_chars[part.segment]
                on_page[part.reason] = 1
        for reason in on_page:
            self.left[reason].pages += 1


def prefixes(chain: str) -> list[str]:
    """Return a chain and the chains of all its ancestors, the longest first."""
    found = []
    while chain:
        found.append(chain)
        chain = chain.rpartition(UNDER)[0]
    return found


class Survey:
    """One pass over all pages that keeps only a row of each page, and counts."""

    def __init__(self) -> None:
        self.rows: list[PageRow] = []
        self.clusters: dict[tuple[str, str | None], ClusterCount] = {}
        self.templates: dict[tuple[str, str | None], Template] = {}
        """The templates of the clusters that have one, by site and cluster."""
        self.ruled = 0
        """Number of pages whose site has rules."""
        self._by_paper: dict[str, Clusters] = {}
        self._seen: Counter[str] = Counter()

    def add(
        self, page: Page | None, site: str, name: str, rules: SiteRules | None, trouble: str = ""
    ) -> None:
        """Inspect and count a page; `trouble` says why `page` is None."""
        inspected = None
        self.ruled += rules is not None
        why = trouble
        if page is not None:
            inspected, why = inspected_or_why(page, rules)
        number = len(self.rows)
        url = page.url if page is not None else None
        if inspected is None:
            row = PageRow(number, name, url, site, None, "none", 0.0, None, why, None, 0, 0, None)
            self.rows.append(row)
            self.clusters.setdefault((site, None), ClusterCount()).pages += 1
            return
        self._cluster_by_paper(site, inspected.page)
        decision = inspected.decision
        sizes = list(inspected.page.rows.segment_chars)
        kept = sum(size for size, one in zip(sizes, decision.kept, strict=False) if one)
        self.rows.append(
            PageRow(
                number,
                name,
                url,
                site,
                decision.cluster,
                decision.method,
                decision.probability,
                decision.page_type,
                decision.reason,
                inspected.headline,
                kept,
                sum(sizes),
                inspected.agreement if decision.method == "rule" else None,
            )
        )
        key = (site, decision.cluster)
        cluster = self.clusters.setdefault(key, ClusterCount())
        cluster.add(inspected)
        cluster.kept.append(kept)
        if rules is not None and decision.cluster and key not in self.templates:
            for template in rules.templates:
                if template.cluster == decision.cluster:
                    self.templates[key] = template

    def _cluster_by_paper(self, site: str, page: Outline) -> None:
        if self._seen[site] < MOST_BY_PAPER:
            self._seen[site] += 1
            self._by_paper.setdefault(site, Clusters()).add(seen_of(page))

    def rules_by_paper(self, site: str) -> ClusterRules | None:
        """Return the rules that [Wang18] learns for a site, for comparison with our own rules."""
        clusters = self._by_paper.get(site)
        return clusters.rules() if clusters is not None else None

    def rate(self) -> None:
        """Set for each row why the page deserves a look, and how doubtful it is."""
        medians = {
            key: median(one.kept)
            for key, one in self.clusters.items()
            if key[1] is not None and len(one.kept) >= LEAST_PAGES
        }
        for row in self.rows:
            row.review_reasons = list(review_reasons_of(row, medians.get((row.site, row.cluster))))
            trust = row.probability * math.prod(1 - WEIGHTS[why] for why in row.review_reasons)
            row.doubt = 1 - trust

    def sample(self, most: int) -> set[int]:
        """Return the numbers of the pages to draw: half most doubtful, half from all clusters."""
        if len(self.rows) <= most:
            return set(range(len(self.rows)))
        doubtful = sorted(self.rows, key=lambda row: -row.doubt)
        chosen = {row.number for row in doubtful[: most // 2]}
        by_cluster: dict[tuple[str, str | None], list[int]] = {}
        for row in self.rows:
            if row.number not in chosen:
                by_cluster.setdefault((row.site, row.cluster), []).append(row.number)
        turns = [numbers[::-1] for numbers in by_cluster.values()]
        while len(chosen) < most and turns:
            for numbers in turns:
                if len(chosen) < most:
                    chosen.add(numbers.pop())
            turns = [numbers for numbers in turns if numbers]
        return chosen


def review_reasons_of(row: PageRow, usual: float | None) -> Iterable[ReviewReason]:
    """Yield why a page deserves a look; `usual` is its cluster's median kept size, or None."""
    if row.method == "none":
        yield "nothing"
        return
    if row.cluster is not None and row.method != "rule":
        yield "missed"
    if row.kept < HARDLY * row.chars and row.page_type != "index":
        yield "hardly"
    if usual:
        if row.kept > FAR * usual:
            yield "longer"
        elif row.kept * FAR < usual:
            yield "shorter"
    if row.agreement is not None and row.agreement < DISAGREE:
        yield "disagree"
    if row.probability < LEAST_SURE:
        yield "unsure"


def inspected_or_why(page: Page, rules: SiteRules | None) -> tuple[Inspected | None, str]:
    """Return the inspected page and "", or None and why the page cannot be inspected."""
    if page.why_unreadable:
        return None, page.why_unreadable
    try:
        return inspect_page(Outline(page), rules), ""
    except Exception as error:  # no page may make this raise
        swallow(error, "a page could not be inspected")
        return None, f"the page could not be processed ({type(error).__name__})"


def decision_entry(decision: Decision) -> dict[str, Any]:
    """Return what the page's panel shows for a decision."""
    entry = decision.to_dict()
    del entry["kept"], entry["dropped"]
    return entry
