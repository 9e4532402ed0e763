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
from scrapy_mainblock.core.page import decode
from scrapy_mainblock.curves import report, sweep
from scrapy_mainblock.inputs import Inputs


def run_curves(options: argparse.Namespace) -> int:
    """Count over all pages, then write the report."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    counted = sweep.Sweep()
    with Progress("counting", inputs) as progress:
        for page in progress.over(inputs):
            if page.html is not None:
                source = decode(page.html)
                label = page.meta.get("page_type")
                kind = sweep.page_kind(source, label if isinstance(label, str) else None)
                counted.add(source, kind)
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
