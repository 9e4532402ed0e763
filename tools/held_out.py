"""Score `auto` on sites that its models were not trained on.

    pip install -e ".[train]"
    python tools/held_out.py GOLD.jsonl.gz... [--no-learn] [--folds 5] [--json FILE]
        [--also-train-on GOLD.jsonl.gz...] [--manuals GOLD.jsonl.gz...] [--models FILE]

The shipped models were trained on all available labeled pages, so `mainblock eval` on the same
pages flatters them. Here the sites are split into folds; each site is learned and extracted with
models that were trained on the other folds. Printed are the columns of `mainblock eval`. Runs that
differ only in what is extracted may share the models (`--models`): training them takes longest.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from training import fold_of, models_of_folds

from scrapy_mainblock.cli.passes import Extracted, Extractor
from scrapy_mainblock.cli.scoring.evaluate import report_of
from scrapy_mainblock.cli.scoring.figures import print_reports
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.stores.rules import Rules


def main() -> None:
    """Train the models of each fold, learn the rules, extract the pages, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--also-train-on", nargs="*", default=[], metavar="GOLD")
    parser.add_argument(
        "--manuals", nargs="*", default=[], metavar="GOLD", help="those that hold documentation"
    )
    parser.add_argument(
        "--models", type=Path, metavar="FILE", help="keep the models here, or read them if it is"
    )
    parser.add_argument("--no-learn", action="store_true")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as eval does")
    options = parser.parse_args()
    seen = (*options.inputs, *options.also_train_on)
    models = models_of_folds(seen, options.manuals, options.folds, options.models)
    extracted: list[Extracted] = []
    for fold in range(options.folds):
        models[fold].use()
        pages = [
            page
            for page in Inputs(options.inputs, sys.stderr.write)
            if fold_of(page.site, options.folds) == fold
        ]
        extractor = Extractor(rules=None if options.no_learn else learnt(pages))
        extracted += [Extracted(page, extractor.article(page)) for page in pages]
    found = {"auto, held out": report_of(extracted).to_dict()}
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print_reports(found)


def learnt(pages: Sequence[InputPage]) -> Rules:
    """Return the rules learned from these pages, of all their sites."""
    learner = Learner()
    for page in pages:
        learner.add(page.site, evidence_of(Page.of(page.html or "", page.url)))
    return learner.rules()


if __name__ == "__main__":
    main()
