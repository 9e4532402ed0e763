"""Clocks around the extension's work on a page of a crawl, for `benchmarks.crawl --split`.

A Scrapy extension. Each function of `STEPS` is timed by the CPU time of its thread, excluding other
steps that it calls; a coroutine while it runs, not while it waits. At the end a JSON document with
the seconds and calls of each step is written to the file that CRAWL_CLOCKS names.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import time
import types
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

from scrapy import signals

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

STEPS: Mapping[str, Sequence[str]] = {
    "extracting": ["crawl.pages.visits:extract"],
    "looking: the page read, its template and block": ["crawl.crawl:look_at_response"],
    "looking closer, at pages that teach": ["recipe.site_learner:evidence_of_reading"],
    "learning": ["crawl.known_sites:KnownSites.learn"],
    "holding and replaying": [
        "crawl.pages.holding:Holding.keep_page",
        "crawl.pages.holding:Holding.keep_item",
        "crawl.pages.holding:Holding.seal",
        "crawl.pages.holding:Holding.done_if_through",
        "crawl.pages.holding:Holding.release",
        "crawl.pages.replay:Replayer.pump",
    ],
    "the collector": [
        "crawl.crawl:Crawl.arrived",
        "crawl.crawl:Crawl.visit",
        "crawl.crawl:Crawl.room_in",
        "crawl.crawl:Crawl.holds",
        "crawl.crawl:Crawl.passes",
        "crawl.crawl:Crawl.seal",
    ],
    "the tag": ["crawl.middleware:MainblockDownloaderMiddleware.process_response"],
    "the pipeline": ["crawl.pipeline:MainblockPipeline.process_item"],
    "into the item": ["crawl.pipeline:found_in", "crawl.pipeline:fill"],
    "fields that fit no more": ["recipe.site_learner:SiteLearner.saw_fields"],
    "statistics": [
        "crawl.stats:Stats.count",
        "crawl.stats:Stats.count_of_site",
        "crawl.stats:Stats.probability",
    ],
    "feeds watched": ["crawl.crawl:Crawl._item_scraped"],
    "each second": ["crawl.crawl:Crawl._beat"],
    "Scrapy: the item written": ["scrapy.exporters:JsonLinesItemExporter.export_item"],
}
"""The functions of each step, as ``module:name``, by the name of the step."""


class Clocks:
    """The time that each step took itself, and the number of its calls."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self.calls = dict.fromkeys(STEPS, 0)
        self._of_thread = local()

    def patch(self) -> None:
        """Put a clock around each function."""
        for step, names in STEPS.items():
            for name in names:
                module, _, path = name.partition(":")
                package = "" if module.startswith("scrapy.") else "scrapy_mainblock."
                home: Any = importlib.import_module(package + module)
                *owner, attribute = path.split(".")
                for part in owner:
                    home = getattr(home, part)
                setattr(home, attribute, self._around(step, getattr(home, attribute)))

    def _around(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaited(*args: Any, **kwargs: Any) -> Any:
                self.calls[step] += 1
                return await self._drive(step, function(*args, **kwargs))

            return awaited

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            self.calls[step] += 1
            return self._timed(step, functools.partial(function, *args, **kwargs))

        return called

    @types.coroutine
    def _drive(self, step: str, run: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        go_on: Callable[[], Any] = functools.partial(run.send, None)
        while True:
            try:
                waits_for = self._timed(step, go_on)
            except StopIteration as end:
                return end.value
            try:
                go_on = functools.partial(run.send, (yield waits_for))
            except BaseException as error:  # raise it in the coroutine, where that waits
                go_on = functools.partial(run.throw, error)

    def _timed(self, step: str, work: Callable[[], Any]) -> Any:
        within = self._of_thread.__dict__.setdefault("within", [])
        within.append(0.0)
        start = time.thread_time()
        try:
            return work()
        finally:
            taken = time.thread_time() - start
            self.seconds[step] += taken - within.pop()
            if within:
                within[-1] += taken


class CrawlClocks:
    """The Scrapy extension that installs the clocks."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Install the clocks, and write their times when the spider closes."""
        clocks = Clocks()
        clocks.patch()

        def write() -> None:
            found = {step: [clocks.seconds[step], clocks.calls[step]] for step in STEPS}
            Path(crawler.settings["CRAWL_CLOCKS"]).write_text(json.dumps(found), "utf-8")

        crawler.signals.connect(write, signals.spider_closed, weak=False)
        return cls()
