"""The evidence that the pages of a cluster give about their places, page by page and together.

One very short article with long comments says little; twenty articles show where the comments are.
Text that recurs word for word at one place, page after page, belongs to the template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import step_of
from scrapy_mainblock.outline.selectors import texts_of
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.template.learning.lines.line_tally import LineTally, without_rare
from scrapy_mainblock.template.learning.page_blocks import places_on, with_a_name
from scrapy_mainblock.template.learning.place_tally import PagePlaces, Tally, places_of
from scrapy_mainblock.template.learning.sample import Sample, SamplePage
from scrapy_mainblock.template.selection import is_named

LONGEST_LINE = 160
"""Maximum characters of a line that may be template text: longer lines are hardly ever repeated."""
MOST_PLACES = 2000
MOST_INLINE = 200
"""Limits per cluster: beyond `MOST_PLACES` the rarer half of the places is forgotten, and beyond
`MOST_INLINE` new inline elements are ignored."""
MOST_INLINE_TEXTS = 3
"""Maximum number of distinct texts of an inline element that may be template text: an ad, and the
one before it."""
LEAST_INLINE = 8
"""Minimum characters of an inline template text; a shorter one is a unit or a drop cap."""
REPEATED_PAGES = 3
"""Minimum number of pages on which a line or an inline text must occur to be template text."""


class PlaceSeen(NamedTuple):
    """The evidence from one page about one of its places."""

    likely: float
    """The probability that it is content, averaged over the place's characters."""
    length: int
    """Characters."""
    lines: tuple[str, ...]
    """The distinct texts of its segments in order; long ones are cut off."""
    behind: float = 1.0
    """The mean distance of its segments behind the headline, as a share of the page's segments."""
    linked: int = 0
    """Characters in links."""


PlacesSeen = Mapping[str, PlaceSeen]
NOTHING_SEEN: PlacesSeen = {}


class SeenOnPage(Mapping[str, PlaceSeen]):
    """The evidence of a page that has just been read, as a mapping of its numbers.

    Learning counts the numbers; the values themselves are made only if the evidence is packed.
    """

    def __init__(self, places: PagePlaces) -> None:
        self.places = places

    @cached
    def _plain(self) -> dict[str, PlaceSeen]:
        places = self.places
        return {
            chain: PlaceSeen(
                places.likely[at],
                places.length[at],
                tuple(places.lines.texts(at)),
                places.behind[at],
                places.linked[at],
            )
            for at, chain in enumerate(places.all_chains())
        }

    def __getitem__(self, chain: str) -> PlaceSeen:
        return self._plain[chain]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)

    def __reduce__(self) -> tuple[type[dict[str, PlaceSeen]], tuple[dict[str, PlaceSeen]]]:
        return dict, (self._plain,)


def places_seen(
    page: Outline, probability: npt.NDArray[np.float64], headline: int = 0
) -> PlacesSeen:
    """Return a page's evidence about its places, given the probability of each segment.

    `headline` is the segment at which the content begins; distances are measured from it.
    """
    likely = view(probability)
    return SeenOnPage(places_on(page.places, page.folded, likely, headline, LONGEST_LINE))


InlineSeen = Mapping[str, frozenset[str]]
"""The distinct texts of the named inline elements of a page, by their step (``span.promo``)."""
NO_INLINE_SEEN: InlineSeen = {}


def inline_seen(page: Outline, probability: npt.NDArray[np.float64]) -> InlineSeen:
    """Return the texts of the named inline elements within the lines that are likely content."""
    rows = page.rows
    seen: dict[str, set[str]] = {}
    for segment, element in with_a_name(rows, view(probability), LIKELY):
        step = step_of(rows, element)
        if is_named(step):
            text = " ".join("".join(texts_of(rows, element)).split())
            if LEAST_INLINE <= len(text) <= LONGEST_LINE and text in page.folded.text(segment):
                seen.setdefault(step, set()).add(text)
    return {step: frozenset(found) for step, found in seen.items()}


class PageCounts:
    """What one page adds to the evidence of every cluster that counts it, computed once."""

    def __init__(self, seen: PlacesSeen) -> None:
        self.places = seen.places if isinstance(seen, SeenOnPage) else places_of(seen)

    @cached
    def sample(self) -> SamplePage:
        """The page as a part of a sample; asked for when its chains are known."""
        return SamplePage(*self.places.texts())


@dataclass
class PlaceEvidence:
    """The evidence from all pages of a cluster together."""

    pages: int = 0
    by_hash: dict[int, Tally] = field(default_factory=dict)
    """The tallies of the places by the hashes of their chains, by which pages are counted."""
    lines: LineTally = field(default_factory=LineTally)
    inline: dict[str, Counter[str]] = field(default_factory=dict)
    """For each named inline element, on how many pages it had each text."""
    sample: Sample = field(default_factory=Sample)
    """The latest pages."""
    content: Set[str] | None = field(default=None, compare=False, repr=False)
    """The places that are content, cached by `content_places`."""
    _by_chain: dict[str, Tally] | None = field(default=None, compare=False, repr=False)

    @property
    def places(self) -> Mapping[str, Tally]:
        """The tallies of the places by their chains, cached until `forget_caches` is called."""
        if self._by_chain is None:
            self._by_chain = {tally.chain: tally for tally in self.by_hash.values()}
        return self._by_chain

    def forget_caches(self) -> None:
        """Forget what is cached: evidence changes, or its rule has been made."""
        self.content = self._by_chain = None

    def add(self, counts: PageCounts, inline: InlineSeen = NO_INLINE_SEEN) -> None:
        """Count one more page."""
        self.pages += 1
        self.forget_caches()
        counts.places.add_to(self.by_hash)
        self.sample.add(counts.sample)
        self.lines.add(counts.places.chains, counts.places.lines)
        self._count_inline(inline)
        if len(self.by_hash) > MOST_PLACES:
            self._forget_rare_places()

    def _count_inline(self, seen: InlineSeen) -> None:
        for step, texts in seen.items():
            if step in self.inline or len(self.inline) < MOST_INLINE:
                counts = self.inline.setdefault(step, Counter())
                if len(counts) <= MOST_INLINE_TEXTS:  # else its text does not repeat
                    counts.update(sorted(texts)[: MOST_INLINE_TEXTS + 1])

    def repeated_inline(self) -> list[str]:
        """Return the named inline elements with the same text on many pages: ads in a sentence."""
        return sorted(
            step
            for step, counts in self.inline.items()
            if len(counts) <= MOST_INLINE_TEXTS
            and counts.total() >= REPEATED_PAGES * len(counts)
            and min(counts.values()) > 1
        )

    @property
    def size(self) -> int:
        """The number of entries kept, which determines the memory used."""
        inline = sum(len(texts) for texts in self.inline.values())
        return len(self.by_hash) + len(self.lines) + inline + self.sample.size

    def thin(self) -> None:
        """Forget the rarer half of the places and lines, and the older half of the sample."""
        self._forget_rare_places()
        self.lines.thin()
        self.sample.thin()

    def _forget_rare_places(self) -> None:
        self.forget_caches()
        pages = {key: tally.pages for key, tally in self.by_hash.items()}
        self.by_hash = without_rare(self.by_hash, pages)
