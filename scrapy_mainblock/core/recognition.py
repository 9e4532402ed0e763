"""Which cluster a page is of, found from the rules' own blocks where that is enough.

A page is of the first cluster whose first page has most of the page's places (`SiteRules`). To know
all places the whole page must be read, which costs more than all the rest of applying a rule. The
places under the block that a rule finds, and those of the blocks beside and around it, mostly tell
the clusters apart just as well. So a page with hardly any other places there than the cluster's
first page had is of that cluster, if it is so of no other; only a page that leaves a doubt is read
as a whole.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, cast

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.places import (
    DEEPEST,
    LINK_LISTS,
    NUMBERED_TAGS,
    OF_LINKS,
    ROOT,
    hashed,
    joined,
    step_of,
)
from scrapy_mainblock.core.reading import Reading
from scrapy_mainblock.core.redesign import fit
from scrapy_mainblock.core.rules import ClusterRule, FirstParts, Hit, Rule, SiteRules, apply_rule
from scrapy_mainblock.core.tags import BLOCK_TAGS

_native = compiled("chains")

SURE = 0.5
"""With more than this share of places that the cluster has a page is surely of it. With 0.5, 0.6
and 0.7 no page of a cluster was taken for one of another; the greater it is, the more pages are
read as a whole."""

LEAST_PLACES = 3
MOST_RULES = 6
"""Different rules of a site that are tried; to try more would cost as much as to read the page."""
MOST_BESIDE = 200
"""Blocks beside and around the rule's that are looked at."""
_MEMO = "recognized"


class Known(NamedTuple):
    """A page's cluster, and the block that its rule finds, None where it finds none."""

    cluster: ClusterRule
    hit: Hit | None


def recognize(reading: Reading, rules: SiteRules) -> Known | None:
    """The cluster of a page, None where it is of none. A crawl asks twice of the same page."""
    asked, known = reading.page.memo.get(_MEMO, (None, None))
    if asked is not rules:
        known = _recognize(reading, rules)
        reading.page.memo[_MEMO] = rules, known
    return cast("Known | None", known)


def _recognize(reading: Reading, rules: SiteRules) -> Known | None:
    plan = _plan_of(rules)
    pinned = plan.pinned
    if pinned is not None and not pinned.paths:  # for every page, whatever it looks like
        return Known(pinned, apply_rule(pinned.rule, reading.root))
    sure = _surely(reading, plan)
    if sure is not None:
        return sure
    cluster = rules.cluster_of(reading.structure, "auto")
    if cluster is None:
        near = rules.nearest(reading.structure)
        is_near = near is not None and _finds_its_kind(near, reading)
        cluster = near if is_near else rules.for_any_page()
    return None if cluster is None else Known(cluster, apply_rule(cluster.rule, reading.root))


def _finds_its_kind(cluster: ClusterRule, reading: Reading) -> bool:
    """Whether a rule finds by a name a block that is like those of its own cluster."""
    if not (cluster.rule.id or cluster.rule.classes):
        return False
    return fit(cluster, reading.page) == "fits"


class _Plan:
    """What is looked for in every page of a site, worked out once."""

    def __init__(self, rules: SiteRules) -> None:
        self.pinned = next((one for one in rules.clusters if one.pinned), None)
        learnt = [one for one in rules.clusters if one.paths and one.learned_by == "auto"]
        by_name = {_selector(one.rule): one.rule for one in learnt}
        places = {name: at for at, name in enumerate(by_name)}
        self.is_tried = self.pinned is None and len(by_name) <= MOST_RULES
        self.clusters = [(one, places[_selector(one.rule)]) for one in learnt]
        """With the number of the rule."""
        # What stands where the block used to be, without its name, may be anything: the first part
        # of a rule must find it.
        self.first = FirstParts(list(by_name.values()) if self.is_tried else [])


def _plan_of(rules: SiteRules) -> _Plan:
    plan = rules.memo.get("plan")
    if plan is None:
        plan = rules.memo["plan"] = _Plan(rules)
    return cast("_Plan", plan)


def expect(page: Page, rules: SiteRules) -> None:
    """Say whose rules a page is to be recognized by, before its tree is asked for."""
    page.questions = _plan_of(rules).first.questions


def _surely(reading: Reading, plan: _Plan) -> Known | None:
    if not plan.is_tried:
        return None
    hits = plan.first.hits(reading.root, reading.page.survey)
    places: dict[HtmlElement, _PlacesAround] = {}
    found = None
    for cluster, rule in plan.clusters:
        hit = hits[rule]
        if hit is None:
            continue
        if hit.block not in places:
            places[hit.block] = _PlacesAround(reading, hit.block)
        if places[hit.block].are_of(cluster):
            if found is not None:
                return None
            found = Known(cluster, hit)
    return found


def _selector(rule: Rule) -> tuple[str, ...]:
    return (rule.id, *rule.classes, "/", rule.path)


_HOLDS_TEXT = etree.XPath(
    "boolean(descendant-or-self::*[not(self::noscript or self::script or self::style)]"
    "/text()[normalize-space()])"
)


class _PlacesAround:
    """The places under a block, and beside it and the blocks around it."""

    def __init__(self, reading: Reading, block: HtmlElement) -> None:
        self._under: set[int] = set()
        self._beside: list[tuple[list[int], bool]] = []
        self._native = None
        if _native is not None:
            self._native = _native.Around(reading, block, MOST_BESIDE)
            return
        chain = self._look_around(block, reading.body)
        if chain is not None:
            self._under = reading.places_with_text_under(block, chain)

    def _look_around(self, block: HtmlElement, body: HtmlElement) -> str | None:
        """The chain of a block; None if it is not that simple, or would take too long."""
        path: list[HtmlElement] = []
        element: HtmlElement | None = block
        while element is not body:
            if element is None or element.tag not in BLOCK_TAGS or len(path) >= DEEPEST:
                return None
            path.append(element)
            element = element.getparent()
        chain = ROOT
        for inner in reversed(path):
            chain_of_inner = None
            numbers: Counter[str] = Counter()
            for child in body:
                if child.tag not in BLOCK_TAGS or child.tag == "br":
                    continue
                steps = _steps(child, numbers)
                if child is inner:
                    chain_of_inner = joined(chain, steps[0])
                elif len(self._beside) >= MOST_BESIDE:
                    return None
                else:
                    places = [hashed(joined(chain, step)) for step in steps]
                    self._beside.append((places, _HOLDS_TEXT(child)))
            if chain_of_inner is None:
                return None
            chain, body = chain_of_inner, inner
        return chain

    def are_of(self, cluster: ClusterRule) -> bool:
        """Whether the cluster has most of them."""
        paths = cluster.paths
        if self._native is not None:
            return bool(self._native.are_of(paths, LEAST_PLACES, SURE))
        known = len(self._under & paths)
        other = len(self._under) - known
        for places, holds_text in self._beside:
            if not paths.isdisjoint(places):
                known += 1
            elif holds_text:
                other += 1
        return known >= LEAST_PLACES and known > SURE * (known + other)


def _steps(element: HtmlElement, numbers: Counter[str]) -> tuple[str, ...]:
    """What a step may be called (see `places.chains`), where that depends on what is under it."""
    tag = str(element.tag)
    step = step_of(element)
    if step == tag and tag in NUMBERED_TAGS:
        numbers[tag] += 1
        numbered = f"{tag}[{numbers[tag]}]"
        return (numbered, tag) if tag == "table" else (numbered,)
    return (step, step + OF_LINKS) if tag in LINK_LISTS else (step,)
