"""The interpretations of the papers that were tried, scored on labeled pages.

    python -m benchmarks.paper_variants GOLD.jsonl.gz

Each paper leaves something open, or prints a setting that fits the pages of its year. This prints
the token F1 of the body alone for each interpretation, over the same pages in one run, so that the
choices in `scrapy_mainblock.papers` can be checked.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import extent
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.tokens import Score, score, tokens
from scrapy_mainblock.papers.bu14 import extract as bu14
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, PAPER_MODEL, FarswModel
from scrapy_mainblock.papers.guna12 import equations as guna12
from scrapy_mainblock.papers.guna12.content_nodes import content_nodes
from scrapy_mainblock.papers.nodes import Node, nodes_of
from scrapy_mainblock.papers.wang14.link_blocks import lines_between, link_blocks
from scrapy_mainblock.papers.wang14.links import Texts
from scrapy_mainblock.papers.wang18 import equations as wang18
from scrapy_mainblock.papers.wang18.densest_block import densest_block
from scrapy_mainblock.papers.zhou09.main_text import extract_lines
from scrapy_mainblock.render.render import from_segments

NEVER = 2.0  # no node holds twice the page's text


class Read(NamedTuple):
    """A page, and its nodes as [Wang18] and [Guna12] count them."""

    page: Outline
    nodes: Sequence[Node]


Variant = Callable[[Read], str]
"""A function from a page to its text."""


def text_of(page: Outline, elements: Iterable[int]) -> str:
    """Return the text under some elements."""
    kept = np.zeros(page.rows.segment_count, np.uint8)
    for element in elements:
        under = extent(page.rows, element)
        kept[under.first : under.end] = 1
    return from_segments(page, kept.tobytes(), page.rows.body).text


def by_density(read: Read, settings: wang18.Settings) -> str:
    best = densest_block(read.nodes, settings)
    return text_of(read.page, [best.node.element]) if best else ""


def by_link_density(read: Read, basic: guna12.Thresholds, general_share: float) -> str:
    found = content_nodes(read.nodes, basic, general_share=general_share)
    return text_of(read.page, [node.element for node in found])


def by_link_blocks(read: Read, **settings: Any) -> str:
    return "\n".join(lines_between(read.page, link_blocks(read.page, **settings)))


def outside_of_link_blocks(read: Read) -> str:
    return "\n".join(line for piece in _pieces(read.page) for line in piece)


def longest_outside_of_link_blocks(read: Read) -> str:
    longest = max(_pieces(read.page), key=lambda piece: sum(map(len, piece)), default=[])
    return "\n".join(longest)


def _pieces(page: Outline) -> list[list[str]]:
    """Return the lines before, between and behind the link blocks of the page."""
    blocks = link_blocks(page).blocks
    cuts = [0, *(edge for block in blocks for edge in block[:2]), len(page.rows.source)]
    texts = Texts(page)
    return [list(texts.lines(a, b)) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]


def wang18_variants() -> dict[str, Variant]:
    today, paper = wang18.TODAY, wang18.PAPER
    tags = {"div, table": paper.block_tags, "and today's containers": today.block_tags}
    return {
        f"[Wang18] alpha {alpha}, {name}": partial(
            by_density, settings=replace(today, alpha=alpha, block_tags=block_tags)
        )
        for alpha in (0.3, 0.1, 0.03, 0.01, 0.003)
        for name, block_tags in tags.items()
    }


def by_fuzzy_rules(read: Read, model: FarswModel) -> str:
    return "\n".join(line.text for line in bu14.extract_lines(read.page, model))


def by_lengths(read: Read, short: int, long: int) -> str:
    return "\n".join(line.text for line in extract_lines(read.page, short=short, long=long))


def bu14_variants() -> dict[str, Variant]:
    models = {f"Phi {phi}": replace(DEFAULT_MODEL, phi=phi) for phi in (0, 2, 3, 5, 8, 12)}
    models["the rule and the regions as printed"] = PAPER_MODEL
    return {
        **{f"[Bu14] {name}": partial(by_fuzzy_rules, model=m) for name, m in models.items()},
        **{
            f"[Zhou09] {short} and {long} words": partial(by_lengths, short=short, long=long)
            for short, long in ((10, 20), (20, 30), (20, 60), (30, 40))
        },
    }


VARIANTS: dict[str, Variant] = {
    **wang18_variants(),
    **bu14_variants(),
    "[Guna12] as printed, LA a bound in step 3": partial(
        by_link_density, basic=guna12.BASIC_AS_PRINTED, general_share=NEVER
    ),
    "[Guna12] LA no bound in step 3": partial(
        by_link_density, basic=guna12.BASIC, general_share=NEVER
    ),
    "[Guna12] LA a bound, general nodes looked into": partial(
        by_link_density, basic=guna12.BASIC_AS_PRINTED, general_share=guna12.GENERAL_SHARE
    ),
    "[Guna12] LA no bound, general nodes looked into": partial(
        by_link_density, basic=guna12.BASIC, general_share=guna12.GENERAL_SHARE
    ),
    "[Wang14] text between the first link block and the last": by_link_blocks,
    "[Wang14] ... links in prose spared": partial(by_link_blocks, spare_prose=True),
    "[Wang14] ... by code distance": partial(by_link_blocks, measure="code"),
    "[Wang14] all text outside of link blocks": outside_of_link_blocks,
    "[Wang14] the longest piece outside of them": longest_outside_of_link_blocks,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.paper_variants", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    options = parser.parse_args(arguments)
    scores: dict[str, list[Score]] = {name: [] for name in VARIANTS}
    for row in Inputs(options.inputs, print):
        if row.gold is None or row.html is None:
            continue
        page = Outline(Page.of(row.html, row.url))
        read, gold = Read(page, nodes_of(page)), tokens(row.gold)
        for name, variant in VARIANTS.items():
            scores[name].append(score(tokens(variant(read)), gold))
    width = max(map(len, VARIANTS))
    print(f"{'':{width}}  pages  precision  recall     F1   good  wrong")
    for name, found in scores.items():
        pages = max(len(found), 1)
        means = [sum(one[i] for one in found) / pages for i in range(3)]
        good = sum(one.f1 >= 0.9 for one in found) / pages
        wrong = sum(one.f1 < 0.5 for one in found) / pages
        print(
            f"{name:{width}}  {len(found):5}  {means[0]:9.3f}  {means[1]:6.3f}  {means[2]:5.3f}"
            f"  {good:5.2f}  {wrong:5.3f}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
