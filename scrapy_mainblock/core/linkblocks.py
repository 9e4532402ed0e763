"""Logical link blocks [Wang14]: one scan of the source, no tree, no block-level elements.

The recipe is `link_blocks`: find the links, measure the distance between neighbours, cut where it
reaches ``d_t``, keep the runs of at least ``C_t`` links.

**What counts as a link.** An ``<a>`` start tag that has an ``href``, whatever its value
(``#top`` and ``javascript:`` links are furniture of the page as much as any). Not ``<area>``, not
``<link>``, not an anchor that only has a name, and nothing inside a comment, script, style or
other raw element, since a reader never sees it. Links in ``<noscript>`` count: whoever fetched the
page without scripts sees them.

**Where a link ends.** At its ``</a>``. An ``<a>`` that another ``<a>`` follows, or the end of the
source, before any ``</a>``, was never closed (or is nested, which HTML does not know); it ends
where its own run of text does, at the next tag. So an unclosed link costs its own words and
nothing more: a reader that takes everything up to the next ``</a>`` for the link's text loses the
article behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from scrapy_mainblock.core import markup
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.papers import wang14
from scrapy_mainblock.core.sites import registered_domain
from scrapy_mainblock.core.textlength import LONGEST_DATE, is_long, is_surely_short, text_length

# Most links are written like this, and are then found whole: with quotes around their attributes,
# and few tags in them. Of any other it finds how its tags begin; they are then read with care.
_PLAIN_ATTRIBUTE = r"""\s+(?!(?i:href))[\w:-]+="[^"<>]*\""""
_FEW_TAGS = 12
_RAW_ELEMENT = "|".join(
    f"[{name[0]}{name[0].upper()}](?ai:{name[1:]})" for name in markup.RAW_ELEMENTS.split("|")
)
_SCAN = re.compile(
    rf"""<(?:([aA])(?=[\s/>])
            (?:(?:{_PLAIN_ATTRIBUTE})*\s+href="([^"<>]*)"(?:{_PLAIN_ATTRIBUTE})*\s*>
               (?:[^<]*(?:<(?!/?[aA][\s/>]|!--|(?ai:{markup.RAW_ELEMENTS})[\s/>])[^<]*){{0,{_FEW_TAGS}}}
                  </[aA]>())?)?
          |(/[aA])(?=[\s/>]|\Z)
          |(!--)
          |({_RAW_ELEMENT})(?=[\s/>]))""",
    re.VERBOSE,
)
_OPEN, _ADDRESS, _WHOLE, _CLOSE, _COMMENT, _RAW = 1, 2, 3, 4, 5, 6
_PLAIN_LINK = frozenset({_ADDRESS, _WHOLE})
# As in HTML a quote may be part of a name: `href"#"` is no href.
_ATTRIBUTE = re.compile(
    r"""([^\s/>=]+)(?:\s*=\s*(?:"(?P<dq>[^"]*)"|'(?P<sq>[^']*)'|["']?(?P<bare>[^\s>]*)))?"""
)
_NATIVE = compiled("linkscan")
IS_COMPILED = _NATIVE is not None
"""Whether a scan takes a fifth of a parse, and not two."""
_BODY = re.compile(r"<body(?=[\s/>])[^>]*(?:>|\Z)", re.IGNORECASE)


class Link(NamedTuple):
    """A link in the source: ``source[start:end]`` runs from its ``<a`` to behind its ``</a>``."""

    start: int
    end: int
    href: str


class LinkBlock(NamedTuple):
    """A logical link block: ``source[start:end]`` holds `links` links, from first to last."""

    start: int
    end: int
    links: int


@dataclass(frozen=True)
class LinkBlocks:
    """The link blocks of one page, and what they are ratios of."""

    blocks: tuple[LinkBlock, ...]
    page_links: int
    page_length: int

    @property
    def block_links(self) -> int:
        """C_BlockLinks."""
        return sum(block.links for block in self.blocks)

    @property
    def lcr(self) -> float:
        """Link coverage ratio."""
        return wang14.lcr(self.block_links, self.page_links)

    @property
    def ccr(self) -> float:
        """Code coverage ratio."""
        covered = sum(block.end - block.start for block in self.blocks)
        return wang14.ccr(covered, self.page_length)


def link_blocks(  # noqa: PLR0913 - the method's parameters, all by keyword
    source: str,
    *,
    measure: wang14.Measure = "text",
    c_t: int = wang14.C_T,
    d_t: int | None = None,
    spare_prose: bool = False,
    url: str | None = None,
) -> LinkBlocks:
    """Find the logical link blocks of a page's source.

    `d_t` defaults to the paper's threshold for the `measure`. With `spare_prose`, the paper's
    caveat for encyclopedias: see `is_prose`; `url` then says which links lead away.
    """
    threshold = wang14.THRESHOLD[measure] if d_t is None else d_t
    if _NATIVE is not None and measure == "text" and threshold > 0 and not spare_prose:
        runs, number = _NATIVE.text_blocks(source, c_t, threshold)
        return LinkBlocks(tuple(map(LinkBlock._make, runs)), number, len(source))
    links = find_links(source)
    distances = link_distances(source, links, measure, enough=threshold)
    blocks = group(links, distances, c_t, threshold)
    if spare_prose:
        blocks = [b for b in blocks if not is_prose(source, links_within(links, b), url)]
    return LinkBlocks(tuple(blocks), len(links), len(source))


def find_links(source: str) -> list[Link]:
    """Every link of the source, in order (see the module's text for what a link is)."""
    if _NATIVE is not None:
        return [Link._make(link) for link in _NATIVE.find_links(source)]
    return _find_links(source)


