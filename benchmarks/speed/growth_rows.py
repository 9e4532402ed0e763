"""How time and memory grow: with the number of sites, and with the size of a page."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_mainblock.core.evidence import SiteEvidence
from scrapy_mainblock.core.mainblock import page_features, rules_of

from .measure import Cost, resident, run
from .page_rows import CONTROL, Measured, learnt, ours
from .pages import ROOT, Site

PAGES_A_SITE = 40
_ONE_PAGE = """
import sys
from benchmarks.speed.pages import Site
from scrapy_mainblock import extract
html = Site(1, float(sys.argv[1])).page(0).html
for _ in range(3):
    sys.argv[2] == "nothing" or extract(html)
"""


@dataclass(frozen=True)
class OfSites:
    """What learning had taken when so many sites were learnt."""

    sites: tuple[int, ...]
    milliseconds: tuple[float, ...]
    """CPU a page, from its source to its votes and the rules, over the sites since the last."""
    megabytes: tuple[float, ...]


def of_sites(marks: Sequence[int], pages_a_site: int = PAGES_A_SITE) -> OfSites:
    """Learn site after site, and keep the evidence of all, as the command does."""
    page_features(Site(0).page(0).html)  # what is made once is no growth
    gc.collect()
    before, spent, last = resident(), 0.0, 0
    kept, milliseconds, megabytes = [], [], []
    for number in range(max(marks)):
        site = Site(number, 1.0)
        pages = list(site.pages(pages_a_site))
        start = time.process_time()
        evidence = SiteEvidence(site.host)
        for page in pages:
            evidence.add(page_features(page.html, url=page.url))
        kept.append(evidence)
        spent += time.process_time() - start
        if number + 1 in marks:
            start = time.process_time()
            rules_of(kept)
            spent += time.process_time() - start
            milliseconds.append(spent / (number + 1 - last) / pages_a_site * 1000)
            megabytes.append(max(0.0, resident() - before))
            spent, last = 0.0, number + 1
    return OfSites(tuple(marks), tuple(milliseconds), tuple(megabytes))


@dataclass(frozen=True)
class OfSize:
    """What a page takes by its size."""

    kilobytes: tuple[int, ...]
    milliseconds: dict[str, tuple[float, ...]]
    megabytes: tuple[float, ...]
    """Beyond what a process has that extracts nothing."""


def of_size(sizes: Sequence[float], passes: int, pages: int = 6) -> OfSize:
    """Pages of one layout in several sizes, 1 being the middle of the web."""
    kilobytes, memory = [], []
    milliseconds: dict[str, list[float]] = {}
    for size in sizes:
        site = Site(1, size)
        of_site = [Measured(page.html.encode(), page.url, site.host) for page in site.pages(24)]
        measured = of_site[:pages]
        kilobytes.append(round(sum(len(page.body) for page in measured) / pages / 1000))
        found = ours(measured, learnt(of_site), passes)
        parses = [cost.milliseconds / cost.ratio for cost in found.values()]
        found[CONTROL] = Cost(1.0, min(parses))
        for name, cost in found.items():
            milliseconds.setdefault(name, []).append(cost.milliseconds)
        memory.append(max(0.0, _peak(size, "extract") - _peak(size, "nothing")))
    return OfSize(
        tuple(kilobytes),
        {name: tuple(values) for name, values in milliseconds.items()},
        tuple(memory),
    )


def _peak(size: float, what: str) -> float:
    command = [sys.executable, "-c", _ONE_PAGE, str(size), what]
    return run(command, environment={"PYTHONPATH": str(ROOT)}, cwd=ROOT).peak
