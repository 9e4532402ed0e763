"""`mainblock extract` and `mainblock learn`: write articles, or only the rules learned."""

from __future__ import annotations

import argparse
from dataclasses import replace

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    UsageError,
    complain,
    say,
)
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.cli.passes import (
    LEARN,
    Extractor,
    extract_lines,
    learn_auto,
    learned_extractor,
)
from scrapy_mainblock.cli.rules import open_store
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL
from scrapy_mainblock.render.article import ALL_FIELDS, MARKDOWN, known_fields
from scrapy_mainblock.stores.rules import Rules, Store
from scrapy_mainblock.template.similarity import MORE_PAGES_THAN


def run_extract(options: argparse.Namespace) -> int:
    """Learn (unless --no-learn is given), then write one row for each page."""
    problems = Problems()
    inputs = Inputs(options.inputs, problems, options.url, options.site)
    is_one = inputs.is_one_page()
    if options.url and not is_one:
        raise UsageError("--url is only for a single page: use --site for several pages")
    # A single page is written as text for a person to read, unless -o says where its row goes.
    form = options.format or ("text" if is_one and options.output is None else "jsonl")
    name = options.output or STANDARD_OUTPUT
    if options.rules and options.method != "auto":
        raise UsageError(f"--rules needs --method auto: {options.method} does not store rules")
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
                extractor = learned_extractor(inputs, options.method, options.jobs, model, store)
                if extractor.rules is not None:
                    kept = _kept(extractor.rules, inputs, store, problems)
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
                raise NothingReadError(problems, name)
    finally:
        inputs.close()
        problems.summary()
    return SOME_UNREADABLE if problems.count else DONE


def run_learn(options: argparse.Namespace) -> int:
    """Learn from the inputs and save the rules in the store."""
    problems = Problems()
    inputs = Inputs(options.inputs, problems)
    store = open_store(options.rules)
    kept = _kept(learn_auto(inputs, options.jobs, store), inputs, store, problems)
    problems.summary()
    if not inputs.pages:
        raise NothingReadError(problems)
    say(f"{len(kept)} rules of {len(kept.sites)} sites in {store.address}")
    if not kept.sites and not problems.count:
        complain(
            f"no rule was learned: that needs {MORE_PAGES_THAN + 1} pages of one template of a"
            f" site; {inputs.pages} pages were read in total"
        )
    return SOME_UNREADABLE if problems.count else DONE


def _kept(new: Rules, inputs: Inputs, store: Store | None, problems: Problems) -> Rules:
    """Merge new rules into the store, if there is one, and return the result: pinned rules win."""
    if store is None:
        return new
    for name in sorted(inputs.named_by_folders.intersection(new.sites)):
        complain(
            f"the pages in the folder {name} have no URLs: their rules are saved under its name,"
            f" and apply with --site {name} or to pages in a folder of this name"
        )
    known = dict(store.load())
    for site, rules in new.sites.items():
        try:
            known[site] = store.save(rules)
        except OSError as error:
            problems(f"the rules in {store.address} cannot be written: {error.strerror or error}")
            break
    return Rules(known)
