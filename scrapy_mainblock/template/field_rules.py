"""Rules for fields: the one place at which the pages of a template have a headline, date or author.

A place is a source as named in `metadata.fields` (``json-ld:datePublished``, ``meta:author``,
``url``, and for a headline ``title - The Daily``, the page's title without the site's name) or a
CSS selector (``p.byline > a``). `fields.by_rule` reads it. A pinned rule takes precedence over a
learned one, and a cluster's own rule over that of the whole site.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy_mainblock.template.rules import SiteRules

SPOKEN = {"headline": "headline", "date": "datePublished", "author": "authors"}
"""The fields that may have a rule, by their everyday names."""
RULED = tuple(SPOKEN.values())


class FieldRule(NamedTuple):
    """The place of one field."""

    field: str
    place: str
    """Empty if no place is good enough: the field is then read from each page alone."""
    pinned: bool = False
    """Set by hand: it takes precedence over what is learned and is never overwritten."""
    probability: float = 1.0
    """The mean probability that its values were right on the pages that it was learned from."""
    pages: int = 0
    """How many of those pages had the place."""
    note: str = ""
    """A user's note on a pin: why it is there."""


FieldRules = tuple[FieldRule, ...]


def merged_fields(before: Iterable[FieldRule], after: FieldRules) -> FieldRules:
    """Return the rules after an update; pinned rules and those without a new version stay."""
    new = {one.field: one for one in after}
    stay = {one.field: one for one in before if one.pinned or one.field not in new}
    return in_order({**new, **stay}.values())


def in_order(rules: Iterable[FieldRule]) -> FieldRules:
    """Return the rules in the order in which documents list them."""
    return tuple(sorted(rules, key=lambda one: one.field))


def with_field_pin(
    rules: SiteRules, cluster: str | None, field: str, place: str, note: str = ""
) -> SiteRules:
    """Return the rules of a site with the place of a field pinned, for a cluster or all pages.

    `place` is a CSS selector or the name of a source; if it is empty, the
    field is read from each page alone.
    Raises LookupError if the site does not have the cluster, and ValueError if the field cannot
    have rules. `fields.by_rule.why_no_place` checks whether the place can be found in a page.
    """
    if field not in RULED:
        raise ValueError(f"field {field} cannot have rules; fields that can: {', '.join(RULED)}")
    return _with(rules, cluster, field, FieldRule(field, place, pinned=True, note=note))


def with_field_as_in(
    former: SiteRules, rules: SiteRules, cluster: str | None, field: str
) -> SiteRules:
    """Return the rules of a site with a field's rule as in `former`, which undoes a pin."""
    of = next((one.fields for one in former.templates if one.cluster == cluster), ())
    return _with(rules, cluster, field, _of(former.fields if cluster is None else of, field))


def _with(rules: SiteRules, cluster: str | None, field: str, new: FieldRule | None) -> SiteRules:
    """Return the rules with a field's rule replaced, or removed if `new` is None."""

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
    """Return whether any of the rules is pinned."""
    return any(one.pinned for one in rules)


def without_pins(rules: FieldRules) -> FieldRules:
    """Return the rules that are not pinned; learning finds the places of the other fields anew."""
    return tuple(one for one in rules if not one.pinned)


def rule_of_field(rules: SiteRules, cluster: str | None, field: str) -> FieldRule | None:
    """Return the rule for a field of a cluster's pages; None if it is read from each page alone."""
    of_cluster: FieldRules = ()
    for template in rules.templates:
        if template.cluster == cluster:
            of_cluster = template.fields
            break
    return rule_among(of_cluster, rules.fields, field)


def rule_among(of_cluster: FieldRules, of_all: FieldRules, field: str) -> FieldRule | None:
    """Return the rule for a field, given those of a page's cluster and of its site, or None."""
    own, of_site = _of(of_cluster, field), _of(of_all, field)
    found = of_site if of_site and not (own and own.pinned) else own
    return found if found and found.place else None


def _of(rules: FieldRules, field: str) -> FieldRule | None:
    for one in rules:
        if one.field == field:
            return one
    return None
