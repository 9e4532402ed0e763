"""Rules: where the main block of a template's pages is, and how to find it in a page.

A rule is [Wang18]'s triple of id, class and path, used in that order (definition 10). What the
paper leaves open is decided here and in `learning.votes`:

* *An id or class that several elements of the page have*: the element at the rule's path is meant;
  if there is none, the one with the most text.
* *Several classes*: the rule holds those that the block had on every page, and a block must have
  all of them, in any order.
* *Ids and classes that change from page to page* (``post-4711``) never become part of a rule.
* *A rule that misses* (there is no element by id, by class, or at the path): there is no block; the
  page is judged alone, and its decision says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scrapy_mainblock.judge.decision import Tried
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import (
    Extent,
    at_path,
    extent,
    with_classes,
    with_id,
    with_most_text,
)
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.template.field_rules import FieldRules, merged_fields
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.selection import KEEP_ALL, Selection
from scrapy_mainblock.template.similarity import HALF_LIKE, SAME_CLUSTER, overlap, similarity
from scrapy_mainblock.template.structure import Structure

SelectorKind = Literal["id", "class", "path"]

SITE_CLUSTER = "site"
"""The name of the cluster that stands for all pages of a site."""
LONGEST_HISTORY = 5
"""Maximum number of former rules kept per template, the latest ones."""
MOST_RULES = 400
"""Maximum number of rules per site, as many as clusters; a site with more is a crawler trap."""


@dataclass(frozen=True)
class Rule:
    """[Wang18], definition 10: the triple <class, id, path>; an empty part is not used."""

    id: str = ""
    classes: tuple[str, ...] = ()
    path: str = ""
    selection: Selection = KEEP_ALL
    """What is kept of the block: everything, in a rule as the paper defines it."""

    @cached
    def selectors(self) -> tuple[tuple[SelectorKind, str], ...]:
        """The parts that are not empty, in the order in which they are tried."""
        parts: tuple[tuple[SelectorKind, str], ...] = (
            ("id", self.id),
            ("class", " ".join(self.classes)),
            ("path", self.path),
        )
        return tuple((kind, value) for kind, value in parts if value)

    @cached
    def words(self) -> dict[SelectorKind, list[bytes]]:
        """The words of the id, and the classes, as they are in a source."""
        both: dict[SelectorKind, Iterable[str]] = {"id": self.id.split(), "class": self.classes}
        return {
            kind: [word.encode("utf-8", "surrogatepass") for word in words]
            for kind, words in both.items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the parts, not what was computed from them."""
        return Rule, (self.id, self.classes, self.path, self.selection)


class Hit(NamedTuple):
    """The block that a rule found, and the part of the rule that found it."""

    element: int
    selector: SelectorKind
    value: str
    under: Extent


class Search(NamedTuple):
    """The result of a search for a rule's block, and the selectors that were tried."""

    hit: Hit | None
    tried: tuple[Tried, ...]


def find_block(rule: Rule, page: Outline) -> Search:
    """Search a page for a rule's block: by id, else by class, else by path."""
    tried: list[Tried] = []
    for selector, value in rule.selectors:
        found = _matching(rule, selector, page)
        tried.append(Tried(selector, value, len(found)))
        if found:
            element = _of_several(rule, found, page)
            return Search(Hit(element, selector, value, extent(page.rows, element)), tuple(tried))
    return Search(None, tuple(tried))


def _matching(rule: Rule, selector: SelectorKind, page: Outline) -> list[int]:
    if selector == "path":
        at = at_path(page.rows, rule.path)
        return [at] if at >= 0 else []
    words = rule.words[selector]
    if not words:  # only whitespace, in a rule that was edited by hand
        return []
    return with_id(page.rows, words) if selector == "id" else with_classes(page.rows, words)


def _of_several(rule: Rule, found: list[int], page: Outline) -> int:
    if len(found) == 1:
        return found[0]
    at = at_path(page.rows, rule.path) if rule.path else -1
    return at if at in found else with_most_text(page.rows, found)


class BlockStats(NamedTuple):
    """What a rule's block held on the pages that it was learned from (see `rule_fit`)."""

    shortest: int
    """The minimum number of visible characters (no whitespace) in it; `longest` is the maximum."""
    longest: int
    link_share: float
    """The maximum share of these characters in links."""


class Judged(NamedTuple):
    """The average result of the models on the pages that a rule was learned from."""

    confidence: float
    """The mean probability that a page would have been right alone."""
    types: tuple[tuple[str, float], ...]
    """The mean probability of each type of page, the most likely first."""

    @property
    def documentation(self) -> float:
        """The probability that the pages belong to a manual."""
        for kind, share in self.types:
            if kind == "documentation":
                return share
        return 0.0


class FormerRule(NamedTuple):
    """A rule that was replaced by another."""

    version: int
    rule: Rule
    pages: int
    votes: int


class Learned(NamedTuple):
    """What was learned for a template before its rule was changed by hand."""

    rule: Rule
    pages: int
    votes: int
    looks: BlockStats | None = None
    judged: Judged | None = None


