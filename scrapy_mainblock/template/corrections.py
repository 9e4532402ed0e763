"""What a hand makes of a rule: a place dropped or kept, another main block, the rule as it is."""

from __future__ import annotations

from dataclasses import replace

from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.template.rules import Rule, SiteRules, Template
from scrapy_mainblock.template.selection import (
    ALL_BELOW,
    CHILD,
    OWN_TEXT,
    Selection,
    is_step,
    own_text,
)


class StillDroppedError(ValueError):
    """A place cannot be kept, since something around it is dropped."""

    def __init__(self, selector: str, around: str) -> None:
        super().__init__(f'"{selector}" stands in "{around}", which is dropped: keep that first')
        self.around = around


def is_within(place: str, selector: str) -> bool:
    """Whether a place is what a selector means, or is under it."""
    chain = place.removeprefix(CHILD)
    if is_step(selector):
        return selector in chain.split(UNDER)
    around = selector.removeprefix(CHILD)
    return chain == around or chain.startswith(around + UNDER)


def with_drop(selection: Selection, selector: str) -> Selection:
    """The selection without a place, and without all that is under it."""
    own = _owner(selector) if selector.endswith(OWN_TEXT) else None
    keep = tuple(one for one in selection.keep if one != selector)
    known = tuple(
        one
        for one in selection.known
        if one != own and not is_within(one.removesuffix(ALL_BELOW), selector)
    )
    drop = tuple(dict.fromkeys((*selection.drop, selector)))
    # The last of them stay, though `rules check` minds it: without any all the rest would be kept,
    # or would be known.
    return replace(
        selection, drop=drop, keep=keep or selection.keep, known=known or selection.known
    )


def with_keep(selection: Selection, selector: str) -> Selection:
    """The selection with a place for content, and all under it that no other selector drops.

    Raises StillDroppedError where another selector drops it, or something around it.
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
    """The selection with nothing dropped that a place stands in, nor its own text."""
    own = own_text(place)
    return replace(
        selection,
        drop=tuple(one for one in selection.drop if one != own and not is_within(place, one)),
    )


def _means(dropped: str, selector: str) -> bool:
    """Whether a drop goes when a selector is kept.

    By hand "div.share" means it wherever it stands, so also where learning has found it.
    """
    chain = dropped.removeprefix(CHILD)
    if is_step(selector):
        return chain.rpartition(UNDER)[2] == selector
    return dropped == selector or (chain == selector.removeprefix(CHILD) and not is_step(dropped))


def _owner(selector: str) -> str:
    """The block whose own text a selector means."""
    return selector.removesuffix(OWN_TEXT).removesuffix(UNDER)


def with_selection(template: Template, selection: Selection) -> Template:
    """The template with another selection under the same block, pinned."""
    rule = replace(template.rule, selection=selection)
    return template.successor(replace(template, rule=rule, pinned=True))


def with_block(template: Template, rule: Rule) -> Template:
    """The template with a rule of another block, pinned."""
    if rule == template.rule:
        return replace(template, pinned=True)
    # What was learnt of its pages was learnt under the block before.
    by_hand = replace(template, rule=rule, votes=0, looks=None, judged=None, pinned=True)
    return template.successor(by_hand)


def with_template(rules: SiteRules, template: Template) -> SiteRules:
    """The rules with a template in the place of the one of its name; it is the first."""
    others = tuple(one for one in rules.templates if one.cluster != template.cluster)
    return replace(rules, templates=(template, *others))
