"""Decide what is content: by the rule of the page's template, else from the page alone."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scrapy_mainblock.fields.headline import headline_by_titles
from scrapy_mainblock.fields.metadata_text import metadata_text
from scrapy_mainblock.judge import confidence, decision, page_type
from scrapy_mainblock.judge.content.choice import A_MANUAL
from scrapy_mainblock.judge.decision import Decision, Tried, decision_with
from scrapy_mainblock.judge.densest_block import densest_block
from scrapy_mainblock.judge.models import ModelError
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import length_of_kept
from scrapy_mainblock.recipe.headline import Headline, ruled_headline
from scrapy_mainblock.recipe.reading import Reading, drop_orphaned_headings, drop_repeated
from scrapy_mainblock.template import verdicts
from scrapy_mainblock.template.match import Match, matches
from scrapy_mainblock.template.oddity import KEEPS_LITTLE, MORE_DROPPED, ODD_LENGTH, oddity
from scrapy_mainblock.template.rule_fit import Fit, fit
from scrapy_mainblock.template.rules import Hit, SiteRules, Template

UNLIKE = "the rule's block is unlike the blocks it was learned from"
FAILED = "the rule is not used: it dropped content on most pages it was checked on"
MUCH_OF_PAGE, SURE_ENOUGH = 0.15, 0.3
"""Thresholds for a page that is odd for its rule. The page alone is believed if the rule would drop
more than this share of what the page alone keeps, and if the page alone is right with more than
this probability. (Rules learned from 12 pages, measured on the other pages: F1 changes by .0002
between shares of .1 and .3, and by up to .001 between probabilities of .3 and .5. With .8 it is
.0015 lower, because the page alone is then hardly ever believed.)"""
NEARLY_ALL = 0.8
"""The page alone is believed, however unsure it is, if the rule keeps less than it by more than
this share, and the rule drops more than ever or its block has an odd length on a page that is odd
for another reason: a list was taken for the block, or another block now has its name. (The rule is
right about short articles beside much other text: doing the same for blocks half as long as any
before lowers F1 by .004 on news sites, with rules from 12 pages.)"""
DESCRIPTION_PROBABILITY = 0.1
"""Probability of a body taken from the description for search engines, at best the beginning of the
text."""
DENSITY_PROBABILITY = 0.3
"""Probability of a page read without models: about the share of such pages that is right."""
_WHY = {
    verdicts.KNOWN: decision.KNOWN,
    verdicts.UNKNOWN: decision.LIKELY_PLACE,
    verdicts.DROPPED: decision.DROPPED,
    verdicts.NOT_KEPT: decision.NOT_KEPT,
    verdicts.LINE: decision.LINE,
}
_WHY_OF_RULE = bytes(_WHY.get(verdict, 0) for verdict in range(256))
_OUTSIDE, _PINNED = bytes([decision.OUTSIDE]), bytes([decision.PINNED])


class Decided(NamedTuple):
    """A decision, and the headline of the page, which is needed to make the decision."""

    decision: Decision
    headline: str | None
    named: Headline = Headline(None)
    """What the template's rule for the headline found, or why it found nothing."""


class Missed(NamedTuple):
    """The template of a page whose rule is not used or is doubted, and why."""

    template: Template
    tried: tuple[Tried, ...]
    reason: str


def decide(reading: Reading, rules: SiteRules | None = None) -> Decided:
    """Return the decision for a page, by a rule that can be used, or else from the page alone."""
    missed: Missed | None = None
    first = reading.match_with(rules) if rules else None
    for match in matches(reading.page, rules, first) if first else ():
        found = decide_by_rule(match, reading, rules)
        if found is None:
            if match.template.structure or match.template.pinned:
                missed = Missed(match.template, match.search.tried, _why_nothing(match))
        elif (fits := fit_of(match, reading.page)) == "unlike":
            why = FAILED if match.template.has_failed else UNLIKE
            missed = Missed(match.template, match.search.tried, why)
            by_page = _by_page(reading, rules, missed)
            return after_miss(by_page, missed) if by_page.decision.method == "page" else found
        elif odd := oddity(match.template, fits, found.decision.why, reading.page):
            missed = Missed(match.template, match.search.tried, odd)
            return of_odd_page(found, reading, missed, fits, rules)
        else:
            return found
    found = _by_page(reading, rules, missed)
    return after_miss(found, missed) if missed else found


def _why_nothing(match: Match) -> str:
    """Return why a rule found nothing to keep."""
    if match.template.has_failed:
        return FAILED
    return "the rule's block is empty" if match.search.hit else "the rule's block was not found"


