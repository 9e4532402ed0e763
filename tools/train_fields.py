"""Fit the weights by which dates and authors are chosen.

    pip install -e ".[train]"
    python tools/train_fields.py FIELDS.jsonl.gz [--folds 5] [-o MODEL]

Rows have `html`, `url`, `site` and `gold_fields` (see `fields.py`). Each day, and each set of
names, that a place of a page gives is a case, right or wrong; the weights are those of a logistic
regression over the features of the cases, so that its probability is calibrated. All pages of a
site together weigh as the root of their number. Printed are the shares right and wrong on other
sites, at several minimum probabilities, and how often claims of each probability are right.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fields import VERDICTS, read
from scipy.optimize import minimize

from scrapy_mainblock.fields.about import authors, dates
from scrapy_mainblock.fields.about.choice import MODEL, Features, probability
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.judge import models
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.decide import decide
from scrapy_mainblock.recipe.reading import Reading

RIDGE = 1.0
SITE_WEIGHT = 0.5
RARE = 3
"""Minimum cases that have a feature; a rarer feature gets no weight."""
PREFIXES = (
    "published_", "published-machine_", "modified_", "modified-machine_",
    "authors_", "authors-unnamed_",
)  # fmt: skip
"""Sets of weights: for all places of a page, and for the places that are read first."""
LEAST = (0.0, 0.2, 0.3, 0.4, 0.5, 0.7)


class Case(NamedTuple):
    """A claim found on a page."""

    page: int
    site: str
    features: Features
    is_right: bool


def main() -> None:
    """Fit on other sites and print the scores, then fit on all sites and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gold", metavar="FIELDS", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL")
    options = parser.parse_args()
    cases = cases_of(list(read(options.gold)))
    for name, (pages, some) in cases.items():
        print_held_out(name, pages, some, options.folds)
    if options.output:
        options.output.write_text(as_text(weights_of(cases)))


def as_text(weights: Mapping[str, float]) -> str:
    """Return the text of the model's file."""
    made_by = "tools/train_fields.py, on labelled pages; see docs/fields.md"
    return json.dumps({"made_by": made_by, "weights": weights}, indent=1, ensure_ascii=False) + "\n"


def cases_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, list[Case]]]:
    """Return for each set of weights its claims, and how many pages have gold for its field."""
    found: dict[str, tuple[int, list[Case]]] = {}
    counts: Counter[str] = Counter()
    cases: dict[str, list[Case]] = {prefix: [] for prefix in PREFIXES}
    for number, row in enumerate(rows):
        gold = row["gold_fields"]
        if not {"datePublished", "dateModified", "authors"} & gold.keys():
            continue
        sources = sources_of(row)
        if sources is None:
            continue
        for prefix, field, described in _described(sources, gold):
            counts[prefix] += 1
            for value, features in described:
                is_right = VERDICTS[field](value, gold[field], row)
                cases[prefix].append(Case(number, row["site"], features, is_right))
    for prefix, some in cases.items():
        found[prefix] = (counts[prefix], some)
    return found


def sources_of(row: Mapping[str, Any]) -> PageSources | None:
    """Return a page's sources, its content decided from the page alone; None if unreadable."""
    page = Page.of(row["html"], row.get("url"))
    if page.why_unreadable:
        return None
    reading = Reading(Outline(page))
    decided = decide(reading)
    title = reading.position_of(decided.headline)
    return PageSources(reading.page, decided.decision.kept, title, decided.headline)


def _described(
    sources: PageSources, gold: Mapping[str, Any]
) -> list[tuple[str, str, list[tuple[Any, Features]]]]:
    found: list[tuple[str, str, list[tuple[Any, Features]]]] = []
    days, names = dates.Dates(sources), authors.Authors(sources)
    for prefix, field, places in (
        ("published_", "datePublished", days.places),
        ("published-machine_", "datePublished", days.machine_readable),
        ("modified_", "dateModified", days.changes),
        ("modified-machine_", "dateModified", days.machine_readable_changes),
    ):
        if field in gold:
            found.append((prefix, field, list(dates.describe(sources, places).items())))
    for prefix, some in (
        ("authors_", names.places),
        ("authors-unnamed_", names.without_class_places),
    ):
        if "authors" in gold:
            known = authors.with_keys(some)
            described = authors.describe(sources, known)
            shown = {key: one.names for one, key in reversed(known)}
            found.append(
                (prefix, "authors", [(shown[key], about) for key, about in described.items()])
            )
    return found


