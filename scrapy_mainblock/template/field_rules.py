"""Where a template's pages have a field: the one place that a page by rule is asked at.

A place is a source as `metadata.fields` names it (``json-ld:datePublished``, ``meta:author``,
``url``, and of a headline ``title - The Daily``, the page's title but for the site's name) or a CSS
selector (``p.byline > a``): `fields.by_rule` reads it. What a hand has pinned
goes before what was learnt, and a cluster's own before the whole site's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy_mainblock.template.rules import SiteRules

SPOKEN = {"headline": "headline", "date": "datePublished", "author": "authors"}
"""The fields that may have a rule, by the words that people have for them."""
RULED = tuple(SPOKEN.values())


class FieldRule(NamedTuple):
    """The place of one field."""

    field: str
    place: str
    """Empty where learning found none that is good enough: each page is read by itself."""
    pinned: bool = False
    """Written by hand: it wins over what is learnt and is never overwritten."""
    probability: float = 1.0
    """How likely its values were right on the pages that it was learnt from, on average."""
    pages: int = 0
    """How many of them had it."""
    note: str = ""
    """What somebody wrote beside a pin: why it is there."""


FieldRules = tuple[FieldRule, ...]


def succeeded(before: Iterable[FieldRule], after: FieldRules) -> FieldRules:
    """The field rules that follow: a pinned one stays, and one of which nothing more is known."""
    new = {one.field: one for one in after}
    stay = {one.field: one for one in before if one.pinned or one.field not in new}
    return in_order({**new, **stay}.values())


def in_order(rules: Iterable[FieldRule]) -> FieldRules:
    """The same rules in the order in which documents have them."""
    return tuple(sorted(rules, key=lambda one: one.field))


def with_field_pin(
    rules: SiteRules, cluster: str | None, field: str, place: str, note: str = ""
) -> SiteRules:
    """The rules of a site with the place of a field pinned: of a cluster, or of all its pages.

    `place` is a CSS selector or the name of a source; an empty one has each page read by itself.
    Raises LookupError for a cluster that the site does not have, ValueError for a field that has no
    rules. Whether the place can be found in a page is `fields.by_rule.why_no_place`'s to say.
    """
    if field not in RULED:
        raise ValueError(f"no rules for {field}: there are for {', '.join(RULED)}")
    return _with(rules, cluster, field, FieldRule(field, place, pinned=True, note=note))


def with_field_as_in(
    former: SiteRules, rules: SiteRules, cluster: str | None, field: str
) -> SiteRules:
    """The rules of a site with a field's rule as they had it before: what undoes a pin."""
    of = next((one.fields for one in former.templates if one.cluster == cluster), ())
    return _with(rules, cluster, field, _of(former.fields if cluster is None else of, field))


def _with(rules: SiteRules, cluster: str | None, field: str, new: FieldRule | None) -> SiteRules:
    """The rules with another rule for a field, or none."""

    def changed(fields: FieldRules) -> FieldRules:
        others = (one for one in fields if one.field != field)
        return in_order((*others, new) if new else others)

    if cluster is None:
        return replace(rules, fields=changed(rules.fields))
    if all(one.cluster != cluster for one in rules.templates):
        raise LookupError(f"{rules.site} has no cluster {cluster}")
    templates = tuple(
        replace(one, fields=changed(one.fields)) if one.cluster == cluster else one
        for one in rules.templates
    )
    return replace(rules, templates=templates)


def has_pins(rules: FieldRules) -> bool:
    """Whether a hand has pinned any."""
    return any(one.pinned for one in rules)


def without_pins(rules: FieldRules) -> FieldRules:
    """What learning may change again; it finds the places of these fields anew."""
    return tuple(one for one in rules if not one.pinned)


def rule_of_field(rules: SiteRules, cluster: str | None, field: str) -> FieldRule | None:
    """The rule for a field of a page of a cluster; None where each page is read by itself."""
    template = next((one for one in rules.templates if one.cluster == cluster), None)
    return rule_among(template.fields if template else (), rules.fields, field)


def rule_among(of_cluster: FieldRules, of_all: FieldRules, field: str) -> FieldRule | None:
    """The rule for a field by those of a page's cluster, and by those for all pages of its site."""
    own, of_site = _of(of_cluster, field), _of(of_all, field)
    found = of_site if of_site and not (own and own.pinned) else own
    return found if found and found.place else None


def _of(rules: FieldRules, field: str) -> FieldRule | None:
    for one in rules:
        if one.field == field:
            return one
    return None
