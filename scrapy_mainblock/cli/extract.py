"""`mainblock extract` and `mainblock learn`."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, Troubles, UsageError, say
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.inputs import STANDARD_INPUT, Inputs, is_read
from scrapy_mainblock.cli.passes import LEARN, Extractor, extract_lines, learn_auto, learnt
from scrapy_mainblock.cli.rules import rules_directory
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL
from scrapy_mainblock.render.article import EVERYTHING, known_fields
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.stores.rules import Rules


class Writable(Protocol):
    """What rows are written to: a file, compressed or not, or standard output."""

    def write(self, data: bytes, /) -> int:
        """Write the bytes."""
        ...


def run_extract(options: argparse.Namespace) -> int:
    """Learn (unless told not to), then write one row for each page."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    directory = rules_directory(options.rules) if options.rules else None
    if directory and options.method != "auto":
        raise UsageError(f"--rules is for --method auto: {options.method} keeps no rules")
    model = read_model(options.model) if options.model else None
    try:
        fields = known_fields(options.fields.split(",")) if options.fields else EVERYTHING
    except ValueError as error:
        raise UsageError(f"--fields: {error}") from None
    try:
        with _output(options.output, options.inputs) as stream:
            if options.learn and options.method in LEARN:
                inputs.spool_standard_input()
                extractor = learnt(inputs, options.method, options.jobs, model)
                if extractor.rules is not None:
                    kept = _kept(extractor.rules, directory, troubles)
                    extractor = replace(extractor, rules=kept)
            else:
                rules = Rules(directory.load()) if directory else None
                extractor = Extractor(options.method, rules, model=model or DEFAULT_MODEL)
            extractor = replace(extractor, fields=fields)
            for line in extract_lines(inputs, extractor, options.jobs):
                stream.write(line)
    finally:
        inputs.close()
        troubles.summary()
    return SOME_UNREADABLE if troubles.count else DONE


def run_learn(options: argparse.Namespace) -> int:
    """Learn, and keep the rules in a directory."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    directory = rules_directory(options.rules)
    kept = _kept(learn_auto(inputs, options.jobs), directory, troubles)
    troubles.summary()
    say(f"{len(kept)} rules of {len(kept.sites)} sites in {directory.path}")
    return SOME_UNREADABLE if troubles.count else DONE


def _kept(new: Rules, directory: RulesDirectory | None, troubles: Troubles) -> Rules:
    """What is new, merged into the directory where there is one: pinned rules win."""
    if directory is None:
        return new
    known = directory.load()
    for site, rules in new.sites.items():
        try:
            known[site] = directory.save(rules)
        except OSError as error:
            troubles(f"the rules in {directory.path} cannot be written: {error.strerror}")
            return Rules({**known, **new.sites})
    return Rules(known)


@contextlib.contextmanager
def _output(name: str, inputs: list[str]) -> Iterator[Writable]:
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if any(one != STANDARD_INPUT and is_read(path, Path(one)) for one in inputs):
        raise UsageError(f"{name} is an input: give another file to -o")
    try:
        raw = path.open("wb")
    except OSError as error:
        raise UsageError(
            f"cannot write {name} ({error.strerror}): give another file to -o"
        ) from None
    with raw:
        if name.endswith(".gz"):
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
                yield stream
        else:
            yield raw
