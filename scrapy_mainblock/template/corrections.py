"""Corrections of a rule by hand: a place dropped or kept, another main block, the rule pinned."""

from __future__ import annotations

from dataclasses import replace

from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.template.field_rules import without_pins
from scrapy_mainblock.template.rules import Learned, Rule, SiteRules, Template
from scrapy_mainblock.template.selection import (
    ALL_BELOW,
    CHILD,
    OWN_TEXT,
    Selection,
    is_step,
    own_text,
)


class StillDroppedError(ValueError):
    """A place cannot be kept because a place around it is dropped."""

    def __init__(self, selector: str, around: str) -> None:
        super().__init__(
            f'"{selector}" is inside "{around}", which is dropped: keep "{around}" first'
        )
        self.around = around


def is_within(place: str, selector: str) -> bool:
    """Return whether a selector means a place, or a place around it."""
    chain = place.removeprefix(CHILD)
    if is_step(selector):
        return selector in chain.split(UNDER)
    around = selector.removeprefix(CHILD)
    return chain == around or chain.startswith(around + UNDER)


def with_drop(selection: Selection, selector: str) -> Selection:
    """Return the selection without a place and its subtree."""
    own = _owner(selector) if selector.endswith(OWN_TEXT) else None
    keep = tuple(one for one in selection.keep if one != selector)
    known = tuple(
        one
        for one in selection.known
        if one != own and not is_within(one.removesuffix(ALL_BELOW), selector)
    )
    drop = tuple(dict.fromkeys((*selection.drop, selector)))
    # The last ones stay, although `rules check` reports it: an empty list would mean that
    # everything else is kept, or known.
    return replace(
        selection, drop=drop, keep=keep or selection.keep, known=known or selection.known
    )


def with_keep(selection: Selection, selector: str) -> Selection:
    """Return the selection with a place as content, except what other selectors drop under it.

    Raises StillDroppedError if another selector drops the place or one around it.
    """
    drop = tuple(one for one in selection.drop if not _means(one, selector))
    for one in drop:
        if is_within(selector, one):
            raise StillDroppedError(selector, one)
    changed = replace(selection, drop=drop)
    if selection.keep:
        changed = replace(changed, keep=tuple(dict.fromkeys((*selection.keep, selector))))
    if selection.known:
        known = _owner(selector) if selector.endswith(OWN_TEXT) else selector + ALL_BELOW
        changed = replace(changed, known=tuple(dict.fromkeys((*selection.known, known))))
    return changed


def without_drops_of(selection: Selection, place: str) -> Selection:
    """Return the selection without the drops of a place, its own text, or a place around it."""
    own = own_text(place)
    return replace(
        selection,
        drop=tuple(one for one in selection.drop if one != own and not is_within(place, one)),
    )


def _means(dropped: str, selector: str) -> bool:
    """Return whether a drop selector is removed when `selector` is kept.

    Written by hand, "div.share" means that block at any depth, including the places where learning
    has found it.
    """
    chain = dropped.removeprefix(CHILD)
    if is_step(selector):
        return chain.rpartition(UNDER)[2] == selector
    return dropped == selector or (chain == selector.removeprefix(CHILD) and not is_step(dropped))


def _owner(selector: str) -> str:
    """Return the block whose own text a selector means."""
    return selector.removesuffix(OWN_TEXT).removesuffix(UNDER)


def with_selection(template: Template, selection: Selection) -> Template:
    """Return the template with another selection under the same block, pinned."""
    rule = replace(template.rule, selection=selection)
    if rule == template.rule:
        return replace(template, pinned=True)
    by_hand = replace(template, rule=rule, pinned=True, learned=_learned(template))
    return template.successor(by_hand)


def with_block(template: Template, rule: Rule) -> Template:
    """Return the template with a rule for another block, pinned."""
    if rule == template.rule:
        return replace(template, pinned=True)
    # What was learned about its pages applies to the former block.
    by_hand = replace(template, rule=rule, votes=0, looks=None, judged=None, pinned=True)
    return template.successor(replace(by_hand, learned=_learned(template)))


def without_pin(template: Template) -> Template | None:
    """Return the template with what was learned for it, or None if nothing was."""
    template = replace(template, fields=without_pins(template.fields))
    if not template.pinned:
        return template
    before = template.learned
    if before is not None:
        return template.successor(
            replace(
                template,
                rule=before.rule,
                pages=before.pages,
                votes=before.votes,
                looks=before.looks,
                judged=before.judged,
                pinned=False,
                learned=None,
            )
        )
    return replace(template, pinned=False) if template.votes else None


def _learned(template: Template) -> Learned | None:
    """Return what to restore when the rule, which is now changed by hand, is unpinned."""
    if (
        template.learned is not None or not template.votes
    ):  # it is changed again, or was never learned
        return template.learned
    return Learned(template.rule, template.pages, template.votes, template.looks, template.judged)


def with_template(rules: SiteRules, template: Template) -> SiteRules:
    """Return the rules with a template in the place of the one of its name, and first in order."""
    others = tuple(one for one in rules.templates if one.cluster != template.cluster)
    return replace(rules, templates=(template, *others))
