"""Finds the places that are content, by all pages of a cluster, and the selectors of its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.places import OF_LINKS, ROOT, UNDER
from scrapy_mainblock.template.learning.lines.recurrence import TAG, PlacesOfLines, is_label
from scrapy_mainblock.template.learning.place_stats import REPEATED_PAGES, PlaceEvidence
from scrapy_mainblock.template.learning.place_tally import Tally
from scrapy_mainblock.template.selection import Selection, chain_selector, own_text

REPEATED_SHARE = 0.2
"""A line is template text if it occurs on `REPEATED_PAGES` and on this share of the pages."""
KNOWN_PAGES = 2
"""A rule does not decide on a place that fewer pages had, or that is not surely content
(`Tally.is_sure`): each page is judged by itself there."""
ENOUGH_PAGES = 8
"""From this number of pages on, a rule leaves out a place that only one of them had, if that page
is sure that it is noise (`Tally.is_surely_noise`). So a twelfth fewer pages have to be judged; of
2,696 pages 4 have another text. (Rules from 12 pages are as good with and without it; those from 6
pages would lose .0003 of F1. If the page need not be as sure, log odds of -1.5 in place of -2.5,
rules from 12 pages lose .0002.)"""
MOST_SELECTORS = 200
MOST_RULE_LINES = 100


def content_length(
    evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]
) -> float:
    """Return how many characters all pages together have at places of content under a block."""
    return sum(tally.length for tally in _at(evidence, content, block_chains))


def count_of_lines(
    evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]
) -> float:
    """Return how many lines they have there: a fact is not worth less for being short."""
    return sum(tally.lines for tally in _at(evidence, content, block_chains))


def _at(evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]) -> Iterator[Tally]:
    """Yield the places of content under a block; one under two of its chains counts twice."""
    for block in block_chains:
        prefix = f"{block}{UNDER}" if block else ""
        for chain in content:
            if chain.startswith(prefix) or chain == block:
                yield evidence.places[chain]


def content_places(evidence: PlaceEvidence, *, is_manual: bool = False) -> Set[str]:
    """Return the places that are content according to all pages; they are cached in `evidence`.

    A place of content is likely content, on average over the pages, and its lines do not recur. A
    teaser for another article has that article's title or first sentence, and occurs below several;
    an article's own sentences occur on one page. (Of the places where a line occurs, the line is at
    home where content is surest.) A heading or a table label is content although it recurs, if it
    is the same on most pages (`Ingredients`): only text that moves from page to page is not.

    In a manual, recurring text is content (every function has its `Parameters`, and inherits some),
    except in lists of links.
    """
    if evidence.content is None:
        evidence.content = _content_places(evidence)
    if is_manual:
        return {
            chain
            for chain, tally in evidence.places.items()
            if tally.odds >= 0 and (OF_LINKS not in chain or chain in evidence.content)
        }
    return evidence.content


def _content_places(evidence: PlaceEvidence) -> Set[str]:
    standing = evidence.lines.standing()
    lines, anywhere = evidence.lines.lines_of(standing.keys)
    chains = list(standing.places)
    places = PlacesOfLines(chains, [evidence.places.get(chain) for chain in chains])
    moving = places.moving(
        view(standing.numbers),
        view(standing.pages),
        view(lines),
        view(anywhere),
        len(evidence.lines.keys),
    )
    return {
        chain
        for chain, tally in evidence.places.items()
        if tally.odds >= 0 and not (tally.pages >= REPEATED_PAGES and chain in moving)
    }


def _is_table_or_list(chain: str) -> bool:
    """Return whether a place is a table or a list, about which a page alone knows least."""
    tag = TAG.match(chain.removesuffix(f"{UNDER}li").rpartition(UNDER)[2])
    return tag is not None and tag[0] in {"dl", "ol", "table", "ul"} and "[" not in chain


class Manual(IntEnum):
    """Whether pages belong to a manual."""

    NO, LIKELY, SURE = range(3)


class Kept(NamedTuple):
    """What is kept under a block, according to a cluster's pages, and what is left out."""

    selection: Selection
    left_out: Set[str]
    """The places whose text is left out, as their chains from the block."""


