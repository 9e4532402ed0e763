"""Places: where on a site's pages a segment stands, by names that are the same on all of them.

A place is the chain of the blocks around a segment, as `div#main > article > div.entry > p`. Names
that carry a number differ from page to page and are left out; a block without any name is told
from its siblings by its position, if it is one that layouts are made of. What the pages of a
cluster say of a place is pooled: one very short article under long comments says little, twenty
articles say where the comments are. What recurs at one place word for word, page after page, is
template wherever it stands.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import islice
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from lxml.html import HtmlElement

from scrapy_mainblock.core.linetally import LineTally, without_rare
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.segments import Block, Segments, elements_at, without_orphans
from scrapy_mainblock.core.tags import BLOCK_TAGS, UNPRINTED_TAGS

_counting = compiled("seen")

NUMBERED_TAGS = frozenset(
    {"article", "center", "div", "main", "section", "table", "tbody", "td", "tr"}
)
"""Told from each other by their position where they have no name; a paragraph is not."""
DEEPEST = 40
"""Steps of a chain; what is deeper is at its ancestor's place."""
LONGEST_NAME = 120
"""Characters of a step; longer names are no names."""
LONGEST_CHAIN = 1000
"""Characters of a chain; what would be longer is at its ancestor's place. On real pages the longest
are of some 500."""
LONGEST_LINE = 160
"""Characters of a line that may be template: longer ones are hardly ever repeated."""
MOST_PLACES = 2000
MOST_INLINE = 200
"""Kept of a cluster; when full, what was seen once makes room."""
MOST_INLINE_TEXTS = 3
"""Different texts of an inline element that may be template: an advert, and the one before it."""

LABEL_TAGS = frozenset("dd dt h1 h2 h3 h4 h5 h6 pre table".split())
"""What stands in these may be the same on every page and content: labels, and values of a table."""
LAYOUT_SHARE = 0.3
LONG_CELLS = 40
"""From this share of a page's text up a table is its layout, below it a table of data; and so is
one whose lines are shorter than this on average."""
LEAST_CELLS = 4
"""Two rows of two; what has fewer is a frame around a picture or a note."""
LINK_LISTS = frozenset({"ol", "p", "ul"})
OF_LINKS = ":links"
"""Ends the step of a list or paragraph that is nothing but links: what leads away from an article
stands in the same elements as what it says."""
MOSTLY = 0.8
TABLE_PARTS = frozenset({"caption", "tbody", "td", "tfoot", "th", "thead", "tr"})
CELLS = frozenset({"caption", "td", "th"})

_DIGIT = re.compile(r"\d")
_HASHED = re.compile(r"^[^\d]*(?:__[A-Za-z0-9]{2,8}|-(?=[a-z]*\d+[a-z])[a-z0-9]{5,10})$")
"""`Text_block__x9Qd2`, `css-1a2b3c`: classes that CSS modules and CSS-in-JS make, the same on every
page until the site is built anew."""
_TAG = re.compile(r"[a-z][\w:-]*")
"""What a step by name begins with; a rule that a hand has written may hold anything else."""
ROOT = ""
"""The chain of the element that the chains begin under."""
UNDER = " > "


def named_step(tag: str, identifier: str, classes: str) -> str:
    """A step by the name of an element."""
    # What is remembered is short, or a page could fill the memory.
    short = len(tag) + len(identifier) + len(classes) <= LONGEST_CHAIN
    return (_known_step if short else _step)(tag, identifier, classes)


def _step(tag: str, identifier: str, classes: str) -> str:
    """`div#main` or `div.entry`: the tag with its id, else with its first class, else alone.

    Names that carry a number do not count. One name is enough: all classes in any order, the
    first two, and the first alone were tried and found as good, and the further classes are what
    differs from page to page (the `category-news` of a blog).
    """
    identifier = identifier.strip()
    if identifier and not _DIGIT.search(identifier) and " " not in identifier:
        step = f"{tag}#{identifier}"
    else:
        stable = next((one for one in classes.split() if not _has_number(one)), "")
        step = f"{tag}.{stable}" if stable else tag
    return step if len(step) <= LONGEST_NAME else tag


def _has_number(css_class: str) -> bool:
    """Whether digits in a class may be a number that runs; in the hash of a build tool none do."""
    return bool(_DIGIT.search(css_class)) and not _HASHED.search(css_class)


_known_step = lru_cache(maxsize=50_000)(_step)


def chains(page: Segments) -> list[str]:
    """The chain of each block, from the page's first block (which has the empty one) down."""
    native = _native()
    if native is None or page.recording is None:
        return chains_in_python(page)
    known: list[str] = native.of_blocks(page.recording)
    return known


