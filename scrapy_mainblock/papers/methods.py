"""The papers' extraction methods by name, from an Outline to an Article (`extract --method`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from scrapy_mainblock.fields.headline import headline_by_titles
from scrapy_mainblock.judge import decision as reasons
from scrapy_mainblock.judge import page_type
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import extent
from scrapy_mainblock.papers.bu14.extract import extract_lines as lines_by_fuzzy_rules
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, FarswModel
from scrapy_mainblock.papers.guna12.content_nodes import UNRELATED_TAGS, content_nodes
from scrapy_mainblock.papers.nodes import nodes_of
from scrapy_mainblock.papers.wang14.link_blocks import lines_between, link_blocks
from scrapy_mainblock.papers.wang18.densest_block import densest_block, path_set
from scrapy_mainblock.papers.wang18.equations import PAPER
from scrapy_mainblock.papers.wang18.rules import ClusterRules
from scrapy_mainblock.papers.zhou09.main_text import extract_lines as lines_by_length
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.render.render import from_lines, render
from scrapy_mainblock.template.rules import find_block

PaperMethod = Literal["cluster", "density", "linkdensity", "farsw", "linkblocks", "wpmte"]
PAPER_METHODS: tuple[PaperMethod, ...] = get_args(PaperMethod)

LINE_PROBABILITY = 0.5
"""Probability reported by methods that label lines, which do not rate the whole page."""


class Content(NamedTuple):
    """The content that a method found: either segments of the page or lines of text."""

    segments: Iterable[int] = ()
    lines: Iterable[str] = ()
    muted: tuple[int, ...] = ()
    """Inline elements to leave out."""
    strength: float = 0.0
    """How strongly the method supports this content, 0 to 1."""


def by_density(page: Outline) -> Content:
    """Return the block with the highest H: [Wang18] without clustering."""
    best = densest_block(nodes_of(page), PAPER)
    if best is None:
        return Content()
    # H without its divisor: high if the block holds much of the page's text and few of its links.
    strength = best.density * (1 + best.node.size * PAPER.alpha)
    return Content(_segments_of(page, [best.node.element]), strength=strength)


def by_link_density(page: Outline) -> Content:
    """Return the nodes that meet the precise conditions of [Guna12]."""
    nodes = nodes_of(page)
    found = content_nodes(nodes)
    unrelated = [node.element for node in nodes if node.tag in UNRELATED_TAGS]
    kept = _segments_of(page, [node.element for node in found])
    strength = sum(node.text for node in found) / (1 + nodes[0].text)
    within_lines = [one for one in unrelated if page.rows.block_of[one] < 0]
    blocks = _segments_of(page, [one for one in unrelated if page.rows.block_of[one] >= 0])
    return Content(kept - blocks, strength=strength, muted=tuple(within_lines))


def by_link_blocks(page: Outline) -> Content:
    """Return the text between the link blocks: [Wang14] used as an extractor."""
    found = link_blocks(page)
    return Content(lines=lines_between(page, found), strength=1 - found.ccr)


def by_fuzzy_rules(page: Outline, model: FarswModel = DEFAULT_MODEL) -> Content:
    """Return the informative blocks' lines [Bu14]; the untrained model has its inter-site rule."""
    lines = lines_by_fuzzy_rules(page, model)
    return Content(lines=(line.text for line in lines), strength=LINE_PROBABILITY)


def by_paragraph_lengths(page: Outline) -> Content:
    """Return the paragraphs that are long enough: [Zhou09], WPMTE."""
    lines = lines_by_length(page)
    return Content(lines=(line.text for line in lines), strength=LINE_PROBABILITY)


def _segments_of(page: Outline, elements: Iterable[int]) -> set[int]:
    """Return the segments under the given elements."""
    found: set[int] = set()
    for element in elements:
        under = extent(page.rows, element)
        found.update(range(under.first, under.end))
    return found


_METHODS: Mapping[PaperMethod, Callable[[Outline], Content]] = {
    "cluster": by_density,
    "density": by_density,
    "farsw": by_fuzzy_rules,
    "linkblocks": by_link_blocks,
    "linkdensity": by_link_density,
    "wpmte": by_paragraph_lengths,
}


def extract_by(
    method: PaperMethod,
    page: Outline,
    rules: ClusterRules | None = None,
    model: FarswModel = DEFAULT_MODEL,
) -> Article:
    """Extract an Article from a page with one of the papers' methods.

    Only "cluster" uses `rules`, only "farsw" uses `model`.
    """
    headline = headline_by_titles(page).text
    if method == "cluster" and rules is not None:
        found = by_cluster(page, rules)
        if found is not None:
            return render(page, found, headline)
    content = by_fuzzy_rules(page, model) if method == "farsw" else _METHODS[method](page)
    kept = np.zeros(page.rows.segment_count, np.uint8)
    kept[list(content.segments)] = 1
    body = from_lines(content.lines)
    decision = Decision(
        "page" if kept.any() or body.text else "none",
        kept=kept.tobytes(),
        why=np.where(kept, reasons.PINNED, reasons.UNLIKELY).astype(np.uint8).tobytes(),
        root=page.rows.body,
        muted=content.muted,
        probability=content.strength,
        page_type=page_type.by_links(page.rows),
        reason=None if kept.any() or body.text else "no main block found",
        page=page,
    )
    article = render(page, decision, headline)
    if not body.text:
        return article
    return replace(article, articleBody=body.text, articleBodyHtml=body.html)


def by_cluster(page: Outline, rules: ClusterRules) -> Decision | None:
    """Return the block found by the rule of the page's cluster [Wang18]; None if there is none."""
    rule = rules.rule_for(path_set(nodes_of(page), rules.settings))
    search = find_block(rule, page) if rule else None
    if search is None or search.hit is None or search.hit.under.first == search.hit.under.end:
        return None
    hit = search.hit
    why = np.full(page.rows.segment_count, reasons.OUTSIDE, np.uint8)
    why[hit.under.first : hit.under.end] = reasons.PINNED
    return Decision(
        "rule",
        kept=(why <= reasons.PINNED).tobytes(),
        why=why.tobytes(),
        root=hit.element,
        probability=1.0,
        page_type=page_type.by_links(page.rows, hit.under.first, hit.under.end),
        rule={hit.selector: hit.value},
        tried=search.tried,
        page=page,
    )