def _find_links(source: str) -> list[Link]:  # noqa: C901 - a case for each thing that is found
    links: list[Link] = []
    opened: tuple[int, int, str] | None = None  # start, end of the start tag, href
    position = 0
    search = _SCAN.search
    while found := search(source, position):
        kind, position = found.lastindex, found.end()
        if opened and kind in _PLAIN_LINK:
            links.append(_unclosed(source, opened))
            opened = None
        if kind == _WHOLE:
            links.append(Link(found.start(), position, found[_ADDRESS]))
        elif kind == _ADDRESS:
            opened = found.start(), position, found[_ADDRESS]
        elif kind == _OPEN:
            tag = markup.START_TAG_OF_A.match(source, found.start())
            if tag is None:  # broken off: no tag
                continue
            if opened:
                links.append(_unclosed(source, opened))
            href, position = _href(tag.group()), tag.end()
            opened = None if href is None else (tag.start(), position, href)
        elif kind == _CLOSE:
            position = source.find(">", position) + 1 or len(source)
            if opened:
                links.append(Link(opened[0], position, opened[2]))
                opened = None
        else:
            position = _end_of_hidden(source, found)
    if opened:
        links.append(_unclosed(source, opened))
    return links


def _end_of_hidden(source: str, found: re.Match[str]) -> int:
    """Where the comment or raw element ends that begins there."""
    if found.lastindex == _COMMENT:
        return markup.end_of_comment(source, found.start())
    return markup.end_of_raw_element(source, found[_RAW], found.end())


def _unclosed(source: str, opened: tuple[int, int, str]) -> Link:
    start, behind_tag, href = opened
    next_tag = source.find("<", behind_tag)
    return Link(start, len(source) if next_tag < 0 else next_tag, href)


def _href(tag: str) -> str | None:
    """The value of the tag's href, None where it has none. The first one counts, as in HTML."""
    for found in _ATTRIBUTE.finditer(tag, len("<a")):
        if found[1].lower() == "href":
            return found["dq"] or found["sq"] or found["bare"] or ""
    return None


def link_distances(
    source: str,
    links: Sequence[Link],
    measure: wang14.Measure = "text",
    *,
    enough: int | None = None,
) -> list[int]:
    """The link distance (definition 3) between each link and the next.

    With `enough`, a distance is only right about being below it: a gap with fewer characters than
    that is not measured, and an article between two links is not counted to its end.
    """
    gaps = ((before.end, behind.start) for before, behind in pairwise(links))
    distance = _text_distance if measure == "text" else _code_distance
    return [
        0 if enough is not None and end - start < enough else distance(source[start:end], enough)
        for start, end in gaps
    ]


_LONG_GAP = 8000
_FIRST_LOOK = 500


def _text_distance(gap: str, enough: int | None) -> int:
    if enough is None:
        return text_length(markup.without_markup(gap))
    if len(gap) < _LONG_GAP:
        text, is_plain = markup.at_most_text(gap)
        if is_surely_short(text, enough):
            return 0
        if is_plain:
            return enough if is_long(markup.text_of_plain(gap), enough) else 0
    size = _FIRST_LOOK
    while True:
        text, is_all = markup.beginning_of_text(gap, size)
        if is_all:
            return enough if is_long(text, enough) else 0
        # What comes behind the end of this may join its last units to one, as in a date.
        if is_long(text, enough + LONGEST_DATE):
            return enough
        size *= 4


def _code_distance(gap: str, _enough: int | None) -> int:
    return len(markup.without_attributes(gap))


def group(links: Sequence[Link], distances: Sequence[int], c_t: int, d_t: int) -> list[LinkBlock]:
    """Definition 5, over links whose distances are known."""
    if not links:
        return []
    return [
        LinkBlock(links[first].start, links[last - 1].end, last - first)
        for first, last in wang14.runs(distances, d_t)
        if last - first >= c_t
    ]


def links_within(links: Sequence[Link], block: LinkBlock) -> list[Link]:
    """The links of a block."""
    return [link for link in links if block.start <= link.start < block.end]


def is_prose(source: str, links: Sequence[Link], url: str | None) -> bool:
    """The paper's caveat: a run of links inside the sentences of an encyclopedia.

    Section 4.3, remark (1) on content pages: where bodies are full of ordinary links, "extra
    judgments need to be done"; adverts are known by links that lead to other sites, or are
    redirected there. Here a run is prose, and no link block, when more of its text stands between
    its links than in them, and most of its links stay on the site. (A menu has its text in its
    links; an advert's links lead away.)
    """
    linked = sum(text_length(markup.without_markup(source[a.start : a.end])) for a in links)
    between = sum(link_distances(source, links))
    leading_away = sum(leads_away(link.href, url) for link in links)
    return between > linked and 2 * leading_away <= len(links)


def leads_away(href: str, url: str | None) -> bool:
    """Whether a link is to another site, or carries another site's address to redirect to."""
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
        return bool(urlsplit(url).netloc)
    except ValueError:
        return False


def text_between_blocks(source: str, found: LinkBlocks) -> str:
    """The source that is left between the link blocks: [Wang14] as an extractor.

    On a content page two or three blocks are left, "links before and after webpage body texts";
    what stands before the first and behind the last (a logo's text, a copyright line) belongs to
    the page, not to the body. With fewer than two blocks there is no between: all that is left of
    ``<body>``.
    """
    blocks = found.blocks
    if len(blocks) >= 2:
        edges = [(a.end, b.start) for a, b in pairwise(blocks)]
    else:
        opened = _BODY.search(source)
        head = opened.end() if opened else 0
        cuts = [head, *(edge for block in blocks for edge in block[:2]), len(source)]
        edges = list(zip(cuts[::2], cuts[1::2], strict=True))
    return "\n".join(source[start:end] for start, end in edges)
