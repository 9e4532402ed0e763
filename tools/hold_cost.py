"""What the limits on waiting cost in accuracy: `python tools/hold_cost.py GOLD.jsonl.gz...`.

The pages of each site come in the order of the file, as in a first crawl without rules. An item
waits until its page's cluster has a rule, but no longer than MAINBLOCK_HOLD_PAGES and
MAINBLOCK_HOLD_SECONDS allow (their defaults, at --pace pages of a site per second); or, for
comparison, until the crawl ends. Printed are F1 with the limits and without, for the sites with the
highest cost and for all pages. The exit code is 1 if the cost is more than `MOST_COST`.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from scrapy_mainblock.cli.scoring.evaluate import answer_of
from scrapy_mainblock.cli.scoring.measures import Measured, measure, sets_with_title
from scrapy_mainblock.crawl.settings import SETTINGS
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.extract import article_of
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import SiteLearner, look_at

MOST_COST = 0.002
"""Maximum F1 that the default limits may cost."""
LISTED = 5


class Waiting(NamedTuple):
    """A page that waits: its position in the crawl, and its cluster."""

    place: int
    cluster: str | None


@dataclass
class Bounds:
    """Limits on how long an item waits."""

    pages: float
    seconds: float

    def are_over(self, held: Sequence[Waiting], place: int, pace: float) -> bool:
        """Return whether the first of the waiting pages must be released."""
        return len(held) > self.pages or (place - held[0].place) / pace >= self.seconds


class Crawled:
    """A simulated crawl of one site: it holds items as `crawl.holding` does, without a network."""

    def __init__(self, pages: Sequence[InputPage], bounds: Bounds, pace: float) -> None:
        self._pages, self._bounds, self._pace = pages, bounds, pace
        self._learner = SiteLearner(pages[0].site)
        self._held: list[Waiting] = []
        self.measured: dict[int, Measured] = {}
        self.waited = 0
        for place, page in enumerate(pages):
            self._arrive(place, page)
        self._settle()

    def _arrive(self, place: int, page: InputPage) -> None:
        reading = Reading(Outline(Page.of(page.html or "", page.url)))
        lesson = self._learner.learn(look_at(reading, self._learner.rules))
        if lesson.settled:
            self._release([one for one in self._held if one.cluster == lesson.cluster])
        if lesson.answerable:
            self._answer(place)
            return
        self.waited += 1
        self._held.append(Waiting(place, lesson.cluster))
        while self._held and self._bounds.are_over(self._held, place, self._pace):
            if len(self._held) > self._bounds.pages:
                self._settle()
            else:
                self._learner.settle()
                self._release(self._held[:1])

    def _settle(self) -> None:
        self._learner.settle()
        self._release(list(self._held))

    def _release(self, waiting: Sequence[Waiting]) -> None:
        for one in waiting:
            self._held.remove(one)
            self._answer(one.place)

    def _answer(self, place: int) -> None:
        page = self._pages[place]
        article = article_of(Page.of(page.html or "", page.url), self._learner.rules)
        self.measured[place] = measure(page, answer_of(article))


def f1_of(found: Measured, titled: frozenset[str]) -> float:
    """Return F1, with the headline if the gold of the set has it."""
    texts = (found.titled if found.set in titled else found.body) or found.body
    return texts.score.f1 if texts else 0.0


def report(name: str, bounded: Sequence[float], waiting: Sequence[float]) -> None:
    """Print a row of the table."""
    cost = fmean(waiting) - fmean(bounded)
    figures = f"{fmean(bounded):8.4f}{fmean(waiting):10.4f}{cost:+9.4f}"
    print(f"{name:<32}{len(bounded):>6}{figures}")


def main() -> int:
    """Crawl each site twice, and compare the scores."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--pace", type=float, default=1.0, help="pages of a site a second")
    options = parser.parse_args()
    by_site: dict[str, list[InputPage]] = defaultdict(list)
    for page in Inputs(options.inputs, sys.stderr.write):
        if page.html is not None and page.gold is not None:
            by_site[page.site].append(page)
    names = ("MAINBLOCK_HOLD_PAGES", "MAINBLOCK_HOLD_SECONDS")
    defaults = Bounds(*(SETTINGS[name].default for name in names))
    bounded, waiting = (
        {site: Crawled(pages, bounds, options.pace) for site, pages in by_site.items()}
        for bounds in (defaults, Bounds(math.inf, math.inf))
    )
    titled = sets_with_title(one for crawl in waiting.values() for one in crawl.measured.values())
    scores = {
        site: [
            [f1_of(crawl.measured[place], titled) for place in sorted(crawl.measured)]
            for crawl in (bounded[site], waiting[site])
        ]
        for site in by_site
    }
    print(f"{'':<32}{'pages':>6}{'bounded':>8}{'at the end':>10}{'cost':>9}")
    costliest = sorted(scores, key=lambda site: fmean(scores[site][0]) - fmean(scores[site][1]))
    for site in costliest[:LISTED]:
        report(site, *scores[site])
    in_all = [[one for pair in scores.values() for one in pair[kind]] for kind in (0, 1)]
    report("all", *in_all)
    print(f"{sum(crawl.waited for crawl in bounded.values())} pages waited")
    return int(fmean(in_all[1]) - fmean(in_all[0]) > MOST_COST)


if __name__ == "__main__":
    sys.exit(main())