def chains_in_python(page: Segments) -> list[str]:
    """The same where nothing is compiled."""
    found: list[str] = []
    depths: list[int] = []
    numbers: dict[tuple[int, str], int] = {}
    in_data = _data_tables(page)
    for place, block in enumerate(page.blocks):
        if block.parent < 0:
            found.append(ROOT)
            depths.append(0)
            continue
        depth = depths[block.parent] + 1
        depths.append(depth)
        around = found[block.parent]
        if depth > DEEPEST or (in_data[place] and block.tag != "table"):
            found.append(around)  # a table of data is one place, with all its cells
            continue
        step = named_step(block.tag, block.identifier, block.css_class)
        if step == block.tag and step in NUMBERED_TAGS and not in_data[place]:
            key = (block.parent, step)
            number = numbers[key] = numbers.get(key, 0) + 1
            step = f"{step}[{number}]"
        elif block.tag in LINK_LISTS and _is_of_links(page, block):
            step += OF_LINKS
        chain = f"{around}{UNDER}{step}" if around else step
        found.append(chain if len(chain) <= LONGEST_CHAIN else around)
    return found


@lru_cache(maxsize=50_000)
def hashed(chain: str) -> int:
    """A number that stands for a place."""
    return int.from_bytes(
        blake2b(chain.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
    )


def joined(chain: str, step: str) -> str:
    """A chain with one more step, or with another chain behind it."""
    return f"{chain}{UNDER}{step}" if chain and step else chain or step


def _is_of_links(page: Segments, block: Block) -> bool:
    linked = sum(page.link_chars[block.first : block.end])
    texts = page.texts[block.first : block.end]
    return linked > MOSTLY * sum(len(text) - text.count(" ") for text in texts)


def _data_tables(page: Segments) -> list[bool]:
    """Which blocks are tables of data, or rows and cells of one.

    Such a table holds nothing but rows and cells with a line of text each, and not half the page; a
    table that other blocks stand in lays out the page.
    """
    table_of: list[int] = []
    layout: set[int] = set()
    for place, block in enumerate(page.blocks):
        around = table_of[block.parent] if block.parent >= 0 else -1
        is_line = block.tag == "p" and page.blocks[block.parent].tag in CELLS
        if around >= 0 and block.tag not in TABLE_PARTS and not is_line:
            layout.add(around)
        table_of.append(place if block.tag == "table" else around)
    length = sum(map(len, page.texts))
    for place, block in enumerate(page.blocks):
        if block.tag != "table":
            continue
        held = sum(map(len, page.texts[block.first : block.end]))
        cells = block.end - block.first
        is_large = held > LAYOUT_SHARE * length and held > LONG_CELLS * cells
        if is_large or cells < LEAST_CELLS:
            layout.add(place)
    return [around >= 0 and around not in layout for around in table_of]


class PlaceSeen(NamedTuple):
    """What one page says of one of its places."""

    likely: float
    """How likely content, on average over the place's characters."""
    length: int
    """Characters."""
    lines: tuple[str, ...]
    """The different texts of its segments in order, long ones by their beginning."""
    behind: float = 1.0
    """How far behind the headline it is, on average over its segments, in shares of the page's."""
    linked: int = 0
    """Characters in links."""


PlacesSeen = Mapping[str, PlaceSeen]
NOTHING_SEEN: PlacesSeen = {}


def places_seen(
    page: Segments,
    chain_of: Sequence[str],
    probability: npt.NDArray[np.float64],
    headline: int = 0,
) -> PlacesSeen:
    """What a page's segments say of their places, once a model has judged them.

    `headline` is the segment behind which what the page is about begins.
    """
    if _counting is not None:
        seen: PlacesSeen = _counting.places_seen(
            page.texts,
            page.block_of,
            page.link_chars,
            chain_of,
            probability,
            headline,
            LONGEST_LINE,
            PlaceSeen,
        )
        return seen
    return places_seen_in_python(page, chain_of, probability, headline)


def places_seen_in_python(
    page: Segments,
    chain_of: Sequence[str],
    probability: npt.NDArray[np.float64],
    headline: int = 0,
) -> PlacesSeen:
    """The same where nothing is compiled."""
    at_place: dict[str, list[int]] = {}
    for place, block in enumerate(page.block_of):
        at_place.setdefault(chain_of[block], []).append(place)
    seen = {}
    for chain, places in at_place.items():
        lengths = [len(page.texts[place]) for place in places]
        likely = sum(
            float(probability[place]) * length
            for place, length in zip(places, lengths, strict=True)
        )
        lines = tuple(dict.fromkeys(page.texts[place][:LONGEST_LINE] for place in places))
        behind = (sum(places) - headline * len(places)) / (len(places) * len(page))
        linked = sum(page.link_chars[place] for place in places)
        seen[chain] = PlaceSeen(likely / sum(lengths), sum(lengths), lines, behind, linked)
    return seen


def likely_at(
    wanted: Set[str],
    page: Segments,
    chain_of: Sequence[str],
    probability: npt.NDArray[np.float64],
) -> dict[str, float]:
    """How likely content some places are, as `places_seen` has it."""
    likely = dict.fromkeys(wanted, 0.0)
    lengths = dict.fromkeys(wanted, 0)
    for place, (block, text) in enumerate(zip(page.block_of, page.texts, strict=True)):
        chain = chain_of[block]
        if chain in wanted:
            likely[chain] += float(probability[place]) * len(text)
            lengths[chain] += len(text)
    return {chain: likely[chain] / lengths[chain] for chain in wanted}


InlineSeen = Mapping[str, frozenset[str]]
"""The different texts of the named inline elements of a page, by their step (`span.promo`)."""
NO_INLINE_SEEN: InlineSeen = {}
LIKELY = 0.5
MOST_PIECES = 100
"""Of an inline element; one that an open tag has made longer is no unit of its own."""
LEAST_INLINE = 8
"""Characters of an inline text that may be template: a shorter one is a unit or a drop cap."""


def inline_seen(page: Segments, probability: npt.NDArray[np.float64]) -> InlineSeen:
    """What stands inside the lines of content in elements that have a name of their own."""
    lines: dict[int, list[str]] = {}
    for segment in np.flatnonzero(probability >= LIKELY).tolist():
        lines.setdefault(page.block_of[segment], []).append(page.texts[segment])
    seen: dict[str, set[str]] = {}
    elements = elements_at(page, list(lines))
    for around, texts in zip(elements, lines.values(), strict=True):
        shown = " ".join(texts)
        for element in _inline_under(around):
            step = step_of(element)
            if _is_named(step):
                text = " ".join("".join(islice(_line_in(element), MOST_PIECES)).split())
                if LEAST_INLINE <= len(text) <= LONGEST_LINE and text in shown:
                    seen.setdefault(step, set()).add(text)
    return {step: frozenset(found) for step, found in seen.items()}


def _inline_under(element: HtmlElement) -> Iterator[HtmlElement]:
    """The elements in the lines of an element, without those of blocks in it."""
    open_ones = [iter(element)]
    while open_ones:
        child = next(open_ones[-1], None)
        if child is None:
            open_ones.pop()
        elif _is_in_line(child):
            yield child
            open_ones.append(iter(child))


def _is_in_line(element: HtmlElement) -> bool:
    tag = element.tag  # of a comment, no str
    return isinstance(tag, str) and tag not in BLOCK_TAGS and tag not in UNPRINTED_TAGS


def _line_in(element: HtmlElement) -> Iterator[str]:
    """The text of the lines of an element, without that of blocks in it."""
    yield element.text or ""
    open_ones = [(element, iter(element))]
    while open_ones:
        around, children = open_ones[-1]
        child = next(children, None)
        if child is None:
            open_ones.pop()
            if open_ones:
                yield around.tail or ""
        elif _is_in_line(child):
            yield child.text or ""
            open_ones.append((child, iter(child)))
        else:
            yield child.tail or ""


def step_of(element: HtmlElement) -> str:
    """An element's step in a chain, by its name."""
    get = element.get
    return named_step(str(element.tag), get("id", ""), get("class", ""))


@dataclass(slots=True)
class Tally:
    """The pages that have a place, and what they say of it together."""

    pages: int = 0
    odds: float = 0.0
    """The sum of the logarithms of the odds that it is content."""
    length: int = 0
    lines: int = 0
    """How often a line stood there."""
    behind: float = 0.0
    """The sum of how far behind the headlines it was."""
    linked: int = 0

    def is_sure(self) -> bool:
        """Whether the pages say clearly that it is content."""
        return self.odds >= UNSURE * self.pages

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            self.pages + other.pages,
            self.odds + other.odds,
            self.length + other.length,
            self.lines + other.lines,
            self.behind + other.behind,
            self.linked + other.linked,
        )


