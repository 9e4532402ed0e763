"""`mainblock rules import --ftr DIR`: a directory of ftr-site-config files becomes pinned rules."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from scrapy_mainblock.cli import rules
from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, UsageError, complain, say, word
from scrapy_mainblock.cli.ftr.site_config import Converted, Fate, convert
from scrapy_mainblock.stores.documents import NewerDocumentError
from scrapy_mainblock.stores.rules import Store
from scrapy_mainblock.template.rules import SITE_CLUSTER, SiteRules, Template

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
    pinned, fates, unreadable = 0, [], 0
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
        pinned += not why_not and converted.rule is not None
        for fate in converted.fates:
            fates.append(fate._replace(carried=False, why=why_not) if why_not else fate)
            _say_of(file, fates[-1])
    whole = sum(fate.carried and not fate.why for fate in fates)
    partly = sum(fate.carried for fate in fates) - whole
    say(
        f"{pinned} rules pinned from {len(files)} files in {store.address}; of {len(fates)} lines"
        f" {whole} carried over, {partly} in part, {len(fates) - whole - partly} not"
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


def _pin(store: Store, site: str, converted: Converted, seen: set[str]) -> str:
    """Pin a rule for all pages of a site; why not, where it is not."""
    if converted.rule is None:
        return ""
    if site in seen:
        return f"another file is of {site} too, and goes before"
    template = Template(SITE_CLUSTER, converted.rule, frozenset(), pinned=True)
    try:
        now = store.update(site, lambda known: _with_pin(known, site, template))
    except NewerDocumentError as error:
        return f"the rules of {site} are of a later version: {error}"
    except OSError as error:
        raise UsageError(f"cannot write to {store.address}: {error.strerror or error}") from None
    seen.add(site)
    if template in now.templates:
        return ""
    return f"{site} has a pin of its own, which stays"


def _with_pin(known: SiteRules | None, site: str, template: Template) -> SiteRules:
    """The rules with a pin for all pages, where there is none by hand."""
    known = known or SiteRules(site)
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
