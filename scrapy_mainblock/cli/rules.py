"""`mainblock rules`: look at the rules of a directory, try them, pin one, move them."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Troubles,
    UsageError,
    complain,
    put,
    say,
    word,
)
from scrapy_mainblock.cli.inputs import Inputs
from scrapy_mainblock.cli.output import STANDARD_OUTPUT, write_text
from scrapy_mainblock.cli.passes import Extractor, extract_pages
from scrapy_mainblock.outline.selectors import is_path
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.stores.rules import Rules
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template

WHOLE_SITE = SITE_CLUSTER
"""The cluster name of a pinned rule for every page of its site."""


def run_list(options: argparse.Namespace) -> int:
    """A line for each rule."""
    known = _directory(options).load()
    lines = [("site", "cluster", "pages", "agreement", "version", "rule")]
    for site in known.values():
        lines += [
            (
                word(site.site),
                word(one.cluster),
                str(one.pages),
                "pinned" if one.pinned else f"{one.agreement:.2f}",
                str(one.version),
                rule_in_words(one.rule),
            )
            for one in site.templates
        ]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        say("  ".join([*cells, line[5]]))
    return DONE


def rule_in_words(rule: Rule) -> str:
    """A rule in one line: ``id=content class="entry post" path=body1/div2``."""
    return word(
        " ".join(
            f"{kind}={json.dumps(value, ensure_ascii=False) if ' ' in value else value}"
            for kind, value in rule.selectors()
        )
    )


def run_show(options: argparse.Namespace) -> int:
    """The document of one site."""
    site = _known_site(options)
    put(documents.site_to_text(site))
    return DONE


def run_test(options: argparse.Namespace) -> int:
    """Apply the rules to pages and count, for each cluster, what came of it."""
    troubles = Troubles()
    extractor = Extractor(rules=Rules(_directory(options).load()))
    counts: Counter[tuple[str, str, str]] = Counter()
    inputs = Inputs(options.inputs, troubles)
    for extracted in extract_pages(inputs, extractor):
        found = extracted.article.metadata
        outcome = "hit" if found["method"] == "rule" else found["reason"] or "no cluster matches"
        counts[extracted.page.site, found["cluster"] or "-", outcome] += 1
    for (site, cluster, outcome), pages in sorted(counts.items()):
        say(f"{word(site) or '-'}  {word(cluster)}  {outcome}: {pages}")
    hits = sum(pages for (_, _, outcome), pages in counts.items() if outcome == "hit")
    say(f"{hits} of {counts.total()} pages by rule")
    troubles.summary()
    return SOME_UNREADABLE if troubles.count else DONE


def run_pin(options: argparse.Namespace) -> int:
    """Set a rule by hand: it wins over what is learnt and is never overwritten."""
    rule = Rule(options.id or "", tuple((options.css_class or "").split()), options.path or "")
    if rule.path and not is_path(rule.path):
        raise UsageError(f"--path {rule.path}: write it like body1/div2/div1")
    directory = _directory(options, must_exist=False)

    def pin(known: SiteRules | None) -> SiteRules:
        known = known or SiteRules(options.site)
        template = _to_pin(known, options.cluster, rule)
        others = tuple(one for one in known.templates if one.cluster != template.cluster)
        return replace(known, templates=(template, *others))

    try:
        pinned = directory.update(options.site, pin).templates[0]
    except OSError as error:
        raise UsageError(f"cannot write to {directory.path}: {error.strerror}") from None
    except documents.NewerDocumentError as error:
        raise UsageError(f"{options.site}: {error}: upgrade scrapy-mainblock") from None
    say(f"pinned: {word(options.site)} {word(pinned.cluster)} {rule_in_words(pinned.rule)}")
    return DONE


def _to_pin(known: SiteRules, name: str | None, rule: Rule) -> Template:
    if name is None:
        if not any(rule.selectors()):
            raise UsageError("say what to pin: --id, --class or --path, or --cluster for its rule")
        return Template(WHOLE_SITE, rule, frozenset(), pinned=True)
    for template in known.templates:
        if template.cluster == name:
            kept = rule if any(rule.selectors()) else template.rule
            version = template.version + (kept != template.rule)
            return replace(template, rule=kept, version=version, pinned=True)
    names = ", ".join(one.cluster for one in known.templates) or "none"
    raise UsageError(f"{known.site} has no cluster {name}: it has {names}")


def run_export(options: argparse.Namespace) -> int:
    """All documents of the directory as JSON lines, a site each."""
    known = _directory(options).load()
    lines = (
        json.dumps(documents.site_to_document(site), ensure_ascii=False) for site in known.values()
    )
    text = "".join(f"{line}\n" for line in lines)
    write_text(options.file, "rules export", text)
    if options.file != STANDARD_OUTPUT:
        say(f"{len(known)} sites in {options.file}")
    return DONE


def run_import(options: argparse.Namespace) -> int:
    """Merge exported documents into the directory; a pinned rule there stays."""
    try:
        name = options.file
        lines = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {options.file}: {error.strerror}") from None
    directory = _directory(options, must_exist=False)
    imported = refused = 0
    for number, line in enumerate(lines.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            directory.save(documents.site_from_text(line))
            imported += 1
        except (documents.DamagedDocumentError, documents.NewerDocumentError) as error:
            complain(f"{options.file}, line {number}: {error}")
            refused += 1
        except OSError as error:
            raise UsageError(f"cannot write to {directory.path}: {error.strerror}") from None
    say(f"{imported} sites merged into {directory.path}")
    return SOME_UNREADABLE if refused else DONE


def rules_directory(name: str) -> RulesDirectory:
    """The directory that --rules names, which need not be there yet; but it may be no file."""
    directory = RulesDirectory(name)
    if directory.path.exists() and not directory.path.is_dir():
        raise UsageError(f"--rules {name}: that is a file, name a directory")
    return directory


def _directory(options: argparse.Namespace, *, must_exist: bool = True) -> RulesDirectory:
    directory = rules_directory(options.rules)
    if must_exist and not directory.path.is_dir():
        raise UsageError(f"no directory {options.rules}: make one with mainblock learn --rules")
    return directory


def _known_site(options: argparse.Namespace) -> SiteRules:
    site = _directory(options).load_site(options.site)
    if site is None:
        raise UsageError(f"no rules for {options.site}: mainblock rules list shows what is there")
    return site
