"""What learning gains and loses, page by page, with models that have not seen the sites.

    pip install -e ".[train]"
    python tools/learning.py GOLD.jsonl.gz... [--manuals GOLD...] [--also-train-on GOLD...]
        [--models FILE] [--teach K...] [--same] [--crawl] [--draws N] [--list FILE]

There are three tables; the first is printed unless another is asked for. *Learning against alone*:
each site's rules are learned from all of its pages, and each page is extracted with them and
without. *Taught by K, used on others*: rules are learned from K pages of each site that has at
least K + LEAST_OTHERS, and used on its other pages; with --draws, that many times with other pages.
With --same each draw is tested on the same third of a site's pages, so that draws differ only in
the pages that taught them. With --crawl, *as a first crawl has it*: the pages of each site come in
a random order, and each is answered as soon as a crawl would answer it; pages of clusters that
never get a rule, at the end. Without --models the shipped models are used, which have seen the
labeled pages. Printed are F1; how often the rule was used; the better of the two, page by page; on
how many pages learning is worse than the page alone by more than .3 and by more than .05; the share
of the pages that equal the gold exactly, with learning and alone; and of the wrong pages (F1 < .5),
how many are in the least sure tenth, with learning and alone. --list writes the pages that learning
makes worse.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.cli.scoring.evaluate import answer_of
from scrapy_mainblock.cli.scoring.measures import (
    WRONG,
    Measured,
    Texts,
    measure,
    sets_with_title,
)
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.extract import article_of
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import FIRST_LESSON, SiteLearner, look_at
from scrapy_mainblock.template.learning.evidence import SiteEvidence
from scrapy_mainblock.template.rules import SiteRules

LEAST_OTHERS = 6
"""Minimum pages of a site that its rules are used on."""
MUCH, LITTLE = 0.3, 0.05


class Pair(NamedTuple):
    """A page extracted with its site's rules, and alone."""

    page: InputPage
    learnt: Measured
    alone: Measured


def learnt_from(pages: Sequence[InputPage]) -> SiteRules:
    """Return the rules learned from the pages of a site."""
    evidence = SiteEvidence(pages[0].site)
    for page in pages:
        evidence.add(evidence_of(Page.of(page.html or "", page.url)))
    return evidence.rules()


def extracted(page: InputPage, rules: SiteRules | None) -> Measured:
    """Extract a page with some rules, and return its scores."""
    return measure(page, answer_of(article_of(Page.of(page.html or "", page.url), rules)))


def sites_of(
    names: Sequence[str], folds: int, models: Sequence[object] | None
) -> Iterator[list[InputPage]]:
    """Yield the labeled pages of each site, while models are in use that have not seen it."""
    by_site: dict[str, list[InputPage]] = defaultdict(list)
    for page in Inputs(names, sys.stderr.write):
        if page.html is not None and page.gold is not None:
            by_site[page.site].append(page)
    if models is None:
        yield from by_site.values()
        return
    from training import fold_of  # noqa: PLC0415 - it needs catboost

    for fold in range(folds):
        models[fold].use()
        yield from (pages for site, pages in by_site.items() if fold_of(site, folds) == fold)


def texts_of(pair: Pair, titled: set[str]) -> tuple[Texts, Texts]:
    """Return how the texts with learning and alone compare with the gold."""
    return tuple(
        (one.titled if one.set in titled else one.body) or one.body
        for one in (pair.learnt, pair.alone)
    )


def f1_of(pair: Pair, titled: set[str]) -> tuple[float, float]:
    """Return the F1 with learning and alone."""
    return tuple(one.score.f1 for one in texts_of(pair, titled))


class Line(NamedTuple):
    """A row of a table."""

    pages: int
    f1: float
    alone: float
    best: float
    by_rule: float
    much_worse: int
    worse: int
    better: int
    to_the_word: tuple[float, float]
    """With learning, and alone; the same for the next two."""
    wrong: tuple[int, int]
    wrong_among_least_sure: tuple[int, int]


