"""Train the weights of `fields.headline`, and print how often headlines are right on other sites.

    pip install -e ".[train]"
    python tools/train_headline.py GOLD.jsonl.gz... [--folds 5] [--first-lines SET...]
        [--not-from SET...] [--models FILE] [-o MODEL]

GOLD has rows with `html`, `url`, `site` and the title in `meta.title`. Gold texts without one that
begin with it are useful too (`--first-lines`): their first line is the title if it is a part of the
page's own titles, or is one of its headings, and is not a date. Pages are split by site, never by
page: each page's headline is found with weights from the other folds. If a page's titles do not
tell its headline, the beginning of its content does, which is judged by models that have not seen
its site (`--models`: the file of `held_out.py`, with as many folds; without it by the shipped
models, which have seen it). Printed are, for each set (and type of page), the share of pages

- `right`: whose headline is the title (`tokens.headline_matches`);
- `near`: or nearly: one contains the other and is at most twice as long, or token F1 is 0.8;
- `sure`: where a title of the page confirms a first-level heading, so that no weights are needed;
- `there`: where the title is among the candidates;
- `shown`: right, among the pages that show the title to readers: a label may instead be the title
  for search engines, or a variant that somebody made of it.

Sets whose labels contain the site's name are tested but not trained on with `--not-from`. The
shipped weights were made by this command over all pages of the other sets.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from training import fold_of, models_of_folds

from scrapy_mainblock.fields import headline
from scrapy_mainblock.fields.candidates import Candidate
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.tokens import headline_matches, score, token_list
from scrapy_mainblock.recipe.reading import Reading

RIDGE = 1.0
WEIGHT_OF_OTHERS = 0.3
"""Weight of pages without an article: home pages and lists, often labeled with the site's name."""
OTHERS = frozenset({"collection", "listing", "service"})
SITE_WEIGHT = 0.5  # a site weighs pages ** (1 - SITE_WEIGHT)
DATED = re.compile(r"\w+ \d{1,2}, \d{4}")
"""First lines that are not a title."""


class Labelled(NamedTuple):
    """A page with its title, and its confirmed heading or else the candidates."""

    site: str
    group: str
    title: str
    confirmed: str | None
    candidates: Sequence[Candidate]
    by_place: Sequence[Candidate]
    """The same, described by where the content begins; only if the titles do not name the page."""
    linked: str
    """The headline in the page's linked data."""
    weight: float
    shown: bool = True
    """Whether a reader sees the title."""

    @property
    def asked(self) -> Sequence[Candidate]:
        """The candidates that the headline is chosen from."""
        return self.by_place or self.candidates


def labelled_pages(
    names: Sequence[str],
    first_lines: Sequence[str] = (),
    models: Path | None = None,
    folds: int = 5,
) -> list[Labelled]:
    """Return the pages of the inputs whose title is known."""
    if models is None:
        return list(_labelled_pages(names, first_lines))
    found = []
    for fold, each in enumerate(models_of_folds(names, (), folds, models)):
        each.use()
        found += _labelled_pages(
            names, first_lines, lambda site, one=fold: fold_of(site, folds) == one
        )
    return found


def _labelled_pages(
    names: Sequence[str],
    first_lines: Sequence[str],
    is_asked: Callable[[str], bool] = lambda site: True,  # noqa: ARG005
) -> Iterator[Labelled]:
    for row in Inputs(names, sys.stderr.write):
        title = str(row.meta.get("title") or "").strip()
        is_guess = not title and row.meta.get("set") in first_lines
        if is_guess:
            title = (row.gold or "").strip().partition("\n")[0]
        if not title or (is_guess and DATED.fullmatch(title)) or not is_asked(row.site):
            continue
        page = Page.of(row.html or "", row.url)
        if page.why_unreadable:
            continue
        reading = Reading(Outline(page))
        told = reading.titles
        texts = [one.text for one in told.candidates] or [told.text]
        if is_guess and not any(headline_matches(text, title) for text in texts):
            continue
        kind = row.meta.get("page_type")
        above = reading.above_content(None) if told.is_untitled else ()
        yield Labelled(
            row.site,
            f"{row.meta.get('set') or '-'} {kind or ''}".strip(),
            title,
            told.text if told.is_confirmed else None,
            told.candidates if not told.is_confirmed else (),
            told.described_by(above) if above else (),
            told.titles.linked_headline,
            WEIGHT_OF_OTHERS if kind in OTHERS else 1.0,
            _is_shown(title, reading.page),
        )


