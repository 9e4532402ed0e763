"""Where the time of a page goes, step by step, by rule and alone.

    python -m benchmarks.steps [PAGES.jsonl.gz ...] [--profile 30]

Each page is extracted as in `benchmarks.speed`, with a clock around the functions of `STEPS`. The
time of a step excludes other steps that it calls. Printed are parses (the sum over the pages
divided by the sum of their parses), microseconds per page, and calls per page; last the rest
between the steps, and the whole with the clocks and without. `--profile N` adds the N functions
that Python's profiler finds most expensive; it has no frames for compiled functions, and overstates
the cost of calls.
"""

from __future__ import annotations

import argparse
import cProfile
import functools
import importlib
import io
import pstats
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

import lxml.html
import numpy as np

from scrapy_mainblock import compiled, extract
from scrapy_mainblock.page.lazy import CachedProperty

from .clock import time_rounds
from .pages import Page, from_file, made
from .table import as_markdown, as_text

STEPS: dict[str, Sequence[str]] = {
    "decode": ["page.page:to_utf8"],
    "is it a page": ["page.page:why_unreadable"],
    "scan": ["outline.outline:scan"],
    "segments": ["outline.outline:find_segments"],
    "head": ["outline.outline:Outline.head"],
    "places": ["outline.outline:Outline.places"],
    "structure": ["outline.outline:Outline.structure", "outline.outline:Outline.text_places"],
    "text of all segments": [
        "outline.outline:Outline.folded",
        "outline.outline:Outline.text_hashes",
        "outline.outline:Outline.texts",
    ],
    "template and block": [
        "template.rules:SiteRules.template_of",
        "template.rules:SiteRules.nearest",
        "template.match:find_block",
        "template.match:fit",
        "recipe.decide:fit",
    ],
    "what the rule keeps": [
        "template.selection:Selection.apply",
        "template.selection:Selection.inline_drops",
    ],
    "headline: at its rule's place": ["recipe.decide:ruled_headline"],
    "headline: titles and headings": [
        "recipe.decide:headline_by_titles",
        "recipe.reading:headline_by_titles",
    ],
    "headline: candidates": ["fields.headline:candidates"],
    "headline: by content": ["recipe.reading:Reading.headline_below"],
    "headline: which segment": ["recipe.reading:headline_position"],
    "unknown places": ["recipe.reading:Reading.likely_at_places"],
    "hints": ["judge.judgement:find_hints"],
    "frame": ["judge.judgement:Frame"],
    "features": ["judge.judgement:features"],
    "forests": ["judge.models.forest:Forest.probability", "judge.models.forest:Forest.shares"],
    "best cut": ["judge.judgement:expected_f1"],
    "page type": ["judge.page_type:describe"],
    "context": ["judge.judgement:context"],
    "lists weighed": ["judge.judgement:weighed"],
    "documentation raised": ["judge.judgement:raised"],
    "what is kept": ["recipe.reading:Reading.why"],
    "orphaned headings": [
        "recipe.decide:drop_orphaned_headings",
        "recipe.reading:drop_orphaned_headings",
    ],
    "confidence": ["judge.confidence:describe", "recipe.decide:_probability"],
    "text and HTML": ["render.render:from_segments"],
    "article": ["render.render:metadata_of", "render.render:article_with"],
    "dates, authors and the other fields": ("recipe.extract:claims",),
}
"""The functions of each step, as ``module:name`` within the package, by the name of the step."""
LEAST_SHOWN = 0.002


