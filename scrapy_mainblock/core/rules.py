"""Rules: where the main block of a cluster's pages is, and finding it in a page.

A rule is [Wang18]'s triple of id, class and path, used in that order (definition 10). What the
paper leaves open is decided here and in `evidence`:

* An *id or class that several elements of the page have*: the one that stands at the rule's path
  is meant; if none does, the one with the most text.
* *Several classes*: the rule holds those that the block had on every page, and a block must have
  them all, in any order.
* *Ids and classes that change from page to page* (``post-4711``) never get into a rule.
* *A rule that misses* (no element by id, by class, nor at the path): no block; the caller scores
  the page alone and says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.paths import find_path, path_of

SelectorKind = Literal["id", "class", "path"]
LearnedBy = Literal["auto", "cluster"]

# XPath variables, never pasted text: an id or a class is data of a stranger.
_BY_ID = etree.XPath("//*[@id=$value]")
_BY_CLASS = etree.XPath("//*[contains(concat(' ', normalize-space(@class), ' '), $value)]")


@dataclass(frozen=True)
class Rule:
    """[Wang18], definition 10: the triple <class, id, path>; an empty part is not used."""

    id: str = ""
    classes: tuple[str, ...] = ()
    path: str = ""

    def selectors(self) -> Iterator[tuple[SelectorKind, str]]:
        """The parts that are there, in the order in which they are tried."""
        if self.id:
            yield "id", self.id
        if self.classes:
            yield "class", " ".join(self.classes)
        if self.path:
            yield "path", self.path


class Hit(NamedTuple):
    """The block a rule found, and by which of its parts."""

    block: HtmlElement
    selector: SelectorKind
    value: str


def apply_rule(rule: Rule, root: HtmlElement) -> Hit | None:
    """Find a rule's block in a page, by id, else by class, else by path."""
    for selector, value in rule.selectors():
        block = _find(root, rule, selector)
        if block is not None:
            return Hit(block, selector, value)
    return None


def _find(root: HtmlElement, rule: Rule, selector: SelectorKind) -> HtmlElement | None:
    if selector == "path":
        return find_path(root, rule.path)
    if selector == "id":
        matches = _BY_ID(root, value=rule.id)
    else:
        first, *others = rule.classes
        matches = [
            element
            for element in _BY_CLASS(root, value=f" {first} ")
            if not others or set(others) <= set((element.get("class") or "").split())
        ]
    if len(matches) <= 1:
        return matches[0] if matches else None
    return _meant(matches, rule.path)


def _meant(matches: list[HtmlElement], path: str) -> HtmlElement:
    for element in matches:
        if path and path_of(element) == path:
            return element
    return max(matches, key=_text_length)


_STRING_LENGTH = etree.XPath("string-length(normalize-space(.))")


def _text_length(element: HtmlElement) -> float:
    return float(_STRING_LENGTH(element))


@dataclass(frozen=True)
class ClusterRule:
    """One cluster of a site: how to know its pages, and the rule for them."""

    cluster: str
    """A name that is the same in every run over the same pages."""
    rule: Rule
    paths: frozenset[int]
    """The path set of the cluster's first page (hashed), which decides who belongs to it."""
    pages: int = 0
    """How many pages it was learnt from."""
    votes: int = 0
    """On how many of them the rule's block was the densest."""
    version: int = 1
    pinned: bool = False
    """Written by hand: it wins over what is learnt and is never overwritten."""
    learned_by: LearnedBy = "auto"

    @property
    def settings(self) -> wang18.Settings:
        """The settings by which the path sets of this cluster are made and compared."""
        return SETTINGS[self.learned_by]

    def is_alike(self, paths: Set[int]) -> bool:
        """Whether a page with these paths is one of this cluster."""
        return wang18.similarity(paths, self.paths) > self.settings.similarity

    @property
    def agreement(self) -> float:
        """The share of the cluster's pages that voted for its rule; a pinned rule has all."""
        if self.pinned or not self.pages:
            return 1.0
        return self.votes / self.pages


SETTINGS: Mapping[LearnedBy, wang18.Settings] = {"auto": wang18.TODAY, "cluster": wang18.PAPER}


@dataclass(frozen=True)
class SiteRules:
    """The rules of one site, its clusters in the order in which they were founded."""

    site: str
    clusters: tuple[ClusterRule, ...] = ()

    def cluster_of(self, paths: Set[int], learned_by: LearnedBy) -> ClusterRule | None:
        """The cluster a page belongs to: pinned ones first, then the first that is alike enough.

        The order is the clusters' own, as in algorithm 1, so that a page is matched as it would
        have been clustered. A pinned rule without paths is for every page of its site.
        """
        for cluster in sorted(self.clusters, key=lambda cluster: not cluster.pinned):
            if cluster.pinned and not cluster.paths:
                return cluster
            if cluster.learned_by == learned_by and cluster.is_alike(paths):
                return cluster
        return None


@dataclass(frozen=True)
class Rules:
    """The rules of any number of sites."""

    sites: Mapping[str, SiteRules] = field(default_factory=dict)

    def of(self, site: str) -> SiteRules | None:
        """The rules of one site, None where there are none."""
        return self.sites.get(site)

    def __len__(self) -> int:
        return sum(len(site.clusters) for site in self.sites.values())


def cluster_name(paths: Set[int]) -> str:
    """The name of the cluster that a page with these paths founds."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.to_bytes(8, "big"))
    return digest.hexdigest()[:8]
