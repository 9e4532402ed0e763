"""From a page to its content: by a rule, or by one of the methods that look at one page alone.

A method takes a page and gives the content, or None. Where it scores elements or segments, the
content is rendered from the tree; where it works on lines or on the source, from their texts.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple, get_args

from lxml.html import HtmlElement

from scrapy_mainblock.core import (
    confidence,
    density,
    farsw,
    features,
    linkblocks,
    linkdensity,
    markup,
    wpmte,
)
from scrapy_mainblock.core.counts import Node
from scrapy_mainblock.core.described import described
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.places import EVERYTHING
from scrapy_mainblock.core.reading import Reading
from scrapy_mainblock.core.rules import ClusterRule, Hit
from scrapy_mainblock.core.segments import Segments, segment
from scrapy_mainblock.core.text import show, without_controls

Method = Literal["auto", "cluster", "density", "linkdensity", "farsw", "linkblocks", "wpmte"]
METHODS: tuple[Method, ...] = get_args(Method)

TOLD_STRENGTH = 0.1
"""A description is mostly the beginning of the text at best."""
LINE_STRENGTH = 0.5
"""The methods that label lines give no number for the whole."""


class Content(NamedTuple):
    """Main content, and how strongly its method spoke for it, 0 to 1."""

    text: str
    html: str
    strength: float


def from_blocks(
    blocks: Iterable[HtmlElement],
    url: str | None,
    strength: float,
    without: Collection[HtmlElement] = (),
) -> Content | None:
    """The content of elements, `without` some in them; None when a reader sees no text."""
    return from_segments(((segment(block, without), None) for block in blocks), url, strength)


def from_segments(
    pages: Iterable[tuple[Segments, Sequence[bool] | None]], url: str | None, strength: float
) -> Content | None:
    """The content of the kept segments of blocks; None when a reader sees no text in them."""
    text, as_html = show(pages, url)
    return Content(text, as_html, strength) if text else None


def from_lines(lines: Iterable[str], strength: float) -> Content | None:
    """The content of lines of text, a paragraph each; None when they hold none."""
    paragraphs = [" ".join(without_controls(line).split()) for line in lines]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    if not paragraphs:
        return None
    as_html = "".join(f"<p>{html.escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)
    return Content("\n\n".join(paragraphs), as_html, strength)


def by_rule(hit: Hit, cluster: ClusterRule, reading: Reading) -> Content | None:
    """The content of the block that a rule found, less what the rule leaves out."""
    places = cluster.rule.places
    page = reading.under(hit.block)
    kept = None
    asked: list[int] = []

    def judged(unsure: Sequence[int]) -> list[bool]:
        asked.extend(unsure)
        return reading.judged_under(hit.block, unsure)

    if places != EVERYTHING and len(page):
        kept = places.kept(
            page,
            judged,
            lambda: reading.chains_under(hit.block),
            features.headline_place(page, reading.headline or ""),
        )
        muted = places.inline_left_out(hit.block)
        if muted:
            page = segment(hit.block, muted=muted)
    probability = _probability(cluster, page, kept, asked)
    return from_segments([(page, kept)], reading.page.base, probability)


def _probability(
    cluster: ClusterRule, page: Segments, kept: Sequence[bool] | None, asked: Sequence[int]
) -> float:
    """How likely what a rule keeps of a page is right."""
    judged = cluster.judged
    if judged is None or cluster.pinned:
        return cluster.agreement
    whole, all_kept = page.lengths(kept)
    left = sum(len(page.texts[one]) for one in asked if kept is not None and not kept[one])
    return confidence.by_rule(
        confidence.OfRule(
            judged.confidence,
            cluster.agreement,
            next((share for kind, share in judged.types if kind == "documentation"), 0.0),
            1 - all_kept / max(whole, 1),
            left / max(all_kept + left, 1),
        )
    )


def by_model(reading: Reading) -> Content | None:
    """`auto`, on a page alone: the segments that are likely content."""
    kept = reading.kept
    if not kept.any():
        return _by_description(reading)
    pages = [(reading.segments, kept.tolist())]
    return from_segments(pages, reading.page.base, reading.confidence)


def _by_description(reading: Reading) -> Content | None:
    """What the page says of itself, if that is more than what it shows."""
    told = described(reading.root)
    shown = reading.sizes.sum()
    return from_lines(told, TOLD_STRENGTH) if sum(map(len, told)) > shown else None


def by_density(page: Page, nodes: Sequence[Node], settings: wang18.Settings) -> Content | None:
    """[Wang18] without clustering: the block with the highest H."""
    best = density.densest_block(nodes, settings)
    if best is None:
        return None
    # H without its divisor: how much of the page's text, and how few of its links, are in there.
    strength = best.density * (1 + best.node.size * settings.alpha)
    return from_blocks([best.node.element], page.base, strength)


def by_link_density(page: Page, nodes: Sequence[Node]) -> Content | None:
    """[Guna12]: the nodes that meet the precise conditions."""
    found = linkdensity.content_nodes(nodes)
    held = sum(node.text for node in found)
    unrelated = {node.element for node in nodes if node.tag in linkdensity.UNRELATED_TAGS}
    strength = held / (1 + nodes[0].text)
    return from_blocks([node.element for node in found], page.base, strength, unrelated)


def by_link_blocks(page: Page, _nodes: Sequence[Node]) -> Content | None:
    """[Wang14] as an extractor: the text that is left between the link blocks."""
    found = linkblocks.link_blocks(page.source)
    left = linkblocks.text_between_blocks(page.source, found)
    return from_lines(markup.lines_of_text(left), 1 - found.ccr)


def by_fuzzy_rules(
    page: Page, _nodes: Sequence[Node], model: farsw.FarswModel = farsw.DEFAULT_MODEL
) -> Content | None:
    """[Bu14]: the lines of the informative blocks; untrained by the paper's inter-site rule."""
    lines = [] if page.body is None else farsw.extract_lines(page.body, model)
    return from_lines((line.text for line in lines), LINE_STRENGTH)


def by_paragraph_lengths(page: Page, _nodes: Sequence[Node]) -> Content | None:
    """[Zhou09], WPMTE: the paragraphs that are long enough."""
    lines = [] if page.body is None else wpmte.extract_lines(page.body)
    return from_lines((line.text for line in lines), LINE_STRENGTH)


PageMethod = Callable[[Page, Sequence[Node]], Content | None]

_PAPERS: Mapping[Method, PageMethod] = {
    "cluster": partial(by_density, settings=wang18.PAPER),
    "density": partial(by_density, settings=wang18.PAPER),
    "farsw": by_fuzzy_rules,
    "linkblocks": by_link_blocks,
    "linkdensity": by_link_density,
    "wpmte": by_paragraph_lengths,
}


def by_method(
    method: Method, reading: Reading, model: farsw.FarswModel | None = None
) -> Content | None:
    """The content of a page by one of the methods, looking at nothing but the page."""
    if method == "auto":
        return by_model(reading)
    page = reading.page
    if method == "farsw" and model is not None:
        return by_fuzzy_rules(page, page.nodes, model)
    return _PAPERS[method](page, page.nodes)
