"""The recipe of a decision: by the rule of the page's template, else from the page alone."""

from __future__ import annotations

import numpy as np

from scrapy_mainblock.fields.headline import headline_by_titles
from scrapy_mainblock.fields.metadata_text import metadata_text
from scrapy_mainblock.judge import confidence, decision, page_type
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.judge.models import ModelError
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.reading import Reading, leave_out_orphans
from scrapy_mainblock.template import said
from scrapy_mainblock.template.match import Match, matches
from scrapy_mainblock.template.rules import Hit, SiteRules, Template
from scrapy_mainblock.template.selection import EVERYTHING

TOLD_PROBABILITY = 0.1
"""A description for search engines is mostly the beginning of the text at best."""
_WHY = {
    said.KNOWN: decision.KNOWN,
    said.UNKNOWN: decision.LIKELY_PLACE,
    said.DROPPED: decision.DROPPED,
    said.NOT_KEPT: decision.NOT_KEPT,
    said.LINE: decision.LINE,
}
_WHY_OF_RULE = np.array([_WHY[what] for what in range(len(_WHY))], np.uint8)


def decide(
    page: Outline, rules: SiteRules | None = None, reading: Reading | None = None
) -> Decision:
    """Decide what is content on a page.

    `reading` is what is known of the page already, where it was learnt from.
    """
    reading = reading or Reading(page)
    missed: Template | None = None
    reason = None
    for match in matches(page, rules):
        found = by_rule(match, reading)
        if found is not None:
            return found
        if match.template.structure or match.template.pinned:
            missed = match.template
            reason = "the rule's block is empty" if match.hit else "the rule missed"
    return alone(reading, missed, reason)


def by_rule(match: Match, reading: Reading) -> Decision | None:
    """Decide by a template's rule; None where its block is not there, or holds nothing kept."""
    template, hit = match
    if hit is None:
        return None
    page, under = reading.page, hit.under
    titled = headline_by_titles(page, template.names)
    headline = reading.headline_with(titled, (under.first, under.end))
    why = np.full(page.rows.segment_count, decision.OUTSIDE, np.uint8)
    inside = why[under.first : under.end]
    inside[:] = decision.PINNED
    by = b""
    muted: list[int] = []
    unknown_left = 0
    selection = template.rule.selection
    if selection != EVERYTHING and len(inside):
        keeper = selection.apply(page, under)
        inside[:] = _WHY_OF_RULE[np.asarray(keeper.said)]
        title = reading.position_of(headline, under.first, under.end)
        unknown_left = _ask_page(reading, inside, under.first, title)
        if title >= 0:
            inside[title - under.first] = decision.TITLE
        leave_out_orphans(page, inside, under.first)
        by = bytes(keeper.by)
        muted = selection.inline_drops(page, under)
    if not (inside <= decision.PINNED).any():
        return None
    return Decision(
        "rule",
        kept=(why <= decision.PINNED).tobytes(),
        why=why.tobytes(),
        root=hit.element,
        probability=_probability(template, page, why, hit, unknown_left),
        # To judge the page for its type alone would cost more than all else.
        page_type=page_type.by_cluster(
            page.rows, under.first, under.end, template.judged.types if template.judged else ()
        ),
        cluster=template.cluster,
        rule={hit.selector: hit.value},
        rule_version=template.version,
        rule_pages=template.pages,
        tried=_tried(template, hit),
        headline=headline,
        muted=tuple(muted),
        by=by,
        first=under.first,
        drop=selection.drop,
        lines=selection.lines,
        page=page,
    )


def _ask_page(reading: Reading, inside: np.ndarray, first: int, title: int) -> int:
    """Ask the page about the places that the rule does not know; characters that it leaves out."""
    asked = np.flatnonzero(inside == decision.LIKELY_PLACE)
    if not len(asked) or asked.tolist() == [title - first]:  # which is left out anyway
        return 0
    try:
        answers = reading.likely_at_places((asked + first).tolist())
    except ModelError:
        return 0
    left = asked[~np.array(answers)]
    inside[left] = decision.UNLIKELY_PLACE
    return int(np.asarray(reading.page.rows.segment_length)[left + first].sum())


def _probability(
    template: Template, page: Outline, why: np.ndarray, hit: Hit, unknown_left: int
) -> float:
    judged = template.judged
    if judged is None or template.pinned:
        return template.agreement
    lengths = np.asarray(page.rows.segment_length)[hit.under.first : hit.under.end]
    kept = int(lengths[why[hit.under.first : hit.under.end] <= decision.PINNED].sum())
    return confidence.by_rule(
        confidence.OfRule(
            judged.confidence,
            template.agreement,
            judged.documentation,
            1 - kept / max(int(lengths.sum()), 1),
            unknown_left / max(kept + unknown_left, 1),
        )
    )


def _tried(template: Template, hit: Hit | None) -> tuple[tuple[str, str, bool], ...]:
    """The selectors up to the one that found the block."""
    found = []
    for kind, value in template.rule.selectors():
        is_hit = hit is not None and kind == hit.selector
        found.append((kind, value, is_hit))
        if is_hit:
            break
    return tuple(found)


def alone(reading: Reading, missed: Template | None = None, reason: str | None = None) -> Decision:
    """Decide from the page alone; `missed` is its template, whose rule found nothing."""
    page = reading.page
    why, kept = reading.why, reading.kept
    described: tuple[str, ...] = ()
    probability = reading.confidence
    if not kept.any():
        told = metadata_text(page.head)
        if sum(map(len, told)) > reading.judgement.sizes.sum():
            described, probability = tuple(told), TOLD_PROBABILITY
    if not kept.any() and not described:
        reason = f"{reason}; no main block found" if reason else "no main block found"
    return Decision(
        "page" if kept.any() or described else "none",
        kept=kept.tobytes(),
        why=why,
        root=page.rows.body,
        probability=probability,
        page_type=reading.judgement.page_type,
        cluster=missed.cluster if missed else None,
        tried=_tried(missed, None) if missed else (),
        reason=reason,
        headline=reading.headline,
        described=described,
        likely=tuple(reading.judgement.probability.tolist()),
        page=page,
    )
