"""A page read alone: its headline, and how likely each of its segments is content.

Everything is computed on first access and then cached: a page that is learned from and then
extracted is judged once, and a page decided by a rule is hardly ever judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.fields import untitled
from scrapy_mainblock.fields.about.page_fields import PageFields
from scrapy_mainblock.fields.headings import Headings
from scrapy_mainblock.fields.headline import Found, best, headline_by_titles
from scrapy_mainblock.fields.metadata_text import metadata_text, only_description
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
from scrapy_mainblock.judge.judgement import FirstLook, Judgement, first_look, judge_again
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.html.tags import FLAGS, HEADING
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import may_be_equal
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.template.match import Match, best_match
from scrapy_mainblock.template.rules import SiteRules

_WHY_ALONE = bytes([decision.UNLIKELY, decision.LIKELY]).ljust(256, b"\0")
"""A table for `bytes.translate`, from whether a segment is kept to the reason."""
MOST_TOGETHER = 20_000
"""Up to this number of segments, the segments at one place are judged together. A page with more is
not an article, and another pass over all of them costs more than it is worth."""
MOST_BYTES = 4
"""Maximum bytes of a character in UTF-8."""
LIVE_BLOG = "LiveBlogPosting"
SURE_AT_FIRST = 0.8
"""If all places that a rule does not know are at least this likely, or unlikely, when their
segments are judged by themselves, they are not judged again in their context, which takes as long
once more. That is so on a quarter of the pages that have such places, and the same text was kept on
all of 3,255 pages (with .75, other text on 5)."""


class Reading:
    """One page read alone; with `headline`, by a headline that is already known."""

    def __init__(self, page: Outline, headline: str | None = None) -> None:
        self.page = page
        self._known = headline
        self._page_fields: PageFields | None = None
        self._position: tuple[str, int] | None = None
        """The headline that was last looked for, and the segment that shows it."""
        self._match: tuple[SiteRules, Match | None] | None = None
        """The rules that the page was last matched with, and the match."""

    def match_with(self, rules: SiteRules) -> Match | None:
        """Return the page's match with the rules of its site.

        A crawl asks twice: to learn from the page, and to extract it, mostly by the same rules.
        """
        if self._match is None or self._match[0] is not rules:
            self._match = rules, best_match(self.page, rules)
        return self._match[1]

    def by_headline(self, text: str) -> Reading:
        """Return a reading of the same page that uses the headline found by the template's rule.

        Return this reading itself if it already uses that headline, so that the page is not judged
        twice.
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
        """The models' judgment of the page; raises ModelError if the models cannot be loaded."""
        return judge_again(self.page, self._first_look)

    @cached
    def _first_look(self) -> FirstLook:
        """The segments, each judged by itself."""
        return first_look(self.page, self.titles.text, self._shows_title)

    @cached
    def _shows_title(self) -> int:
        """The segment that shows the headline by the page's titles; -1 for none."""
        return self._looked_for(self.titles.text or "", self.page.folded)

    @cached
    def headline(self) -> str | None:
        """The headline of the page."""
        return self.headline_below(self.titles, None)

    def page_fields(self, kept: bytes, headline: str | None, element: int = -1) -> PageFields:
        """Return the fields of the page other than its body, once the content has been decided.

        `element` is the element that shows the headline, if it is known. Fields that learning has
        already computed, for the page read alone, are not computed again.
        """
        last = self._page_fields
        if last is None or (last.sources.kept, last.sources.headline) != (kept, headline):
            title = self.position_of(headline, element=element)
            sources = PageSources(self.page, kept, title, headline)
            last = self._page_fields = PageFields(sources)
        return last

    def headline_below(self, titles: Found, block: tuple[int, int] | None) -> str | None:
        """Return the headline by the titles, or by where the content begins if they hardly name it.

        `block` holds the first segment of a rule's block, and the end of its segments.
        """
        if not titles.is_untitled:
            return titles.text
        above = self.above_content(block)
        return best(titles.described_by(above)) if above else titles.text

    def above_content(self, block: tuple[int, int] | None) -> list[untitled.Line]:
        """Return the lines down to the first paragraph of a rule's block, or of likely content."""
        rows = self.page.rows
        lengths = np.asarray(rows.segment_length)
        if block is None:
            kept = self.judgement.probability >= LIKELY
        else:
            kept = np.zeros(len(lengths), np.bool_)
            kept[block[0] : block[1]] = True
        first = untitled.first_paragraph(lengths, kept)
        return untitled.lines_above(first, self.page.texts, rows.segment_link_chars)

    def position_of(
        self, headline: str | None, first: int = 0, end: int | None = None, element: int = -1
    ) -> int:
        """Return the segment from `first` to `end` that shows the headline, or -1.

        `element` is a heading that is known to show it, and need not be searched for.
        """
        rows = self.page.rows
        if not headline:
            return -1
        if self._position is None or self._position[0] != headline:
            self._position = headline, self._position_in_page(headline, element)
        found, end = self._position[1], rows.segment_count if end is None else end
        if found < 0 or first <= found < end:
            return found
        return headline_position(self.page.folded_already, rows, headline, first, end)

    def _position_in_page(self, headline: str, element: int) -> int:
        segment = self._segment_of_heading(element)
        if segment >= 0:
            return segment
        if "_shows_title" in vars(self) and headline == self.titles.text:
            return self._shows_title
        return self._looked_for(headline, self.page.folded_already)

    def _looked_for(self, headline: str, folded: Folded | None) -> int:
        rows = self.page.rows
        segment = headline_position(folded, rows, headline, 0, rows.segment_count)
        if segment < 0 and "titles" in vars(self):  # a heading with ruby annotations
            shown = (one.element for one in self.titles.shown.found if one.text == headline)
            segment = self._segment_of_heading(next(shown, -1))
        return segment

    def _segment_of_heading(self, element: int) -> int:
        """Return the only segment of a heading; -1 if it has several, or is not a heading."""
        rows = self.page.rows
        block = rows.block_of[element] if element >= 0 else -1
        if block < 0 or not FLAGS[rows.tag[element]] & HEADING:
            return -1
        segment = rows.block_first[block]
        return segment if rows.block_end[block] == segment + 1 else -1

    @cached
    def begins(self) -> int:
        """The segment where the content begins: the headline, or the first segment that is kept."""
        title = self.position_of(self.headline)
        return title if title >= 0 else int(self.kept.argmax())

    @cached
    def kept(self) -> npt.NDArray[np.bool_]:
        """For each segment, whether it is kept."""
        return np.frombuffer(self.why, np.uint8) <= decision.PINNED

    @cached
    def why(self) -> bytes:
        """For each segment, the reason why it is kept or dropped."""
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
        if title >= 0:  # the headline is not part of the body, wherever it stands
            hashes = page.text_hashes
            for same in (hashes == hashes[title]).nonzero()[0].tolist():
                if why[same] <= decision.PINNED:
                    why[same] = decision.TITLE
        if not is_huge:
            self._drop_entries(why, title)
        if judgement.page_type == "product":
            self._keep_described(why)
        if judgement.is_article:  # elsewhere a lone name is an entry, such as a card or a member
            drop_orphaned_headings(page, why)
        return bytes(why)

    def _drop_entries(self, why: bytearray, title: int) -> None:
        """Drop comments below an article and teasers above it, but not the parts of a live blog."""
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
        described = only_description(self.page.texts, kept, metadata_text(self.page.head))
        for one, (was, still) in enumerate(zip(kept, described, strict=True)):
            if was and not still:
                why[one] = decision.NOT_DESCRIBED

    @cached
    def confidence(self) -> float:
        """The probability that `kept` is right."""
        return confidence(self.judgement, self.kept)

    def likely_at_places(self, asked: Sequence[int]) -> list[bool]:
        """Return which of some segments are likely content, judging each place as a whole.

        The answer does not depend on whether the page has been judged already.
        """
        means = self._means(self._first_look.probability)
        if any(1 - SURE_AT_FIRST < means[one] < SURE_AT_FIRST for one in asked):
            means = self._means(self.judgement.probability)
        return [means[one] >= LIKELY for one in asked]

    def _means(self, probability: npt.NDArray[np.float64]) -> Any:
        """Return for each segment the mean probability of the segments at its place."""
        sizes = self._first_look.frame.sizes
        return judged_together(probability, sizes, self.page.places, 1.0)


def drop_repeated(page: Outline, why: bytearray) -> None:
    """Drop text that repeats what is already kept."""
    kept = bytes(why.translate(decision.IS_KEPT))
    if not may_be_equal(page.rows, kept, LEAST_REPEATED // MOST_BYTES):
        return
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
    """Drop the headings and introductions from `first` to `end` that no kept text follows there."""
    kept = why[first:end].translate(decision.IS_KEPT)
    for place in orphaned_headings(page.rows, kept, first):
        why[first + place] = decision.ORPHANED
        kept[place] = 0
    for place in orphaned_introductions(page.rows, kept, first):
        why[first + place] = decision.ORPHANED