def fit(cases: Sequence[Case]) -> dict[str, float]:
    """Return the weights that make right claims likely, and wrong ones unlikely."""
    counts = Counter(name for case in cases for name in case.features)
    names = ["bias", *sorted(name for name, count in counts.items() if count >= RARE)]
    place = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(cases), len(names)))
    matrix[:, 0] = 1.0
    for number, case in enumerate(cases):
        for name, value in case.features.items():
            if name in place:
                matrix[number, place[name]] = value
    wanted = np.array([case.is_right for case in cases], float)
    pages = Counter(site for _, site in {(case.page, case.site) for case in cases})
    scale = np.array([pages[case.site] ** -SITE_WEIGHT for case in cases])
    ridge = np.full(len(names), RIDGE)
    ridge[0] = 0.01

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logit = matrix @ weights
        chance = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
        value = scale @ (np.logaddexp(0, logit) - wanted * logit)
        slope = matrix.T @ (scale * (chance - wanted)) + ridge * weights
        return float(value + (ridge * weights * weights).sum() / 2), slope

    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 3) for name, value in zip(names, fitted, strict=True)}


def weights_of(
    cases: Mapping[str, tuple[int, Sequence[Case]]], without: int = -1, folds: int = 5
) -> dict[str, float]:
    """Return the weights of all fields, fitted on the sites of all folds but one."""
    found: dict[str, float] = {}
    for prefix, (_, some) in cases.items():
        seen = [case for case in some if fold_of(case.site, folds) != without]
        found |= {prefix + name: weight for name, weight in fit(seen).items()}
    return found


def fold_of(site: str, folds: int) -> int:
    """Return the fold of a site."""
    return zlib.crc32(site.encode()) % folds


def of_other_sites(rows: Sequence[Mapping[str, Any]], folds: int) -> Callable[[str | None], None]:
    """Return a function that makes a page's fields be chosen by weights fitted without its site."""
    cases = cases_of(rows)
    fitted = [weights_of(cases, fold, folds) for fold in range(folds)]
    fold_of_url = {row.get("url"): fold_of(row["site"], folds) for row in rows}

    def choose(url: str | None) -> None:
        models._MODELS[MODEL] = fitted[fold_of_url[url]]

    return choose


def print_held_out(prefix: str, pages: int, cases: Sequence[Case], folds: int) -> None:
    """Print how often the likeliest claim is right on sites that its weights have not seen."""
    best: dict[int, tuple[float, bool]] = {}
    for fold in range(folds):
        weights = fit([case for case in cases if fold_of(case.site, folds) != fold])
        for case in cases:
            if fold_of(case.site, folds) == fold:
                sure = probability(case.features, weights)
                if sure > best.get(case.page, (-1.0, False))[0]:
                    best[case.page] = (sure, case.is_right)
    there = len({case.page for case in cases if case.is_right})
    print(f"{prefix}: {pages} pages, the right claim is there on {there / pages:.3f}")
    for least in LEAST:
        shown = [is_right for sure, is_right in best.values() if sure >= least]
        right = sum(shown)
        wrong = len(shown) - right
        print(f"  from {least:.1f}: right {right / pages:.3f} wrong {wrong / pages:.3f}")
    for tenth in range(10):
        some = [ok for sure, ok in best.values() if tenth / 10 <= sure < (tenth + 1) / 10]
        if some:
            print(f"  {tenth / 10:.1f}: {len(some):5} claims, {sum(some) / len(some):.2f} right")


if __name__ == "__main__":
    main()
