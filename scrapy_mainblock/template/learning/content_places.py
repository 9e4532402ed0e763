"""Which places are content, by all pages of a cluster together, and the selectors of a rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from enum import IntEnum
from typing import NamedTuple

from scrapy_mainblock.outline.places import OF_LINKS, ROOT, UNDER
from scrapy_mainblock.template.learning.place_stats import REPEATED_PAGES, PlaceEvidence, Tally
from scrapy_mainblock.template.selection import Selection, chain_selector, own_text

LABEL_TAGS = frozenset("dd dt h1 h2 h3 h4 h5 h6 pre table".split())
"""What stands in these may be the same on every page and content: labels, and values of a table."""
RECURRING = 0.5
"""A place is template when this share of its different lines recurs."""
MOSTLY_RECURRING = 0.7
"""A place is template, too, when this share of its lines, page by page, are ones that recur."""
REPEATED_SHARE = 0.2
"""A line is template when it stands on `REPEATED_PAGES`, and on such a share of the pages."""
KNOWN_PAGES = 2
"""Of a place that fewer pages had, or that is not surely content (`Tally.is_sure`), a rule says
nothing: each page is asked about its own."""
TAG = re.compile(r"[a-z][\w:-]*")
MOST_SELECTORS = 200
MOST_RULE_LINES = 100


def content_length(
    evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]
) -> float:
    """How many characters all pages together have under a block at the places of content."""
    return sum(tally.length for tally in _at(evidence, content, block_chains))


def count_of_lines(
    evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]
) -> float:
    """And how many lines: a fact is worth no less for being short."""
    return sum(tally.lines for tally in _at(evidence, content, block_chains))


def _at(evidence: PlaceEvidence, content: Set[str], block_chains: Iterable[str]) -> Iterable[Tally]:
    return _under({chain: evidence.places[chain] for chain in content}, block_chains).values()


def content_places(evidence: PlaceEvidence, *, is_manual: bool = False) -> Set[str]:
    """The places that are content, as the pages together see it: found once for these pages.

    Content places are likely, on the average of the pages, and their lines do not recur. A teaser
    for another article has that one's title or first sentence, and stands under several; an
    article's own sentences stand on one page (of the places where a line stood, it is at home where
    content is surest). A heading or a table's label is content though it recurs, if it is the same
    on most pages (`Ingredients`): only what wanders from page to page is not.

    In a manual what recurs is content (every function has its `Parameters`, and inherits some), but
    in lists of links.
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
    surest: dict[int, tuple[float, str]] = {}
    pages_of = evidence.lines.pages()
    for chain, key, _ in evidence.lines.standing():
        tally = evidence.places.get(chain)
        if tally is not None and pages_of[key] > 1:
            mean = (tally.odds / tally.pages, chain)
            surest[key] = max(surest.get(key, mean), mean)
    recurring: Counter[str] = Counter()  # of its different lines, how many
    shown: Counter[str] = Counter()  # and how often these stood there
    different = Counter({chain: tally.lines for chain, tally in evidence.places.items()})
    for chain, key, pages in evidence.lines.standing():
        if chain not in evidence.places:
            continue
        different[chain] -= pages - 1
        is_label = 2 * pages >= evidence.places[chain].pages and _is_label(chain)
        is_at_home = pages == 1 and (key not in surest or surest[key][1] == chain)
        if not is_label and not is_at_home:
            recurring[chain] += 1
            shown[chain] += pages
    return {
        chain
        for chain, tally in evidence.places.items()
        if tally.odds >= 0
        and not (
            tally.pages >= REPEATED_PAGES
            and (
                recurring[chain] >= RECURRING * different[chain]
                or shown[chain] >= MOSTLY_RECURRING * tally.lines
            )
        )
    }


def _is_table_or_list(chain: str) -> bool:
    """Whether it is one of those that a page alone knows least about."""
    tag = TAG.match(chain.removesuffix(f"{UNDER}li").rpartition(UNDER)[2])
    return tag is not None and tag[0] in {"dl", "ol", "table", "ul"} and "[" not in chain


def _is_label(chain: str) -> bool:
    tag = TAG.match(chain.rpartition(UNDER)[2])
    return tag is not None and tag[0] in LABEL_TAGS and "[" not in chain.rpartition(UNDER)[2]


class Manual(IntEnum):
    """Whether pages are of a manual."""

    NO, LIKELY, SURE = range(3)


class Kept(NamedTuple):
    """What a cluster's pages say is kept under a block, and what is left out."""

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
    """What the pages of a cluster say of the places under a block, as selectors.

    `block_chains` are the chains at which the block was seen. `facts` are places of content,
    whatever the models say of them; where there are some, no page alone knows better which of the
    others are. Of what surely is a manual everything under the block is kept but what surely is
    not content: its pages alone keep too little (tables, lists of members), and its template knows
    where they are. (Seven manuals held out, F1 with all places left out that are less likely than
    not: .978; with only the sure ones, .990; rules from 12 pages on the others: .960 and .985.)
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
    left_out = set(relative) - content - rare
    drop = _selectors(left_out, content | rare)
    sure = {
        chain
        for chain in content - rare
        if facts or relative[chain].is_sure() or _is_table_or_list(chain)
    }
    known = sorted(sure, key=lambda chain: -relative[chain].length)
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
    """The lines that stand on so many pages, at places of content, that they are template."""
    repeated = max(REPEATED_PAGES, REPEATED_SHARE * evidence.pages)
    shown: Counter[int] = Counter()
    counted = {
        chain
        for chain in places
        if not _is_label(chain) and _under({chain: evidence.places[chain]}, block_chains)
    }
    for chain, key, pages in evidence.lines.standing():
        if chain in counted:
            shown[key] += pages
    lines = [
        evidence.lines.repeated[key]
        for key, pages in shown.items()
        if pages >= repeated and key in evidence.lines.repeated
    ]
    return sorted(lines)[:MOST_RULE_LINES]


def _under(places: Mapping[str, Tally], block_chains: Iterable[str]) -> dict[str, Tally]:
    """The places under a block, by their chain from it."""
    found: dict[str, Tally] = {}
    for block in block_chains:
        prefix = f"{block}{UNDER}" if block else ""
        for chain, tally in places.items():
            if chain != block and not chain.startswith(prefix):
                continue
            relative = chain[len(prefix) :] if chain != block else ROOT
            found[relative] = found.get(relative, Tally()).plus(tally)
    return found


def _selectors(wanted: set[str], others: set[str]) -> list[str]:
    """The shortest selectors for the `wanted` places that mean none of the `others`."""
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
    """A chain's beginnings, from the block itself to the whole of it."""
    steps = chain.split(UNDER) if chain else []
    return [UNDER.join(steps[:count]) for count in range(len(steps) + 1)]
