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
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.counts import count
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.paths import find_path, steps_of
from scrapy_mainblock.core.places import EVERYTHING, Places
from scrapy_mainblock.core.survey import Question, asking

if TYPE_CHECKING:
    from scrapy_mainblock.core.native.survey import Survey

SelectorKind = Literal["id", "class", "path"]
LearnedBy = Literal["auto", "cluster"]

# XPath variables, never pasted text: an id or a class is data of a stranger. Attributes that know
# their elements are found in a quarter of the time of elements by their attributes.
_IDS = etree.XPath("descendant-or-self::*/@id[contains(., $value)]")
_CLASSES = etree.XPath("descendant-or-self::*/@class[contains(., $value)]")
_NO_ELEMENT = etree.Element("none")
_native = compiled("search")


@dataclass(frozen=True)
class Rule:
    """[Wang18], definition 10: the triple <class, id, path>; an empty part is not used."""

    id: str = ""
    classes: tuple[str, ...] = ()
    path: str = ""
    places: Places = EVERYTHING
    """What is kept of the block; everything, in a rule of the paper's own kind."""

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


class FirstParts:
    """The first parts of some rules, as they are looked for in page after page."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._parts: list[tuple[SelectorKind, str]] = []
        questions: list[Question] = []
        can_ask = True
        self._asked: list[int] = []
        """The rules that the questions are about, and those that are found by their path."""
        self._by_path: list[int] = []
        for at, rule in enumerate(rules):
            part = next(rule.selectors(), ("path", ""))
            self._parts.append(part)
            if part[0] == "path":
                if part[1]:
                    self._by_path.append(at)
                continue
            words = _words(rule, part[0])
            longest = max(words, key=len, default="")
            if not longest:  # the name is white space, as only a hand may have written it
                can_ask = False
            elif _can_be_asked_for(longest):
                self._asked.append(at)
                questions.append((part[0], words, steps_of(rule.path) if rule.path else None))
        self.questions = asking(questions) if can_ask else None
        """What to ask of a page's tree, for `Page.questions`."""

    def hits(self, root: HtmlElement, survey: Survey | None = None) -> list[Hit | None]:
        """What each rule finds by its first part, which the survey of a page may know already."""
        if self.questions is None or survey is None or survey.questions is not self.questions:
            return first_hits(self._rules, root)
        hits: list[Hit | None] = [None] * len(self._rules)
        for at, matches in zip(self._asked, survey.found, strict=True):
            if matches:
                block = _meant(matches, root, self._rules[at].path) if matches[1:] else matches[0]
                hits[at] = Hit(block, *self._parts[at])
        for at in self._by_path:
            found = find_path(root, self._rules[at].path)
            hits[at] = None if found is None else Hit(found, *self._parts[at])
        return hits


def _words(rule: Rule, selector: SelectorKind) -> list[str]:
    return rule.id.split() if selector == "id" else list(rule.classes)


def first_hits(rules: Sequence[Rule], root: HtmlElement) -> list[Hit | None]:
    """What some rules find by the first of their parts."""
    first = [next(rule.selectors(), None) for rule in rules]
    named = [at for at, part in enumerate(first) if part and part[0] != "path"]
    asked = [(rules[at], part[0]) for at in named if (part := first[at])]
    matches = dict(zip(named, _all_matches(root, asked), strict=True))
    hits: list[Hit | None] = []
    for at, (rule, part) in enumerate(zip(rules, first, strict=True)):
        if part is None:
            hits.append(None)
            continue
        block = (
            _of_matches(matches[at], root, rule) if at in matches else find_path(root, rule.path)
        )
        hits.append(None if block is None else Hit(block, *part))
    return hits


def _find(root: HtmlElement, rule: Rule, selector: SelectorKind) -> HtmlElement | None:
    if selector == "path":
        return find_path(root, rule.path)
    return _of_matches(_all_matches(root, [(rule, selector)])[0], root, rule)


def _of_matches(matches: list[HtmlElement], root: HtmlElement, rule: Rule) -> HtmlElement | None:
    if len(matches) <= 1:
        return matches[0] if matches else None
    return _meant(matches, root, rule.path)


def _all_matches(
    root: HtmlElement, asked: Sequence[tuple[Rule, SelectorKind]]
) -> list[list[HtmlElement]]:
    """The elements that have the id, or the classes, of each of some rules."""
    if _native is None:
        return [_matches(root, rule, selector) for rule, selector in asked]
    words = [_words(rule, name) for rule, name in asked]
    can_be = [_can_be_asked_for(max(one, key=len, default="")) for one in words]
    found = iter(
        _native.with_words(
            root,
            [(name, one) for (_, name), one, can in zip(asked, words, can_be, strict=True) if can],
        )
    )
    return [next(found) if can else [] for can in can_be]


