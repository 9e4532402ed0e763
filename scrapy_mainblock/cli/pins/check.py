"""`mainblock rules check`: check the form, selectors and overlaps of all rules in a store."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, say, word
from scrapy_mainblock.cli.pins.form import problems_of, why_no_site, why_nowhere
from scrapy_mainblock.cli.rules import open_store, shadowed_by, shadows_in_words
from scrapy_mainblock.fields.ruled.by_rule import why_no_place
from scrapy_mainblock.stores.rules import Store
from scrapy_mainblock.template.field_rules import FieldRules
from scrapy_mainblock.template.rules import SiteRules


def run_check(options: argparse.Namespace) -> int:
    """Print a line for each problem; return exit code 1 if there is any."""
    store = open_store(options.rules, must_exist=True)
    known = store.load()  # logs and counts what cannot be read
    wrong = 0
    for site in known.values():
        # Report it, but do not count it: a subdomain may well have rules of its own.
        if above := shadowed_by(site.site, known):
            say(f"{word(site.site)}: {shadows_in_words(known[above])}")
        for line in (*_of_key(site.site, store), *_of_site(site)):
            say(f"{word(site.site)}: {word(line)}")
            wrong += 1
    rules = sum(len(site.templates) for site in known.values())
    found = wrong + store.troubles
    problems = "1 problem" if found == 1 else f"{found or 'no'} problems"
    say(f"{rules} rules of {len(known)} sites: {problems}")
    return SOME_UNREADABLE if found else DONE


def _of_key(site: str, store: Store) -> Iterator[str]:
    if wrong := why_no_site(site):
        yield f"not a valid site name: {wrong}"
    if not store.has(site):
        yield "never used: the document is stored under a different name"


def _of_site(site: SiteRules) -> Iterator[str]:
    yield from _of_fields("all pages", site.fields)
    for template in site.templates:
        where = f"cluster {template.cluster}"
        for wrong in why_nowhere(template.rule):
            yield f"{where}: {wrong}"
        for wrong in problems_of(template.rule.selection):
            yield f"{where}: {wrong}"
        yield from _of_fields(where, template.fields)
    names = [one.cluster for one in site.templates]
    for name in sorted({one for one in names if names.count(one) > 1}):
        yield f"cluster {name} is listed {names.count(name)} times: only the first is used"
    yield from _overlaps(site)


def _of_fields(where: str, fields: FieldRules) -> Iterator[str]:
    for one in fields:
        if wrong := why_no_place(one.field, one.place):
            yield f'{where}: "{one.field}": {wrong}'


def _overlaps(site: SiteRules) -> Iterator[str]:
    """Yield a line for each template that gets no pages, because an earlier one takes them all."""
    whole = [one for one in site.templates if one.pinned and not one.structure]
    for one in whole[1:]:
        yield f"cluster {one.cluster}: never used: {whole[0].cluster} is also pinned for all pages"
    in_order = sorted((one for one in site.templates if one.structure), key=lambda o: not o.pinned)
    for number, one in enumerate(in_order):
        before = next((it for it in in_order[:number] if it.is_similar(one.structure)), None)
        if before is not None:
            yield (
                f"cluster {one.cluster}: never used: cluster {before.cluster}, tried before it,"
                " takes its pages"
            )
