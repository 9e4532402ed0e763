"""Learn the rules of sites from their pages.

Pages are read one at a time. Only their evidence is kept, in memory or on disk; the rules are
derived from it at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from scrapy_mainblock.fields.ruled.headline import headline_seen
from scrapy_mainblock.fields.ruled.seen import fields_seen
from scrapy_mainblock.fields.site_names import possible_names
from scrapy_mainblock.judge.models import ModelError
from scrapy_mainblock.judge.page_type import TYPES, by_links
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.recipe.headline import likelihood
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.shelf import Shelf, ShelfFullError
from scrapy_mainblock.stores import packed_pages
from scrapy_mainblock.stores.rules import Rules
from scrapy_mainblock.template.field_rules import RULED
from scrapy_mainblock.template.learning.evidence import NO_EVIDENCE, PageEvidence, SiteEvidence
from scrapy_mainblock.template.learning.field_tally import FieldSeen
from scrapy_mainblock.template.learning.place_stats import inline_seen, places_seen
from scrapy_mainblock.template.learning.votes import votes_of
from scrapy_mainblock.template.rules import Judged
from scrapy_mainblock.template.structure import Structure

MOST_ENTRIES = 50_000
"""Entries (places, lines and others) in memory, above which new sites are put on disk. A site of a
dozen pages has 4,000 entries, some 240 KB. Sites that are already in memory may still grow. A page
on disk costs a seventh more to learn from."""
MOST_RECORDS = 256
"""Pages of a site on disk, some 10 KB each. A site with more is read back into memory, where its
pages are counted."""


def learn(pages: Iterable[tuple[Any, str | None]]) -> Rules:
    """Learn the rules of any number of sites from their pages, given as (html, url).

    Pages are grouped by the host of their URL. They are read once, as a stream; no page is kept.
    """
    learner = Learner()
    for one in pages:
        if isinstance(one, (str, bytes)) or not isinstance(one, Iterable):
            raise TypeError(f"pages must be pairs of (html, url), not {type(one).__name__}")
        html, url = one
        page = Page.of(html, url)
        learner.add(sites.host(page.url), evidence_of(page))
    return learner.rules()


class Learner:
    """Collects the evidence of any number of sites.

    Above `most_entries` entries, the pages of new sites are put on disk, one by one. They are
    counted at the end, in the order in which they came, so that the learned rules are the same.
    """

    def __init__(self, most_entries: int = MOST_ENTRIES) -> None:
        self._most_entries = most_entries
        self._sites: dict[str, None] = {}
        """All sites, in the order in which they came."""
        self._here: dict[str, SiteEvidence] = {}
        self._shelf = Shelf()
        self._is_full = False
        self._size = 0

    def add(self, site: str, page: PageEvidence) -> None:
        """Count a page of a site."""
        self._sites[site] = None
        evidence = self._here.get(site)
        if evidence is None:
            if self._belongs_on_disk(site) and self._put_on_disk(site, page):
                return
            evidence = self._here[site] = self._on_disk(site)
            self._size += evidence.size
        before = evidence.size
        evidence.add(page)
        self._size += evidence.size - before

    def _belongs_on_disk(self, site: str) -> bool:
        is_new = not self._shelf.count(site)
        return self._size > self._most_entries if is_new else self._shelf.count(site) < MOST_RECORDS

    def _put_on_disk(self, site: str, page: PageEvidence) -> bool:
        """Put a page on disk; return whether that worked.

        After a failed write, all further pages stay in memory.
        """
        if self._is_full:
            return False
        record = packed_pages.pack(packed_pages.SharedPage(page))
        if record is None:
            return False
        try:
            self._shelf.put(site, record)
        except ShelfFullError as error:
            swallow(error, "what was learned could not be written to disk and is kept in memory")
            self._is_full = True
        return not self._is_full

    def _on_disk(self, site: str) -> SiteEvidence:
        """Return the evidence of a site's pages on disk, if there are any."""
        evidence = SiteEvidence(site)
        for record in self._shelf.records(site):
            evidence.add(packed_pages.unpack(record).evidence)
        return evidence

    def rules(self) -> Rules:
        """Return the rules that follow from the evidence."""
        learnt = ((self._here.get(site) or self._on_disk(site)).rules() for site in self._sites)
        return Rules({rules.site: rules for rules in learnt if rules.templates})


def evidence_of(page: Page, wanted: Collection[str] = RULED) -> PageEvidence:
    """Return what learning keeps of a page, or NO_EVIDENCE for a page that cannot be read.

    `wanted` are the fields for which places are learned.
    """
    if page.why_unreadable:
        return NO_EVIDENCE
    try:
        return evidence_of_reading(Reading(Outline(page)), wanted)
    except Exception as error:  # no page may make this raise
        swallow(error, "could not learn from a page")
        return NO_EVIDENCE


def evidence_of_reading(reading: Reading, wanted: Collection[str] = RULED) -> PageEvidence:
    """Return what learning keeps of a page that has been read."""
    page, judgement = reading.page, reading.judgement
    votes = votes_of(page, judgement.sizes * reading.kept, judgement.expected[0])
    is_index = by_links(page.rows) == judgement.page_type == "index"
    structure = Structure.of_page(page.text_places)
    if not votes:
        return PageEvidence(structure, is_index=is_index)
    likely = judgement.probability
    return PageEvidence(
        structure,
        tuple(votes),
        places_seen(page, likely, reading.begins),
        inline_seen(page, likely),
        _judged(reading),
        possible_names(reading.titles.titles),
        is_index,
        _fields(reading, wanted),
    )


def _fields(reading: Reading, wanted: Collection[str]) -> tuple[FieldSeen, ...]:
    try:
        page_fields = reading.page_fields(reading.kept.tobytes(), reading.headline)
        headline = headline_seen(page_fields.sources, reading.titles, likelihood(reading.titles))
        return headline, *fields_seen(page_fields, wanted)
    except Exception as error:  # learn from the rest of the page
        swallow(error, "could not learn from the fields of a page")
        return ()


def _judged(reading: Reading) -> Judged | None:
    try:
        confidence = reading.confidence
    except ModelError:
        return None
    return Judged(confidence, tuple(zip(TYPES, reading.judgement.types.tolist(), strict=True)))
