"""`mainblock rules import --ftr DIR`: turn a directory of ftr-site-config files into pins."""

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
"""Maximum bytes of a file: some hundred times the size of the largest in existence."""


def run_import(options: argparse.Namespace) -> int:
    """Pin the rules of ftr-site-config files; without --ftr, call `rules.run_import`."""
    if options.ftr is None:
        return rules.run_import(options)
    if options.file != "-":
        raise UsageError(f"--ftr reads the files in {options.ftr}: leave out {options.file}")
    directory = Path(options.ftr)
    if not directory.is_dir():
        raise UsageError(f"no directory {options.ftr}")
    return import_files(directory, rules.open_store(options.rules))


def import_files(directory: Path, store: Store) -> int:
    """Pin the rules that can be carried over, and list the lines that cannot."""
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
    """Return a sort key that puts the file of a domain before the one of its subdomains."""
    return file.name.startswith("."), file.name


def site_of(file: Path) -> str:
    """Return the key of a file's rules, the same for `example.com.txt` and `.example.com.txt`.

    Rules are looked up by a page's host and then by the domains above it, so the rules of a domain
    are for its subdomains as well.
    """
    return file.name.removesuffix(".txt").strip(".").removeprefix("www.").lower()


class WhyNot(NamedTuple):
    """The reasons why a file's rule and fields were not pinned; empty if they were."""

    rule: str = ""
    fields: str = ""

    def of(self, fate: Fate) -> Fate:
        """Return the fate of a line, which failed if its part of the file was not pinned."""
        why = self.fields if fate.line.key in FIELDS else self.rule
        return fate._replace(carried=False, why=why) if why else fate


def _pin(store: Store, site: str, converted: Converted, seen: set[str]) -> WhyNot:
    """Pin a file's rule and places of fields for all pages of a site."""
    if converted.rule is None and not converted.fields:
        return WhyNot()
    if site in seen:
        return _neither(f"another file for {site} was used already")
    try:
        with rules.writing_to(store):
            now = store.update(site, lambda known: _with_pins(known, site, converted))
    except NewerDocumentError as error:
        return _neither(f"the rules of {site} were written by a later version: {error}")
    seen.add(site)
    stays = f"{site} already has a pin, which stays"
    is_there = converted.rule is None or _template(converted.rule) in now.templates
    are_there = set(converted.fields) <= {(one.field, one.place) for one in now.fields}
    return WhyNot("" if is_there else stays, "" if are_there else stays)


def _neither(why: str) -> WhyNot:
    return WhyNot(why, why)


def _template(rule: Rule) -> Template:
    return Template(SITE_CLUSTER, rule, frozenset(), pinned=True)


def _with_pins(known: SiteRules | None, site: str, converted: Converted) -> SiteRules:
    """Return the rules with the file's pins for all pages; existing pins stay."""
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
    """Print a line for a directive that was not carried over as it is."""
    if fate.carried and not fate.why:
        return
    how = "in part" if fate.carried else "not carried over"
    line = fate.line
    say(
        f"{word(file.name)}:{line.number}: {how}: {word(line.key)}: {word(line.value)} ({fate.why})"
    )
