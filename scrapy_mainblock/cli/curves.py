"""`mainblock curves`: figures 4 to 8 of [Wang14] over one's own pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Progress,
    Troubles,
    UsageError,
    say,
)
from scrapy_mainblock.cli.inputs import Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.wang14.curves import report, sweep


def run_curves(options: argparse.Namespace) -> int:
    """Count over all pages, then write the report."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    counted = sweep.Sweep()
    with Progress("counting", inputs) as progress:
        for page in progress.over(inputs):
            if page.html is not None:
                outline = Outline(Page.of(page.html, page.url))
                label = page.meta.get("page_type")
                kind = sweep.page_kind(outline, label if isinstance(label, str) else None)
                counted.add(outline, kind)
    result = counted.result()
    text = report.render(result, sources=options.inputs)
    try:
        Path(options.output).write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"cannot write {options.output}: {error.strerror}") from None
    troubles.summary()
    say(
        f"{options.output}: figures 4 to 8 over {result.index.pages} index"
        f" and {result.content.pages} content pages"
    )
    return SOME_UNREADABLE if troubles.count else DONE
