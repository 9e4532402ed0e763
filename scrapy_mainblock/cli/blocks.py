"""`mainblock blocks PAGE`: the logical link blocks of one page [Wang14]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, complain, say
from scrapy_mainblock.core import markup
from scrapy_mainblock.core.linkblocks import link_blocks
from scrapy_mainblock.core.page import decode

_EXCERPT = 60


def run_blocks(options: argparse.Namespace) -> int:
    """Print the spans, and LCR and CCR."""
    try:
        name = options.page
        body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        complain(f"{options.page}: {error.strerror}")
        return SOME_UNREADABLE
    source = decode(body)
    found = link_blocks(
        source,
        measure=options.measure,
        c_t=options.links,
        d_t=options.distance,
        spare_prose=options.spare_prose,
        url=options.url,
    )
    if options.json:
        spans = [list(block) for block in found.blocks]
        say(json.dumps({"link_blocks": spans, "lcr": found.lcr, "ccr": found.ccr}))
        return DONE
    say(f"{'start':>8} {'end':>8} {'links':>6}  text")
    for start, end, links in found.blocks:
        text = " ".join(markup.without_markup(source[start:end]).split())
        shown = text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 3]}..."
        say(f"{start:8} {end:8} {links:6}  {shown}")
    say(
        f"{len(found.blocks)} link blocks hold {found.block_links} of {found.page_links} links"
        f" (LCR {found.lcr:.3f}) and {found.ccr:.3f} of the code (CCR)"
    )
    return DONE
