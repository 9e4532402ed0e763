"""Changes to a rule that a user makes by pointing at a part of a page (`inspect --edit`).

A `Change` can be applied to a site's rules, undone, and previewed on other pages before it is
saved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.report.advice import below_block, place_in_rule, rule_of, selector_words
from scrapy_mainblock.report.inspected import Inspected, inspect_page
from scrapy_mainblock.template.corrections import (
    with_block,
    with_drop,
    with_keep,
    with_selection,
    with_template,
    without_drops_of,
)
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template
from scrapy_mainblock.template.selection import Selection, is_named

Action = Literal["drop", "keep", "main", "pin"]
ACTIONS: tuple[Action, ...] = ("drop", "keep", "main", "pin")


class EditError(ValueError):
    """The change cannot be made; the message tells the user why."""


@dataclass(frozen=True)
class Change:
    """A change of one template's rule."""

    cluster: str
    """`SITE_CLUSTER` for all pages of the site."""
    action: Action
    selector: str = ""
    """Selector of what is dropped or kept, relative to the main block."""
    places: tuple[str, ...] = ()
    """The places under that selector on the page that the user pointed at."""
    rule: Rule | None = None
    """The new main block."""

    @property
    def words(self) -> str:
        """The change in words."""
        if self.action == "main":
            assert self.rule is not None
            kind, value = self.rule.selectors[0]
            return f"{kind} {value} is the main block"
        return "pinned as it is" if self.action == "pin" else f"{self.action} {self.selector}"

    def apply(self, template: Template | None) -> Template:
        """Return the template after the change: pinned, with a new version if the rule differs."""
        if template is None:
            if self.rule is None or self.cluster != SITE_CLUSTER:
                raise EditError(f"template {self.cluster} no longer exists")
            return Template(SITE_CLUSTER, self.rule, frozenset(), pinned=True)
        if self.rule is not None:
            return with_block(template, self.rule)
        return with_selection(template, self._selection(template.rule.selection))

    def _selection(self, before: Selection) -> Selection:
        if self.action == "drop":
            return with_drop(before, self.selector)
        if self.action == "keep":
            # A user who points at a part wants all of it, whatever dropped it.
            for place in self.places:
                before = without_drops_of(before, place)
            return with_keep(before, self.selector)
        return before

    def changed(self, known: SiteRules | None, site: str, note: str = "") -> SiteRules:
        """Return the rules of a site after the change."""
        rules = changed_rules(known, site, self)
        first, *others = rules.templates
        return replace(rules, templates=(replace(first, note=note), *others)) if note else rules

    def restored(self, former: SiteRules | None, now: SiteRules | None, site: str) -> SiteRules:
        """Return the rules with the change undone; `former` are the rules before the change."""
        return restored_rules(now, site, self.cluster, _template(former, self.cluster))

    def difference(self, before: Inspected, after: SiteRules) -> Difference:
        """Return what the change does to a page."""
        return Difference(kept_otherwise(before, inspect_page(before.page, after).decision))


class Difference(NamedTuple):
    """The effect of a change on one page."""

    lines: list[tuple[str, str]]
    """What the change removes (-) and adds (+)."""
    is_missed: bool = False
    """Whether the page has no value at the place that the change pins."""


def change_at(inspected: Inspected, action: Action, segment: int, place: str) -> Change:
    """Return the change for a user who points at a segment and at a place around it."""
    page, decision = inspected.page, inspected.decision
    refuse_elsewhere(page, segment, place)
    cluster = decision.cluster or SITE_CLUSTER
    if action == "main":
        return Change(cluster, action, rule=_rule_of(page, segment, place))
    if decision.method != "rule":
        raise EditError("no rule applies to this page: choose its main block first")
    if action == "pin":
        return Change(cluster, action)
    if segment not in below_block(page, decision):
        raise EditError(
            "this part is outside of the main block: first choose a main block that contains both"
        )
    return _change_below(page, decision, action, place, cluster)


def refuse_elsewhere(page: Outline, segment: int, place: str) -> None:
    """Raise EditError if a segment does not exist, or a place is not around it."""
    if not 0 <= segment < page.rows.segment_count:
        raise EditError("the page has no such part")
    own = page.chains[page.rows.segment_block[segment]]
    if place and place != own and not own.startswith(place + UNDER):
        raise EditError("the selected place does not contain this part")


def _change_below(
    page: Outline, decision: Decision, action: Action, place: str, cluster: str
) -> Change:
    relative = place_in_rule(page, decision, place)
    if not relative:
        raise EditError("the selected place is the main block itself or contains it")
    step = relative.rpartition(UNDER)[2]
    selector = step if is_named(step) else relative
    below = below_block(page, decision)
    found = []
    for segment in below:
        chain = page.chains[page.rows.segment_block[segment]]
        if chain == place or chain.startswith(place + UNDER):
            found.append(place_in_rule(page, decision, chain))
    return Change(cluster, action, selector, tuple(dict.fromkeys(found)))


def _rule_of(page: Outline, segment: int, place: str) -> Rule:
    """Return a rule for the block at a place around a segment."""
    rows = page.rows
    block = rows.segment_block[segment]
    while block >= 0 and page.chains[block] != place:
        block = rows.block_parent[block]
    if block < 0 or not place:
        raise EditError("the whole page cannot be the main block")
    # Of nested blocks at one place (a table's rows) use the outermost.
    while rows.block_parent[block] >= 0 and page.chains[rows.block_parent[block]] == place:
        block = rows.block_parent[block]
    return rule_of(selector_words(page, rows.block_element[block]))


def changed_rules(known: SiteRules | None, site: str, change: Change) -> SiteRules:
    """Return the rules of a site after a change, with the changed template first."""
    known = known or SiteRules(site)
    return with_template(known, change.apply(_template(known, change.cluster)))


def restored_rules(
    known: SiteRules | None, site: str, cluster: str, old: Template | None
) -> SiteRules:
    """Return the rules with one template restored; its version number never goes back."""
    known = known or SiteRules(site)
    now = _template(known, cluster)
    if old is None:
        others = tuple(one for one in known.templates if one.cluster != cluster)
        return replace(known, templates=others)
    version = old.version if now is None else now.version + (now.rule != old.rule)
    return with_template(known, replace(old, version=version))


def _template(rules: SiteRules | None, cluster: str) -> Template | None:
    templates = rules.templates if rules is not None else ()
    return next((one for one in templates if one.cluster == cluster), None)


def kept_otherwise(before: Inspected, after: Decision) -> list[tuple[str, str]]:
    """Return the texts that a change adds (+) and removes (-), in the page's order."""
    found = []
    both = zip(before.decision.kept, after.kept, before.page.texts, strict=False)
    for was, still, text in both:
        if was != still:
            found.append(("-" if was else "+", text))
    return found