SUREST = 0.95
"""No page is surer of a place than this, or that it is not content: one must not silence many."""


_MOST_ODDS, _LEAST_ODDS = (math.log(one / (1 - one)) for one in (SUREST, 1 - SUREST))


def _log_odds(probability: float) -> float:
    if probability >= SUREST:
        return _MOST_ODDS
    if probability <= 1 - SUREST:
        return _LEAST_ODDS
    return math.log(probability / (1 - probability))


@dataclass
class PlaceEvidence:
    """What the pages of a cluster say together."""

    pages: int = 0
    places: dict[str, Tally] = field(default_factory=dict)
    lines: LineTally = field(default_factory=LineTally)
    inline: dict[str, Counter[str]] = field(default_factory=dict)
    """On how many pages a named inline element had a text."""
    content: Set[str] | None = field(default=None, compare=False, repr=False)
    """The places that are content (`content_places`), as soon as somebody has asked."""

    def add(self, seen: PlacesSeen, inline: InlineSeen = NO_INLINE_SEEN) -> None:
        """One more page."""
        self.pages += 1
        self.content = None
        places = self.places
        for chain, (likely, length, lines, behind, linked) in seen.items():
            tally = places.get(chain)
            if tally is None:
                # The same names on every page and in every cluster are kept once.
                tally = places[sys.intern(chain)] = Tally()
            tally.pages += 1
            tally.odds += _log_odds(likely)
            tally.length += length
            tally.lines += len(lines)
            tally.behind += behind
            tally.linked += linked
        self.lines.add([(chain, place.lines) for chain, place in seen.items()])
        self._count_inline(inline)
        if len(self.places) > MOST_PLACES:
            self._forget_rare_places()

    def _count_inline(self, seen: InlineSeen) -> None:
        for step, texts in seen.items():
            if step in self.inline or len(self.inline) < MOST_INLINE:
                counts = self.inline.setdefault(step, Counter())
                if len(counts) <= MOST_INLINE_TEXTS:  # else it is none that repeats itself
                    counts.update(list(texts)[: MOST_INLINE_TEXTS + 1])

    def repeated_inline(self) -> list[str]:
        """The named inline elements that say the same on page after page: adverts in a sentence."""
        return sorted(
            step
            for step, counts in self.inline.items()
            if len(counts) <= MOST_INLINE_TEXTS
            and counts.total() >= REPEATED_PAGES * len(counts)
            and min(counts.values()) > 1
        )

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        inline = sum(len(texts) for texts in self.inline.values())
        return len(self.places) + len(self.lines) + inline

    def thin(self) -> None:
        """Half of it, of which most pages have spoken, will do."""
        self.content = None
        self._forget_rare_places()
        self.lines.thin()

    def _forget_rare_places(self) -> None:
        self.places = without_rare(self.places, {c: t.pages for c, t in self.places.items()})


