"""Learning: what 100 pages take without their parse, and how a site's evidence grows."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from scrapy_mainblock.core.evidence import PageFeatures, SiteEvidence
from scrapy_mainblock.core.mainblock import features_of
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.learning import Look, SiteLearner

from .measure import resident, run
from .page_rows import Measured
from .pages import ROOT, Site

DIFFERENT = 400
"""Generated pages that a stream of features is made of, or a tenth of the stream."""


def per_100_pages(pages: Sequence[Measured], passes: int) -> float:
    """CPU seconds that learning 100 pages takes whose trees are there: features, votes, rules."""
    taken = []
    for _ in range(passes):
        parsed = [(page.site, Page.of(page.body, page.url)) for page in pages]
        assert all(page.root is not None for _, page in parsed)
        gc.collect()
        start = time.process_time()
        by_site: dict[str, SiteEvidence] = {}
        for site, page in parsed:
            by_site.setdefault(site, SiteEvidence(site)).add(features_of(page))
        for evidence in by_site.values():
            evidence.rules()
        taken.append((time.process_time() - start) / len(pages) * 100)
    return median(taken)


def stream(count: int) -> Iterator[PageFeatures]:
    """The features of so many pages of one site, no two of which have the same sentences.

    Features of generated pages, over and over; what is a page's own (a line that stood on none of
    the other pages they were made of) is marked with the round, so that it stays its own.
    """
    different = min(DIFFERENT, max(30, count // 10))
    made = [features_of(Page.of(page.html, page.url)) for page in Site(0, 1.0).pages(different)]
    seen_on: dict[str, int] = {}
    for page in made:
        for line in {line for place in page.seen.values() for line in place.lines}:
            seen_on[line] = seen_on.get(line, 0) + 1
    for number in range(count):
        turn, which = divmod(number, different)
        yield made[which] if not turn else _of_turn(made[which], turn, seen_on)


def _of_turn(page: PageFeatures, turn: int, seen_on: dict[str, int]) -> PageFeatures:
    seen = {
        chain: place._replace(
            lines=tuple(f"{turn} {line}" if seen_on[line] == 1 else line for line in place.lines)
        )
        for chain, place in page.seen.items()
    }
    return page._replace(seen=seen)


@dataclass(frozen=True)
class Growth:
    """How learning one site goes on: at each number of pages, what it had taken."""

    pages: tuple[int, ...]
    seconds: tuple[float, ...]
    """CPU, of counting alone: what a page's features cost is the same for each page."""
    megabytes: tuple[float, ...]


def of_one_site(marks: Sequence[int], *, in_crawl: bool = False) -> Growth:
    """Feed one site with pages, and look at the marks. In a crawl rules are learnt on the way.

    In a process of its own, whose memory is nothing else's.
    """
    code = f"from {__name__} import show; show({list(marks)}, {in_crawl})"
    usage = run([sys.executable, "-c", code], environment={"PYTHONPATH": str(ROOT)}, cwd=ROOT)
    seconds, megabytes = json.loads(usage.output.splitlines()[-1])
    return Growth(tuple(marks), tuple(seconds), tuple(megabytes))


def show(marks: Sequence[int], in_crawl: bool) -> None:
    """What `of_one_site` reads."""
    evidence = SiteEvidence("site")
    learner = SiteLearner("site")
    pages = stream(max(marks))
    first = next(pages)
    gc.collect()
    before, spent = resident(), 0.0
    seconds, megabytes = [], []
    count = 1
    evidence.add(first)
    for page in pages:
        look = Look(page, fit="fits")
        start = time.process_time()
        if in_crawl:
            learner.learn(look)
        else:
            evidence.add(page)
        spent += time.process_time() - start
        count += 1
        if count in marks:
            start = time.process_time()
            evidence.rules()
            seconds.append(spent + time.process_time() - start)
            megabytes.append(max(0.0, resident() - before))
    print(json.dumps([seconds, megabytes]))
