"""Where the time of a page goes, step by step, in parses of the page.

    PYTHONPATH=example_project python benchmarks/steps.py [PAGES.jsonl.gz ...] [--pages 100]

Without pages it makes some. Each step is done three times on each page, and its best time counts;
what is printed is the time of all pages together, and of the page in the middle, as a multiple of
`lxml.html.document_fromstring` of the same bytes. A step done over and over finds its memory warm:
in a whole extraction (the last rows) each of them takes longer.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

import lxml.html
from scrapy_mainblock.core import content, features, places
from scrapy_mainblock.core.headline import find_headline
from scrapy_mainblock.core.hints import find_hints
from scrapy_mainblock.core.linkblocks import link_blocks
from scrapy_mainblock.core.mainblock import extract, extract_page, learn, page_features
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.rules import Rules
from scrapy_mainblock.core.segments import segment
from scrapy_mainblock.core.text import show
from scrapy_mainblock.inputs import Inputs

T = TypeVar("T")
SITE = "site"


class Clock:
    """The best CPU time of each step, a page at a time."""

    def __init__(self) -> None:
        self.times: dict[str, dict[int, float]] = defaultdict(dict)
        self.page = 0

    def time(self, step: str, work: Callable[[], T]) -> T:
        """Do a step three times."""
        times = self.times[step]
        for _ in range(3):
            before = time.process_time()
            result = work()
            times[self.page] = min(times.get(self.page, 1e9), time.process_time() - before)
        return result

    def table(self) -> Iterator[str]:
        """A line for each step."""
        parse = self.times["parse"]
        yield f"{'step':28s}  all  middle  (parses, over {len(parse)} pages)"
        for step, times in self.times.items():
            all_pages = sum(times.values()) / sum(parse[page] for page in times)
            middle = statistics.median(times[page] / parse[page] for page in times)
            yield f"{step:28s} {all_pages:4.2f}  {middle:5.2f}"


def time_steps(clock: Clock, body: bytes, url: str | None, rules: Rules) -> None:
    clock.time("parse", lambda: lxml.html.document_fromstring(body))
    page = Page.of(body, url)
    root = clock.time("decode and parse", lambda: Page.of(body, url).root)
    page.__dict__["root"] = root
    if root is None or page.body is None:
        return
    block = page.body
    clock.time("link blocks", lambda: link_blocks(page.source))
    segments = clock.time("segments", lambda: segment(block))
    clock.time("segments and places", lambda: places.chains(segment(block)))
    title = clock.time("headline", lambda: find_headline(root, url))
    hints = clock.time("hints", lambda: find_hints(root, url, title))
    if len(segments):
        rows = clock.time("features", lambda: features.matrix(segments, hints))
        likely = clock.time("forest", lambda: content.first_model().probability(rows))
        kept = (likely >= content.LIKELY).tolist()
        clock.time("text and HTML", lambda: show([(segments, kept)], url))
    clock.time("page alone, with its parse", lambda: extract(body, url))
    clock.time("learning, with its parse", lambda: page_features(body, url=url))
    if extract(body, url, rules, site=SITE).metadata["method"] == "rule":
        clock.time("by rule, with its parse", lambda: extract(body, url, rules, site=SITE))
        built = lxml.html.document_fromstring(page.source.encode("utf-8", "replace"))
        clock.time(
            "by rule, tree given",
            lambda: extract_page(Page.parsed(page.source, built, url), rules, site=SITE),
        )


def pages_of(files: list[str]) -> Iterator[tuple[str, bytes, str | None]]:
    """Site, source and URL of each page."""
    if not files:
        import demo_site  # noqa: PLC0415 - not needed where pages are given

        made = demo_site.build(seed="steps", padding_kb=40)
        yield from (
            (one.template, one.body, f"https://demo.example{one.path}") for one in made.pages
        )
    for one in Inputs(files, print) if files else ():
        if one.html is not None:
            source = one.html
            body = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
            yield one.site or "", body, one.url


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--pages", type=int, default=100)
    options = parser.parse_args()
    by_site: dict[str, list[tuple[bytes, str | None]]] = defaultdict(list)
    for site, body, url in islice(pages_of(options.files), options.pages):
        by_site[site].append((body, url))
    clock = Clock()
    for pages in by_site.values():
        learnt = learn((body, f"https://{SITE}/") for body, _ in pages).of(SITE)
        rules = Rules({SITE: learnt} if learnt else {})
        for body, url in pages:
            clock.page += 1
            time_steps(clock, body, url, rules)
    print("\n".join(clock.table()))


if __name__ == "__main__":
    main()