# --- what a rule keeps --------------------------------------------------------------------------

OWN_TEXT = "text()"
"""Ends a selector that means the text right in a block, not the blocks under it."""
RECURRING = 0.5
"""A place is template when this share of its different lines recurs,"""
MOSTLY_RECURRING = 0.7
"""or when so much of what stands there, page by page, is such a line."""
REPEATED_PAGES, REPEATED_SHARE = 3, 0.2
"""A line is template when it stands on so many pages, and on such a share of them."""
KNOWN_PAGES, UNSURE = 2, 0.5
"""Of a place that fewer pages had, or which is content by less than these log odds on average, a
rule says nothing: each page is asked about its own."""
MOST_SELECTORS = 200
MOST_RULE_LINES = 100


def _without(place: int, kept: list[bool]) -> list[bool]:
    """The same without one, where there is such a one."""
    if place >= 0:
        kept[place] = False
    return kept


@lru_cache(maxsize=1)
def _native() -> ModuleType | None:
    """What is compiled of this; asked for late, since it begins with what stands here."""
    return compiled("chains")


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
    known: tuple[str, ...] = ()
    """Chains of places that are content. Where there are any, what stands at another place is
    judged page by page: the pages that were learnt from did not have it, or hardly."""

    def kept(
        self,
        page: Segments,
        judge: Callable[[Sequence[int]], Sequence[bool]],
        chain_of: Callable[[], Sequence[str]] | None = None,
        title: int = -1,
    ) -> list[bool]:
        """Which of the segments under a rule's block are content; at these chains, if known.

        `judge` says so of some by this page alone; it is asked only where the rule does not know,
        and it matters. The segment that is the page's `title` is none of them.
        """
        native = _native()
        if native is not None and page.recording is not None:
            kept, unsure = native.kept(page.recording, page.texts, *self._sets)
        else:
            kept, unsure = self._kept_and_unsure(page, chain_of() if chain_of else chains(page))
        if unsure == [title]:
            # It is left out, whatever is said of it; all that hangs on it is headings before it.
            if_content = _without(title, without_orphans(page, kept))
            if if_content == without_orphans(page, _without(title, kept)):
                return if_content
        if unsure:
            for segment, is_content in zip(unsure, judge(unsure), strict=True):
                kept[segment] = is_content
        return _without(title, without_orphans(page, kept))

    @cached_property
    def _sets(self) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
        return (
            frozenset(self.drop),
            frozenset(self.keep),
            frozenset(self.lines),
            frozenset(self.known),
        )

    def _kept_and_unsure(
        self, page: Segments, chain_of: Sequence[str]
    ) -> tuple[list[bool], list[int]]:
        """What is kept as far as the rule knows, and the segments of which it does not."""
        drop, keep, lines, known = self._sets
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
        kept = [
            not dropped[place]
            and (inside[place] or _own_text(chain_of[place]) in keep)
            and _own_text(chain_of[place]) not in drop
            and text not in lines
            for place, text in zip(page.block_of, page.texts, strict=True)
        ]
        unsure = [
            segment
            for segment, place in enumerate(page.block_of)
            if known and kept[segment] and chain_of[place] not in known
        ]
        return kept, unsure

    def inline_left_out(self, block: HtmlElement) -> frozenset[HtmlElement]:
        """The inline elements under a rule's block that are dropped: adverts in a sentence."""
        wanted = {one for one in self.drop if UNDER not in one and _is_named(one)}
        tags = {tag[0] for one in wanted if (tag := _TAG.match(one))} - BLOCK_TAGS
        return (
            frozenset(one for one in block.iter(*tags) if step_of(one) in wanted) if tags else _NONE
        )


