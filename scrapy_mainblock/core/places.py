"""Places: where on a site's pages a segment stands, by names that are the same on all of them.

A place is the chain of the blocks around a segment, as `div#main > article > div.entry > p`. Names
that carry a number differ from page to page and are left out; a block without any name is told
from its siblings by its position, if it is one that layouts are made of. What the pages of a
cluster say of a place is pooled: one very short article under long comments says little, twenty
articles say where the comments are. What recurs at one place word for word, page after page, is
template wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core.segments import Segments

NUMBERED_TAGS = frozenset(
    {"article", "center", "div", "main", "section", "table", "tbody", "td", "tr"}
)
"""Told from each other by their position where they have no name; a paragraph is not."""
DEEPEST = 40
"""Steps of a chain; what is deeper is at its ancestor's place."""
LONGEST_NAME = 120
"""Characters of a step; longer names are no names."""
LONGEST_LINE = 160
"""Characters of a line that may be template: longer ones are hardly ever repeated."""
MOST_PLACES = 3000
MOST_LINES = 4000
"""Kept of a cluster; when full, what was seen once makes room."""

HEADING_TAGS = frozenset({"caption", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "th"})

_DIGIT = re.compile(r"\d")
ROOT = ""
"""The chain of the element that the chains begin under."""
UNDER = " > "


@lru_cache(maxsize=50_000)
def _named_step(tag: str, identifier: str, classes: str) -> str:
    """`div#main` or `div.entry`: the tag with its id, else with its first class, else alone.

    Names that carry a number do not count. One name is enough: of all classes in every order, the
    first alone, the first two, or an id only where there is one, each gave the same F1 within
    0.0005 over 48 sites, and the further classes are what differs from page to page (the
    `category-news` of a blog).
    """
    identifier = identifier.strip()
    if identifier and not _DIGIT.search(identifier) and " " not in identifier:
        step = f"{tag}#{identifier}"
    else:
        stable = next((one for one in classes.split() if not _DIGIT.search(one)), "")
        step = f"{tag}.{stable}" if stable else tag
    return step if len(step) <= LONGEST_NAME else tag


def chains(page: Segments) -> list[str]:
    """The chain of each block, from the page's first block (which has the empty one) down."""
    found: list[str] = []
    depths: list[int] = []
    numbers: dict[tuple[int, str], int] = {}
    for block in page.blocks:
        if block.parent < 0:
            found.append(ROOT)
            depths.append(0)
            continue
        depth = depths[block.parent] + 1
        depths.append(depth)
        around = found[block.parent]
        if depth > DEEPEST:
            found.append(around)
            continue
        attributes = block.element.attrib
        step = _named_step(
            block.tag, str(attributes.get("id", "")), str(attributes.get("class", ""))
        )
        if step == block.tag and step in NUMBERED_TAGS:
            key = (block.parent, step)
            number = numbers[key] = numbers.get(key, 0) + 1
            step = f"{step}[{number}]"
        found.append(f"{around}{UNDER}{step}" if around else step)
    return found


class PlacesSeen(NamedTuple):
    """What one page says of its places and lines."""

    places: Mapping[str, tuple[float, float]]
    """How likely content, on average over the place's characters, and how many characters."""
    lines: frozenset[str]
    """The page's short lines."""


NOTHING_SEEN = PlacesSeen({}, frozenset())


def places_seen(
    page: Segments,
    chain_of: Sequence[str],
    probability: npt.NDArray[np.float64],
    within: Container[int],
) -> PlacesSeen:
    """What a page's segments say, once a model has judged them.

    Lines are taken from the segments `within` the main block alone, and no headings: what is said
    under "Ingredients" is content, and so is the word above it.
    """
    totals: dict[str, tuple[float, float]] = {}
    for place, text in enumerate(page.texts):
        chain = chain_of[page.block_of[place]]
        likely, length = totals.get(chain, (0.0, 0.0))
        totals[chain] = (likely + float(probability[place]) * len(text), length + len(text))
    return PlacesSeen(
        {chain: (likely / length, length) for chain, (likely, length) in totals.items()},
        frozenset(
            text
            for place, text in enumerate(page.texts)
            if len(text) <= LONGEST_LINE
            and place in within
            and page.blocks[page.block_of[place]].tag not in HEADING_TAGS
        ),
    )


class Tally(NamedTuple):
    """The pages that have a place, the sum of what they say of it, and its characters."""

    pages: int
    likely: float
    length: float


@dataclass
class PlaceEvidence:
    """What the pages of a cluster say together."""

    pages: int = 0
    places: dict[str, Tally] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, seen: PlacesSeen) -> None:
        """One more page."""
        self.pages += 1
        for chain, (likely, length) in seen.places.items():
            before = self.places.get(chain, _NOTHING)
            self.places[chain] = Tally(
                before.pages + 1, before.likely + likely, before.length + length
            )
        for line in seen.lines:
            self.lines[line] = self.lines.get(line, 0) + 1
        if len(self.places) > MOST_PLACES:
            self.places = _without_rare(self.places, {c: t.pages for c, t in self.places.items()})
        if len(self.lines) > MOST_LINES:
            self.lines = _without_rare(self.lines, self.lines)


_NOTHING = Tally(0, 0.0, 0.0)


_T = TypeVar("_T")


