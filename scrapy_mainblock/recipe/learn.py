"""Learning the rules of sites from their pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scrapy_mainblock.fields.site_names import possible_names
from scrapy_mainblock.judge.models import ModelError
from scrapy_mainblock.judge.page_type import TYPES
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.stores.rules import Rules
from scrapy_mainblock.template.evidence import NO_EVIDENCE, PageEvidence, SiteEvidence
from scrapy_mainblock.template.place_stats import inline_seen, places_seen
from scrapy_mainblock.template.rules import Judged
from scrapy_mainblock.template.votes import votes_of


def learn(pages: Iterable[tuple[Any, str | None]]) -> Rules:
    """Learn the rules of any number of sites from their pages, given as (html, url).

    Pages are grouped by the host of their URL. They are read once, as a stream; no page is kept.
    """
    by_site: dict[str, SiteEvidence] = {}
    for html, url in pages:
        site = sites.host(url)
        evidence = by_site.setdefault(site, SiteEvidence(site))
        evidence.add(evidence_of(Page.of(html, url)))
    return rules_of(by_site.values())


def rules_of(evidence: Iterable[SiteEvidence]) -> Rules:
    """The rules that follow from what was seen of several sites."""
    learnt = (one.rules() for one in evidence)
    return Rules({rules.site: rules for rules in learnt if rules.templates})


def evidence_of(page: Page) -> PageEvidence:
    """What learning keeps of a page; nothing, of a page that cannot be read."""
    if page.why_unreadable:
        return NO_EVIDENCE
    try:
        return evidence_of_reading(Reading(Outline(page)))
    except Exception:  # a page never raises
        return NO_EVIDENCE


def evidence_of_reading(reading: Reading) -> PageEvidence:
    """What learning keeps of a page that is read."""
    page, judgement = reading.page, reading.judgement
    votes = votes_of(page, judgement.sizes * reading.kept, judgement.expected[0])
    if not votes:
        return PageEvidence(page.structure)
    likely = judgement.probability.tolist()
    return PageEvidence(
        page.structure,
        tuple(votes),
        places_seen(page, likely, reading.begins),
        inline_seen(page, likely),
        _judged(reading),
        possible_names(reading.titles.titles),
    )


def _judged(reading: Reading) -> Judged | None:
    try:
        confidence = reading.confidence
    except ModelError:
        return None
    return Judged(confidence, tuple(zip(TYPES, reading.judgement.types.tolist(), strict=True)))