def kept_under(
    evidence: PlaceEvidence,
    block_chains: Iterable[str],
    *,
    facts: Set[str] = frozenset(),
    manual: Manual = Manual.NO,
) -> Kept:
    """Return the selectors for what is kept under a block, according to the pages of a cluster.

    `block_chains` are the chains at which the block was seen. `facts` are places of content,
    whatever the models say about them; if there are any, a page alone does not know better about
    the other places of content, so all of them are known. On what surely is a manual, everything
    under the block is kept except what surely is not content: its pages alone keep too little
    (tables, lists of members), and its template knows where they are. (Seven manuals held out, F1
    with all places left out that are less likely than not: .978; with only the sure ones, .990;
    rules from 12 pages on the others: .960 and .985.)
    """
    block_chains = set(block_chains)
    relative = _under(evidence.places, block_chains)
    rare = {chain for chain, tally in relative.items() if tally.pages < KNOWN_PAGES}
    if manual is Manual.SURE:
        left_out = {
            chain
            for chain, tally in relative.items()
            if tally.is_surely_noise() and chain not in rare
        }
        drop = _selectors(left_out, set(relative) - left_out)
        return Kept(Selection(drop=tuple(drop[:MOST_SELECTORS])), left_out)
    at_content = content_places(evidence, is_manual=bool(manual)) | facts
    content = set(_under({chain: evidence.places[chain] for chain in at_content}, block_chains))
    may_be_noise = evidence.pages >= ENOUGH_PAGES
    open_to_page = {
        chain for chain in rare if not (may_be_noise and relative[chain].is_surely_noise())
    }
    left_out = set(relative) - content - open_to_page
    drop = _selectors(left_out, content | open_to_page)
    sure = {
        chain
        for chain in content - rare
        if facts or relative[chain].is_sure() or _is_table_or_list(chain)
    }
    known = sorted(sure, key=lambda chain: (-relative[chain].length, chain))
    if manual:
        return Kept(
            Selection(
                drop=tuple(drop[:MOST_SELECTORS]), known=tuple(sorted(known[:MOST_SELECTORS]))
            ),
            left_out,
        )
    selection = Selection(
        drop=tuple((evidence.repeated_inline() + drop)[:MOST_SELECTORS]),
        lines=tuple(_template_lines(evidence, at_content - facts, block_chains)),
        known=tuple(sorted(known[:MOST_SELECTORS])),
    )
    return Kept(selection, left_out)


def _template_lines(
    evidence: PlaceEvidence, places: Iterable[str], block_chains: Set[str]
) -> list[str]:
    """Return the lines at places of content that occur on too many pages to be content."""
    repeated = max(REPEATED_PAGES, REPEATED_SHARE * evidence.pages)
    under = _under_any(places, block_chains)
    standing, texts = evidence.lines.standing(), evidence.lines.repeated
    is_counted = np.array(
        [chain in under and not is_label(chain) for chain in standing.places],
        np.bool_,
    )
    counted = np.flatnonzero(is_counted[standing.numbers])
    lines, _ = evidence.lines.lines_of(standing.keys[counted])
    shown = np.bincount(lines, standing.pages[counted], minlength=len(evidence.lines.keys))
    keys = evidence.lines.keys[shown >= repeated].tolist()
    found = [texts[key] for key in keys if key in texts]
    return sorted(found)[:MOST_RULE_LINES]


def _under_any(chains: Iterable[str], block_chains: Set[str]) -> set[str]:
    prefixes = tuple(f"{block}{UNDER}" if block else "" for block in block_chains)
    return {chain for chain in chains if chain in block_chains or chain.startswith(prefixes)}


def _under(places: Mapping[str, Tally], block_chains: Iterable[str]) -> dict[str, Tally]:
    """Return the places under a block, by their chain from it."""
    found: dict[str, Tally] = {}
    for block in block_chains:
        prefix = f"{block}{UNDER}" if block else ""
        for chain, tally in places.items():
            if chain != block and not chain.startswith(prefix):
                continue
            relative = chain[len(prefix) :] if chain != block else ROOT
            if relative not in found:
                found[relative] = Tally()
            found[relative].add(tally)
    return found


def _selectors(wanted: set[str], others: set[str]) -> list[str]:
    """Return the shortest selectors that match the `wanted` places and none of the `others`."""
    held = {prefix for chain in others for prefix in _prefixes(chain)}
    found: set[str] = set()
    for chain in wanted:
        free = next((prefix for prefix in _prefixes(chain) if prefix not in held), None)
        if free is None:
            found.add(own_text(chain))
            continue
        found.add(chain_selector(free))
    return sorted(found)


def _prefixes(chain: str) -> list[str]:
    """Return the beginnings of a chain, from the block itself to the whole chain."""
    steps = chain.split(UNDER) if chain else []
    return [UNDER.join(steps[:count]) for count in range(len(steps) + 1)]
