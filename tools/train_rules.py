"""Train the weights of `judge.confidence.by_rule`: the probability that a rule's content is right.

    pip install -e ".[train]"
    python tools/train_rules.py GOLD.jsonl.gz... [--folds 5] [--also-train-on GOLD...]
        [--manuals GOLD...] [--models FILE] [-o MODEL]

GOLD has many pages per site. As in `held_out.py`, each site is learned and extracted with models
that were trained without it; the weights are fitted to what is then known of each page that a rule
extracted, and to whether it was good. Printed are a reliability table for sites that the weights
have not seen either, and how many of the wrong pages are in the tenth with the lowest probability
(which includes pages that no rule was found for).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from held_out import learnt
from scipy.optimize import minimize
from training import Models, fold_of, models_of_folds

from scrapy_mainblock.cli.passes import Extractor
from scrapy_mainblock.cli.scoring.evaluate import answer_of
from scrapy_mainblock.cli.scoring.measures import GOOD, WRONG, measure, sets_with_title
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.judge import confidence

RIDGE = 2.0
SITE_WEIGHT = 0.5  # a site weighs pages ** (1 - SITE_WEIGHT)
SITE_FOLDS = 10
FOR, AGAINST = (0.0, None), (None, 0.0)
SIGNS = {
    "agreement": FOR,
    "confidence": FOR,
    "documentation": AGAINST,
    "left": AGAINST,
    "left_of_manual": AGAINST,
    "left_though_sure": AGAINST,
    "unknown_left": AGAINST,
}
"""Weights that must be positive or negative; by chance a few sites may suggest otherwise."""
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)

Floats = np.ndarray


class Ruled(NamedTuple):
    """An extracted page, and the numbers of its rule if it was extracted by one."""

    site: str
    f1: float
    probability: float
    numbers: dict[str, float] | None


def ruled_pages(names: Sequence[str], models: Sequence[Models]) -> list[Ruled]:
    """Learn and extract each site with the models that have not seen it; return its pages."""
    told: list[confidence.RulePage] = []

    def note(page: confidence.RulePage) -> float:
        told.append(page)
        return page.agreement

    confidence.by_rule = note
    found = []
    for fold, those in enumerate(models):
        those.use()
        pages = [
            page
            for page in Inputs(names, sys.stderr.write)
            if fold_of(page.site, len(models)) == fold and page.gold is not None
        ]
        extractor = Extractor(rules=learnt(pages))
        for page in pages:
            told.clear()
            article = extractor.article(page)
            by_rule = article.metadata["method"] == "rule"
            numbers = confidence.rule_numbers(told[-1]) if told and by_rule else None
            found.append((measure(page, answer_of(article)), numbers))
    titled = sets_with_title(page for page, _ in found)
    return [
        Ruled(
            page.site,
            ((page.titled if page.set in titled else page.body) or page.body).score.f1,
            page.probability or 0.0,
            numbers,
        )
        for page, numbers in found
    ]


def fit(pages: Sequence[Ruled]) -> dict[str, float]:
    """Return the weights of a logistic regression."""
    names = sorted(pages[0].numbers or {})
    rows = _matrix(pages, names)
    good = np.array([page.f1 >= GOOD for page in pages], dtype=float)
    per_site = Counter(page.site for page in pages)
    weights = np.array([per_site[page.site] ** -SITE_WEIGHT for page in pages])
    weights *= len(weights) / weights.sum()
    bound = np.array([0.0 if name == "one" else RIDGE for name in names])

    def loss(fitted: Floats) -> tuple[float, Floats]:
        chance = 1 / (1 + np.exp(-rows @ fitted))
        likely = np.where(good > 0, chance, 1 - chance)
        slope = rows.T @ (weights * (chance - good)) + bound * fitted
        return -(weights @ np.log(likely + 1e-9)) + bound @ fitted**2 / 2, slope

    start = np.zeros(len(names))
    limits = [SIGNS.get(name, (None, None)) for name in names]
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=limits).x
    return {name: round(float(value), 3) for name, value in zip(names, fitted, strict=True)}


def _matrix(pages: Sequence[Ruled], names: Sequence[str]) -> Floats:
    return np.array([[(page.numbers or {})[name] for name in names] for page in pages])


def cross_validated(pages: Sequence[Ruled]) -> Floats:
    """Return the probability of each page, by weights that have not seen its site."""
    said = np.array([page.probability for page in pages])
    folds = np.array([fold_of(page.site, SITE_FOLDS) for page in pages])
    by_rule = np.array([page.numbers is not None for page in pages])
    for fold in range(SITE_FOLDS):
        asked = by_rule & (folds == fold)
        if asked.any():
            others = [pages[place] for place in np.flatnonzero(by_rule & (folds != fold))]
            weights = fit(others)
            rows = _matrix([pages[place] for place in np.flatnonzero(asked)], list(weights))
            said[asked] = 1 / (1 + np.exp(-rows @ np.array(list(weights.values()))))
    return said


def report(pages: Sequence[Ruled], said: Floats) -> None:
    """Print how reliable the probabilities are."""
    f1 = np.array([page.f1 for page in pages])
    by_rule = np.array([page.numbers is not None for page in pages])
    print(f"{by_rule.sum()} pages by a rule\n{'from':>6} {'pages':>6} {'said':>6} {'good':>6}")
    for low, high in zip(BINS, (*BINS[1:], 1.01), strict=True):
        inside = by_rule & (said >= low) & (said < high)
        if inside.any():
            good = (f1[inside] >= GOOD).mean()
            print(f"{low:6.2f} {inside.sum():6} {said[inside].mean():6.3f} {good:6.3f}")
    least = np.argsort(said, kind="stable")[: -(-len(said) // 10)]
    wrong = f1 < WRONG
    print(f"the {len(least)} least sure of all {len(said)} hold", end=" ")
    print(f"{wrong[least].sum()} of the {wrong.sum()} wrong ones")


def main() -> None:
    """Train, print the figures, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--also-train-on", nargs="*", default=[], metavar="GOLD")
    parser.add_argument("--manuals", nargs="*", default=[], metavar="GOLD")
    parser.add_argument("--models", type=Path, metavar="FILE", help="as held_out.py has it")
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL")
    options = parser.parse_args()
    seen = (*options.inputs, *options.also_train_on)
    models = models_of_folds(seen, options.manuals, options.folds, options.models)
    pages = ruled_pages(options.inputs, models)
    report(pages, cross_validated(pages))
    if options.output:
        weights = fit([page for page in pages if page.numbers is not None])
        options.output.write_text(json.dumps({"weights": weights}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