def _matches(root: HtmlElement, rule: Rule, selector: SelectorKind) -> list[HtmlElement]:
    try:
        if selector == "id":
            words = rule.id.split()
            ids: Any = _IDS(root, value=max(words, key=len, default=""))
            return [one.getparent() for one in ids if one.split() == words]
        wanted = set(rule.classes)
        classes: Any = _CLASSES(root, value=max(rule.classes, key=len))
        return [one.getparent() for one in classes if wanted.issubset(one.split())]
    except ValueError:  # XPath refuses a control character, which an attribute may hold
        return []


@lru_cache(maxsize=1000)
def _can_be_asked_for(value: str) -> bool:
    """Whether XPath takes a value; what it does not take is nowhere."""
    try:
        _IDS(_NO_ELEMENT, value=value)
    except ValueError:
        return False
    return True


def _meant(matches: list[HtmlElement], root: HtmlElement, path: str) -> HtmlElement:
    wanted = set(matches)
    at_path = find_path(root, path) if path else None
    if at_path is not None and at_path in wanted:
        return at_path
    if _native is not None:
        meant: HtmlElement = _native.with_most_text(root, matches)
        return meant
    # One match inside of another has no more text than that: counting the outer ones is linear.
    outermost = []
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element in wanted:
            outermost.append(element)
            walk.skip_subtree()
    return max(outermost, key=_text_length)


def _text_length(element: HtmlElement) -> int:
    nodes = count(element)
    return nodes[0].all_text if nodes else 0


class Looks(NamedTuple):
    """What a rule's block held on the pages it was learnt from (see `redesign`)."""

    shortest: int
    """The fewest characters that a reader sees in it, white space left out."""
    longest: int
    link_share: float
    """The greatest share of them inside of links."""


class Judged(NamedTuple):
    """What the models said of the pages that a rule was learnt from, on average."""

    confidence: float
    """How likely each would have been right alone."""
    types: tuple[tuple[str, float], ...]
    """How likely each type of page is, the likeliest first."""


class FormerRule(NamedTuple):
    """A rule that another one took the place of."""

    version: int
    rule: Rule
    pages: int
    votes: int


SITE_CLUSTER = "site"
"""The name of the cluster that stands for all pages of a site."""
LONGEST_HISTORY = 5
"""Former rules kept of a cluster, the latest ones."""


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
    looks: Looks | None = None
    """None where it is not known, as of a rule that was written by hand."""
    history: tuple[FormerRule, ...] = ()
    """What it was before, the latest first."""
    judged: Judged | None = None
    """None where it is not known, as of a rule that was written by hand."""
    names: tuple[str, ...] = ()
    """What stands in the titles and headings of most of its pages, and so is no headline."""

    def successor(self, after: ClusterRule) -> ClusterRule:
        """What takes this one's place: another rule is the next version, and this one history."""
        if after.rule == self.rule:
            return replace(after, version=self.version, history=self.history)
        history = self.history
        if replace(after.rule, places=self.rule.places) != self.rule:  # another block
            former = FormerRule(self.version, self.rule, self.pages, self.votes)
            history = (former, *self.history)[:LONGEST_HISTORY]
        return replace(after, version=self.version + 1, history=history)

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


HALF_LIKE = 0.5
"""A page of no cluster, so much like one that has a rule, may be tried with that rule."""


MOST_RULES = 400
"""Rules kept of a site, as many as clusters; beyond this it is a trap."""


@dataclass(frozen=True)
class SiteRules:
    """The rules of one site, its clusters in the order in which they were founded."""

    site: str
    clusters: tuple[ClusterRule, ...] = ()

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What others worked out of these rules and want again on every page."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without what was worked out."""
        return SiteRules, (self.site, self.clusters)

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

    def nearest(self, paths: Set[int]) -> ClusterRule | None:
        """The cluster that a page is most like, of those it is at least half like."""
        likeness, _, nearest = max(
            (
                (wang18.similarity(paths, one.paths), -place, one)
                for place, one in enumerate(self.clusters)
                if one.paths and one.learned_by == "auto"
            ),
            default=(0.0, 0, None),
        )
        return nearest if likeness >= HALF_LIKE else None

    def for_any_page(self) -> ClusterRule | None:
        """The learnt rule for pages that are of no cluster, if there is one."""
        return next((one for one in self.clusters if not one.paths and not one.pinned), None)

    def without(self, cluster: ClusterRule) -> SiteRules:
        """The rules less one."""
        return replace(self, clusters=tuple(one for one in self.clusters if one is not cluster))

    def bounded(self) -> SiteRules:
        """Without the rules that are too many: the pinned stay, and those of most pages."""
        if len(self.clusters) <= MOST_RULES:
            return self
        most = max(MOST_RULES, sum(one.pinned for one in self.clusters))
        latest_first = reversed(self.clusters)
        kept = sorted(latest_first, key=lambda one: (not one.pinned, -one.pages))[:most]
        names = {one.cluster for one in kept}
        return replace(self, clusters=tuple(one for one in self.clusters if one.cluster in names))


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
