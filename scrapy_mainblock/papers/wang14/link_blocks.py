"""The logical link blocks of a page [Wang14], regardless of the elements around the links.

`link_blocks` finds the links, measures the distance between adjacent links, splits where it reaches
``d_t``, and keeps the runs of at least ``C_t`` links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page import urls
from scrapy_mainblock.page.sites import registered_domain
from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.papers.wang14.code_distance import code_distance
from scrapy_mainblock.papers.wang14.links import Link, Texts, find_links
from scrapy_mainblock.papers.wang14.text_units import text_length

FAR_IN_WORDS = 6
"""Maximum words of a text unit (a date): a gap with this many words per unit is surely far."""


class LinkBlock(NamedTuple):
    """A logical link block: ``source[start:end]`` spans its `links` links, from first to last."""

    start: int
    end: int
    links: int


@dataclass(frozen=True)
class LinkBlocks:
    """The link blocks of one page, and the page's totals that LCR and CCR relate them to."""

    blocks: tuple[LinkBlock, ...]
    page_links: int
    page_length: int

    @property
    def block_links(self) -> int:
        """C_BlockLinks: the number of links in blocks."""
        return sum(block.links for block in self.blocks)

    @property
    def lcr(self) -> float:
        """The link coverage ratio."""
        return wang14.lcr(self.block_links, self.page_links)

    @property
    def ccr(self) -> float:
        """The code coverage ratio."""
        covered = sum(block.end - block.start for block in self.blocks)
        return wang14.ccr(covered, self.page_length)

    def in_characters(self, source: bytes) -> LinkBlocks:
        """Return the same blocks with offsets and lengths in characters instead of UTF-8 bytes."""
        if source.isascii():
            return self
        edges = sorted({0, len(source), *(edge for block in self.blocks for edge in block[:2])})
        places, count = {0: 0}, 0
        for start, end in pairwise(edges):
            count += len(source[start:end].decode("utf-8", "replace"))
            places[end] = count
        blocks = (LinkBlock(places[b.start], places[b.end], b.links) for b in self.blocks)
        return LinkBlocks(tuple(blocks), self.page_links, count)


def link_blocks(
    page: Outline,
    *,
    measure: wang14.Measure = "text",
    c_t: int = wang14.C_T,
    d_t: int | None = None,
    spare_prose: bool = False,
) -> LinkBlocks:
    """Return the logical link blocks of a page.

    `d_t` defaults to the paper's threshold for the `measure`. With `spare_prose`, blocks for which
    `is_prose` holds (the paper's caveat for encyclopedias) are left out.
    """
    threshold = wang14.THRESHOLD[measure] if d_t is None else d_t
    links = find_links(page)
    texts = Texts(page)
    distances = link_distances(page, links, texts, measure, enough=threshold)
    blocks = group(links, distances, c_t, threshold)
    if spare_prose:
        blocks = [b for b in blocks if not is_prose(page, links_within(links, b), texts)]
    return LinkBlocks(tuple(blocks), len(links), len(page.rows.source))


def link_distances(
    page: Outline,
    links: Sequence[Link],
    texts: Texts,
    measure: wang14.Measure = "text",
    *,
    enough: int | None = None,
) -> list[int]:
    """Return the link distance (definition 3) between each link and the next.

    With `enough`, a distance is approximate: only whether it is below `enough` is exact.
    """
    gaps = ((before.end, behind.start) for before, behind in pairwise(links))
    if measure == "text":
        return [_text_distance(texts, start, end, enough) for start, end in gaps]
    source = page.rows.source
    return [
        0 if enough is not None and end - start < enough else code_distance(source[start:end])
        for start, end in gaps
    ]


def _text_distance(texts: Texts, start: int, end: int, enough: int | None) -> int:
    if enough is not None:
        if texts.chars(start, end) < enough:  # no unit is shorter than a character
            return 0
        if texts.words(start, end) >= FAR_IN_WORDS * enough:
            return enough
    return text_length(texts.between(start, end), enough)


def group(links: Sequence[Link], distances: Sequence[int], c_t: int, d_t: int) -> list[LinkBlock]:
    """Return the link blocks (definition 5), given the links and their distances."""
    if not links:
        return []
    return [
        LinkBlock(links[first].start, links[last - 1].end, last - first)
        for first, last in wang14.runs(distances, d_t)
        if last - first >= c_t
    ]


def links_within(links: Sequence[Link], block: LinkBlock) -> list[Link]:
    """Return the links of a block."""
    return [link for link in links if block.start <= link.start < block.end]


def is_prose(page: Outline, links: Sequence[Link], texts: Texts) -> bool:
    """Return whether a run of links is part of running text, as in an encyclopedia.

    Section 4.3, remark (1) on content pages: for bodies full of ordinary links, "extra judgments
    need to be done"; adverts are recognized by links that lead, or redirect, to other sites. Here a
    run is prose, not a link block, if more of its text is between its links than in them, and at
    most half of its links lead away from the site. (A menu has its text in its links; an advert's
    links lead away.)
    """
    linked = sum(text_length(texts.between(link.start, link.end)) for link in links)
    between = sum(link_distances(page, links, texts))
    addresses = (page.rows.address(link.element) or "" for link in links)
    leading_away = sum(leads_away(address, page.url) for address in addresses)
    return between > linked and 2 * leading_away <= len(links)


def leads_away(href: str, url: str | None) -> bool:
    """Return whether a link leads to another site, or contains another site's URL (a redirect)."""
    own = registered_domain(url) if url else ""
    target = unquote(href.strip()).lower()
    embedded = max(target.rfind("http://"), target.rfind("https://"))
    if embedded > 0:
        target = target[embedded:]
    elif not target.startswith(("http://", "https://", "//")):
        return False
    return registered_domain(target) != own if _has_host(target) else False


def _has_host(url: str) -> bool:
    try:
        return bool(urls.split(url).netloc)
    except ValueError:
        return False


def lines_between(page: Outline, found: LinkBlocks) -> list[str]:
    """Return the lines of text between the link blocks: [Wang14] used as an extractor.

    A content page has two or three blocks, "links before and after webpage body texts". The text
    before the first block and after the last (a logo's text, a copyright line) belongs to the page,
    not to the body. With fewer than two blocks, return all text outside of blocks.
    """
    blocks = found.blocks
    if len(blocks) >= 2:
        edges = [(a.end, b.start) for a, b in pairwise(blocks)]
    else:
        cuts = [0, *(edge for block in blocks for edge in block[:2]), len(page.rows.source)]
        edges = list(zip(cuts[::2], cuts[1::2], strict=True))
    texts = Texts(page)
    lines = (line for start, end in edges for line in texts.lines(start, end))
    return [line for line in (" ".join(line.split()) for line in lines) if line]
