"""`mainblock farsw train`: learn fuzzy association rules from labeled pages [Bu14]."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    Progress,
    UsageError,
    say,
)
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.papers.bu14 import train
from scrapy_mainblock.papers.bu14.model import FarswModel

MOST_FOLDS = 1000
FOLDS = 10
"""Section 4.1: "a ten-fold cross-validation is performed in each subsequent experiment"."""


def run_train(options: argparse.Namespace) -> int:
    """Cross-validate, train and write the model, or both."""
    if not options.output and not options.cross_validate:
        raise UsageError("give -o MODEL, --cross-validate or both")
    problems = Problems()
    inputs = Inputs(options.inputs, problems)
    inputs.spool_standard_input()
    try:
        if options.output:
            with output(options.output, "-o", options.inputs) as stream:
                _cross_validate(inputs, options, problems)
                model = _trained(inputs, options, problems)
                text = json.dumps(model.to_dict(), ensure_ascii=False, indent=2) + "\n"
                stream.write(text.encode())
            if options.output != STANDARD_OUTPUT:
                rules = "; ".join(f"({', '.join(rule)})" for rule in model.rules)
                say(f"{options.output}: {model.variant}, rules {rules}")
        else:
            _cross_validate(inputs, options, problems)
    finally:
        inputs.close()
        problems.summary()
    return SOME_UNREADABLE if problems.count else DONE


def _cross_validate(inputs: Inputs, options: argparse.Namespace, problems: Problems) -> None:
    if options.cross_validate:
        by: train.By = "site" if options.variant == "inter-site" else "page"
        folds = train.cross_validate(
            _labeled(inputs, "cross-validating"), folds=options.cross_validate, by=by
        )
        if not inputs.pages:
            raise NothingReadError(problems)
        if not folds:
            raise UsageError("too few labeled pages to divide into folds")
        _print(folds, options.variant)


def _trained(inputs: Inputs, options: argparse.Namespace, problems: Problems) -> FarswModel:
    pages = ((page.outline, page.gold) for page in _labeled(inputs, "training"))
    try:
        return train.train(pages, variant=options.variant)
    except ValueError as error:
        if not inputs.pages:
            raise NothingReadError(problems, options.output) from None
        raise UsageError(str(error)) from None


def _labeled(inputs: Inputs, label: str) -> Iterator[train.LabeledPage]:
    with Progress(label, inputs) as progress:
        rows = (
            {"html": page.html, "gold": page.gold, "site": page.site}
            for page in progress.over(inputs)
            if page.html is not None
        )
        yield from train.labeled_pages(rows)


def _print(folds: Sequence[train.Fold], variant: str) -> None:
    say(f"{variant}, {len(folds)} folds")
    say(f"{'fold':>4}  pages  precision  recall     F1")
    for number, fold in enumerate(folds, start=1):
        say(
            f"{number:4}  {fold.pages:5}  {fold.precision:9.3f}  {fold.recall:6.3f}  {fold.f1:5.3f}"
        )
    pages = sum(fold.pages for fold in folds)
    if pages:
        mean = [
            sum(fold.pages * value for fold, value in zip(folds, column, strict=True)) / pages
            for column in zip(*((f.precision, f.recall, f.f1) for f in folds), strict=True)
        ]
        say(f" all  {pages:5}  {mean[0]:9.3f}  {mean[1]:6.3f}  {mean[2]:5.3f}")


def read_model(name: str) -> FarswModel:
    """Return the model in a file written by `farsw train`."""
    try:
        return FarswModel.from_dict(json.loads(Path(name).read_bytes()))
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: {error}; create one with mainblock farsw train") from None
