"""Records the places of a page that give a headline, for learning the rule of a template."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy_mainblock.fields.headline import Found
from scrapy_mainblock.fields.ruled.by_rule import LONGEST_PLACE, TITLE, read
from scrapy_mainblock.fields.ruled.seen import LEAST_LIKELY, MOST_INSIDE, number
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.titles import key_of
from scrapy_mainblock.outline.css import Siblings, selector_of
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.places import step_of
from scrapy_mainblock.outline.selectors import inline_in
from scrapy_mainblock.template.learning.field_tally import SURE_OF_CONSTANT, FieldSeen, ReadAt

MOST_PLACES = 20
"""Maximum number of places that are recorded for a page: those of the headline first, then other
headings."""
H1 = CODES["h1"]
MOST_CUT = 2
"""Maximum number of site names at the end of a title: ``Rain - News - The Daily`` has two."""
IN_HEAD = {"title": TITLE, "og": "meta:og:title"}


def headline_seen(sources: PageSources, titles: Found, likely: float) -> FieldSeen:
    """Return the values of the places that give a headline.

    `likely` is the probability that the page's headline is right. It is limited to
    `SURE_OF_CONSTANT`, so that a value on many pages is taken for a name of the site, not for a
    headline.
    """
    chosen = " ".join(key_of(sources.headline or ""))
    at: dict[str, ReadAt] = {}
    for place in _places(sources, titles, chosen):
        if place in at or len(place) > LONGEST_PLACE:
            continue
        found = read(sources, "headline", place)
        if found is not None:
            sure = min(likely, SURE_OF_CONSTANT) if found.key == chosen else LEAST_LIKELY
            at[place] = ReadAt(place, number(found.key), number(found.raw), sure, False)
            if len(at) == MOST_PLACES:
                break
    return FieldSeen("headline", number(chosen), tuple(at.values()))


def _places(sources: PageSources, titles: Found, chosen: str) -> Iterator[str]:
    """Yield the places that a rule may name: headings, and the titles in the page's head.

    If no heading equals the headline, yield also the elements in the headings that contain it, and
    the block of the line that shows it.
    """
    rows, shown = sources.rows, titles.shown.found
    siblings = sources.siblings
    ours = [one for one in shown if " ".join(one.key) == chosen]
    for heading in sorted(shown, key=lambda one: one not in ours):
        if heading in ours or heading.kind in ("h1", "h2"):
            yield from _selectors(siblings, heading.element)
    yield from _in_head(titles)
    if ours:
        return
    for heading in shown:
        if f" {chosen} " not in f" {' '.join(heading.key)} ":
            continue
        start, end = rows.tape_at[heading.element], rows.tape_end[heading.element]
        for element in inline_in(rows, max(start, 0), end, MOST_INSIDE):
            yield from _selectors(siblings, element)
    if sources.title >= 0:
        yield from _selectors(siblings, rows.block_element[rows.segment_block[sources.title]])


def _selectors(siblings: Siblings, element: int) -> Iterator[str]:
    """Yield a selector by the element's own name, if that is specific, and one by its position.

    The first is found faster. It also works where the surrounding elements are named after the
    topic.
    """
    rows = siblings.rows
    if rows.tag[element] == H1 or step_of(rows, element) != rows.name(element):
        yield selector_of(siblings, element, most=1)
    yield selector_of(siblings, element)


def _in_head(titles: Found) -> Iterator[str]:
    """Yield the titles in the head, each as a whole and without the parts at its ends."""
    for kind, name in titles.titles.named:
        place = IN_HEAD[kind]
        yield place
        cuts = list(name.cuts)
        for _, behind in cuts[: -MOST_CUT - 1 : -1]:
            yield f"{place} - {behind}"
        for before, _ in cuts[:MOST_CUT]:
            yield f"{place} - {before}"
    if titles.titles.linked_headline:
        yield "json-ld:headline"
