"""A page read alone: its headline, and how likely each of its segments is content.

Everything is worked out on first access, and once: a page that is learnt from and then extracted is
judged once, and a page by rule hardly ever.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.fields import untitled
from scrapy_mainblock.fields.about.page_fields import PageFields
from scrapy_mainblock.fields.headings import Headings
from scrapy_mainblock.fields.headline import Found, best, headline_by_titles
from scrapy_mainblock.fields.metadata_text import metadata_text, only_told
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.judge import decision
from scrapy_mainblock.judge.confidence import confidence
from scrapy_mainblock.judge.content.choice import (
    A_FORUM,
    A_MANUAL,
    LEAST_REPEATED,
    LIKELY,
    likely_segments,
    repeated_segments,
)
from scrapy_mainblock.judge.content.entries import row_of_entries
from scrapy_mainblock.judge.content.orphans import orphaned_headings, orphaned_introductions
from scrapy_mainblock.judge.content.same_place import judged_together
from scrapy_mainblock.judge.features.likeness import headline_position
from scrapy_mainblock.judge.judgement import Judgement, judge
from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached

_WHY_ALONE = bytes([decision.UNLIKELY, decision.LIKELY]).ljust(256, b"\0")
"""By whether a segment is kept, to translate octets."""
MOST_TOGETHER = 20_000
"""Segments of a page, up to which what stands at one place is judged together: one that has more
is no article, and what goes over all of it once more costs more than its share."""
LIVE_BLOG = "LiveBlogPosting"


class Reading:
    """One page, read alone; with `headline`, by one that is known."""

    def __init__(self, page: Outline, headline: str | None = None) -> None:
        self.page = page
        self._known = headline
        self._page_fields: PageFields | None = None
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
        return judge(self.page, self.titles.text, self._shows_title)

    @cached
    def _shows_title(self) -> int:
        """The segment that shows what the page calls itself; -1 for none."""
        return self._looked_for(self.titles.text or "")

    @cached
    def headline(self) -> str | None:
        """The page's headline."""
        return self.headline_below(self.titles, None)

    def page_fields(self, kept: bytes, headline: str | None, element: int = -1) -> PageFields:
        """What the page says of itself beside its content, once it is known where that is.

        `element` shows the headline, where that is known. What learning has asked for already, of
        the page read by itself, is not worked out again.
        """
        last = self._page_fields
        if last is None or (last.sources.kept, last.sources.headline) != (kept, headline):
            title = self.position_of(headline, element=element)
            sources = PageSources(self.page, kept, title, headline)
            last = self._page_fields = PageFields(sources)
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
        rows = self.page.rows
        lengths = np.asarray(rows.segment_length)
        if block is None:
            kept = self.judgement.probability >= LIKELY
        else:
            kept = np.zeros(len(lengths), np.bool_)
            kept[block[0] : block[1]] = True
        first = untitled.beginning(lengths, kept)
        return untitled.up_to(first, self.page.texts, rows.segment_link_chars)

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
        segment = self._segment_of_heading(element)
        if segment >= 0:
            return segment
        if "_shows_title" in vars(self) and headline == self.titles.text:
            return self._shows_title
        return self._looked_for(headline)

    def _looked_for(self, headline: str) -> int:
        rows = self.page.rows
        segment = headline_position(self.page.folded, rows, headline, 0, rows.segment_count)
        if segment < 0 and "titles" in vars(self):  # a heading whose words are explained above them
            shown = (one.element for one in self.titles.shown.found if one.text == headline)
            segment = self._segment_of_heading(next(shown, -1))
        return segment

    def _segment_of_heading(self, element: int) -> int:
        """The segment that is all of a heading; -1 where it has several, or is none."""
        rows = self.page.rows
        block = rows.block_of[element] if element >= 0 else -1
        if block < 0 or not FLAGS[rows.tag[element]] & HEADING:
            return -1
        segment = rows.block_first[block]
        return segment if rows.block_end[block] == segment + 1 else -1

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
        sizes = judgement.sizes
        is_huge = len(sizes) > MOST_TOGETHER
        if is_huge:
            kept = likely_segments(judgement.probability, sizes, judgement.expected)
        else:
            together = judged_together(judgement.probability, sizes, page.places)
            kept = likely_segments(np.asarray(together), sizes)
        why = bytearray(kept.tobytes().translate(_WHY_ALONE))
        if judgement.documentation < A_MANUAL:
            drop_repeated(page, why)
        title = self.position_of(self.headline)
        if title >= 0:  # it is not of the body, wherever it stands
            hashes = page.text_hashes
            for same in np.flatnonzero(hashes == hashes[title]).tolist():
                if why[same] <= decision.PINNED:
                    why[same] = decision.TITLE
        if not is_huge:
            self._drop_entries(why, title)
        if judgement.page_type == "product":
            self._keep_described(why)
        if judgement.is_article:  # elsewhere a name alone is an entry: of a card, of a member
            drop_orphaned_headings(page, why)
        return bytes(why)

    def _drop_entries(self, why: bytearray, title: int) -> None:
        """Drop comments below an article, and teasers above it; not the parts of a live blog."""
        page, judgement = self.page, self.judgement
        if judgement.forum >= A_FORUM:
            return
        kept = why.translate(decision.IS_KEPT)
        first, end = row_of_entries(page.places, page.folded, kept, title, judgement.is_article)
        if first < end and not any(LIVE_BLOG in one for one in page.head.linked_data):
            for one in range(first, end):
                if kept[one]:
                    why[one] = decision.ENTRY

    def _keep_described(self, why: bytearray) -> None:
        kept = [reason <= decision.PINNED for reason in why]
        told = only_told(self.page.texts, kept, metadata_text(self.page.head))
        for one, (was, still) in enumerate(zip(kept, told, strict=True)):
            if was and not still:
                why[one] = decision.NOT_DESCRIBED

    @cached
    def confidence(self) -> float:
        """How likely `kept` is right."""
        return confidence(self.judgement, self.kept)

    def likely_at_places(self, asked: Sequence[int]) -> list[bool]:
        """Which of some segments are likely content; those of one place are judged together."""
        judgement = self.judgement
        means = judged_together(judgement.probability, judgement.sizes, self.page.places, 1.0)
        return [means[one] >= LIKELY for one in asked]


def drop_repeated(page: Outline, why: bytearray) -> None:
    """Drop what says again what is kept already."""
    kept = bytes(why.translate(decision.IS_KEPT))
    if not page.folded.may_repeat(kept, LEAST_REPEATED):
        return
    again = repeated_segments(
        np.frombuffer(kept, np.bool_),
        page.folded,
        page.text_hashes,
        lambda one: page.places.hashes[page.rows.segment_block[one]],
    )
    for one in again:
        why[one] = decision.REPEATED


def drop_orphaned_headings(
    page: Outline, why: bytearray, first: int = 0, end: int | None = None
) -> None:
    """Drop the headings from `first` to `end` that nothing kept follows there."""
    kept = why[first:end].translate(decision.IS_KEPT)
    for place in orphaned_headings(page.rows, kept, first):
        why[first + place] = decision.ORPHANED
        kept[place] = 0
    for place in orphaned_introductions(page.rows, kept, first):
        why[first + place] = decision.ORPHANED