@dataclass
class Clocks:
    """The time that each step took itself, in nanoseconds, and the number of its calls."""

    own: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STEPS, 0))
    calls: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STEPS, 0))
    _within: list[int] = field(default_factory=list)

    def around(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function with a clock around it."""

        @functools.wraps(function, updated=())
        def timed(*args: Any, **kwargs: Any) -> Any:
            within = self._within
            within.append(0)
            start = time.process_time_ns()
            try:
                return function(*args, **kwargs)
            finally:
                taken = time.process_time_ns() - start
                self.own[step] += taken - within.pop()
                self.calls[step] += 1
                if within:
                    within[-1] += taken

        return timed

    @contextmanager
    def put(self) -> Iterator[None]:
        """Put the clocks around all steps, and remove them at the end."""
        undo: list[Callable[[], None]] = []
        try:
            undo.extend(
                self._put_around(step, name) for step, names in STEPS.items() for name in names
            )
            yield
        finally:
            for restore in undo:
                restore()

    def _put_around(self, step: str, name: str) -> Callable[[], None]:
        module, _, path = name.partition(":")
        owner: Any = importlib.import_module(f"scrapy_mainblock.{module}")
        *parents, last = path.split(".")
        for parent in parents:
            owner = getattr(owner, parent)
        before = getattr(owner, last)
        if isinstance(before, CachedProperty):
            function = before.function
            before.function = self.around(step, function)
            return partial(setattr, before, "function", function)
        setattr(owner, last, self.around(step, before))
        return partial(setattr, owner, last, before)


def by_rule(page: Page) -> object:
    return extract(page.body, page.url, page.rules, site=page.row.site)


def alone(page: Page) -> object:
    return extract(page.body, page.url)


def parse(page: Page) -> object:
    return lxml.html.document_fromstring(page.body, lxml.html.HTMLParser(encoding="utf-8"))


def is_by_rule(page: Page) -> bool:
    """Return whether a rule answers a page."""
    article = extract(page.body, page.url, page.rules, site=page.row.site)
    return bool(article.metadata["method"] == "rule")


Line = tuple[str, float, float, float]
"""A step, its parses, microseconds per page, and calls per page."""


def time_steps(pages: Sequence[Page], work: Callable[[Page], object], rounds: int) -> list[Line]:
    """Return the steps in order, the rest between them, and the whole: medians over rounds."""
    plain = time_rounds({"parse": parse, "whole": work}, pages, rounds)
    parses = float(np.median(plain["parse"].sum(axis=1)))
    found = []
    clocked = []
    for _ in range(rounds):
        clocks = Clocks()
        with clocks.put():
            clocked.append(float(time_rounds({"": work}, pages, 1)[""].sum()))
        found.append(clocks)
    lines = [
        (name, median(one.own[name] for one in found), found[0].calls[name] / len(pages))
        for name in STEPS
    ]
    whole = median(clocked)
    lines.append(("between the steps", whole - sum(spent for _, spent, _ in lines), 1.0))
    lines.append(("whole, with the clocks", whole, 1.0))
    lines.append(("whole", float(np.median(plain["whole"].sum(axis=1))), 1.0))
    return [
        (name, spent / parses, spent / len(pages) / 1e3, calls)
        for name, spent, calls in lines
        if calls
    ]


def print_steps(title: str, lines: Sequence[Line], *, markdown: bool) -> None:
    """Print the table of one way to extract."""
    write = as_markdown if markdown else as_text
    shown = [
        [name, f"{parses:.3f}", f"{micros:.0f}", f"{calls:.2f}"]
        for name, parses, micros, calls in lines
        if parses >= LEAST_SHOWN
    ]
    print(f"\n{title}\n{write([['step', 'parses', 'us a page', 'calls'], *shown])}")


def print_profile(pages: Sequence[Page], work: Callable[[Page], object], most: int) -> None:
    """Print the most expensive functions that Python's profiler finds, by their own time."""
    profile = cProfile.Profile(time.process_time)
    profile.enable()
    for page in pages:
        work(page)
    profile.disable()
    shown = io.StringIO()
    pstats.Stats(profile, stream=shown).sort_stats("tottime").print_stats(most)
    print(shown.getvalue())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.steps",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="PAGES", help="(default: made pages)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--pages", type=int, metavar="N", help="the first N of a file")
    parser.add_argument("--articles", type=int, default=40, help="made pages of each template")
    parser.add_argument("--profile", type=int, default=0, metavar="N", help="N functions as well")
    parser.add_argument("--markdown", action="store_true", help="tables for the docs")
    options = parser.parse_args(arguments)
    print(f"scrapy-mainblock {compiled.describe()}; median of {options.rounds} rounds")
    loaders = [partial(from_file, name, options.pages) for name in options.files]
    for load in loaders or [partial(made, options.articles)]:
        pages = load()
        ruled = [page for page in pages.measured if is_by_rule(page)]
        for title, chosen, work in (
            ("by rule", ruled, by_rule),
            ("alone", pages.measured, alone),
        ):
            if chosen:
                lines = time_steps(chosen, work, options.rounds)
                print_steps(
                    f"{pages.name}, {title}: {len(chosen)} pages", lines, markdown=options.markdown
                )
                if options.profile:
                    print_profile(chosen, work, options.profile)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
