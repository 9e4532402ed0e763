"""`mainblock blocks PAGE`: show the logical link blocks of one page [Wang14]."""

from __future__ import annotations

import argparse
import json

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, complain, say
from scrapy_mainblock.cli.files.one_page import body_of_one_page
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks
from scrapy_mainblock.papers.wang14.links import Texts

_EXCERPT = 60


def run_blocks(options: argparse.Namespace) -> int:
    """Print the link blocks, and the page's LCR and CCR."""
    try:
        body = body_of_one_page(options.page)
    except OSError as error:
        complain(f"{options.page}: {error.strerror}")
        return SOME_UNREADABLE
    page = Outline(Page.of(body, options.url))
    found = link_blocks(
        page,
        measure=options.measure,
        c_t=options.links,
        d_t=options.distance,
        spare_prose=options.spare_prose,
    )
    texts = Texts(page)
    excerpts = [" ".join(texts.between(start, end).split()) for start, end, _ in found.blocks]
    found = found.in_characters(page.rows.source)
    if options.json:
        spans = [list(block) for block in found.blocks]
        say(json.dumps({"link_blocks": spans, "lcr": found.lcr, "ccr": found.ccr}))
        return DONE
    say(f"{'start':>8} {'end':>8} {'links':>6}  text")
    for (start, end, links), text in zip(found.blocks, excerpts, strict=True):
        shown = text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 3]}..."
        say(f"{start:8} {end:8} {links:6}  {shown}")
    say(
        f"{len(found.blocks)} link blocks hold {found.block_links} of {found.page_links} links"
        f" (LCR {found.lcr:.3f}) and {found.ccr:.3f} of the code (CCR)"
    )
    return DONE