@dataclass(frozen=True)
class Template:
    """One cluster of a site: how to recognize its pages, and the rule for them."""

    cluster: str
    """A name that is the same in every run over the same pages."""
    rule: Rule
    structure: Set[int]
    """The hashed places of the cluster's first page, which decide which pages belong to it. If
    empty, the template is for every page of the site."""
    pages: int = 0
    """How many pages it was learned from."""
    votes: int = 0
    """On how many of them the rule's block was the best."""
    version: int = 1
    pinned: bool = False
    """Set by hand: it takes precedence over what is learned and is never overwritten."""
    looks: BlockStats | None = None
    """None if unknown, as for a rule that was written by hand."""
    history: tuple[FormerRule, ...] = ()
    """The rules that it had before, the latest first."""
    judged: Judged | None = None
    """None if unknown, as for a rule that was written by hand."""
    proof: Proof | None = None
    """The result of checking the rule against its own pages; None if it was not checked."""
    names: tuple[str, ...] = ()
    """Texts in the titles and headings of most of its pages, which therefore are not headlines."""
    note: str = ""
    """A user's note on the rule: why it is pinned."""
    fields: FieldRules = ()
    """The rules for the fields of its pages."""
    learned: Learned | None = None
    """What `mainblock rules unpin` restores; None if its rule was not changed by hand."""

    def successor(self, after: Template) -> Template:
        """Return `after` as the template that replaces this one.

        A different rule gets the next version number. If its block is a different one, too, this
        rule is added to the history.
        """
        after = replace(after, fields=merged_fields(self.fields, after.fields))
        if after.rule == self.rule:
            return replace(after, version=self.version, history=self.history)
        history = self.history
        if replace(after.rule, selection=self.rule.selection) != self.rule:  # another block
            former = FormerRule(self.version, self.rule, self.pages, self.votes)
            history = (former, *self.history)[:LONGEST_HISTORY]
        return replace(after, version=self.version + 1, history=history)

    def is_similar(self, structure: Set[int]) -> bool:
        """Return whether a page with this structure belongs to the cluster."""
        return similarity(structure, self.structure) > SAME_CLUSTER

    def likeness(self, places: memoryview[int]) -> float:
        """Return how similar a page with these places is to the cluster's first page."""
        shared = Structure.of(self.structure).count_of(places)
        return overlap(shared, len(places), len(self.structure))

    @property
    def has_failed(self) -> bool:
        """Whether the rule lost much on most pages it was checked against, and so is not used."""
        return not self.pinned and self.proof is not None and self.proof.failed

    @property
    def agreement(self) -> float:
        """The share of the cluster's pages that voted for the rule's block; 1 for a pinned rule."""
        if self.pinned or not self.pages:
            return 1.0
        return min(self.votes / self.pages, 1.0)


@dataclass(frozen=True)
class SiteRules:
    """The templates of one site, in the order in which their clusters were founded."""

    site: str
    templates: tuple[Template, ...] = ()
    fields: FieldRules = ()
    """The rules for the fields of all its pages, pinned by hand."""

    @cached
    def first_pinned(self) -> Template | None:
        """The first template whose rule is pinned, or None."""
        return next((one for one in self.templates if one.pinned), None)

    def template_of(self, structure: Set[int]) -> Template | None:
        """Return the template of a page with a structure: see `of_places`."""
        return self.of_places(memoryview(array("Q", structure)))

    def of_places(self, places: memoryview[int]) -> Template | None:
        """Return the template of a page with these `text_places`.

        Pinned templates come first, then the first that is similar enough. The order is that of
        the clusters, as in algorithm 1, so that a page is matched as it would have been clustered.
        A pinned rule without a structure is for every page of its site.
        """
        for is_pinned in (True, False):
            for one in self.templates:
                if one.pinned is is_pinned:
                    is_for_all = is_pinned and not one.structure
                    if is_for_all or one.likeness(places) > SAME_CLUSTER:
                        return one
        return None

    def nearest(self, places: memoryview[int]) -> Template | None:
        """Return the template most similar to a page, or None if none is at least half similar."""
        likeness, _, nearest = max(
            (
                (one.likeness(places), -place, one)
                for place, one in enumerate(self.templates)
                if one.structure
            ),
            default=(0.0, 0, None),
        )
        return nearest if likeness >= HALF_LIKE else None

    def for_any_page(self) -> Template | None:
        """Return the learned rule for pages that belong to no cluster, or None."""
        return next((one for one in self.templates if not one.structure and not one.pinned), None)

    def without(self, template: Template) -> SiteRules:
        """Return the rules without one of the templates."""
        left = tuple(one for one in self.templates if one is not template)
        return replace(self, templates=left)

    def bounded(self) -> SiteRules:
        """Return at most `MOST_RULES` rules: the pinned ones, and those learned from most pages."""
        if len(self.templates) <= MOST_RULES:
            return self
        most = max(MOST_RULES, sum(one.pinned for one in self.templates))
        latest_first = reversed(self.templates)
        kept = sorted(latest_first, key=lambda one: (not one.pinned, -one.pages))[:most]
        names = {one.cluster for one in kept}
        left = tuple(one for one in self.templates if one.cluster in names)
        return replace(self, templates=left)
