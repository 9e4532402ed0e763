"""`mainblock extract` and `mainblock learn`."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, Troubles, UsageError, say
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.passes import extract_lines, learn_rules
from scrapy_mainblock.cli.rules import rules_directory
from scrapy_mainblock.core.mainblock import LEARNERS
from scrapy_mainblock.core.rules import Rules
from scrapy_mainblock.inputs import STANDARD_INPUT, Inputs, is_read
from scrapy_mainblock.stores.directory import RulesDirectory


class Writable(Protocol):
    """What rows are written to: a file, compressed or not, or standard output."""

    def write(self, data: bytes, /) -> int:
        """Write the bytes."""
        ...


def run_extract(options: argparse.Namespace) -> int:
    """Learn (unless told not to), then write one row for each page."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    learning = options.learn and options.method in LEARNERS
    directory = rules_directory(options.rules) if options.rules else None
    model = read_model(options.model) if options.model else None
    rules: Rules | None
    try:
        with _output(options.output, options.inputs) as stream:
            if learning:
                inputs.spool_standard_input()
                learnt = learn_rules(inputs, options.method, options.jobs)
                rules = _kept(learnt, directory, troubles)
            else:
                rules = directory.load() if directory else None
            for line in extract_lines(
                inputs, rules, options.method, jobs=options.jobs, model=model
            ):
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
    learnt = learn_rules(inputs, options.method, options.jobs)
    kept = _kept(learnt, directory, troubles)
    troubles.summary()
    say(f"{len(kept)} rules of {len(kept.sites)} sites in {directory.path}")
    return SOME_UNREADABLE if troubles.count else DONE


def _kept(learnt: Rules, directory: RulesDirectory | None, troubles: Troubles) -> Rules:
    """What was learnt, merged into the directory where there is one: pinned rules win."""
    if directory is None:
        return learnt
    known = dict(directory.load().sites)
    for site, rules in learnt.sites.items():
        try:
            known[site] = directory.save(rules)
        except OSError as error:
            troubles(f"the rules in {directory.path} cannot be written: {error.strerror}")
            return Rules({**known, **learnt.sites})
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
