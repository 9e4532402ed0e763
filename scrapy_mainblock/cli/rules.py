"""`mainblock rules list`, `show`, `test`, `export` and `import`, and what other modules share."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    UsageError,
    complain,
    put,
    say,
    word,
)
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, write_text
from scrapy_mainblock.cli.passes import Extractor, extract_pages
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.page import sites
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.addresses import NoDirectoryError, without_password
from scrapy_mainblock.stores.rules import Rules, Store, store_at, store_to_read
from scrapy_mainblock.template.field_rules import FieldRules
from scrapy_mainblock.template.proof import MUCH
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template

MOST_NAMED = 3
"""Maximum sites named in a message."""


def complain_unruled(pages: int, known: Iterable[str], address: str) -> None:
    """Warn that no page is of a site with rules: the input may not name its site."""
    names = sorted(known)
    if names and pages:
        some = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
        which = "the page belongs to no" if pages == 1 else f"none of {pages} pages belongs to a"
        whose = "its" if pages == 1 else "their"
        complain(
            f"{which} site with rules in {address} ({word(some)}): use --site to name {whose} site"
        )


def run_list(options: argparse.Namespace) -> int:
    """Print a line for each rule."""
    store = open_store(options.rules, must_exist=True)
    known = store.load()
    lines = [("site", "cluster", "pages", "agreement", "loss", "version", "rule")]
    for site in known.values():
        if site.fields:
            pins = pins_in_words(site.fields)
            lines.append((word(site.site), SITE_CLUSTER, "0", "pinned", "-", "-", pins))
        lines += [
            (
                word(site.site),
                word(one.cluster),
                str(one.pages),
                "pinned" if one.pinned else f"{one.agreement:.2f}",
                f"{one.proof.worst:.2f}" if one.proof and not one.pinned else "-",
                str(one.version),
                f"{rule_in_words(one.rule)} {pins_in_words(one.fields)}".strip(),
            )
            for one in site.templates
        ]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        say("  ".join([*cells, line[6]]))
    for site in known.values():
        for one in site.templates:
            if why := why_unused(one):
                say(f"{word(site.site)} {word(one.cluster)}: {why}")
    return _ending(store)


def pins_in_words(fields: FieldRules) -> str:
    """Return the pinned fields and their places in one line: ``authors="p.byline > a"``."""
    pinned = (one for one in fields if one.pinned)
    return word(" ".join(f"{one.field}={json.dumps(one.place)}" for one in pinned))


def why_unused(template: Template) -> str | None:
    """Return the reason why a rule is not used, or None if it is."""
    if not template.has_failed or template.proof is None:
        return None
    proof = template.proof
    which = f"checked on (last on {proof.checked})" if proof.checked else "learned from"
    return (
        f"not used: it dropped more than {MUCH:.0%} of the likely content on {proof.losing} of the"
        f" {proof.pages} pages it was {which}; a crawl learns it again"
    )


def rule_in_words(rule: Rule) -> str:
    """Return a rule in one line: ``id=content class="entry post" path=body1/div2``."""
    return word(
        " ".join(
            f"{kind}={json.dumps(value, ensure_ascii=False) if ' ' in value else value}"
            for kind, value in rule.selectors
        )
    )


def run_show(options: argparse.Namespace) -> int:
    """Print the document of one site."""
    store = open_store(options.rules, must_exist=True)
    put(documents.site_to_text(known_site(store, options.site)))
    return _ending(store)


def run_test(options: argparse.Namespace) -> int:
    """Apply the rules to pages and count the outcomes for each cluster."""
    problems = Problems()
    store = open_store(options.rules, must_exist=True)
    known = store.load()
    extractor = Extractor(rules=Rules(known))
    of_known = 0
    counts: Counter[tuple[str, str, str]] = Counter()
    inputs = Inputs(options.inputs, problems, None, options.site)
    for extracted in extract_pages(inputs, extractor):
        of_known += any(key in known for key in extracted.page.rule_keys())
        found = extracted.article.metadata
        outcome = "hit" if found["method"] == "rule" else found["reason"] or "no cluster matches"
        counts[extracted.page.site, found["cluster"] or "-", outcome] += 1
    for (site, cluster, outcome), pages in sorted(counts.items()):
        say(f"{word(site) or '-'}  {word(cluster)}  {outcome}: {pages}")
    hits = sum(pages for (_, _, outcome), pages in counts.items() if outcome == "hit")
    say(f"{hits} of {counts.total()} pages by rule")
    if not of_known:
        complain_unruled(counts.total(), known, options.rules)
    problems.summary()
    if not inputs.pages:
        raise NothingReadError(problems)
    return _ending(store, problems.count)


def run_export(options: argparse.Namespace) -> int:
    """Write all documents of the store as JSON lines, one site each."""
    store = open_store(options.rules, must_exist=True)
    known = store.load()
    lines = (
        json.dumps(documents.site_to_document(site), ensure_ascii=False) for site in known.values()
    )
    text = "".join(f"{line}\n" for line in lines)
    write_text(options.file, "rules export", text)
    if options.file != STANDARD_OUTPUT:
        say(f"{len(known)} sites in {options.file}")
    return _ending(store)


def run_import(options: argparse.Namespace) -> int:
    """Merge exported documents into the store; its pinned rules stay."""
    try:
        name = options.file
        lines = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {options.file}: {error.strerror}") from None
    store = open_store(options.rules)
    imported: list[str] = []
    refused = 0
    for number, line in enumerate(lines.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            with writing_to(store):
                imported.append(store.save(documents.site_from_text(line)).site)
        except (documents.DamagedDocumentError, documents.NewerDocumentError) as error:
            complain(f"{options.file}, line {number}: {error}")
            refused += 1
    say(f"{len(imported)} sites merged into {store.address}")
    _say_which_shadow(store, imported)
    return SOME_UNREADABLE if refused else DONE


def _say_which_shadow(store: Store, imported: Iterable[str]) -> None:
    """Report the hosts whose rules hide those of their domain, if either was imported."""
    new, known = set(imported), store.load()
    for site in known:
        above = shadowed_by(site, known)
        if above is not None and new & {site, above}:
            say(f"{word(site)}: {shadows_in_words(known[above])}")


def shadowed_by(site: str, known: Mapping[str, SiteRules]) -> str | None:
    """Return the domain whose rules a host hides by having its own, or None."""
    return next((key for key in sites.keys(f"//{site}")[1:] if key in known), None)


def shadows_in_words(above: SiteRules) -> str:
    """Return a line that says what a host's own rules mean for the rules of its domain."""
    pinned = sum(one.pinned for one in above.templates)
    how_many = f" ({pinned} pinned)" if pinned else ""
    return word(f"the rules of {above.site}{how_many} do not apply to its pages")


@contextmanager
def writing_to(store: Store) -> Iterator[None]:
    """Run a block that writes to a store, and turn an OSError into a UsageError."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write to {store.address}: {error.strerror or error}") from None


def open_store(address: str, *, must_exist: bool = False) -> Store:
    """Return the store that --rules names: a directory, or the address of a server."""
    if "://" not in address and Path(address).exists() and not Path(address).is_dir():
        raise UsageError(f"--rules {address}: this is a file; give a directory")
    try:
        return store_to_read(address) if must_exist else store_at(address)
    except NoDirectoryError as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        raise UsageError(f"--rules {without_password(address)}: {error}") from None


def known_site(store: Store, site: str) -> SiteRules:
    """Return the rules of one site; raise UsageError if there are none."""
    rules = store.load_site(site)
    if rules is None:
        raise UsageError(f"no rules for {site}: mainblock rules list shows the known sites")
    return rules


def _ending(store: Store, problems: int = 0) -> int:
    """Return the exit code: documents that cannot be read were reported in the log."""
    return SOME_UNREADABLE if problems or store.troubles else DONE