def _by_page(reading: Reading, rules: SiteRules | None, missed: Missed | None) -> Decided:
    """Decide without the rule for the block; a pinned headline rule still applies.

    A learned headline rule does not: it was learned from pages that have the block.
    """
    template = missed.template if missed else None
    named = ruled_headline(reading.page, rules, template, pinned=True)
    if named is None or named.text is None:
        return without_rule(reading)._replace(named=named or Headline(None))
    return without_rule(reading.by_headline(named.text))._replace(headline=named.text, named=named)


def of_odd_page(
    by_rule: Decided, reading: Reading, odd: Missed, fits: Fit, rules: SiteRules | None
) -> Decided:
    """Choose between the rule and the page alone, on a page unlike those that taught the rule.

    The page alone wins if the rule would drop much of what the page alone keeps, unless the page
    alone is unsure: dropping noise is the purpose of a rule, and noise is seldom most of what is
    kept of a page that is likely right. If the length of the rule's block is odd as well, hardly
    anything speaks for the rule. An odd length by itself often means a very short article, so the
    page alone has to be sure. If hardly anything of a usual block is kept, the page is often a
    short article among much noise, which the page alone would surely take for content: the rule
    stays.

    The resulting probability is the one that the models give to the chosen segments, and for the
    rule at most its own.
    """
    try:
        judgement = reading.judgement
        kept = np.frombuffer(by_rule.decision.kept, np.uint8).astype(np.bool_)
        own = float(judgement.sizes[reading.kept].sum())
        lost = own - float(judgement.sizes[reading.kept & kept].sum())
        is_sure = reading.confidence > SURE_ENOUGH
        likely = confidence.confidence(judgement, kept)
    except ModelError:
        return by_rule
    by_rule_kept = float(judgement.sizes[kept].sum())
    is_dropped = odd.reason == MORE_DROPPED
    is_doubtful = is_dropped or (fits == "odd length" and odd.reason != ODD_LENGTH)
    is_contradicted = (is_sure and not is_dropped and lost > MUCH_OF_PAGE * own) or (
        is_doubtful and own - by_rule_kept > NEARLY_ALL * own
    )
    if is_contradicted and odd.reason != KEEPS_LITTLE:
        return after_miss(_by_page(reading, rules, odd), odd)
    probability = min(by_rule.decision.probability, likely)
    changed = replace(by_rule.decision, probability=probability, reason=odd.reason)
    return by_rule._replace(decision=changed)


def lost_by_rule(match: Match, reading: Reading, rules: SiteRules) -> float | None:
    """Return the share of the page's own content that its rule drops; None if either is empty."""
    found = decide_by_rule(match, reading, rules)
    if found is None:
        return None
    sizes, own = reading.judgement.sizes, reading.kept
    kept = np.frombuffer(found.decision.kept, np.uint8).astype(np.bool_)
    content = float(sizes[own].sum())
    return 1 - float(sizes[own & kept].sum()) / content if content else None


def fit_of(match: Match, page: Outline) -> Fit:
    """Return how the block that a rule found compares with the blocks that it was learned from."""
    template = match.template
    return fit(template, match.search.hit, page) if template.structure else "fits"


def without_rule(reading: Reading) -> Decided:
    """Decide without a rule: by the models, or by text density if the models cannot be loaded."""
    try:
        return alone(reading)
    except ModelError as error:
        return by_density(reading, f"{error}: scored by text density")


def after_miss(found: Decided, missed: Missed) -> Decided:
    """Return the decision of a page that was read alone, with the rule that missed and why."""
    reason = found.decision.reason
    changed = replace(
        found.decision,
        cluster=missed.template.cluster,
        tried=missed.tried,
        reason=f"{missed.reason}; {reason}" if reason else missed.reason,
    )
    return found._replace(decision=changed)


