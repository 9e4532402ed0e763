"""Rules: where the main block of a template's pages is, and finding it in a page.

A rule is [Wang18]'s triple of id, class and path, used in that order (definition 10). What the
paper leaves open is decided here and in `learning.votes`:

* An *id or class that several elements of the page have*: the one at the rule's path is meant; if
  none is there, the one with the most text.
* *Several classes*: the rule holds those that the block had on every page, and a block must have
  them all, in any order.
* *Ids and classes that change from page to page* (``post-4711``) never get into a rule.
* *A rule that misses* (no element by id, by class, nor at the path): no block; the page is judged
  alone, and its decision says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scrapy_mainblock.judge.decision import Tried
from scrapy_mainblock.outline.buffers.hashing import Numbers
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
from scrapy_mainblock.template.field_rules import FieldRules, succeeded
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.selection import KEEP_ALL, Selection
from scrapy_mainblock.template.similarity import HALF_LIKE, SAME_CLUSTER, similarity

SelectorKind = Literal["id", "class", "path"]

SITE_CLUSTER = "site"
"""The name of the cluster that stands for all pages of a site."""
LONGEST_HISTORY = 5
"""Former rules kept of a template, the latest ones."""
MOST_RULES = 400
"""Rules kept of a site, as many as clusters; beyond this it is a trap."""


@dataclass(frozen=True)
class Rule:
    """[Wang18], definition 10: the triple <class, id, path>; an empty part is not used."""

    id: str = ""
    classes: tuple[str, ...] = ()
    path: str = ""
    selection: Selection = KEEP_ALL
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

    element: int
    selector: SelectorKind
    value: str
    under: Extent


class Search(NamedTuple):
    """The search for a rule's block: what it found, and the selectors that were tried."""

    hit: Hit | None
    tried: tuple[Tried, ...]


def find_block(rule: Rule, page: Outline) -> Search:
    """Find a rule's block in a page, by id, else by class, else by path."""
    tried: list[Tried] = []
    for selector, value in rule.selectors():
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
    words = rule.id.split() if selector == "id" else list(rule.classes)
    if not words:  # white space, as only a hand may have written it
        return []
    search = with_id if selector == "id" else with_classes
    return search(page.rows, [word.encode("utf-8", "surrogatepass") for word in words])


def _of_several(rule: Rule, found: list[int], page: Outline) -> int:
    if len(found) == 1:
        return found[0]
    at = at_path(page.rows, rule.path) if rule.path else -1
    return at if at in found else with_most_text(page.rows, found)


class Looks(NamedTuple):
    """What a rule's block held on the pages it was learnt from (see `rule_fit`)."""

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

    @property
    def documentation(self) -> float:
        """How likely the pages are of a manual."""
        return next((share for kind, share in self.types if kind == "documentation"), 0.0)


class FormerRule(NamedTuple):
    """A rule that another one took the place of."""

    version: int
    rule: Rule
    pages: int
    votes: int


@dataclass(frozen=True)
class Template:
    """One cluster of a site: how to know its pages, and the rule for them."""

    cluster: str
    """A name that is the same in every run over the same pages."""
    rule: Rule
    structure: frozenset[int]
    """The places of the cluster's first page (hashed), which decide who belongs to it. Empty: for
    every page of the site."""
    pages: int = 0
    """How many pages it was learnt from."""
    votes: int = 0
    """On how many of them the rule's block was the best."""
    version: int = 1
    pinned: bool = False
    """Written by hand: it wins over what is learnt and is never overwritten."""
    looks: Looks | None = None
    """None where it is not known, as of a rule that was written by hand."""
    history: tuple[FormerRule, ...] = ()
    """What it was before, the latest first."""
    judged: Judged | None = None
    """None where it is not known, as of a rule that was written by hand."""
    proof: Proof | None = None
    """What holding the rule against its own pages showed; None where nobody did."""
    names: tuple[str, ...] = ()
    """What stands in the titles and headings of most of its pages, and so is no headline."""
    note: str = ""
    """What somebody wrote beside a rule: why it is pinned."""
    fields: FieldRules = ()
    """Where its pages have a field."""

    def successor(self, after: Template) -> Template:
        """What takes this one's place: another rule is the next version, and this one history."""
        after = replace(after, fields=succeeded(self.fields, after.fields))
        if after.rule == self.rule:
            return replace(after, version=self.version, history=self.history)
        history = self.history
        if replace(after.rule, selection=self.rule.selection) != self.rule:  # another block
            former = FormerRule(self.version, self.rule, self.pages, self.votes)
            history = (former, *self.history)[:LONGEST_HISTORY]
        return replace(after, version=self.version + 1, history=history)

    @cached
    def places(self) -> Numbers:
        """The structure, to be looked up in."""
        found = Numbers(len(self.structure))
        for place in self.structure:
            found.put(place, 1)
        return found

    def __getstate__(self) -> dict[str, object]:
        """Pickle what is known of it; `places` follow from that."""
        return {name: value for name, value in vars(self).items() if name != "places"}

    def is_alike(self, structure: Set[int]) -> bool:
        """Whether a page with this structure is one of this cluster."""
        return similarity(structure, self.structure) > SAME_CLUSTER

    @property
    def has_failed(self) -> bool:
        """Whether its rule lost much on most pages that it was held against, and is not used."""
        return not self.pinned and self.proof is not None and self.proof.failed

    @property
    def agreement(self) -> float:
        """The share of the cluster's pages that voted for its rule; a pinned rule has all."""
        if self.pinned or not self.pages:
            return 1.0
        return min(self.votes / self.pages, 1.0)


@dataclass(frozen=True)
class SiteRules:
    """The templates of one site, in the order in which their clusters were founded."""

    site: str
    templates: tuple[Template, ...] = ()
    fields: FieldRules = ()
    """Where all its pages have a field, pinned by hand."""

    def template_of(self, structure: Set[int]) -> Template | None:
        """The template a page belongs to: pinned ones first, then the first that is alike enough.

        The order is the clusters' own, as in algorithm 1, so that a page is matched as it would
        have been clustered. A pinned rule without a structure is for every page of its site.
        """
        for template in sorted(self.templates, key=lambda one: not one.pinned):
            if template.pinned and not template.structure:
                return template
            if template.is_alike(structure):
                return template
        return None

    def nearest(self, structure: Set[int]) -> Template | None:
        """The template that a page is most like, of those it is at least half like."""
        likeness, _, nearest = max(
            (
                (similarity(structure, one.structure), -place, one)
                for place, one in enumerate(self.templates)
                if one.structure
            ),
            default=(0.0, 0, None),
        )
        return nearest if likeness >= HALF_LIKE else None

    def for_any_page(self) -> Template | None:
        """The learnt rule for pages that are of no cluster, if there is one."""
        return next((one for one in self.templates if not one.structure and not one.pinned), None)

    def without(self, template: Template) -> SiteRules:
        """The rules less one."""
        left = tuple(one for one in self.templates if one is not template)
        return replace(self, templates=left)

    def bounded(self) -> SiteRules:
        """Without the rules that are too many: the pinned stay, and those of most pages."""
        if len(self.templates) <= MOST_RULES:
            return self
        most = max(MOST_RULES, sum(one.pinned for one in self.templates))
        latest_first = reversed(self.templates)
        kept = sorted(latest_first, key=lambda one: (not one.pinned, -one.pages))[:most]
        names = {one.cluster for one in kept}
        left = tuple(one for one in self.templates if one.cluster in names)
        return replace(self, templates=left)
