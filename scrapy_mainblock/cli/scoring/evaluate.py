"""`mainblock eval`: score methods on labeled pages, and other extractors beside them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Any

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    Progress,
    UsageError,
    put,
)
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.cli.jobs import ordered_map
from scrapy_mainblock.cli.passes import LEARN, Extracted, Extractor, Method, learned_extractor
from scrapy_mainblock.cli.scoring import figures, peers
from scrapy_mainblock.cli.scoring.measures import Answer, Measured, Report, is_gold, measure
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL
from scrapy_mainblock.render.article import Article


def run_eval(options: argparse.Namespace) -> int:
    """Score methods and peers on labeled pages."""
    problems = Problems()
    inputs = Inputs(options.inputs, problems)
    names = peers.chosen(options.peers) if options.peers else []
    to_file = options.json not in {None, STANDARD_OUTPUT}
    made = output(options.json, "--json", options.inputs) if to_file else nullcontext()
    with made as stream:
        found = _measured_by_all(inputs, names, options, problems)
        if not inputs.pages:
            raise NothingReadError(problems, options.json if to_file else STANDARD_OUTPUT)
        if not problems.count and not any(map(any_figures, found.values())):
            raise UsageError(
                'nothing to compare with: no row has "gold", or "attrs" or "page_type" in "meta"'
            )
        text = json.dumps(found, ensure_ascii=False, indent=2) + "\n"
        if stream is not None:
            stream.write(text.encode("utf-8", "backslashreplace"))
    if options.json == STANDARD_OUTPUT:
        put(text)
    else:
        figures.print_reports(found)
    return SOME_UNREADABLE if problems.count else DONE


def _measured_by_all(
    inputs: Inputs, names: list[str], options: argparse.Namespace, problems: Problems
) -> dict[str, dict[str, Any]]:
    reports = {}
    try:
        inputs.spool_standard_input()
        for method in options.method or ["auto"]:
            reports[method] = Report(_of_method(inputs, method, options))
        reports.update(_of_peers(inputs, names, options.jobs))
    finally:
        inputs.close()
        problems.summary()
    return {name: report.to_dict(options.by) for name, report in reports.items()}


def any_figures(report: dict[str, Any]) -> bool:
    """Return whether a report has any figures."""
    return any(report.values())


# --- our methods ---------------------------------------------------------------------------------


def _of_method(inputs: Inputs, method: Method, options: argparse.Namespace) -> Iterator[Measured]:
    model = read_model(options.model) if options.model else None
    if options.learn and method in LEARN:
        extractor = learned_extractor(inputs, method, options.jobs, model)
    else:
        extractor = Extractor(method, model=model or DEFAULT_MODEL)
    with Progress(f"extracting ({method})", inputs) as progress:
        work = partial(_measured, extractor=extractor)
        pages = filter(is_gold, progress.over(inputs))
        yield from ordered_map(work, pages, options.jobs)


def _measured(page: InputPage, extractor: Extractor) -> Measured:
    return measure(page, answer_of(extractor.article(page)))


def answer_of(article: Article) -> Answer:
    """Return the parts of an article that are measured."""
    found = article.metadata
    return Answer(
        body=article.articleBody or "",
        headline=article.headline or "",
        probability=found["probability"],
        page_type=found["pageType"],
        cluster=found["cluster"],
        by_rule=found["method"] == "rule",
    )


# --- other extractors ----------------------------------------------------------------------------


def _of_peers(inputs: Inputs, names: list[str], jobs: int) -> dict[str, Report]:
    """Return a report for each peer, from one pass over the pages."""
    measured: list[list[Measured]] = [[] for _ in names]
    if names:
        with peers.running(names, jobs) as answers, Progress("peers", inputs) as progress:
            for page in filter(is_gold, progress.over(inputs)):
                for pages, answer in zip(measured, answers(page), strict=True):
                    pages.append(measure(page, answer))
    return {
        peers.title_of(name): Report(pages) for name, pages in zip(names, measured, strict=True)
    }


# --- for tools -----------------------------------------------------------------------------------


def report_of(extracted: Iterable[Extracted]) -> Report:
    """Return the report on pages that were extracted already."""
    return Report(
        measure(one.page, answer_of(one.article)) for one in extracted if is_gold(one.page)
    )
