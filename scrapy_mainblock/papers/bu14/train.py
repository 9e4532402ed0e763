"""Training of fuzzy regions and rules on labeled pages ([Bu14], stage 1), and cross-validation.

An `inter-site` model is learned from pages of many sites, for sites that it has not seen. An
`intra-site` model is learned from some pages of a site, for the other pages of that site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.bu14 import apriori, fuzzy
from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14.extract import select_lines
from scrapy_mainblock.papers.bu14.labels import Gold, tokens
from scrapy_mainblock.papers.bu14.lines import TextLine, text_lines
from scrapy_mainblock.papers.bu14.model import FarswModel, features_of

_Values = npt.NDArray[np.float64]


class LabeledPage(NamedTuple):
    """A page and its human-labeled main text."""

    outline: Outline
    gold: str
    site: str = ""


class Parameters(NamedTuple):
    """The parameters of the paper."""

    alpha: float = bu14.ALPHA
    support: float = bu14.SUPPORT
    significance: float = bu14.SIGNIFICANCE
    phi: int = bu14.PHI
    block_score: float = bu14.BLOCK_SCORE


DEFAULTS = Parameters()


def labeled_pages(rows: Iterable[Mapping[str, Any]]) -> Iterator[LabeledPage]:
    """Yield the pages of rows with `html`, `gold` and, if known, `site`.

    Skip rows without gold text and unreadable pages.
    """
    for row in rows:
        page = Page.of(row["html"]) if row.get("gold") else None
        if page is not None and not page.why_unreadable:
            yield LabeledPage(Outline(page), row["gold"], row.get("site") or "")


def train(
    pages: Iterable[LabeledPage | tuple[Outline, str]],
    *,
    variant: bu14.Variant = "inter-site",
    parameters: Parameters = DEFAULTS,
) -> FarswModel:
    """Learn a model from a stream of pages and their gold texts, and return it.

    Memory holds six numbers for every topical line, and one summary of all other lines. Raises
    ValueError if the pages have no topical lines, or no set of regions is frequent in them.
    """
    seen = Observations()
    for labeled in pages:
        page, gold = labeled[:2]
        lines = text_lines(page)
        labels = Gold(gold)
        seen.add(_table(lines, variant), [labels.holds(line.text) for line in lines])
    return learn(seen, variant, parameters)


@dataclass
class Observations:
    """The topical lines of any number of pages, and MIN, sum and MAX of their other lines."""

    topical: list[_Values] = field(default_factory=list)
    other: _Values = field(default_factory=lambda: np.empty((3, len(bu14.FEATURES))))
    """Minimum, sum and maximum of each feature."""
    others: int = 0

    def add(self, table: _Values, is_topical: Sequence[bool]) -> None:
        """Add the lines of a page."""
        marked = np.array(is_topical, dtype=bool)
        if marked.any():
            self.topical.append(table[marked])
        rest = table[~marked]
        if len(rest):
            self._add_other(np.stack([rest.min(0), rest.sum(0), rest.max(0)]), len(rest))

    def update(self, seen: Observations) -> None:
        """Add other observations."""
        self.topical.extend(seen.topical)
        if seen.others:
            self._add_other(seen.other, seen.others)

    def _add_other(self, summary: _Values, lines: int) -> None:
        if self.others:
            (least, total, most), (new_least, new_total, new_most) = self.other, summary
            summary = np.stack(
                [np.minimum(least, new_least), total + new_total, np.maximum(most, new_most)]
            )
        self.other = summary
        self.others += lines

    def spreads(self, alpha: float) -> tuple[bu14.Spread, ...]:
        """Return equations 1 to 3 by feature; only the topical spreads if all lines are topical."""
        lines = np.concatenate(self.topical)
        topical = [
            bu14.Spread(*map(float, column))
            for column in zip(lines.min(0), lines.mean(0), lines.max(0), strict=True)
        ]
        if not self.others:
            return tuple(topical)
        least, total, most = self.other
        other = [
            bu14.Spread(*map(float, column))
            for column in zip(least, total / self.others, most, strict=True)
        ]
        return tuple(
            bu14.weighted(tr, non_tr, alpha) for tr, non_tr in zip(topical, other, strict=True)
        )


def learn(
    seen: Observations, variant: bu14.Variant, parameters: Parameters = DEFAULTS
) -> FarswModel:
    """Return a model with the regions and the rules of the highest order (steps 1 to 5)."""
    if not seen.topical:
        raise ValueError("no line of the pages occurs in their gold text: nothing to learn from")
    spreads = seen.spreads(parameters.alpha)
    sets = [
        fuzzy.fuzzy_set(features, spreads, variant)
        for table in seen.topical
        for features in table.tolist()
    ]
    regions = fuzzy.frequent_regions(fuzzy.cardinalities(sets, variant))
    transactions = (fuzzy.transaction(each, regions, parameters.significance) for each in sets)
    levels = apriori.frequent_sets(transactions, regions, parameters.support)
    if not levels:
        raise ValueError(
            f"no fuzzy region has a support of more than {parameters.support}: "
            "the topical lines have nothing in common; try a lower support or significance"
        )
    return FarswModel(
        variant,
        spreads,
        rules=tuple(levels[-1]),
        significance=parameters.significance,
        phi=parameters.phi,
        block_score=parameters.block_score,
    )


def _table(lines: Sequence[TextLine], variant: bu14.Variant) -> _Values:
    """Return an array with a row of features for each line."""
    rows = [features_of(line, variant) for line in lines]
    return np.array(rows, dtype=np.float64).reshape(-1, len(bu14.FEATURES))


class Fold(NamedTuple):
    """One fold of a cross-validation: averages over its test pages."""

    pages: int
    precision: float
    recall: float
    f1: float


By = Literal["page", "site"]


def cross_validate(
    pages: Iterable[LabeledPage],
    *,
    folds: int = 10,
    by: By = "site",
    parameters: Parameters = DEFAULTS,
) -> list[Fold]:
    """Return the folds of the paper's cross-validations (section 4.1), eq. 6 to 8 on token bags.

    `by="site"` is inter-site: the sites are distributed over the folds, and each fold is tested
    with one model learned from the other folds. `by="page"` is intra-site: the pages of each site
    are distributed over the folds, and tested with a model learned from the same site's other
    pages; a site with a single page is left out. If no model can be learned, the extracted text
    counts as empty. Folds without pages are left out.

    Memory holds the lines of every page, not its HTML.
    """
    variant: bu14.Variant = "inter-site" if by == "site" else "intra-site"
    known = list(_dealt(pages, folds, by, variant))
    groups = [known] if by == "site" else _sites(known)
    results = []
    for number in range(folds):
        scores: list[_Scores] = []
        for group in groups:
            tested = [page for page in group if page.fold == number]
            others = [page for page in group if page.fold != number]
            if tested and others:
                scores += _tested(tested, others, variant, parameters)
        if scores:
            results.append(Fold(len(scores), *np.mean(scores, axis=0).tolist()))
    return results


_Scores = tuple[float, float, float]


@dataclass(frozen=True)
class _Known:
    """The data kept of a labeled page, and the fold that it belongs to."""

    site: str
    fold: int
    lines: list[TextLine]
    seen: Observations
    gold: bu14.Bag


def _dealt(
    pages: Iterable[LabeledPage], folds: int, by: By, variant: bu14.Variant
) -> Iterator[_Known]:
    """Yield the pages, assigning sites (or the pages of each site) to the folds in turn."""
    sites: dict[str, int] = {}
    pages_of: Counter[str] = Counter()
    for page in pages:
        turn = sites.setdefault(page.site, len(sites)) if by == "site" else pages_of[page.site]
        pages_of[page.site] += 1
        lines = text_lines(page.outline)
        labels = Gold(page.gold)
        seen = Observations()
        seen.add(_table(lines, variant), [labels.holds(line.text) for line in lines])
        yield _Known(page.site, turn % folds, lines, seen, Counter(labels.tokens))


def _sites(known: Iterable[_Known]) -> list[list[_Known]]:
    groups: dict[str, list[_Known]] = {}
    for page in known:
        groups.setdefault(page.site, []).append(page)
    return list(groups.values())


def _tested(
    tested: Iterable[_Known],
    others: Iterable[_Known],
    variant: bu14.Variant,
    parameters: Parameters,
) -> list[_Scores]:
    """Return precision, recall and F1 of each page, using a model learned from `others`."""
    seen = Observations()
    for page in others:
        seen.update(page.seen)
    try:
        model = learn(seen, variant, parameters)
    except ValueError:
        return [_scores([], page.gold) for page in tested]
    return [_scores(select_lines(page.lines, model), page.gold) for page in tested]


def _scores(extracted: Iterable[TextLine], gold: bu14.Bag) -> _Scores:
    bag: bu14.Bag = Counter()
    for line in extracted:
        bag.update(tokens(line.text))
    precision, recall = bu14.precision(bag, gold), bu14.recall(bag, gold)
    return precision, recall, bu14.f1(precision, recall)
