"""`mainblock rules import --ftr DIR`: a directory of ftr-site-config files becomes pinned rules."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from scrapy_mainblock.cli import rules
from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, UsageError, complain, say, word
from scrapy_mainblock.cli.ftr.site_config import FIELDS, Converted, Fate, convert
from scrapy_mainblock.stores.documents import NewerDocumentError
from scrapy_mainblock.stores.rules import Store
from scrapy_mainblock.template.field_rules import with_field_pin
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template

LARGEST = 1_000_000
"""Octets of a file: some hundred times the largest that there are."""


def run_import(options: argparse.Namespace) -> int:
    """Pin the rules of such files; without --ftr, what `rules.run_import` does."""
    if options.ftr is None:
        return rules.run_import(options)
    if options.file != "-":
        raise UsageError(f"--ftr has its files in {options.ftr}: leave out {options.file}")
    directory = Path(options.ftr)
    if not directory.is_dir():
        raise UsageError(f"no directory {options.ftr}")
    return import_files(directory, rules.open_store(options.rules))


def import_files(directory: Path, store: Store) -> int:
    """Pin what can be, and list what cannot."""
    files = sorted((file for file in directory.glob("*.txt") if file.is_file()), key=_order)
    if not files:
        raise UsageError(f"no .txt files in {directory}")
    seen: set[str] = set()
    pinned, places, fates, unreadable = 0, 0, [], 0
    for file in files:
        try:
            if file.stat().st_size > LARGEST:
                raise OSError(f"larger than {LARGEST // 1_000_000} MB")  # noqa: TRY301
            converted = convert(file.read_text("utf-8", "replace"))
        except OSError as error:
            complain(f"{file}: {error.strerror or error}")
            unreadable += 1
            continue
        why_not = _pin(store, site_of(file), converted, seen)
        pinned += not why_not.rule and converted.rule is not None
        places += 0 if why_not.fields else len(converted.fields)
        for fate in map(why_not.of, converted.fates):
            fates.append(fate)
            _say_of(file, fate)
    whole = sum(fate.carried and not fate.why for fate in fates)
    partly = sum(fate.carried for fate in fates) - whole
    fields = f" and {places} places of fields" if places else ""
    say(
        f"{pinned} rules{fields} pinned from {len(files)} files in {store.address}; of"
        f" {len(fates)} lines {whole} carried over, {partly} in part,"
        f" {len(fates) - whole - partly} not"
    )
    return SOME_UNREADABLE if unreadable else DONE


def _order(file: Path) -> tuple[bool, str]:
    """The file of a domain itself before the one of its subdomains."""
    return file.name.startswith("."), file.name


def site_of(file: Path) -> str:
    """The key that rules of a file have: `example.com.txt` and `.example.com.txt` are of one.

    Rules are looked up by a page's host and then the domains above it, so that the first is for
    the subdomains as well.
    """
    return file.name.removesuffix(".txt").strip(".").removeprefix("www.").lower()


class WhyNot(NamedTuple):
    """Why what a file says was not pinned; empty where it was."""

    rule: str = ""
    fields: str = ""

    def of(self, fate: Fate) -> Fate:
        """What became of a line."""
        why = self.fields if fate.line.key in FIELDS else self.rule
        return fate._replace(carried=False, why=why) if why else fate


def _pin(store: Store, site: str, converted: Converted, seen: set[str]) -> WhyNot:
    """Pin a rule, and places of fields, for all pages of a site."""
    if converted.rule is None and not converted.fields:
        return WhyNot()
    if site in seen:
        return _neither(f"another file is of {site} too, and goes before")
    try:
        with rules.writing_to(store):
            now = store.update(site, lambda known: _with_pins(known, site, converted))
    except NewerDocumentError as error:
        return _neither(f"the rules of {site} are of a later version: {error}")
    seen.add(site)
    stays = f"{site} has a pin of its own, which stays"
    is_there = converted.rule is None or _template(converted.rule) in now.templates
    are_there = set(converted.fields) <= {(one.field, one.place) for one in now.fields}
    return WhyNot("" if is_there else stays, "" if are_there else stays)


def _neither(why: str) -> WhyNot:
    return WhyNot(why, why)


def _template(rule: Rule) -> Template:
    return Template(SITE_CLUSTER, rule, frozenset(), pinned=True)


def _with_pins(known: SiteRules | None, site: str, converted: Converted) -> SiteRules:
    """The rules with what a file says, pinned for all pages, where nothing else is by hand."""
    known = known or SiteRules(site)
    if converted.rule is not None:
        known = _with_pin(known, _template(converted.rule))
    by_hand = {one.field for one in known.fields}
    for field, place in converted.fields:
        known = known if field in by_hand else with_field_pin(known, None, field, place)
    return known


def _with_pin(known: SiteRules, template: Template) -> SiteRules:
    others = tuple(one for one in known.templates if one.cluster != template.cluster)
    own = next((one for one in known.templates if one.cluster == template.cluster), None)
    if own is not None and own.pinned and own.rule != template.rule:
        return known
    return replace(known, templates=(template, *others))


def _say_of(file: Path, fate: Fate) -> None:
    """A line for each directive that was not carried over as it is."""
    if fate.carried and not fate.why:
        return
    how = "in part" if fate.carried else "not carried over"
    line = fate.line
    say(
        f"{word(file.name)}:{line.number}: {how}: {word(line.key)}: {word(line.value)} ({fate.why})"
    )
