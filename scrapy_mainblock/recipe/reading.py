"""A page read alone: its headline, and how likely each of its segments is content.

Everything is worked out on first access, and once: a page that is learnt from and then extracted is
judged once, and a page by rule hardly ever.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.fields import untitled
from scrapy_mainblock.fields.about.every import About
from scrapy_mainblock.fields.headings import Headings
from scrapy_mainblock.fields.headline import Found, best, headline_by_titles
from scrapy_mainblock.fields.metadata_text import metadata_text, only_told
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.judge import decision
from scrapy_mainblock.judge.choice import (
    A_MANUAL,
    LEAST_REPEATED,
    LIKELY,
    likely_segments,
    repeated_segments,
)
from scrapy_mainblock.judge.confidence import confidence
from scrapy_mainblock.judge.features.likeness import headline_position
from scrapy_mainblock.judge.judgement import Judgement, judge
from scrapy_mainblock.judge.orphans import orphaned_headings, orphaned_introductions
from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached


class Reading:
    """One page, read alone; with `headline`, by one that is known."""

    def __init__(self, page: Outline, headline: str | None = None) -> None:
        self.page = page
        self._known = headline
        self._about: About | None = None
        self._position: tuple[str, int] | None = None
        """The headline that was looked for last, and the segment that shows it."""

    def by_headline(self, text: str) -> Reading:
        """The same page read by a headline that its template's rule has.

        It is this one where that has been read by the same: nothing is judged twice.
        """
        is_read = "judgement" in vars(self) and self.headline == self.titles.text == text
        return self if is_read else Reading(self.page, text)

    @cached
    def titles(self) -> Found:
        """The headline by the page's titles and headings."""
        if self._known is None:
            return headline_by_titles(self.page)
        shown = Headings(self.page)
        return Found(self._known, (), shown, PageTitles(self.page), is_untitled=False)

    @cached
    def judgement(self) -> Judgement:
        """What the models say of the page; raises ModelError where they cannot be read."""
        return judge(self.page, self.titles.text)

    @cached
    def headline(self) -> str | None:
        """The page's headline."""
        return self.headline_below(self.titles, None)

    def about(self, kept: bytes, headline: str | None, element: int = -1) -> About:
        """What the page says of itself beside its content, once it is known where that is.

        `element` shows the headline, where that is known. What learning has asked for already, of
        the page read by itself, is not worked out again.
        """
        last = self._about
        if last is None or (last.said.kept, last.said.headline) != (kept, headline):
            title = self.position_of(headline, element=element)
            said = Said(self.page, kept, title, headline)
            last = self._about = About(said)
        return last

    def headline_below(self, titles: Found, block: tuple[int, int] | None) -> str | None:
        """The headline by the titles, or else by where the content begins.

        `block` are the first and the last segment of a rule's block.
        """
        if not titles.is_untitled:
            return titles.text
        above = self.above_content(block)
        return best(titles.described_by(above)) if above else titles.text

    def above_content(self, block: tuple[int, int] | None) -> list[untitled.Line]:
        """The lines down to the first paragraph of a rule's block, or of what is likely content."""
        texts = self.page.texts
        if block is None:
            kept = (self.judgement.probability >= LIKELY).tolist()
        else:
            kept = [block[0] <= one < block[1] for one in range(len(texts))]
        first = untitled.beginning(texts, kept)
        return untitled.up_to(first, texts, np.asarray(self.page.rows.segment_link_chars).tolist())

    def position_of(
        self, headline: str | None, first: int = 0, end: int | None = None, element: int = -1
    ) -> int:
        """Find the headline among the segments from `first` to `end`; -1 where none is it.

        A heading that is known to show it need not be looked for.
        """
        rows = self.page.rows
        if not headline:
            return -1
        if self._position is None or self._position[0] != headline:
            self._position = headline, self._position_in_page(headline, element)
        found, end = self._position[1], rows.segment_count if end is None else end
        if found < 0 or first <= found < end:
            return found
        return headline_position(self.page.folded, rows, headline, first, end)

    def _position_in_page(self, headline: str, element: int) -> int:
        rows = self.page.rows
        block = rows.block_of[element] if element >= 0 else -1
        if block >= 0 and FLAGS[rows.tag[element]] & HEADING:
            segment = rows.block_first[block]
            if rows.block_end[block] == segment + 1:
                return segment
        return headline_position(self.page.folded, rows, headline, 0, rows.segment_count)

    @cached
    def begins(self) -> int:
        """The segment where the content begins: the headline, or the first that is kept."""
        title = self.position_of(self.headline)
        return title if title >= 0 else int(self.kept.argmax())

    @cached
    def kept(self) -> npt.NDArray[np.bool_]:
        """The segments to keep."""
        return np.frombuffer(self.why, np.uint8) <= decision.PINNED

    @cached
    def why(self) -> bytes:
        """Why each segment is kept or dropped."""
        page, judgement = self.page, self.judgement
        kept = likely_segments(judgement.probability, judgement.sizes, judgement.expected)
        why = np.where(kept, decision.LIKELY, decision.UNLIKELY).astype(np.uint8)
        if judgement.documentation < A_MANUAL:
            drop_repeated(page, why)
        title = self.position_of(self.headline)
        if title >= 0:  # it is not of the body, wherever it stands
            hashes = page.text_hashes
            why[(hashes == hashes[title]) & (why <= decision.PINNED)] = decision.TITLE
        if judgement.page_type == "product":
            self._keep_described(why)
        drop_orphaned_headings(page, why)
        return why.tobytes()

    def _keep_described(self, why: npt.NDArray[np.uint8]) -> None:
        kept = (why <= decision.PINNED).tolist()
        told = only_told(self.page.texts, kept, metadata_text(self.page.head))
        left = [was and not still for was, still in zip(kept, told, strict=True)]
        why[left] = decision.NOT_DESCRIBED

    @cached
    def confidence(self) -> float:
        """How likely `kept` is right."""
        return confidence(self.judgement, self.kept)

    def likely_at_places(self, asked: Sequence[int]) -> list[bool]:
        """Which of some segments are likely content; those of one place are judged together."""
        judgement, page = self.judgement, self.page
        of_segment = np.asarray(page.places.hashes)[np.asarray(page.rows.segment_block)]
        found: dict[int, bool] = {}
        answers = []
        for segment in asked:
            place = int(of_segment[segment])
            if place not in found:
                same = of_segment == of_segment[segment]
                sizes = judgement.sizes[same]
                likely = float(judgement.probability[same] @ sizes) / float(sizes.sum())
                found[place] = likely >= LIKELY
            answers.append(found[place])
        return answers


def drop_repeated(page: Outline, why: npt.NDArray[np.uint8]) -> None:
    """Drop what says again what is kept already."""
    kept = why <= decision.PINNED
    if not page.folded.may_repeat(kept.tobytes(), LEAST_REPEATED):
        return
    again = repeated_segments(
        kept,
        page.folded,
        page.text_hashes,
        lambda one: page.places.hashes[page.rows.segment_block[one]],
    )
    why[again] = decision.REPEATED


def drop_orphaned_headings(page: Outline, why: npt.NDArray[np.uint8], first: int = 0) -> None:
    """Drop the headings that nothing kept follows; `why` is of the segments from `first`."""
    kept = bytearray((why <= decision.PINNED).tobytes())
    for place in orphaned_headings(page.rows, kept, first):
        why[place] = decision.ORPHANED
        kept[place] = 0
    for place in orphaned_introductions(page.rows, kept, first):
        why[place] = decision.ORPHANED