def decide_by_rule(
    match: Match, reading: Reading, rules: SiteRules | None = None
) -> Decided | None:
    """Decide by a template's rule; return None if its block is missing or nothing in it is kept.

    `rules` are the rules of the site, which may say where the headline is.
    """
    template, (hit, tried) = match
    if hit is None:
        return None
    page, under = reading.page, hit.under
    named = ruled_headline(page, rules, template) or Headline(None)
    headline = named.text
    if headline is None:
        # Without known names, use the reading's own titles: they are cached, and judging unknown
        # places needs them as well.
        titles = headline_by_titles(page, template.names) if template.names else reading.titles
        headline = reading.headline_below(titles, (under.first, under.end))
        named = named._replace(titles=titles)
    first, end = under.first, max(under.end, under.first)
    why = bytearray(_OUTSIDE * page.rows.segment_count)
    by = b""
    muted: list[int] = []
    unknown_dropped = 0
    selection = template.rule.selection
    if selection.is_everything or first == end:
        why[first:end] = _PINNED * (end - first)
    else:
        keeper = selection.apply(page, under)
        why[first:end] = keeper.verdict.translate(_WHY_OF_RULE)
        title = reading.position_of(headline, first, end, named.element)
        if why.find(decision.LIKELY_PLACE, first, end) >= 0:
            asked = reading.by_headline(named.text) if named.text else reading
            unknown_dropped = _ask_page(asked, why, (first, end), title)
        if _drops_repeated(template):
            drop_repeated(page, why)
        if title >= 0:
            why[title] = decision.TITLE
        drop_orphaned_headings(page, why, first, end)
        by = bytes(keeper.by)
        muted = selection.inline_drops(page, under)
    reasons = bytes(why)
    kept = reasons.translate(decision.IS_KEPT)
    if 1 not in kept:
        return None
    found = decision_with(
        method="rule",
        kept=kept,
        why=reasons,
        root=hit.element,
        probability=_probability(template, page, kept, hit, unknown_dropped),
        # Judging the page just for its type would cost more than everything else here.
        page_type=page_type.by_cluster(
            page.rows, under.first, under.end, template.judged.types if template.judged else ()
        ),
        cluster=template.cluster,
        rule={hit.selector: hit.value},
        rule_version=template.version,
        rule_pages=template.pages,
        tried=tried,
        muted=tuple(muted),
        by=by,
        first=under.first,
        drop=selection.drop,
        lines=selection.lines,
        page=page,
    )
    return Decided(found, headline, named)


def _drops_repeated(template: Template) -> bool:
    """Return whether repeated text is dropped: not in a manual, and not if the rule is pinned."""
    judged = template.judged
    return not template.pinned and judged is not None and judged.documentation < A_MANUAL


def _ask_page(reading: Reading, why: bytearray, under: tuple[int, int], title: int) -> int:
    """Judge the places that the rule does not know; return how many characters are dropped."""
    asked = [one for one in range(*under) if why[one] == decision.LIKELY_PLACE]
    if asked == [title]:  # the headline is dropped anyway
        return 0
    try:
        answers = reading.likely_at_places(asked)
    except ModelError:
        return 0
    dropped = [one for one, is_likely in zip(asked, answers, strict=True) if not is_likely]
    for one in dropped:
        why[one] = decision.UNLIKELY_PLACE
    lengths = reading.page.rows.segment_length
    return sum([lengths[one] for one in dropped])


def _probability(
    template: Template, page: Outline, kept: bytes, hit: Hit, unknown_dropped: int
) -> float:
    judged = template.judged
    if judged is None or template.pinned:
        return template.agreement
    length, of_kept = length_of_kept(page.rows, kept, hit.under.first, hit.under.end)
    return confidence.by_rule(
        confidence.RulePage(
            judged.confidence,
            template.agreement,
            judged.documentation,
            1 - of_kept / max(length, 1),
            unknown_dropped / max(of_kept + unknown_dropped, 1),
        )
    )


def alone(reading: Reading) -> Decided:
    """Decide from the page alone; raise ModelError if the models cannot be loaded."""
    page, judgement = reading.page, reading.judgement
    why = reading.why
    kept = why.translate(decision.IS_KEPT)
    uses_description = False
    probability = reading.confidence
    keeps_any = 1 in kept
    if not keeps_any:
        description = metadata_text(page.head)
        if sum(map(len, description)) > judgement.sizes.sum():
            uses_description, probability = True, DESCRIPTION_PROBABILITY
    is_found = keeps_any or uses_description
    found = Decision(
        "page" if is_found else "none",
        kept=kept,
        why=why,
        root=page.rows.body,
        probability=probability,
        page_type=judgement.page_type,
        reason=None if is_found else "no main block found",
        likely=array("d", np.asarray(judgement.probability, np.float64).tobytes()),
        uses_description=uses_description,
        page=page,
    )
    return Decided(found, reading.headline)


def by_density(reading: Reading, reason: str) -> Decided:
    """Decide without models: the block that is densest in text is the content."""
    page = reading.page
    why = np.full(page.rows.segment_count, decision.UNLIKELY, np.uint8)
    block = densest_block(page)
    if block >= 0:
        inside = why[page.rows.block_first[block] : page.rows.block_end[block]]
        inside[:] = decision.LIKELY
    kept = why <= decision.PINNED
    found = Decision(
        "page" if kept.any() else "none",
        kept=kept.tobytes(),
        why=why.tobytes(),
        root=page.rows.body,
        probability=DENSITY_PROBABILITY if kept.any() else 0.0,
        page_type=page_type.by_links(page.rows),
        reason=reason if kept.any() else f"{reason}; no main block found",
        page=page,
    )
    return Decided(found, reading.titles.text)