_NONE: frozenset[HtmlElement] = frozenset()
EVERYTHING = Places()
"""All that is under the block is kept."""


def _is_named(step: str) -> bool:
    return "#" in step or "." in step


def _own_text(chain: str) -> str:
    return f"{chain}{UNDER}{OWN_TEXT}" if chain else OWN_TEXT


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

    In a manual what recurs is content: every function has its `Parameters`, and inherits some.

    Those that are likely, on the average of the pages, and whose lines do not recur. A teaser for
    another article has that one's title or first sentence, and stands under several; an article's
    own sentences stand on one page (of the places where a line stood, it is at home where content
    is surest). A heading or a table's label is content though it recurs, if it
    is the same on most pages (`Ingredients`): only what wanders from page to page is not.
    """
    if is_manual:
        return {chain for chain, tally in evidence.places.items() if tally.odds >= 0}
    if evidence.content is None:
        evidence.content = _content_places(evidence)
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
    tag = _TAG.match(chain.removesuffix(f"{UNDER}li").rpartition(UNDER)[2])
    return tag is not None and tag[0] in {"dl", "ol", "table", "ul"} and "[" not in chain


def _is_label(chain: str) -> bool:
    tag = _TAG.match(chain.rpartition(UNDER)[2])
    return tag is not None and tag[0] in LABEL_TAGS and "[" not in chain.rpartition(UNDER)[2]


def places_of(
    evidence: PlaceEvidence,
    block_chains: Iterable[str],
    *,
    facts: Set[str] = frozenset(),
    is_manual: bool = False,
) -> Places:
    """What the pages of a cluster say of the places under a block, as selectors.

    `block_chains` are the chains at which the block was seen. Nothing is left out of a manual
    because it recurs. `facts` are places of content, whatever the models say of them; where there
    are some, no page alone knows better which of the others are.
    """
    block_chains = set(block_chains)
    relative = _under(evidence.places, block_chains)
    at_content = content_places(evidence, is_manual=is_manual) | facts
    content = set(_under({chain: evidence.places[chain] for chain in at_content}, block_chains))
    rare = {chain for chain, tally in relative.items() if tally.pages < KNOWN_PAGES}
    drop = _selectors(set(relative) - content - rare, content | rare)
    sure = {
        chain
        for chain in content - rare
        if facts or relative[chain].is_sure() or _is_table_or_list(chain)
    }
    known = sorted(sure, key=lambda chain: -relative[chain].length)
    if is_manual:
        return Places(
            drop=tuple(drop[:MOST_SELECTORS]), known=tuple(sorted(known[:MOST_SELECTORS]))
        )
    repeated = max(REPEATED_PAGES, REPEATED_SHARE * evidence.pages)
    shown: Counter[int] = Counter()
    counted = {
        chain
        for chain in at_content - facts
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
    return Places(
        drop=tuple((evidence.repeated_inline() + drop)[:MOST_SELECTORS]),
        lines=tuple(sorted(lines)[:MOST_RULE_LINES]),
        known=tuple(sorted(known[:MOST_SELECTORS])),
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
            found[relative] = found.get(relative, Tally()).plus(tally)
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
