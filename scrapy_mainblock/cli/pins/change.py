"""`mainblock rules pin`, `unpin`, `drop` and `keep`: change one rule by hand."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, Problems, UsageError, say, word
from scrapy_mainblock.cli.pins.fields import asked_fields, say_pinned, tried_fields, with_pins
from scrapy_mainblock.cli.pins.form import why_no_site, why_nowhere
from scrapy_mainblock.cli.pins.tried import Tried, finds_block, finds_place, known_by, tried_on
from scrapy_mainblock.cli.rules import known_site, open_store, rule_in_words, writing_to
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.page import sites
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.rules import Store
from scrapy_mainblock.template.corrections import (
    StillDroppedError,
    with_block,
    with_drop,
    with_keep,
    with_selection,
    with_template,
    without_pin,
)
from scrapy_mainblock.template.field_rules import has_pins, without_pins
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template
from scrapy_mainblock.template.selection import Selection, why_no_selector

Change = Callable[[SiteRules], Template]


def run_pin(options: argparse.Namespace) -> int:
    """Set a rule by hand: it takes precedence over learned rules and is never overwritten."""
    rule = Rule(options.id or "", tuple((options.css_class or "").split()), options.path or "")
    fields = asked_fields(options)
    if fields:
        code = _pin_fields(options, fields)
        if not any(rule.selectors):
            return code
    store = open_store(options.rules)
    site, problems = options.site, Problems()
    known = store.load_site(site) or SiteRules(site)
    if not known.templates and (wrong := why_no_site(site)):
        raise UsageError(wrong)
    planned = _to_pin(known, options.cluster, rule)  # raises if the options are wrong
    own = planned if planned.structure else None
    tried = tried_on(options.pages, site, own, finds_block(planned.rule), problems)
    _refuse_path(planned.rule)
    if not options.force and not tried.matched:
        for wrong in why_nowhere(rule):
            raise UsageError(f"{wrong} (--force pins it anyway)")
        _refuse_unmatched(rule_in_words(planned.rule), site, tried)
    pinned = _change(store, site, lambda now: _to_pin(now, options.cluster, rule))
    seen = "" if tried.pages else _seen_before(known, rule)
    _say(f"{word(site)} {word(pinned.cluster)} {rule_in_words(pinned.rule)}", seen, tried)
    _say_whose_pages(store, known)
    problems.summary()
    return SOME_UNREADABLE if problems.count else DONE


def _pin_fields(options: argparse.Namespace, fields: Mapping[str, str]) -> int:
    store, site, problems = open_store(options.rules), options.site, Problems()
    known = store.load_site(site) or SiteRules(site)
    if not known.templates and (wrong := why_no_site(site)):
        raise UsageError(wrong)
    template = None if options.cluster is None else _cluster(known, options.cluster)
    own = template if template and template.structure else None
    tried = tried_fields(options, fields, own, problems)
    _update(store, site, lambda now: with_pins(now or SiteRules(site), options.cluster, fields))
    say_pinned(known, options.cluster, fields, tried)
    _say_whose_pages(store, known)
    problems.summary()
    return SOME_UNREADABLE if problems.count else DONE


def _say(what: str, seen: str, tried: Tried) -> None:
    say(f"pinned: {what} ({seen or tried.in_words()})")


def _seen_before(known: SiteRules, rule: Rule) -> str:
    pages = known_by(known, rule)
    return f"matches the learned rule of {pages} known pages" if pages else ""


def _say_whose_pages(store: Store, before: SiteRules) -> None:
    """Report that a host's new document hides all rules of its domain."""
    if before.templates:
        return
    for key in sites.keys(f"//{before.site}")[1:]:
        if store.has(key):
            say(f"the rules of {word(key)} no longer apply to pages of {word(before.site)}")
            return


def _refuse_path(rule: Rule) -> None:
    for wrong in why_nowhere(Rule(path=rule.path)):  # even with --force: no document may hold it
        raise UsageError(wrong)


def _refuse_unmatched(what: str, site: str, tried: Tried) -> None:
    if tried.pages:
        raise UsageError(
            f"{what} matches none of {tried.pages} pages of {site} (--force writes it anyway)"
        )


def _change(store: Store, site: str, change: Change) -> Template:
    """Replace one template of a site, making it the first, and return it."""

    def changed(known: SiteRules | None) -> SiteRules:
        known = known or SiteRules(site)
        return with_template(known, change(known))

    return _update(store, site, changed).templates[0]


