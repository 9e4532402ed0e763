"""`mainblock curves`: draw figures 4 to 8 of [Wang14] for the user's own pages."""

from __future__ import annotations

import argparse

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    Progress,
    say,
)
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.wang14.curves import report, sweep


def run_curves(options: argparse.Namespace) -> int:
    """Count over all pages, then write the report."""
    problems = Problems()
    inputs = Inputs(options.inputs, problems)
    with output(options.output, "-o", options.inputs) as stream:
        counted = _counted(inputs)
        if not inputs.pages:
            raise NothingReadError(problems, options.output)
        result = counted.result()
        stream.write(report.render(result, sources=options.inputs).encode("utf-8", "replace"))
    problems.summary()
    if options.output != STANDARD_OUTPUT:
        say(
            f"{options.output}: figures 4 to 8 over {result.index.pages} index"
            f" and {result.content.pages} content pages"
        )
    return SOME_UNREADABLE if problems.count else DONE


def _counted(inputs: Inputs) -> sweep.Sweep:
    counted = sweep.Sweep()
    with Progress("counting", inputs) as progress:
        for page in progress.over(inputs):
            if page.html is not None:
                outline = Outline(Page.of(page.html, page.url))
                label = page.meta.get("page_type")
                kind = sweep.page_kind(outline, label if isinstance(label, str) else None)
                counted.add(outline, kind)
    return counted
