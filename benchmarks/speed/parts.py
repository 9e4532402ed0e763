"""The parts that can be measured: each gives its rows, and the numbers behind the plots."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.reading import reading_of
from scrapy_mainblock.inputs import Inputs

from . import (
    command_rows,
    crawl_rows,
    growth_rows,
    import_rows,
    learning_rows,
    page_rows,
    where_rows,
)
from .page_rows import Measured
from .pages import Site
from .report import Rows, row


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    sites: int = 20
    learnt_pages: int = 30
    """Of each site; the rules come from these."""
    measured_pages: int = 5
    """Of each site."""
    passes: int = 5
    peer_passes: int = 1
    site_pages: int = 100_000
    command_sites: int = 200
    command_pages: int = 20_000
    crawl_pages: int = 5_000
    crawl_sites: int = 1
    processes: int = 15
    grown_sites: int = 200
    page_sizes: tuple[float, ...] = (0.5, 2, 4, 8, 12)

    def scaled(self, scale: float) -> Sizes:
        """The long parts with fewer pages."""
        return replace(
            self,
            site_pages=max(2_000, int(self.site_pages * scale)),
            command_sites=max(4, int(self.command_sites * scale)),
            command_pages=max(80, int(self.command_pages * scale)),
            crawl_pages=max(100, int(self.crawl_pages * scale)),
            grown_sites=max(8, int(self.grown_sites * scale)),
        )


FULL = Sizes()
SHORT = Sizes(
    sites=4,
    learnt_pages=30,
    measured_pages=6,
    passes=5,
    peer_passes=0,
    site_pages=1_500,
    command_sites=4,
    command_pages=80,
    crawl_pages=300,
    processes=5,
    grown_sites=8,
    page_sizes=(0.5, 1, 2),
)


class Bench:
    """The pages, prepared once, and the measurements over them."""

    def __init__(self, inputs: Sequence[str], sizes: Sizes) -> None:
        self.sizes = sizes
        self.inputs = inputs
        self.numbers: dict[str, Any] = {}
        """What is behind the rows: the profile of the pages, and the curves."""
        self._pages: list[Measured] = []
        self._prepared: tuple[list[Measured], Any] | None = None

    # ---- pages ---------------------------------------------------------------------------------

    @property
    def pages(self) -> list[Measured]:
        """All pages: what the rules are learnt from, and what is measured."""
        if not self._pages:
            self._pages = list(self._given() if self.inputs else self._generated())
        return self._pages

    def _given(self) -> Iterator[Measured]:
        for page in Inputs(self.inputs, print):
            if isinstance(page.html, str):
                yield Measured(page.html.encode("utf-8", "replace"), page.url, page.site)

    def _generated(self) -> Iterator[Measured]:
        for number in range(self.sizes.sites):
            site = Site(number)
            for page in site.pages(self.sizes.learnt_pages):
                yield Measured(page.html.encode(), page.url, site.host)

    def _some_of_each_site(self) -> list[Measured]:
        by_site: dict[str, list[Measured]] = {}
        for page in self.pages:
            by_site.setdefault(page.site, []).append(page)
        many = [
            pages[-self.sizes.measured_pages :]
            for pages in by_site.values()
            if len(pages) >= page_rows.LEAST_PAGES
        ]
        return list(islice((page for pages in many for page in pages), 400))

    def _ruled(self) -> tuple[list[Measured], Any]:
        if self._prepared is None:
            rules = page_rows.learnt(self.pages)
            pages = page_rows.ruled(self._some_of_each_site(), rules)
            if not pages:
                raise SystemExit("no page is answered by a rule: give pages of fewer sites")
            self._prepared = pages, rules
        return self._prepared

    # ---- parts ---------------------------------------------------------------------------------

    def profile(self) -> Rows:
        """What kind of pages these are."""
        counted = []
        for one in self.pages[:1000]:
            page = Page.of(one.body, one.url)
            if page.root is not None:
                segments = reading_of(page, page.root).segments
                elements = sum(1 for _ in page.root.iter())
                counted.append((len(one.body), elements, len(segments.blocks), len(segments)))
        names = ("bytes", "elements", "blocks", "segments")
        columns = [sorted(column) for column in zip(*counted, strict=True)]
        self.numbers["profile"] = {
            name: {
                "mean": mean(column),
                "from": column[len(column) // 10],
                "to": column[len(column) * 9 // 10],
            }
            for name, column in zip(names, columns, strict=True)
        }
        self.numbers["profile"]["pages"] = len(counted)
        return {}

    def page(self) -> Rows:
        """Scan, rule, rule on a built tree, page alone."""
        pages, rules = self._ruled()
        found = page_rows.ours(pages, rules, self.sizes.passes)
        note = f"{len(pages)} pages"
        self.numbers["control"] = found.pop(page_rows.CONTROL).ratio
        self.numbers["page_ms"] = {name: cost.milliseconds for name, cost in found.items()}
        return {name: row(cost.ratio, note=note) for name, cost in found.items()}

    def peers(self) -> Rows:
        """What others take, beside "page alone" (which is measured again)."""
        pages, rules = self._ruled()
        pages = pages[:: max(1, len(pages) // 60)]
        found = page_rows.others(pages, max(1, self.sizes.peer_passes))
        alone = page_rows.ours(pages, rules, self.sizes.passes)["alone"]
        others = {name: cost.ratio for name, cost in found.items()}
        return {"alone": row(alone.ratio, others, f"{len(pages)} pages")}

    def where(self) -> Rows:
        """Where the time goes."""
        pages, rules = self._ruled()
        self.numbers["where"] = where_rows.shares(pages[:100], rules)
        return {}

    def learning(self) -> Rows:
        """Learning, per 100 pages."""
        pages = self.pages[:: max(1, len(self.pages) // 600)]
        seconds = learning_rows.per_100_pages(pages, min(3, self.sizes.passes))
        return {"learning": row(seconds, note=f"{len(pages)} pages")}

    def site(self) -> Rows:
        """One site with very many pages."""
        count = self.sizes.site_pages
        marks = [count // 10, count // 5, count // 2, count]
        grown = learning_rows.of_one_site(marks)
        in_crawl = learning_rows.of_one_site(marks, in_crawl=True)
        self.numbers["site"] = {"command": asdict(grown), "crawl": asdict(in_crawl)}
        note = f"{count // 10:,} and {count:,} pages"
        ratio = max(one.seconds[-1] / one.seconds[0] for one in (grown, in_crawl))
        return {
            "site": row(ratio, note=note),
            "site_memory": row(max(*grown.megabytes, *in_crawl.megabytes), note=note),
        }

    def command(self) -> Rows:
        """`mainblock extract --learn` over many sites."""
        sites, pages = self.sizes.command_sites, self.sizes.command_pages
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "pages.jsonl")
            command_rows.write_pages(path, sites, pages // sites)
            count = pages // sites * sites
            one, two = (
                command_rows.extract_all(path, count=count, sites=sites, jobs=jobs)
                for jobs in (1, 2)
            )
        self.numbers["command"] = {
            f"jobs {run.jobs}": {
                "cpu": run.usage.cpu,
                "wall": run.usage.wall,
                "at_best": run.at_best,
                "peak": run.usage.peak,
                "peak_together": run.usage.peak_together,
            }
            for run in (one, two)
        }
        note = f"{count:,} pages of {sites} sites"
        return {
            "command_memory": row(max(one.usage.peak, two.usage.peak), note=note),
            "command_jobs": row(
                one.usage.wall / two.usage.wall,
                note=f"{note}; {one.usage.cpu / two.at_best:.2f} by CPU time",
            ),
        }

    def crawl(self) -> Rows:
        """A Scrapy crawl."""
        pages = self.sizes.crawl_pages
        found = {}
        with crawl_rows.served(pages, self.sizes.crawl_sites) as port:
            for kind in crawl_rows.kinds(peers=self.sizes.peer_passes > 0):
                found[kind] = crawl_rows.crawl(kind, port, pages)
        off = found["off"]
        self.numbers["crawl"] = {kind: asdict(one) for kind, one in found.items()}
        others = [kind for kind in found if kind not in ("on", "off")]
        note = f"{pages:,} pages of {self.sizes.crawl_sites} sites".replace(" 1 sites", " one site")
        return {
            "crawl": row(
                found["on"].cpu / off.cpu,
                {kind: found[kind].cpu / off.cpu for kind in others},
                note,
            ),
            "crawl_memory": row(
                found["on"].peak - off.peak,
                {kind: found[kind].peak - off.peak for kind in others},
                note,
            ),
        }

    def imported(self) -> Rows:
        """The import."""
        more, base = import_rows.milliseconds_more(self.sizes.processes)
        note = f"{self.sizes.processes} processes each; lxml and NumPy: {base:.0f} ms"
        return {"import": row(more, note=note)}

    def growth(self) -> Rows:
        """Sites and page sizes, for the plots."""
        most = self.sizes.grown_sites
        of_sites = growth_rows.of_sites([most // 8, most // 4, most // 2, most])
        of_size = growth_rows.of_size(self.sizes.page_sizes, min(3, self.sizes.passes))
        self.numbers["growth"] = {"sites": asdict(of_sites), "size": asdict(of_size)}
        return {}


PARTS: dict[str, Callable[[Bench], Rows]] = {
    "profile": Bench.profile,
    "page": Bench.page,
    "peers": Bench.peers,
    "where": Bench.where,
    "learning": Bench.learning,
    "import": Bench.imported,
    "site": Bench.site,
    "growth": Bench.growth,
    "crawl": Bench.crawl,
    "command": Bench.command,
}