def _update(store: Store, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
    try:
        with writing_to(store):
            return store.update(site, change)
    except documents.NewerDocumentError as error:
        raise UsageError(f"{site}: {error}: upgrade scrapy-mainblock") from None
    except documents.DamagedDocumentError as error:
        raise UsageError(f"{site}: {error}: nothing was written") from None


def _to_pin(known: SiteRules, name: str | None, rule: Rule) -> Template:
    if name is None:
        if not any(rule.selectors):
            raise UsageError(
                "give what to pin: --id, --class, --path, --headline, --date or --author,"
                " or --cluster to pin its rule"
            )
        return Template(SITE_CLUSTER, rule, frozenset(), pinned=True)
    template = _cluster(known, name)
    return with_block(template, rule if any(rule.selectors) else template.rule)


def _cluster(known: SiteRules, name: str | None) -> Template:
    """Return the template with a name, or the only one if no name is given."""
    names = ", ".join(one.cluster for one in known.templates) or "none"
    if name is None:
        if len(known.templates) == 1:
            return known.templates[0]
        raise UsageError(f"choose a cluster of {known.site} with --cluster: it has {names}")
    for template in known.templates:
        if template.cluster == name:
            return template
    raise UsageError(f"{known.site} has no cluster {name}: it has {names}")


def run_unpin(options: argparse.Namespace) -> int:
    """Return pinned rules to learning; remove rules that were only written by hand."""
    store = open_store(options.rules, must_exist=True)
    known = known_site(store, options.site)
    pinned = [one for one in known.templates if one.pinned or has_pins(one.fields)]
    of_site = options.cluster is None and has_pins(known.fields)
    if options.cluster is not None:
        pinned = [_cluster(known, options.cluster)]
    if not any(one.pinned or has_pins(one.fields) for one in pinned) and not of_site:
        raise UsageError(f"nothing is pinned for {options.site} {options.cluster or ''}".strip())
    names = {one.cluster for one in pinned}

    def unpinned(now: SiteRules | None) -> SiteRules:
        now = now or SiteRules(options.site)
        changed = (without_pin(one) if one.cluster in names else one for one in now.templates)
        fields = without_pins(now.fields) if of_site else now.fields
        templates = tuple(one for one in changed if one is not None)
        return replace(now, templates=templates, fields=fields)

    left = {one.cluster: one for one in _update(store, options.site, unpinned).templates}
    for name in sorted(names):
        after = f"now {rule_in_words(left[name].rule)}" if name in left else "removed"
        say(f"unpinned: {word(options.site)} {word(name)}: {after}")
    if of_site:
        say(f"unpinned: {word(options.site)}: the fields of its pages are learned again")
    return DONE


def run_drop(options: argparse.Namespace) -> int:
    """Drop a place from a rule's block, and pin the rule."""
    return _run_selector(options, with_drop, "drops")


def run_keep(options: argparse.Namespace) -> int:
    """Keep a place of a rule's block as content, and pin the rule."""
    return _run_selector(options, with_keep, "keeps")


def _run_selector(
    options: argparse.Namespace, change: Callable[[Selection, str], Selection], verb: str
) -> int:
    store, problems = open_store(options.rules, must_exist=True), Problems()
    selector = UNDER.join(step.strip() for step in options.selector.split(">")).strip()
    known = known_site(store, options.site)
    template = _cluster(known, options.cluster)
    if wrong := why_no_selector(selector):
        raise UsageError(f"{wrong}: see mainblock rules {options.action} --help")
    own = template if template.structure else None
    tried = tried_on(
        options.pages, options.site, own, finds_place(template.rule, selector), problems
    )
    if not options.force and not tried.matched:
        _refuse_unmatched(f'"{selector}"', options.site, tried)

    def pinned(now: SiteRules) -> Template:
        one = _cluster(now, template.cluster)
        return with_selection(one, change(one.rule.selection, selector))

    try:
        after = _change(store, options.site, pinned)
    except StillDroppedError as error:
        raise UsageError(str(error)) from None
    _say(f"{word(options.site)} {word(after.cluster)} {verb} {word(selector)}", "", tried)
    problems.summary()
    return SOME_UNREADABLE if problems.count else DONE
