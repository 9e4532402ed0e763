"""Records the values of a page's fields by place, for learning the rules of a template.

Each place is recorded with the probability that its value is right.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from scrapy_mainblock.fields.about.author_features import MOST_PLACES as MOST_SCORED
from scrapy_mainblock.fields.about.author_features import Place as PlaceOfAuthors
from scrapy_mainblock.fields.about.day_features import Place as PlaceOfDay
from scrapy_mainblock.fields.about.page_fields import PageFields
from scrapy_mainblock.fields.ruled.by_rule import LONGEST_PLACE, key_of_names, read
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.judge.claims import Choice, Claim
from scrapy_mainblock.outline.css import selector_of
from scrapy_mainblock.outline.selectors import before_inline, inline_in
from scrapy_mainblock.template.learning.field_tally import FieldSeen, ReadAt

MOST_PLACES = 16
"""Maximum number of places that are recorded for a field, machine-readable ones first."""
MOST_INSIDE = 6
"""Maximum number of elements within a line or a byline that count as places: a link, a span."""
LEAST_LIKELY = 0.02
"""Probability of a value that is not even among the rejected claims of the page alone."""

Place = PlaceOfDay | PlaceOfAuthors


def fields_seen(page_fields: PageFields, wanted: Collection[str]) -> tuple[FieldSeen, ...]:
    """Return the values of the places for those wanted fields that have rules."""
    found = []
    if "datePublished" in wanted:
        day_of = {
            claim.value[:10]: claim.probability for claim in _all(page_fields.dates.from_all_places)
        }
        chosen = page_fields.dates.published.chosen
        key = chosen.value[:10] if chosen else ""
        found.append(
            _seen(page_fields.sources, "datePublished", page_fields.dates.places, key, day_of)
        )
    if "authors" in wanted:
        likely = {
            key_of_names(one.value): one.probability
            for one in _all(page_fields.authors.from_all_places)
        }
        chosen = page_fields.authors.chosen.chosen
        key = key_of_names(chosen.value) if chosen else ""
        known = page_fields.authors.places[:MOST_SCORED]
        found.append(_seen(page_fields.sources, "authors", known, key, likely))
    return tuple(found)


def _all(choice: Choice) -> list[Claim]:
    return [*([choice.chosen] if choice.chosen else []), *choice.rejected]


def _seen(
    sources: PageSources,
    field: str,
    known: Iterable[Place],
    chosen: str,
    likely: Mapping[str, float],
) -> FieldSeen:
    at: list[ReadAt] = []
    tried: set[str] = set()
    for place in _rule_places(sources, known):
        if place in tried or len(place) > LONGEST_PLACE:
            continue
        tried.add(place)
        found = read(sources, field, place)
        if found is not None:
            sure = likely.get(found.key, LEAST_LIKELY)
            at.append(ReadAt(place, number(found.key), number(found.raw), sure, found.is_exact))
            if len(at) == MOST_PLACES:
                break
    return FieldSeen(field, number(chosen), tuple(at))


def number(text: str) -> int:
    """Return a hash of a value, or 0 for an empty one."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) or 1 if text else 0


def _rule_places(sources: PageSources, known: Iterable[Place]) -> Iterator[str]:
    """Yield the places that a rule may name, among those that give a value."""
    for place in known:
        kind, _, name = place.source.partition(":")
        if kind in ("json-ld", "property"):
            name = name.removesuffix("-behind").removesuffix("-organization").removesuffix("-link")
            if name != "Person":
                yield f"{kind}:{name}"
        elif kind in ("meta", "meta-date", "meta-modified"):
            if name != "twitter:data":
                yield f"meta:{name}"
        elif kind == "url":
            yield kind
        elif place.element >= 0:
            for element in _elements(sources, place):
                yield selector_of(sources.siblings, element)


def _elements(sources: PageSources, place: Place) -> Iterator[int]:
    """Yield the element of a place, and those within it.

    For a line, yield the elements within it, and its block.
    """
    rows = sources.rows
    if not place.is_line:
        yield place.element
        start, end = max(rows.tape_at[place.element], 0), rows.tape_end[place.element]
        yield from inline_in(rows, start, end, MOST_INSIDE)
        return
    start, end = rows.segment_at[place.element], rows.segment_to[place.element]
    yield from inline_in(rows, before_inline(rows, start), end, MOST_INSIDE)
    yield rows.block_element[rows.segment_block[place.element]]