def _is_shown(title: str, page: Outline) -> bool:
    wanted = " ".join(token_list(title.partition("\n")[0]))
    return f" {wanted} " in f" {' '.join(token_list(' '.join(page.texts)))} "


def fit(pages: Sequence[Labelled]) -> dict[str, float]:
    """Return weights that make each page's right candidate the likeliest (multinomial logit)."""
    rows, right, sizes, scale = [], [], [], []
    for kind in ("candidates", "by_place"):
        per_site = Counter(page.site for page in pages if getattr(page, kind))
        for page in pages:
            known: Sequence[Candidate] = getattr(page, kind)
            marks = [headline_matches(one.text, page.title) for one in known]
            if any(marks) and not all(marks):
                rows += [one.features for one in known]
                right += marks
                sizes.append(len(marks))
                scale.append(page.weight / per_site[page.site] ** SITE_WEIGHT)
    if not rows:
        sys.exit("nothing to learn from: no page has its title among several candidates")
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    wanted, pages_of = np.array(right), np.repeat(np.arange(len(sizes)), sizes)
    starts, scales = np.concatenate(([0], np.cumsum(sizes)[:-1])), np.array(scale)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[pages_of])
        chance = odds / np.add.reduceat(odds, starts)[pages_of]
        of_right = np.add.reduceat(chance * wanted, starts) + 1e-12
        share = wanted * chance / of_right[pages_of]  # a title may occur twice
        slope = matrix.T @ ((chance - share) * scales[pages_of])
        return (
            float(-(np.log(of_right) * scales).sum() + RIDGE * weights @ weights / 2),
            slope + RIDGE * weights,
        )

    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 3) for name, value in zip(names, fitted, strict=True)}


def without(pages: Sequence[Labelled], sets: Sequence[str]) -> list[Labelled]:
    """Return the pages that are in none of these sets."""
    return [page for page in pages if page.group.split(" ")[0] not in sets]


def chosen(page: Labelled, weights: Mapping[str, float]) -> str:
    """Return the headline of a page according to these weights."""
    known = page.asked
    if not known:
        return page.confirmed or ""
    found = max(known, key=lambda one: headline.score(one.features, weights))
    return headline.without_kicker(found.text, page.linked)


def is_near(answer: str, title: str) -> bool:
    """Return whether headline and title differ by a few words, or one is much of the other."""
    got, wanted = token_list(answer), token_list(title.partition("\n")[0])
    if min(len(got), len(wanted)) >= 0.5 * max(len(got), len(wanted), 1):
        longer, shorter = (
            f" {' '.join(some)} " for some in sorted((got, wanted), key=len, reverse=True)
        )
        if shorter in longer:
            return True
    return score(Counter(got), Counter(wanted)).f1 >= 0.8


def cross_validate(pages: Sequence[Labelled], folds: int, not_from: Sequence[str]) -> None:
    """Print the figures of each set on sites that the weights were not trained on."""
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for fold in range(folds):
        others = [page for page in pages if fold_of(page.site, folds) != fold]
        weights = fit(without(others, not_from))
        for page in pages:
            if fold_of(page.site, folds) != fold:
                continue
            answer = chosen(page, weights)
            is_right = headline_matches(answer, page.title)
            texts = [one.text for one in page.asked] or [page.confirmed]
            there = any(headline_matches(text, page.title) for text in texts)
            for group in {page.group, page.group.split(" ")[0], "all"}:
                near = is_right or is_near(answer, page.title)
                is_sure = not page.asked
                shown = float(is_right) if page.shown else np.nan
                found[group].append((is_right, near, is_sure, there, shown))
    titles = ("pages", "right", "near", "sure", "there", "shown")
    print(f"{'':22} " + " ".join(f"{title:>6}" for title in titles))
    for group in sorted(found):
        shares = np.nanmean(np.array(found[group], dtype=float), axis=0)
        print(f"{group:22} {len(found[group]):6} " + " ".join(f"{share:6.3f}" for share in shares))


def main() -> None:
    """Train, print the figures, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--first-lines", nargs="*", default=[], metavar="SET")
    parser.add_argument("--not-from", nargs="*", default=[], metavar="SET")
    parser.add_argument("--models", type=Path, metavar="FILE", help="of the folds, for the content")
    parser.add_argument("-o", "--output", type=Path, metavar="MODEL")
    options = parser.parse_args()
    pages = labelled_pages(options.inputs, options.first_lines, options.models, options.folds)
    cross_validate(pages, options.folds, options.not_from)
    if options.output:
        weights = fit(without(pages, options.not_from))
        options.output.write_text(json.dumps({"weights": weights}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
