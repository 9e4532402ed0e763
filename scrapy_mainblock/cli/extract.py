"""`mainblock extract` and `mainblock learn`: write articles, or only the rules learned."""

from __future__ import annotations

import argparse
from dataclasses import replace

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Troubles,
    UsageError,
    complain,
    say,
)
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.cli.inputs import Inputs
from scrapy_mainblock.cli.passes import LEARN, Extractor, extract_lines, learn_auto, learnt
from scrapy_mainblock.cli.rules import open_store
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL
from scrapy_mainblock.render.article import ALL_FIELDS, MARKDOWN, known_fields
from scrapy_mainblock.stores.rules import Rules, Store
from scrapy_mainblock.template.similarity import MORE_PAGES_THAN


def run_extract(options: argparse.Namespace) -> int:
    """Learn (unless --no-learn is given), then write one row for each page."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles, options.url, options.site)
    is_one = inputs.is_one_page()
    if options.url and not is_one:
        raise UsageError("--url is for one page: rows have theirs, give --site for all pages")
    # A single page is written as text for a person to read, unless -o says where its row goes.
    form = options.format or ("text" if is_one and options.output is None else "jsonl")
    name = options.output or STANDARD_OUTPUT
    if options.rules and options.method != "auto":
        raise UsageError(f"--rules is for --method auto: {options.method} keeps no rules")
    learns = options.learn and options.method in LEARN and not is_one
    store = open_store(options.rules, must_exist=not learns) if options.rules else None
    model = read_model(options.model) if options.model else None
    try:
        fields = known_fields(options.fields.split(",")) if options.fields else ALL_FIELDS
    except ValueError as error:
        raise UsageError(f"--fields: {error}") from None
    try:
        with output(name, "-o", options.inputs) as stream:
            if learns:
                inputs.spool_standard_input()
                extractor = learnt(inputs, options.method, options.jobs, model, store)
                if extractor.rules is not None:
                    kept = _kept(extractor.rules, inputs, store, troubles)
                    extractor = replace(extractor, rules=kept)
            else:
                rules = Rules(store.load()) if store else None
                extractor = Extractor(options.method, rules, model=model or DEFAULT_MODEL)
            if options.markdown or form == "markdown":
                fields |= MARKDOWN
            extractor = replace(extractor, fields=fields)
            for line in extract_lines(inputs, extractor, options.jobs, form):
                stream.write(line)
            if not inputs.pages:
                raise NothingReadError(troubles, name)
    finally:
        inputs.close()
        troubles.summary()
    return SOME_UNREADABLE if troubles.count else DONE


def run_learn(options: argparse.Namespace) -> int:
    """Learn from the inputs and save the rules in the store."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    store = open_store(options.rules)
    kept = _kept(learn_auto(inputs, options.jobs, store), inputs, store, troubles)
    troubles.summary()
    if not inputs.pages:
        raise NothingReadError(troubles)
    say(f"{len(kept)} rules of {len(kept.sites)} sites in {store.address}")
    if not kept.sites and not troubles.count:
        complain(
            f"no rule was learnt: it takes {MORE_PAGES_THAN + 1} pages of one template of a site;"
            f" {inputs.pages} were read, of whatever sites"
        )
    return SOME_UNREADABLE if troubles.count else DONE


def _kept(new: Rules, inputs: Inputs, store: Store | None, troubles: Troubles) -> Rules:
    """Merge new rules into the store, if there is one, and return the result: pinned rules win."""
    if store is None:
        return new
    for name in sorted(inputs.named_by_folders.intersection(new.sites)):
        complain(
            f"the pages in the folder {name} have no URLs: their rules are kept under its name,"
            f" and found with --site {name}, or by pages in a folder that is called so"
        )
    known = dict(store.load())
    for site, rules in new.sites.items():
        try:
            known[site] = store.save(rules)
        except OSError as error:
            troubles(f"the rules in {store.address} cannot be written: {error.strerror or error}")
            break
    return Rules(known)