def _without_rare(entries: dict[str, _T], counts: Mapping[str, int]) -> dict[str, _T]:
    """Half of the entries: those that were seen on most pages, the latest of equals."""
    latest_first = list(reversed(entries))
    kept = set(sorted(latest_first, key=lambda key: -counts[key])[: len(entries) // 2])
    return {key: value for key, value in entries.items() if key in kept}


# --- what a rule keeps --------------------------------------------------------------------------

OWN_TEXT = "text()"
"""Ends a selector that means the text right in a block, not the blocks under it."""
LIKELY = 0.5
PURE = 0.5
"""Below this share of content among a block's characters, what is not known to be content goes."""
REPEATED_PAGES, REPEATED_SHARE = 3, 0.2
"""A line is template when it stands on so many pages, and on such a share of them."""
MOST_SELECTORS = 200
MOST_RULE_LINES = 100


@dataclass(frozen=True)
class Places:
    """What is kept under a rule's block, by place; readable, and may be edited by hand.

    A selector is a chain from the block down, `div.entry > ul > li`; one of a single named step,
    `div.share`, means that block wherever it stands. `div.entry > text()` is the text right in it.
    """

    drop: tuple[str, ...] = ()
    """Left out, with all that is under it."""
    keep: tuple[str, ...] = ()
    """Where there are any, nothing else is kept."""
    lines: tuple[str, ...] = ()
    """Lines that are left out word for word."""

    def kept(self, page: Segments) -> list[bool]:
        """Which of the segments under a rule's block are content."""
        chain_of = chains(page)
        drop, keep, lines = set(self.drop), set(self.keep), set(self.lines)
        dropped: list[bool] = []
        inside: list[bool] = []
        for block, chain in zip(page.blocks, chain_of, strict=True):
            above = block.parent
            last = chain.rpartition(UNDER)[2]
            named = last if _is_named(last) else None
            dropped.append((above >= 0 and dropped[above]) or chain in drop or named in drop)
            inside.append(
                not keep or (above >= 0 and inside[above]) or chain in keep or named in keep
            )
        return [
            not dropped[place]
            and (inside[place] or _own_text(chain_of[place]) in keep)
            and _own_text(chain_of[place]) not in drop
            and text not in lines
            for place, text in zip(page.block_of, page.texts, strict=True)
        ]


EVERYTHING = Places()
"""All that is under the block is kept."""


def _is_named(step: str) -> bool:
    return "#" in step or "." in step


def _own_text(chain: str) -> str:
    return f"{chain}{UNDER}{OWN_TEXT}" if chain else OWN_TEXT


def content_length(evidence: PlaceEvidence, block_chains: Iterable[str]) -> float:
    """How many characters of content all pages together have under a block."""
    under = _under(evidence.places, block_chains)
    return sum(tally.length for tally in under.values() if _is_content(tally))


def _is_content(tally: Tally) -> bool:
    return tally.likely >= LIKELY * tally.pages


def places_of(evidence: PlaceEvidence, block_chains: Iterable[str]) -> Places:
    """What the pages of a cluster say of the places under a block, as selectors.

    `block_chains` are the chains at which the block was seen.
    """
    relative = _under(evidence.places, block_chains)
    content = {chain for chain, tally in relative.items() if _is_content(tally)}
    length = sum(tally.length for tally in relative.values())
    pure = sum(relative[chain].length for chain in content) >= PURE * length
    drop = _selectors(set(relative) - content, content)
    keep = [] if pure else _selectors(content, set(relative) - content)
    repeated = max(REPEATED_PAGES, REPEATED_SHARE * evidence.pages)
    lines = sorted(
        (line for line, pages in evidence.lines.items() if pages >= repeated),
        key=lambda line: (-evidence.lines[line], line),
    )
    return Places(
        tuple(drop[:MOST_SELECTORS]), tuple(keep[:MOST_SELECTORS]), tuple(lines[:MOST_RULE_LINES])
    )


def _under(places: Mapping[str, Tally], block_chains: Iterable[str]) -> dict[str, Tally]:
    """The places under a block, by their chain from it."""
    found: dict[str, Tally] = {}
    for block in block_chains:
        prefix = f"{block}{UNDER}" if block else ""
        for chain, tally in places.items():
            if chain != block and not chain.startswith(prefix):
                continue
            relative = chain[len(prefix) :] if chain != block else ROOT
            before = found.get(relative, _NOTHING)
            found[relative] = Tally(
                before.pages + tally.pages,
                before.likely + tally.likely,
                before.length + tally.length,
            )
    return found


def _selectors(wanted: set[str], others: set[str]) -> list[str]:
    """The shortest selectors for the `wanted` places that mean none of the `others`."""
    held = {prefix for chain in others for prefix in _prefixes(chain)}
    steps_of_others = {step for chain in others for step in chain.split(UNDER)}
    found: set[str] = set()
    for chain in wanted:
        free = next((prefix for prefix in _prefixes(chain) if prefix not in held), None)
        if free is None:
            found.add(_own_text(chain))
            continue
        last = free.rpartition(UNDER)[2]
        found.add(last if _is_named(last) and last not in steps_of_others else free)
    return sorted(found)


def _prefixes(chain: str) -> list[str]:
    """A chain's beginnings, from the block itself to the whole of it."""
    steps = chain.split(UNDER) if chain else []
    return [UNDER.join(steps[:count]) for count in range(len(steps) + 1)]
