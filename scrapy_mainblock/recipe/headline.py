"""The headline of a page: at the place that a field rule names, else by the page alone.

The decision about the content depends on the headline, because the segment that shows it is not
part of the body. So the headline is found before the decision, which keeps the headline's source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp
from typing import NamedTuple

from scrapy_mainblock.fields.about.choice import MOST_REJECTED
from scrapy_mainblock.fields.candidates import candidates
from scrapy_mainblock.fields.headline import Found, score, weights
from scrapy_mainblock.fields.page_titles import title_keys
from scrapy_mainblock.fields.ruled.by_rule import TITLE, Shown, headline_at
from scrapy_mainblock.fields.titles import Key, key_of
from scrapy_mainblock.judge.claims import Choice, Claim, rounded
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.template.field_rules import rule_among
from scrapy_mainblock.template.rules import SiteRules, Template

CONFIRMED, WEIGHED = 0.96, 0.72
"""Probability that a headline is right: if a title of the page confirms it, and if it is chosen
among several candidates. On 2,605 labeled pages .957 and .716 were right."""
LEAST_SHARED_WORDS = 0.5
"""Share of a heading's words that the page's ``<title>`` must contain as well, unless the title is
the name of the site: on some pages a promotion stands where other pages have the headline."""
_CUT_OFF = ("-", "–", "—", "|", "·")
"""How a title ends that was cut off, by quotes within it or at a number of characters."""


class Headline(NamedTuple):
    """The headline of a page, and where it was found."""

    text: str | None
    by_rule: Claim | None = None
    element: int = -1
    """The element that shows the headline, if the rule's place is an element; else -1."""
    why_not: str = ""
    """Why the headline was read from the page alone, although there is a rule for it."""
    titles: Found | None = None
    """The headline by the page's titles, if a rule decided the page and no field rule gave its
    headline."""


def ruled_headline(
    page: Outline, rules: SiteRules | None, template: Template | None, *, pinned: bool = False
) -> Headline | None:
    """Return the headline by the rule of a page's template, or None if there is no rule.

    Its text is None if the place gives no usable headline. With `pinned`, only pinned rules count.
    """
    if rules is None:
        return None
    rule = rule_among(template.fields if template else (), rules.fields, "headline")
    if rule is None or (pinned and not rule.pinned):
        return None
    try:
        found = headline_at(page, rule.place)
    except Exception as error:  # no page may make this raise
        swallow(error, "reading the headline by its rule failed")
        found = None
    if found is None:
        why_not = f"the rule's place {rule.place} is missing or empty on this page"
        return Headline(None, why_not=why_not)
    doubt = None if rule.pinned else _doubt(page, found, template)
    if doubt:
        why_not = f"the value at the rule's place {rule.place} was not used: {doubt}"
        return Headline(None, why_not=why_not)
    claim = Claim(found.text, f"rule:{rule.place}", rounded(rule.probability), found.text)
    return Headline(found.text, claim, found.element)


def _doubt(page: Outline, found: Shown, template: Template | None) -> str | None:
    """Return what speaks against a text found at a learned place, or None."""
    names = template.names if template else ()
    if found.text.endswith(_CUT_OFF):
        return "the text is cut off"
    if found.text in names:  # the names were taken from the same headings
        return "the text is the site's name"
    if found.element < 0 or found.text in page.head.title:
        return None
    title, words = key_of(page.head.title), set(key_of(found.text))
    if not title or title in title_keys(names):
        return None
    is_in_title = len(words.intersection(title)) >= LEAST_SHARED_WORDS * len(words)
    return None if is_in_title else "the page's title does not match"


def headline_choice(
    named: Headline, text: str | None, alone: Callable[[], Found], *, explained: bool = False
) -> Choice:
    """Return the choice for the headline; with `explained`, also the other candidates of the page.

    `text` is the headline. `alone` returns the headline by the page's titles; it is only called if
    that is not known yet.
    """
    if named.by_rule is not None and not explained:
        return Choice(named.by_rule)
    titles = named.titles or alone()
    chosen = named.by_rule
    if chosen is None and text:
        chosen = Claim(text, source_of(titles, text), likelihood(titles), text)
    left = 1 - chosen.probability if chosen else 1.0
    rejected = tuple(_others(text, titles, left)) if explained else ()
    return Choice(chosen, rejected, named.why_not)


def likelihood(titles: Found) -> float:
    """Return the probability that a headline by the page alone is right."""
    return CONFIRMED if titles.is_confirmed else WEIGHED


def source_of(titles: Found, text: str) -> str:
    """Return where a page has a headline: its heading, and the titles that repeat it."""
    key = key_of(text)
    return ",".join(_sources(titles, key)) or "line"


def _sources(titles: Found, key: Key) -> Iterator[str]:
    """Yield the sources of a headline, including titles that only contain it."""
    kinds = {"named": "class:headline", "line": "line"}
    shown = (kinds.get(one.kind, one.kind) for one in titles.shown.found if one.key == key)
    yield from dict.fromkeys(shown)
    for kind, name in titles.titles.named:
        if key == name.key or key in name.runs:
            yield {"title": TITLE, "og": "meta:og:title"}[kind]
    if titles.titles.linked == key:
        yield "json-ld:headline"


def _others(text: str | None, titles: Found, likely: float) -> Iterator[Claim]:
    """Yield the other candidates, the likeliest first; their probabilities add up to `likely`."""
    known = titles.candidates or candidates(titles.titles, titles.shown).all
    chosen = key_of(text or "")
    by_weight = weights()
    others = [
        (score(one.features, by_weight), one.text) for one in known if key_of(one.text) != chosen
    ]
    others = sorted(others, key=lambda one: -one[0])[:MOST_REJECTED]
    odds = [exp(weight - others[0][0]) for weight, _ in others]
    for (_, other), share in zip(others, odds, strict=True):
        sure = rounded(likely * share / sum(odds))
        yield Claim(other, source_of(titles, other), sure, other)
