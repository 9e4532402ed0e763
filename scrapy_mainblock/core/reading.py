"""A page as the method `auto` reads it: its segments, where they stand, how likely each is content.

Everything is worked out when it is first asked for, and once: a page whose rule is known is never
judged, a page that is learnt from and extracted is judged once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from weakref import ref

import numpy as np
import numpy.typing as npt
from lxml.html import HtmlElement

from scrapy_mainblock.core import confidence, content, features, pagetype, places, unnamed
from scrapy_mainblock.core.described import described, only_told
from scrapy_mainblock.core.headline import Found, best, look
from scrapy_mainblock.core.hints import find_hints
from scrapy_mainblock.core.lazily import lazily
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.segments import Segments, segment, without_orphans
from scrapy_mainblock.core.shipped import ModelError

_native = compiled("chains")

MOST_PLACES = 1000
"""Places of a page that its structure is made of, those with the smallest hashes: pages that share
places keep the same ones."""
WHOLE = 0.95
"""The main block is the smallest with this share of what is kept."""


def _places_with_text(page: Segments, around: str = places.ROOT) -> set[int]:
    """What stands for the places that hold text, in a page or under a block with such a chain."""
    if _native is not None and page.recording is not None:
        return set(_native.hashes_with_text(page.recording, around))
    chain_of = places.chains(page)
    held = {chain_of[at] for at, block in enumerate(page.blocks) if block.end > block.first}
    return {places.hashed(places.joined(around, chain)) for chain in held}


class Reading:
    """One page, read."""

    def __init__(
        self, page: Page, root: HtmlElement, *, page_of: Callable[[], Page | None] | None = None
    ) -> None:
        """With `page_of` it knows the page by that alone: a page that keeps its own reading."""
        self._page_of = page_of or (lambda: page)
        self.root = root
        self._names: tuple[str, ...] = ()
        self._block: HtmlElement | None = None
        self._under: tuple[HtmlElement, Segments] | None = None
        self._chains_under: list[str] | None = None

    @property
    def page(self) -> Page:
        """What is read."""
        page = self._page_of()
        if page is None:
            raise ReferenceError("the page is gone, and this is the reading that it kept")
        return page

    @lazily
    def body(self) -> HtmlElement:
        """The `<body>`, or the root of a page without one."""
        body = self.page.body
        return self.root if body is None else body

    @lazily
    def segments(self) -> Segments:
        """The segments of the body."""
        return segment(self.body)

    def under(self, block: HtmlElement) -> Segments:
        """The segments under a block, kept until another block is asked for."""
        if self._under is None or self._under[0] is not block:
            may_be = block is self.root or block.tag == "body"
            is_body = may_be and block is self.body
            self._under = (block, self.segments if is_body else segment(block))
            self._chains_under = None
        return self._under[1]

    def chains_under(self, block: HtmlElement) -> list[str]:
        """The places of the blocks under a block, from there."""
        page = self.under(block)
        if self._chains_under is None:
            self._chains_under = places.chains(page)
        return self._chains_under

    def places_with_text_under(self, block: HtmlElement, chain: str) -> set[int]:
        """What stands for those of them that hold text, if the block has such a chain."""
        return _places_with_text(self.under(block), chain)

    @lazily
    def chains(self) -> list[str]:
        """The place of each block."""
        return places.chains(self.segments)

    @lazily
    def structure(self) -> frozenset[int]:
        """What clusters the page: the set of the places that hold text, hashed."""
        found = _places_with_text(self.segments)
        return frozenset(sorted(found)[:MOST_PLACES] if len(found) > MOST_PLACES else found)

    @lazily
    def told(self) -> Found:
        """The page's title by what it says of itself, and by its headings."""
        return look(self.root, self.page.url, self._names, self.page.survey)

    @lazily
    def headline(self) -> str | None:
        """The page's title. Where the page hardly says it, where the content begins is asked."""
        found = self.told
        above = self.above_content() if found.is_unnamed else ()
        return best(found.described_by(above)) if above else found.text

    def above_content(self) -> list[unnamed.Line]:
        """The lines up to the first paragraph of the content: a rule's block, or what is likely."""
        page = self.segments
        if self._block is None:
            kept = self.probability >= content.LIKELY
        else:
            place = page.place_of(self._block)
            kept = np.zeros(len(page), dtype=bool)
            if place is not None:
                kept[page.blocks[place].first : page.blocks[place].end] = True
        first = unnamed.beginning(page.texts, kept.tolist())
        return unnamed.up_to(first, page.texts, page.link_chars)

    def know(self, names: Sequence[str], block: HtmlElement | None = None) -> None:
        """Take what is known to be a name, and no headline, for this page's title.

        `block` is what a rule found.
        """
        worked_out = {"headline", "headline_place", "kept"}
        if tuple(names) != self._names:
            self._names = tuple(names)
            worked_out.add("told")
        elif block is self._block:
            return
        self._block = block
        for name in worked_out:
            self.__dict__.pop(name, None)

    @lazily
    def headline_place(self) -> int:
        """The segment that is the title, -1 where none is."""
        if not len(self.segments):
            return -1
        return features.headline_place(self.segments, self.headline or "")

    @property
    def begins(self) -> int:
        """The segment behind which what the page is about begins: its title, or what is kept."""
        title = self.headline_place
        return title if title >= 0 else int(self.kept.argmax())

    @lazily
    def judgement(self) -> content.Judgement:
        """What the models say of the page."""
        if not len(self.segments):
            return content.NOTHING_TO_JUDGE
        hints = find_hints(self.root, self.page.url, self.told.text)
        return content.judge(self.segments, hints)

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """How likely each segment is content."""
        return self.judgement.probability

    @property
    def page_type(self) -> pagetype.PageType:
        """What kind of page it is, by the models."""
        return pagetype.likeliest(self.judgement.types) if len(self.segments) else "empty"

    @lazily
    def is_index(self) -> bool:
        """Whether it is mostly links; nobody needs to judge it to know that."""
        return pagetype.by_links(self.segments) == "index"

    @lazily
    def sizes(self) -> npt.NDArray[np.float64]:
        """Characters of each segment."""
        return np.array([len(text) for text in self.segments.texts], dtype=float)

    @lazily
    def kept(self) -> npt.NDArray[np.bool_]:
        """The segments to keep, by this page alone; the title is not of the body."""
        kept = content.kept_segments(self.probability, self.sizes, self.expected)
        kept = content.once(self.segments.texts, self._places, kept, self.judgement.types)
        if self.headline_place >= 0:
            title = self.segments.texts[self.headline_place]
            kept[[text == title for text in self.segments.texts]] = False
        found = kept.tolist()
        if self.page_type == "product":
            found = only_told(self.segments.texts, found, described(self.root))
        return np.array(without_orphans(self.segments, found), dtype=bool)

    def _places(self) -> list[str]:
        """The place of each segment."""
        return [self.chains[block] for block in self.segments.block_of]

    def judged_under(self, block: HtmlElement, asked: Sequence[int]) -> list[bool]:
        """Which of some segments under a block are likely content, by this page alone.

        Those at the same place are judged together. All are, where the block is none that the page
        was cut at, or there is nothing to judge by.
        """
        page = self.segments
        place = page.place_of(block)
        found = None if place is None else page.blocks[place]
        if found is None or found.end - found.first != len(self.under(block)):
            return [True] * len(asked)
        try:
            probability = self.probability
        except ModelError:
            return [True] * len(asked)
        chain_of = [self.chains[page.block_of[found.first + one]] for one in asked]
        likely = places.likely_at(set(chain_of), page, self.chains, probability)
        return [likely[chain] >= content.LIKELY for chain in chain_of]

    @lazily
    def expected(self) -> tuple[float, float]:
        """How right `kept` may be expected to be, and the cut where it is most so."""
        return content.expected_f1(self.probability, self.sizes)

    @property
    def expected_f1(self) -> float:
        """How right `kept` may be expected to be."""
        return self.expected[0]

    @lazily
    def confidence(self) -> float:
        """How likely `kept` is right."""
        return confidence.confidence(self.judgement, self.sizes, self.kept, self.expected)

    def main_block(self) -> int | None:
        """The smallest block with nearly all that is kept; None where nothing is.

        It is one that is alone at its place: of twenty paragraphs in a row none is the block.
        """
        so_far = np.concatenate(([0.0], np.cumsum(self.sizes * self.kept))).tolist()
        if so_far[-1] == 0:
            return None
        wanted = WHOLE * so_far[-1]
        best = 0
        for place, block in enumerate(self.segments.blocks):
            if so_far[block.end] - so_far[block.first] >= wanted and self.is_alone(place):
                best = place  # blocks around it come before it
        return best

    def is_alone(self, place: int) -> bool:
        """Whether a block is the only one at its place."""
        return self._blocks_at[self.chains[place]] == 1

    @lazily
    def _blocks_at(self) -> Counter[str]:
        return Counter(self.chains)

    def blocks_around(self, place: int) -> Iterator[int]:
        """The blocks around one, from the inside out, without those that are alike in a row."""
        blocks = self.segments.blocks
        while (place := blocks[place].parent) >= 0:
            if self.is_alone(place):
                yield place

    def text_in(self, place: int) -> tuple[int, int]:
        """The characters in a block, outside of links and in them, white space not counted."""
        block = self.segments.blocks[place]
        length, linked = (
            before[block.end] - before[block.first] for before in self._characters_before
        )
        return length - linked, linked

    @lazily
    def _characters_before(self) -> tuple[list[int], list[int]]:
        """Up to each segment: all characters but white space, and those of them in links."""
        page = self.segments
        lengths = (len(text) - text.count(" ") for text in page.texts)
        return [0, *accumulate(lengths)], [0, *accumulate(page.link_chars)]


def reading_of(page: Page, root: HtmlElement) -> Reading:
    """The reading of a page, made once: a crawl learns from a page and then extracts from it.

    It does not keep the page, which keeps it: were they to keep each other, the tree would stay
    until the collector of garbage comes by.
    """
    known = page.memo.get("reading")
    if isinstance(known, Reading):
        return known
    reading = page.memo["reading"] = Reading(page, root, page_of=ref(page))
    return reading
