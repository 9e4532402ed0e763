"""Measure how often imported rules of the ftr-site-config kind beat the learned ones.

    python tools/ftr.py GOLD.jsonl.gz... --ftr DIR

The labeled pages of each site that has a file are extracted twice: by the rules that are learned
from them, and with the file's rule pinned before these, as `mainblock rules import --ftr` does.
First come that command's own lines (which lines of the files cannot be carried over), then a line
for each site: its pages, on how many the pin was used, the mean F1 of both ways, and on how many
pages the pin is better or worse by more than `SAME`. Where the pin finds nothing, the learned rules
are used.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from scrapy_mainblock.cli.ftr.run import import_files, site_of
from scrapy_mainblock.cli.passes import Extractor
from scrapy_mainblock.cli.scoring.evaluate import answer_of
from scrapy_mainblock.cli.scoring.measures import measure
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.stores.rules import Rules, store_at
from scrapy_mainblock.template.rules import SITE_CLUSTER

SAME = 0.02
"""A smaller difference in a page's F1 does not count: a headline or an author's line."""
HEAD = ("site", "pages", "by the pin", "F1 learned", "F1 with the pin", "better", "worse")


class Both(NamedTuple):
    """A page's F1 by the learned rules, and with the pin."""

    learnt: float
    pinned: float
    by_pin: bool


def main() -> None:
    """Learn, import, extract both ways, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--ftr", type=Path, required=True, metavar="DIR")
    options = parser.parse_args()
    named = {site_of(file) for file in options.ftr.glob("*.txt")}
    pages = pages_of(Inputs(options.inputs, sys.stderr.write), named)
    learnt = rules_of(pages)
    with tempfile.TemporaryDirectory() as folder:
        learnt.save(folder)
        import_files(options.ftr, store_at(folder))
        pinned = Rules.load(folder)
    print()
    print(*HEAD, sep="\t")
    of_sites = {site: [both(page, learnt, pinned) for page in some] for site, some in pages.items()}
    for site, found in sorted(of_sites.items()):
        print(*line(site, found), sep="\t")
    print(*line("all", [one for found in of_sites.values() for one in found]), sep="\t")


def pages_of(inputs: Iterable[InputPage], named: set[str]) -> Mapping[str, list[InputPage]]:
    """Return the labeled pages by the site of a file: the most specific, as in a crawl."""
    found: dict[str, list[InputPage]] = defaultdict(list)
    for page in inputs:
        keys = sites.keys(page.url) if page.url else ()
        site = next((key for key in keys if key in named), None)
        if site is not None and page.html is not None and page.gold is not None:
            found[site].append(replace(page, site=site))
    return found


def rules_of(pages: Mapping[str, Sequence[InputPage]]) -> Rules:
    """Return the rules learned for each site from its pages."""
    learner = Learner()
    for site, some in pages.items():
        for page in some:
            learner.add(site, evidence_of(Page.of(page.html or "", page.url)))
    return learner.rules()


def both(page: InputPage, learnt: Rules, pinned: Rules) -> Both:
    """Extract a page both ways, and return its scores."""
    answers = [answer_of(Extractor(rules=rules).article(page)) for rules in (learnt, pinned)]
    ours, theirs = (measure(page, answer) for answer in answers)
    texts = [one.titled if ours.begins_with_title else one.body for one in (ours, theirs)]
    scores = [one.score.f1 if one else 0.0 for one in texts]
    return Both(scores[0], scores[1], answers[1].cluster == SITE_CLUSTER)


def line(name: str, found: Sequence[Both]) -> tuple[object, ...]:
    """Return a line of the table."""
    if not found:
        return name, 0, 0, "-", "-", 0, 0
    return (
        name,
        len(found),
        sum(one.by_pin for one in found),
        f"{mean(one.learnt for one in found):.3f}",
        f"{mean(one.pinned for one in found):.3f}",
        sum(one.pinned > one.learnt + SAME for one in found),
        sum(one.pinned < one.learnt - SAME for one in found),
    )


if __name__ == "__main__":
    main()
