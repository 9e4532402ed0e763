"""The readings of the papers that were tried, on labelled pages.

    python benchmarks/paper_variants.py GOLD.jsonl.gz

Each paper leaves something open, or prints a setting that fits the pages of its year. This prints
token F1 of the body alone for each reading, over the same pages in one run, so that the choices
in `scrapy_mainblock.core.papers` can be checked.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from scrapy_mainblock.core import farsw, linkblocks, linkdensity, markup, wpmte
from scrapy_mainblock.core.counts import Node, count
from scrapy_mainblock.core.methods import Content, by_density, from_blocks, from_lines
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.papers import guna12, wang18
from scrapy_mainblock.core.tokens import Score, score, tokens
from scrapy_mainblock.inputs import Inputs

Variant = Callable[[Page, Sequence[Node]], Content | None]

NEVER = 2.0  # no node holds twice the page's text


def by_link_density(
    page: Page, nodes: Sequence[Node], basic: guna12.Thresholds, general_share: float
) -> Content | None:
    found = linkdensity.content_nodes(nodes, basic, general_share=general_share)
    return from_blocks([node.element for node in found], page.url, 0.0)


def by_link_blocks(page: Page, _nodes: Sequence[Node], **settings: Any) -> Content | None:
    found = linkblocks.link_blocks(page.source, url=page.url, **settings)
    left = linkblocks.text_between_blocks(page.source, found)
    return from_lines(markup.lines_of_text(left), 0.0)


def outside_of_link_blocks(page: Page, _nodes: Sequence[Node]) -> Content | None:
    return from_lines([line for piece in _pieces(page) for line in piece], 0.0)


def longest_outside_of_link_blocks(page: Page, _nodes: Sequence[Node]) -> Content | None:
    longest = max(_pieces(page), key=lambda piece: sum(map(len, piece)), default=[])
    return from_lines(longest, 0.0)


def _pieces(page: Page) -> list[list[str]]:
    """The text before, between and behind the link blocks of the body."""
    source = page.source
    body = re.search(r"<body\b[^>]*>", source, re.IGNORECASE)
    blocks = linkblocks.link_blocks(source).blocks
    cuts = [body.end() if body else 0, *(e for b in blocks for e in (b.start, b.end)), len(source)]
    return [markup.lines_of_text(source[a:b]) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]


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


def by_fuzzy_rules(page: Page, _nodes: Sequence[Node], model: farsw.FarswModel) -> Content | None:
    return from_lines((line.text for line in farsw.extract_lines(page.body, model)), 0.0)


def by_lengths(page: Page, _nodes: Sequence[Node], short: int, long: int) -> Content | None:
    lines = wpmte.extract_lines(page.body, short=short, long=long)
    return from_lines((line.text for line in lines), 0.0)


def bu14_variants() -> dict[str, Variant]:
    models = {f"Phi {phi}": replace(farsw.DEFAULT_MODEL, phi=phi) for phi in (0, 2, 3, 5, 8, 12)}
    models["the rule and the regions as printed"] = farsw.PAPER_MODEL
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    options = parser.parse_args()
    scores: dict[str, list[Score]] = {name: [] for name in VARIANTS}
    for row in Inputs(options.inputs, print):
        page = Page.of(row.html or "", row.url)
        if row.gold is None or page.root is None:
            continue
        nodes, gold = count(page.root), tokens(row.gold)
        for name, variant in VARIANTS.items():
            content = variant(page, nodes)
            scores[name].append(score(tokens(content.text if content else ""), gold))
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


if __name__ == "__main__":
    main()
