"""Cost of a page in parses: ours by rule and alone, beside other extractors, on the same pages.

    python -m benchmarks.speed PAGES.jsonl.gz ... --peers     labeled pages of your own
    python -m benchmarks.speed --peers                        made pages: the bundled demo site

A parse is one `lxml.html.document_fromstring` of the same bytes, in the same process. Every
extractor starts from the bytes, and is told that they are UTF-8. Times are CPU times; a figure is
the sum over the pages divided by the sum of their parses: the median over rounds, with the minimum
and the maximum in brackets. `page` and `9/10` are the median page and the 90th percentile.

Rules are learned from the other half of each site's pages (`pages.py`). F1 is the figure of
`mainblock eval` over the same pages, if they have `gold`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import lxml.etree
import lxml.html
import numpy as np

from scrapy_mainblock import compiled, extract
from scrapy_mainblock.cli.scoring.measures import Answer, Measured, Report, measure
from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page as OurPage

from . import peers
from .clock import Nanoseconds, time_rounds
from .pages import Lesson, Page, Pages, from_file, made
from .table import as_markdown, as_text

SMALL = 60_000
"""Bytes below which a page is small: the work done once per page weighs more there."""
AIM = 0.6
"""Parses that a page by rule should stay below."""
PARSE, BY_RULE, ALONE = "lxml parse", "ours with rules", "ours alone"
BODY_BY_RULE, BODY_ALONE = f"{BY_RULE}, body only", f"{ALONE}, body only"
OUTLINE, SCAN = "ours, outline alone", "ours, scan alone"
_BODY = ("headline", "articleBody", "articleBodyHtml")
"""The fields of the rows *body only*: what most peers return."""
_PARSER = lxml.html.HTMLParser(encoding="utf-8")


@dataclass(frozen=True)
class Row:
    """The cost of one extractor on some of the pages, in parses."""

    group: str
    """Which pages: those answered by a rule, or all of them."""
    name: str
    pages: int
    parses: float
    least: float
    most: float
    page: float
    nine_tenths: float
    small: float | None
    """The same as `parses`, for the pages under 60 KB."""
    below_aim: float
    """The share of the pages that cost less than `AIM`."""
    milliseconds: float
    f1: float | None


@dataclass(frozen=True)
class Learning:
    """The cost of learning, from bytes."""

    pages: int
    seconds: float
    """Seconds for 100 of the pages."""
    parses: float


@dataclass(frozen=True)
class Found:
    """The figures of one set of pages."""

    name: str
    pages: int
    sites: int
    by_rule: float
    """The share of the pages answered by a rule, among those whose site taught one."""
    rows: list[Row]
    learning: Learning | None


class Extractor:
    """A compared extractor: its work on a page, and the conversion of the result to an answer."""

    def __init__(self, work: Callable[[Page], Any], answer: Callable[[Any], Answer] | None) -> None:
        self.work, self.answer = work, answer

    def measured(self, page: Page) -> Measured | None:
        """Return the scores of its answer for a page; a page that makes it raise is a failure."""
        if self.answer is None:
            return None
        try:
            answer = self.answer(self.work(page))
        except Exception:  # a peer may raise anything
            answer = Answer(failed=True)
        return measure(page.row, answer)


def extractors(names: Iterable[str]) -> dict[str, Extractor]:
    """Return our extractors and the installed peers, by name."""
    found = {
        PARSE: Extractor(lambda page: lxml.html.document_fromstring(page.body, _PARSER), None),
        BY_RULE: Extractor(
            lambda page: extract(page.body, page.url, page.rules, site=page.row.site), _ours
        ),
        BODY_BY_RULE: Extractor(
            lambda page: extract(page.body, page.url, page.rules, site=page.row.site, fields=_BODY),
            _ours,
        ),
        ALONE: Extractor(lambda page: extract(page.body, page.url), _ours),
        BODY_ALONE: Extractor(lambda page: extract(page.body, page.url, fields=_BODY), _ours),
        # What a page costs before anything is decided, as the parse alone of a peer.
        OUTLINE: Extractor(lambda page: Outline(OurPage.of(page.body)), None),
        SCAN: Extractor(lambda page: scan(page.body), None),
    }
    for name, peer in peers.installed(tuple(names)).items():
        found[name] = Extractor(partial(_peer_work, peer), partial(_peer_answer, peer))
        if peer.parse is not None:
            found[f"{name}, parse alone"] = Extractor(partial(_peer_parse, peer), None)
    return found


def _peer_work(peer: peers.Peer, page: Page) -> Any:
    return peer.extract(page.body, page.url)


def _peer_parse(peer: peers.Peer, page: Page) -> object:
    assert peer.parse is not None
    return peer.parse(page.body)


def _peer_answer(peer: peers.Peer, found: Any) -> Answer:
    title, text = peer.answer(found)
    return Answer(body=text or "", headline=title or "")


def _ours(article: Any) -> Answer:
    return Answer(
        body=article.articleBody or "",
        headline=article.headline or "",
        by_rule=article.metadata["method"] == "rule",
    )


def _no_trouble(work: Callable[[Page], object], page: Page) -> None:
    with contextlib.suppress(Exception):  # the page counts as failed, and its time counts
        work(page)


def measure_pages(pages: Pages, names: Iterable[str], rounds: int) -> Found:
    """Return all figures of a set of pages."""
    known = extractors(names)
    # Run each once before timing: this loads what is loaded on first use, and gives the scores.
    right = {name: [one.measured(page) for page in pages.measured] for name, one in known.items()}
    works = {name: partial(_no_trouble, one.work) for name, one in known.items()}
    times = time_rounds(works, pages.measured, rounds)
    taught = [bool(page.rules.sites) for page in pages.measured]
    ruled = [one is not None and one.by_rule for one in right[BY_RULE]]
    groups = {f"by rule ({sum(ruled)} pages)": ruled, "all pages": [True] * len(ruled)}
    sizes = np.array([len(page.body) for page in pages.measured])
    rows = []
    for group, chosen in groups.items():
        of = np.flatnonzero(chosen)
        for name in known if len(of) else ():
            f1 = _f1([right[name][one] for one in of])
            own, parse = times[name][:, of], times[PARSE][:, of]
            figures = _figures(own, parse, sizes[of] < SMALL)
            rows.append(Row(group=group, name=name, pages=len(of), f1=f1, **figures))
    return Found(
        pages.name,
        len(pages.measured),
        len({page.row.site for page in pages.measured}),
        sum(ruled) / max(sum(taught), 1),
        rows,
        _learning(pages.lessons, rounds) if pages.lessons else None,
    )


def _f1(pages: Sequence[Measured | None]) -> float | None:
    groups = Report([page for page in pages if page is not None]).groups()
    return float(groups[-1]["f1"]) if groups else None


def _figures(own: Nanoseconds, parse: Nanoseconds, is_small: np.ndarray) -> dict[str, Any]:
    """Return the cost of some pages in parses."""
    rounds = own.sum(axis=1) / parse.sum(axis=1)
    each = np.sort(np.median(own, axis=0) / np.median(parse, axis=0))
    small = own[:, is_small].sum(axis=1) / parse[:, is_small].sum(axis=1).clip(1)
    return {
        "parses": float(np.median(rounds)),
        "least": float(rounds.min()),
        "most": float(rounds.max()),
        "page": float(np.median(each)),
        "nine_tenths": float(each[int(len(each) * 0.9)]),
        "small": float(np.median(small)) if is_small.any() else None,
        "below_aim": float((each < AIM).mean()),
        "milliseconds": float(np.median(own.sum(axis=1)) / own.shape[1] / 1e6),
    }


def _learning(lessons: Sequence[Lesson], rounds: int) -> Learning:
    works: dict[str, Callable[[Lesson], object]] = {"learn": Lesson.learn, "parse": _parse_all}
    times = time_rounds(works, lessons, rounds)
    pages = sum(len(lesson.pages) for lesson in lessons)
    seconds, parses = (times[name].sum(axis=1) / 1e9 for name in ("learn", "parse"))
    return Learning(pages, float(median(seconds)) / pages * 100, float(median(seconds / parses)))


def _parse_all(lesson: Lesson) -> None:
    for body, _ in lesson.pages:
        lxml.html.document_fromstring(body, _PARSER)


# --- tables --------------------------------------------------------------------------------------

HEAD = ["", "parses", "", "page", "9/10", "< 60 KB", f"< {AIM}", "ms", "F1"]


def lines_of(rows: Iterable[Row]) -> list[list[str]]:
    """Return the table of one group of pages."""
    return [
        HEAD,
        *(
            [
                row.name,
                _number(row.parses),
                f"({_number(row.least)}-{_number(row.most)})",
                _number(row.page),
                _number(row.nine_tenths),
                _number(row.small),
                f"{row.below_aim:.0%}",
                f"{row.milliseconds:.2f}",
                "" if row.f1 is None else f"{row.f1:.3f}",
            ]
            for row in rows
        ),
    ]


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def print_found(found: Found, *, markdown: bool) -> None:
    """Print the tables of one set of pages."""
    write = as_markdown if markdown else as_text
    print(f"\n{found.name}: {found.pages} pages of {found.sites} sites")
    print(f"answered by a rule, of the pages whose site taught one: {found.by_rule:.0%}")
    for group in dict.fromkeys(row.group for row in found.rows):
        print(f"\n{group}")
        print(write(lines_of(row for row in found.rows if row.group == group)))
    if found.learning:
        learning = found.learning
        print(
            f"\nlearning 100 of them: {learning.seconds:.3f} s, {learning.parses:.2f} parses"
            f" ({learning.pages} pages)"
        )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made_parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made_parser.add_argument("files", nargs="*", metavar="PAGES", help="JSON lines, may be gzipped")
    made_parser.add_argument("--made", action="store_true", help="made pages after the files")
    made_parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    made_parser.add_argument("--pages", type=int, metavar="N", help="the first N of a file")
    made_parser.add_argument(
        "--articles", type=int, default=40, metavar="N", help="made pages of each template"
    )
    made_parser.add_argument(
        "--peers",
        nargs="*",
        choices=peers.NAMES,
        metavar="NAME",
        help=f"other extractors, where installed: {', '.join(peers.NAMES)} (default: all)",
    )
    made_parser.add_argument("--markdown", action="store_true", help="tables for the docs")
    made_parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as well")
    return made_parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    names = () if options.peers is None else options.peers or peers.NAMES
    print(
        f"lxml {lxml.etree.__version__}, Python {sys.version.split()[0]},"
        f" scrapy-mainblock {compiled.describe()}; median of {options.rounds} rounds"
    )
    sets = [partial(from_file, name, options.pages) for name in options.files]
    if options.made or not options.files:
        sets.append(partial(made, options.articles))
    figures = []
    for load in sets:
        found = measure_pages(load(), names, options.rounds)
        print_found(found, markdown=options.markdown)
        figures.append(asdict(found))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
