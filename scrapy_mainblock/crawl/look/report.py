"""MAINBLOCK_REPORT: keeps a sample of a crawl's pages, and renders it when the spider closes.

The sample consists of the pages whose URLs have the smallest hashes. So every page has the same
chance, however many there are, and the reports of two crawls show the same pages. The sample is
kept on disk and bounded in pages and in bytes; only the names of its pages are in memory.
"""

from __future__ import annotations

import hashlib
import heapq
import logging
import tempfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import signals
from scrapy.http import Response

from scrapy_mainblock.crawl.pages.responses import is_html, opted_out
from scrapy_mainblock.crawl.scrapy_compat import run_in_thread
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.stores.whole_files import whole_file

if TYPE_CHECKING:
    from scrapy_mainblock.crawl.crawl import Crawl

logger = logging.getLogger("scrapy_mainblock")

MOST_PAGES = 200
"""Limit on the pages of the sample: to render one takes some 50 ms, at the close."""
MOST_BYTES = 100_000_000
"""Limit on the compressed bytes of the sample on disk: half a megabyte per page."""
LARGEST_PAGE = 5_000_000
"""Limit on the bytes of a page in the sample; larger pages are skipped."""


class Kept(NamedTuple):
    """A page of the sample; pages that sort first are removed first."""

    rank: int
    """The negated hash of its URL."""
    url: str
    site: str
    file: str
    size: int


class PageSample:
    """The pages with the smallest hashes, compressed, in a temporary directory."""

    def __init__(self) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="mainblock-report-")
        self._kept: list[Kept] = []
        self._urls: set[str] = set()
        self._bytes = 0

    def add(self, source: bytes, url: str, site: str) -> None:
        """Keep a page if it belongs to the sample; raises OSError if the disk is full."""
        digest = hashlib.sha256(url.encode("utf-8", "replace")).digest()
        rank = -int.from_bytes(digest[:8], "big")
        is_full = len(self._kept) >= MOST_PAGES
        if url in self._urls or len(source) > LARGEST_PAGE:
            return
        if is_full and rank <= self._kept[0].rank:
            return
        packed = zlib.compress(source)
        name = digest.hex()
        Path(self._directory.name, name).write_bytes(packed)
        heapq.heappush(self._kept, Kept(rank, url, site, name, len(packed)))
        self._urls.add(url)
        self._bytes += len(packed)
        while len(self._kept) > MOST_PAGES or self._bytes > MOST_BYTES:
            gone = heapq.heappop(self._kept)
            self._urls.discard(gone.url)
            self._bytes -= gone.size
            Path(self._directory.name, gone.file).unlink(missing_ok=True)

    @property
    def kept(self) -> list[Kept]:
        """The pages of the sample, sorted by site."""
        return sorted(self._kept, key=lambda one: (one.site, one.url))

    def source(self, one: Kept) -> bytes:
        """Return the source of a page."""
        return zlib.decompress(Path(self._directory.name, one.file).read_bytes())

    def close(self) -> None:
        """Remove the sample from the disk."""
        self._directory.cleanup()


class CrawlReport:
    """The report of one crawl."""

    def __init__(self, crawl: Crawl, file: Path) -> None:
        self._crawl = crawl
        self._file = file
        self._sample: PageSample | None = None

    def listen(self) -> None:
        """Start to sample the responses that items come from."""
        self._crawl.crawler.signals.connect(self._item_scraped, signals.item_scraped)

    def _item_scraped(self, item: Any, response: Any) -> None:  # noqa: ARG002 - the signal's
        if not isinstance(response, Response) or opted_out(response) or not is_html(response):
            return
        crawl = self._crawl
        visit = crawl.known_visit(response)
        try:
            self._sample = self._sample or PageSample()
            page = Page.of(response)
            site = visit.site if visit is not None else crawl.options.site(response)
            self._sample.add(page.source, response.url, str(site))
        except Exception as error:  # caused by the disk, the page or MAINBLOCK_SITE
            crawl.stats.trouble("report", "a page could not be added to the report: %s", error)

    async def write(self) -> None:
        """Write the report with the current rules, and log where it is."""
        sample = self._sample
        if sample is None:
            logger.info("mainblock: no report was written, because no item came from a page")
            return
        try:
            rules = {}
            for one in sample.kept:
                if one.site not in rules:
                    site = await self._crawl.sites.open(one.site, one.url)
                    rules[one.site] = site.learner.rules
            pages = await run_in_thread(self._write, sample, rules)
        except Exception as error:
            self._crawl.stats.trouble("report", "the report cannot be written: %s", error)
        else:
            logger.info(
                "mainblock: wrote a report with a sample of %d pages to %s", pages, self._file
            )
        finally:
            sample.close()

    def _write(self, sample: PageSample, rules: dict[str, Any]) -> int:
        from scrapy_mainblock.report.document import ReportInfo, ReportPage, write_report  # noqa: PLC0415
        from scrapy_mainblock.stores.rules import Rules  # noqa: PLC0415

        def pages() -> Iterator[ReportPage]:
            for one in sample.kept:
                yield ReportPage(Page.of_utf8(sample.source(one), one.url), one.site, "")

        spider = self._crawl.crawler.spider
        name = spider.name if spider is not None else "crawl"
        store = self._crawl.sites.address or "RULES"
        lead = "a sample of the pages that items came from, read with the rules at the end"
        info = ReportInfo(f"The crawl of {name}", lead, store)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        known = Rules({site: one for site, one in rules.items() if one.templates})
        opened = partial(whole_file, self._file)
        return len(write_report(opened, pages, known, info, MOST_PAGES).rows)