def line_of(pairs: Sequence[Pair]) -> Line:
    """Return the row for some pages."""
    titled = sets_with_title(one.learnt for one in pairs)
    with_rules, alone = np.array([f1_of(pair, titled) for pair in pairs]).T
    exact = np.array([[one.is_exact for one in texts_of(pair, titled)] for pair in pairs])
    of_learnt = _wrong_of(with_rules, [pair.learnt for pair in pairs])
    of_alone = _wrong_of(alone, [pair.alone for pair in pairs])
    return Line(
        len(pairs),
        float(with_rules.mean()),
        float(alone.mean()),
        float(np.maximum(with_rules, alone).mean()),
        float(np.mean([pair.learnt.by_rule for pair in pairs])),
        int((alone - with_rules > MUCH).sum()),
        int((alone - with_rules > LITTLE).sum()),
        int((with_rules - alone > LITTLE).sum()),
        tuple(exact.mean(axis=0).tolist()),
        *zip(of_learnt, of_alone, strict=True),
    )


def _wrong_of(f1: np.ndarray, pages: Sequence[Measured]) -> tuple[int, int]:
    """Return how many pages are wrong, and how many of these are in the least sure tenth."""
    sure = np.array([page.probability or 0.0 for page in pages])
    least = np.argsort(sure, kind="stable")[: -(-len(pages) // 10)]
    return int((f1 < WRONG).sum()), int((f1[least] < WRONG).sum())


def show(name: str, line: Line) -> None:
    """Print a row."""
    print(
        f"{name:20} {line.pages:5}  {line.f1:.4f}  {line.alone:.4f}  {line.best:.4f}"
        f"  {line.by_rule:.2f}  {line.much_worse:4} {line.worse:4} {line.better:4}"
        f"  {line.to_the_word[0]:.3f} {line.to_the_word[1]:.3f}"
        f"  {line.wrong_among_least_sure[0]} of {line.wrong[0]},"
        f" alone {line.wrong_among_least_sure[1]} of {line.wrong[1]}",
        flush=True,
    )


HEAD = (
    f"{'':20} {'pages':>5}  {'F1':6}  {'alone':6}  {'best':6}  {'rule':4}"
    "  >.3w >.05w >.05b  word  -alone wrong ones in the least sure tenth"
)


def by_set(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Return the pages of each set, and all of them."""
    found: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        found[str(pair.page.meta.get("set") or "-")].append(pair)
    return {**dict(sorted(found.items())), "all": list(pairs)}


def as_crawled(options: argparse.Namespace, models: Sequence[object] | None) -> list[Pair]:
    """Extract each site's pages as a first crawl does, in random orders, and print the table."""
    of_draw: dict[int, list[Pair]] = defaultdict(list)
    for pages in sites_of(options.inputs, options.folds, models):
        if len(pages) < FIRST_LESSON:
            continue
        alone = {id(page): extracted(page, None) for page in pages}
        for draw in range(options.draws):
            mixed = random.Random(f"{draw} {pages[0].site}").sample(pages, len(pages))
            for page, found in answered_in_order(mixed):
                of_draw[draw].append(Pair(page, found, alone[id(page)]))
    pairs = [pair for some in of_draw.values() for pair in some]
    if not pairs:
        return []
    print(f"\nas a first crawl has it ({options.draws} orders)\n{HEAD}")
    for name, some in by_set(pairs).items():
        show(name, line_of(some))
    return pairs


def answered_in_order(pages: Sequence[InputPage]) -> Iterator[tuple[InputPage, Measured]]:
    """Yield the pages of a site as its rules grow, each once there is an answer."""
    learner = SiteLearner(pages[0].site)
    waiting: dict[str | None, list[InputPage]] = defaultdict(list)
    for page in pages:
        reading = Reading(Outline(Page.of(page.html or "", page.url)))
        lesson = learner.learn(look_at(reading, learner.rules))
        waiting[lesson.cluster].append(page)
        now = waiting.pop(lesson.cluster) if lesson.settled else []
        if lesson.answerable and not now:
            now = [waiting[lesson.cluster].pop()]
        yield from ((one, extracted(one, learner.rules)) for one in now)
    learner.settle()
    yield from ((one, extracted(one, learner.rules)) for some in waiting.values() for one in some)


def against_alone(options: argparse.Namespace, models: Sequence[object] | None) -> list[Pair]:
    """Learn from all pages of each site, extract each of them, and print the table."""
    pairs = []
    for pages in sites_of(options.inputs, options.folds, models):
        rules = learnt_from(pages)
        pairs += [Pair(page, extracted(page, rules), extracted(page, None)) for page in pages]
    print(f"\nlearning against alone\n{HEAD}")
    for name, some in by_set(pairs).items():
        show(name, line_of(some))
    return pairs


def taught_by(
    options: argparse.Namespace, models: Sequence[object] | None, teach: int
) -> list[Pair]:
    """Learn from K pages of each site, extract the others, and print the table."""
    pairs: list[Pair] = []
    of_draw: dict[int, list[Pair]] = defaultdict(list)
    alone: dict[int, Measured] = {}
    for pages in sites_of(options.inputs, options.folds, models):
        for draw in range(options.draws):
            teaching, others = divided(pages, teach, draw, is_same=options.same)
            if len(teaching) < teach or len(others) < LEAST_OTHERS:
                break
            rules = learnt_from(teaching)
            for page in others:
                if id(page) not in alone:
                    alone[id(page)] = extracted(page, None)
                pair = Pair(page, extracted(page, rules), alone[id(page)])
                of_draw[draw].append(pair)
                pairs.append(pair)
    print(f"\ntaught by {teach}, used on others ({options.draws} draws)\n{HEAD}")
    for name, some in by_set(pairs).items():
        show(name, line_of(some))
    if options.draws > 1:
        means = [line_of(some).f1 for some in of_draw.values()]
        print(f"F1 of the draws: {min(means):.4f} to {max(means):.4f}")
    return pairs


def divided(
    pages: Sequence[InputPage], teach: int, draw: int, *, is_same: bool
) -> tuple[list[InputPage], list[InputPage]]:
    """Return the pages of a site that teach in a draw, and those that are tested."""
    mixed, seed = list(pages), f"{draw} {pages[0].site}"
    if not is_same:
        random.Random(seed).shuffle(mixed)
        return mixed[:teach], mixed[teach:]
    random.Random(pages[0].site).shuffle(mixed)
    asked = len(mixed) // 3
    left = mixed[asked:]
    return random.Random(seed).sample(left, min(teach, len(left))), mixed[:asked]


def write_list(pairs: Sequence[Pair], file: Path) -> None:
    """Write the pages that learning makes worse, the worst first."""
    titled = sets_with_title(one.learnt for one in pairs)
    rows = []
    for pair in pairs:
        with_rules, alone = f1_of(pair, titled)
        if alone - with_rules > LITTLE:
            rows.append(
                {
                    "loss": round(alone - with_rules, 4),
                    "f1": round(with_rules, 4),
                    "probability": pair.learnt.probability,
                    "site": pair.page.site,
                    "id": pair.page.id,
                }
            )
    rows.sort(key=lambda row: -row["loss"])
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--also-train-on", nargs="*", default=[], metavar="GOLD")
    parser.add_argument("--manuals", nargs="*", default=[], metavar="GOLD")
    parser.add_argument("--models", type=Path, metavar="FILE", help="as held_out.py has it")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--teach", type=int, nargs="*", default=[], metavar="K")
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--crawl", action="store_true")
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--list", type=Path, metavar="FILE")
    options = parser.parse_args()
    models = None
    if options.models:
        from training import models_of_folds  # noqa: PLC0415 - it needs catboost

        seen = (*options.inputs, *options.also_train_on)
        models = models_of_folds(seen, options.manuals, options.folds, options.models)
    pairs = [] if options.teach or options.crawl else against_alone(options, models)
    if options.crawl:
        pairs += as_crawled(options, models)
    for teach in options.teach:
        pairs += taught_by(options, models, teach)
    if options.list:
        write_list(pairs, options.list)


if __name__ == "__main__":
    main()
