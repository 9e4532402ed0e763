"""A page's headline: at the place that its template's rule names, else by the page itself.

What is content depends on it: the segment that shows the headline is no part of the body. So it is
found before the decision, and the decision keeps where it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp
from typing import NamedTuple

from scrapy_mainblock.fields.about.choice import MOST_REJECTED
from scrapy_mainblock.fields.candidates import candidates
from scrapy_mainblock.fields.headline import Found, weighed, weights
from scrapy_mainblock.fields.page_titles import title_keys
from scrapy_mainblock.fields.ruled.by_rule import TITLE, Shown, headline_at
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.titles import Key, key_of
from scrapy_mainblock.judge.claims import Choice, Claim
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.template.field_rules import rule_among
from scrapy_mainblock.template.rules import SiteRules, Template

CONFIRMED, WEIGHED = 0.96, 0.72
"""How likely a headline is right that a title of the page confirms, and one that is chosen among
several: of 2,605 labelled pages .957 and .716 were."""
LEAST_TOLD = 0.5
"""Of the words of a heading that the ``<title>`` of the page must have as well, unless that is the
site's name: a promotion may stand where the headline stands on other pages."""
_CUT_OFF = ("-", "–", "—", "|", "·")
"""What a title ends with that was cut off: by quotes within it, or to a number of characters."""


class Headline(NamedTuple):
    """What the headline of a page is, and where it was found."""

    text: str | None
    by_rule: Claim | None = None
    element: int = -1
    """What shows it, where a rule names that."""
    why_not: str = ""
    """Why the page was read by itself, although there is a rule."""
    titles: Found | None = None
    """What the page calls itself, where it was read by itself with what is known of its site."""


def ruled_headline(
    page: Outline, rules: SiteRules | None, template: Template | None, *, pinned: bool = False
) -> Headline | None:
    """The headline by the rule of a page's template; None without a rule.

    Its text is None where the place gives none that is to be used. With `pinned` only what a hand
    has pinned counts.
    """
    if rules is None:
        return None
    rule = rule_among(template.fields if template else (), rules.fields, "headline")
    if rule is None or (pinned and not rule.pinned):
        return None
    try:
        found = headline_at(PageSources(page, b"", -1), rule.place)
    except Exception as error:  # a page never raises
        swallow(error, "the headline could not be read by its rule")
        found = None
    if found is None:
        return Headline(None, why_not=f"the rule has it at {rule.place}, which is not there")
    doubt = None if rule.pinned else _doubt(page, found, template)
    if doubt:
        return Headline(None, why_not=f"the rule has it at {rule.place}, where {doubt}")
    claim = Claim(found.text, f"rule:{rule.place}", round(rule.probability, 4), found.text)
    return Headline(found.text, claim, found.element)


def _doubt(page: Outline, found: Shown, template: Template | None) -> str | None:
    """What speaks against a text that a learnt place has."""
    names = template.names if template else ()
    if found.text.endswith(_CUT_OFF):
        return "the text is cut off"
    if found.text in names:  # which were taken from the same headings
        return "a name of the site stands"
    if found.element < 0 or found.text in page.head.title:
        return None
    title, words = key_of(page.head.title), set(key_of(found.text))
    if not title or title in title_keys(names):
        return None
    is_told = len(words.intersection(title)) >= LEAST_TOLD * len(words)
    return None if is_told else "the page's title says something else"


def headline_choice(
    named: Headline, text: str | None, alone: Callable[[], Found], *, explained: bool = False
) -> Choice:
    """What fills the field; `explained` asks for what else the page could have by itself.

    `text` is the headline, `alone` gives what the page calls itself where nobody has asked yet.
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
    """How likely the headline that a page by itself has is right."""
    return CONFIRMED if titles.is_confirmed else WEIGHED


def source_of(titles: Found, text: str) -> str:
    """Where a page has a headline: its heading, and which of its titles say the same."""
    key = key_of(text)
    return ",".join(_sources(titles, key)) or "line"


def _sources(titles: Found, key: Key) -> Iterator[str]:
    """A title of which it is only a part counts as well."""
    kinds = {"named": "class:headline", "line": "line"}
    shown = (kinds.get(one.kind, one.kind) for one in titles.shown.found if one.key == key)
    yield from dict.fromkeys(shown)
    for kind, name in titles.titles.named:
        if key in name.runs:
            yield {"title": TITLE, "og": "meta:og:title"}[kind]
    if titles.titles.linked == key:
        yield "json-ld:headline"


def _others(text: str | None, titles: Found, likely: float) -> Iterator[Claim]:
    """The other candidates of a page, the likeliest first; one of them is it with `likely`."""
    known = titles.candidates or candidates(titles.titles, titles.shown).all
    chosen = key_of(text or "")
    by_weight = weights()
    others = [
        (weighed(one.features, by_weight), one.text) for one in known if key_of(one.text) != chosen
    ]
    others = sorted(others, key=lambda one: -one[0])[:MOST_REJECTED]
    odds = [exp(weight - others[0][0]) for weight, _ in others]
    for (_, other), share in zip(others, odds, strict=True):
        sure = round(likely * share / sum(odds), 4)
        yield Claim(other, source_of(titles, other), sure, other)
