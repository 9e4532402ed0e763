"""Reads a field at the one place that a rule names.

The value at that place is used as it is. But if the place is missing, has no value, or has a value
that other evidence contradicts, the page is read without the rule, and the reason is reported. This
evidence costs nothing to read: it is the day in the URL, and the site's own name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from scrapy_mainblock.fields.about import authors, dates
from scrapy_mainblock.fields.about.choice import claim
from scrapy_mainblock.fields.about.day_features import near_days
from scrapy_mainblock.fields.headings import shown_text
from scrapy_mainblock.fields.page_titles import LONGEST as LONGEST_TITLE
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.page_titles import named as titled
from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.page_sources import PROPERTIES, PageSources
from scrapy_mainblock.fields.sources.properties import value_of
from scrapy_mainblock.fields.titles import folded, key_of, without_end
from scrapy_mainblock.fields.values.dates import Day, first_day_on
from scrapy_mainblock.fields.values.names import is_organization, key_of_name, names_in
from scrapy_mainblock.judge.claims import Claim, rounded
from scrapy_mainblock.outline import css
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.template.field_rules import FieldRule

MOST_MATCHES = 20
"""Maximum number of adjacent authors, or of metas with one name. Of other elements only the first
counts."""
LONGEST_VALUE = 250
"""Maximum length of a byline or a date in characters."""
MOST_WRAPPERS = 2
"""How many wrapper elements (with no other content) may surround a name, such as an item of an
author list."""
AHEAD, BEHIND = 8, 9
"""Hours that UTC is ahead of the Pacific coast, and behind Japan: near midnight in UTC the local
day may be another one."""
LONGEST_PLACE = 400
"""Maximum characters of a place that is learned; a pinned one may be longer."""
TITLE = "title"
_TITLE = re.compile(rf"(?:{TITLE}|meta:(?P<meta>\S*title))(?: - (?P<cut>\S.*))?")
"""``<title>`` or a similar meta, optionally with a text to cut off: ``title - The Daily``."""
_KINDS = ("json-ld", "meta", "property")
_SOURCE = re.compile(rf"(?P<kind>{'|'.join(_KINDS)}):(?P<name>\S+)")


class Read(NamedTuple):
    """The value of a field at a place."""

    value: Any
    """The value in the form that it has in the article."""
    key: str
    """A key that is the same for all places with the same value."""
    raw: str
    is_exact: bool = False
    """Whether a date has a time."""
    is_near_midnight: bool = False
    """Whether the time is in UTC, and so near midnight that the local day may be another one."""


class ByRule(NamedTuple):
    """The claim from a rule's place for a field."""

    claim: Claim | None
    why_not: str = ""
    """Why the page has to be read without the rule."""


def why_no_place(field: str, place: str) -> str | None:
    """Return why a text cannot be a place of a field, or None if it can."""
    if not place:
        return None
    if _TITLE.fullmatch(place):
        return None if field == "headline" else f'"{place}" is valid only for the headline'
    if place == "url":
        is_date = field == "datePublished"
        return None if is_date else 'the place "url" is valid only for datePublished'
    source = _source_of(place)
    if source is None:
        return _why_no_selector(place)
    if source.kind == "property" and source.name not in PROPERTIES:
        return f'"{source.name}" is not one of the supported properties'
    return None


def _why_no_selector(place: str) -> str | None:
    if place in _KINDS:
        return f'"{place}" needs a name, such as {place}:author'
    found = css.parsed(place)
    return str(found) if isinstance(found, css.SelectorError) else None


def by_rule(sources: PageSources, rule: FieldRule) -> ByRule:
    """Return the claim from a rule's place, or the reason why it cannot be used."""
    try:
        found = read(sources, rule.field, rule.place)
    except Exception as error:  # a page must never raise
        swallow(error, f"reading the field {rule.field} by its rule failed")
        found = None
    if found is None:
        return ByRule(None, f"the rule's place {rule.place} is missing or empty on this page")
    doubt = None if rule.pinned else DOUBTS[rule.field](sources, found)
    if doubt:
        return ByRule(None, f"the value at the rule's place {rule.place} was not used: {doubt}")
    return ByRule(claim(found.value, f"rule:{rule.place}", rounded(rule.probability), found.raw))


def read(sources: PageSources, field: str, place: str) -> Read | None:
    """Return the value of a field at a place, or None if the place is missing or has no value."""
    return READERS[field](sources, place)


class _Source(NamedTuple):
    """A place outside of what readers see."""

    kind: str
    name: str


@bounded_cache(most=500, longest=LONGEST_PLACE)
def _source_of(place: str) -> _Source | None:
    """Return the source that a place names, or None for a selector."""
    found = _SOURCE.fullmatch(place)
    return _Source(found["kind"], found["name"]) if found else None


def _texts(sources: PageSources, place: str) -> Iterable[str]:
    """Return the values at a place."""
    source = _source_of(place)
    if source is None:
        return _texts_of_element(sources, place)
    if source.kind == "json-ld":
        return (text_of(sources.main.get(source.name)),)
    if source.kind == "meta":
        return sources.metas.get(source.name, ())[:MOST_MATCHES]
    elements = sources.properties.of(source.name)[:MOST_MATCHES]
    return map(sources.properties.value, elements)


def _texts_of_element(sources: PageSources, place: str) -> Iterable[str]:
    wanted = css.parsed(place)
    if isinstance(wanted, css.SelectorError):
        return ()
    found = sources.matching(wanted, 1)
    return _values(sources, found[0], wanted.value) if found else ()


def _values(sources: PageSources, element: int, attribute: str) -> Iterator[str]:
    """Yield the values of an element.

    With an attribute, yield its value only. Otherwise yield the machine-readable value, then the
    text; with `css.TEXT`, only the text.
    """
    rows = sources.rows
    if attribute and attribute != css.TEXT:
        yield rows.attribute(element, attribute.encode()) or ""
        return
    if not attribute:
        yield value_of(rows, element)
    yield " ".join(rows.line_of(element, LONGEST_VALUE).split())


# --- dates --------------------------------------------------------------------------------------


def _date(sources: PageSources, place: str) -> Read | None:
    if place == "url":
        return next((_as_read(one.day, one.raw) for one in dates.in_address(sources)), None)
    for raw in _texts(sources, place):
        day = first_day_on(raw, sources) if raw else None
        if day:
            return _as_read(day, raw)
    return None


def _as_read(day: Day, raw: str) -> Read:
    is_of_utc = day.zone == 0 and bool(day.time)
    is_near = is_of_utc and not AHEAD <= int(day.time[:2]) < 24 - BEHIND
    return Read(day.as_utc(), day.day, raw.strip()[:200], bool(day.time), is_near)


def _doubt_of_date(sources: PageSources, found: Read) -> str | None:
    in_address = [one.day.day for one in dates.in_address(sources)]
    if found.key in in_address:
        return None
    if found.is_near_midnight:
        return "the time is in UTC and near midnight, so the local day is uncertain"
    if not in_address or any(near_days(day, found.key) for day in in_address):
        return None
    return "the day differs from the day in the URL"


# --- authors ------------------------------------------------------------------------------------


def _authors(sources: PageSources, place: str) -> Read | None:
    source = _source_of(place)
    if source is None:
        return _of_names(*_names_of_elements(sources, place))
    if source.kind == "json-ld":
        linked = authors.of_node(sources, place, sources.main.get(source.name))
        return next((_of_names(list(one.names), one.raw) for one in linked), None)
    found: list[str] = []
    texts = [one for one in _texts(sources, place) if one and "://" not in one]
    for text in texts:
        found += [one for one in names_in(text) if one not in found]
    return _of_names(found, ", ".join(texts))


def _of_names(names: list[str], raw: str) -> Read | None:
    return Read(names, key_of_names(names), raw[:200]) if names else None


def key_of_names(names: list[str]) -> str:
    """Return a key of the names in any order, without case and accents."""
    return " ".join(sorted({key_of_name(one) for one in names}))


def _names_of_elements(sources: PageSources, place: str) -> tuple[list[str], str]:
    """Return the names in the first matching element and in those beside it, and their text."""
    wanted = css.parsed(place)
    rows = sources.rows
    names: list[str] = []
    raws: list[str] = []
    if isinstance(wanted, css.SelectorError):
        return names, ""
    matching = sources.matching(wanted, MOST_MATCHES)
    if len(matching) > 1:
        end = end_of_list(sources, matching[0])
        matching = [one for one in matching if rows.start[one] < end]
    for element in matching:
        raw = next(_values(sources, element, wanted.value), "")
        new = [one for one in names_in(raw) if key_of_name(one) not in map(key_of_name, names)]
        names += new
        raws += [raw] if new else []
    return names, ", ".join(raws)


def end_of_list(sources: PageSources, element: int) -> int:
    """Return the position in the source where the list around a name ends.

    That is the end of the nearest ancestor that contains more than the name.
    """
    rows = sources.rows
    own = rows.line_of(element, LONGEST_VALUE).split()
    around = rows.parent[element]
    for _ in range(MOST_WRAPPERS):
        if around <= rows.body or rows.line_of(around, LONGEST_VALUE).split() != own:
            break
        around = rows.parent[around]
    return rows.end[around] if around > rows.body else rows.end[element]


def _doubt_of_authors(sources: PageSources, found: Read) -> str | None:
    site = key_of_name(sources.site_name)
    if any(is_organization(name) or key_of_name(name) == site for name in found.value):
        return "it names an organization or the site, not a person"
    return None


# --- headline -----------------------------------------------------------------------------------


class Shown(NamedTuple):
    """A headline at a place."""

    text: str
    element: int = -1
    """The element that shows it, or -1 for a text in the page's head."""


def headline_at(page: Outline, place: str, sources: PageSources | None = None) -> Shown | None:
    """Return the headline at a place, or None if there is no text with a letter or a digit.

    `sources` are those of the page, if somebody has them already: most places need none.
    """
    at = _parsed_title(place)
    if at is not None:
        return _shown(_title_at(page, at))
    if source := _source_of(place):
        is_linked = source == ("json-ld", "headline")
        text = PageTitles(page).linked_headline if is_linked else ""
        sources = sources or PageSources(page, b"", -1)
        return _shown(text or folded(next(iter(_texts(sources, place)), "")))
    wanted = css.parsed(place)
    if isinstance(wanted, css.SelectorError):
        return None
    siblings = sources.siblings if sources else css.Siblings(page.rows)
    for most in (1, MOST_MATCHES):  # the first match nearly always has a text
        for element in css.find_all(page.rows, wanted, most, siblings):
            if wanted.value and wanted.value != css.TEXT:
                text = folded(page.rows.attribute(element, wanted.value.encode()) or "")
            else:
                text = shown_text(page, element)
            if shown := _shown(text, element):
                return shown
    return None


class _Title(NamedTuple):
    meta: str
    """The name of the meta, empty for ``<title>``."""
    cut: str
    """The text at its end or beginning that is not part of the headline."""


@bounded_cache(most=500, longest=LONGEST_PLACE)
def _parsed_title(place: str) -> _Title | None:
    found = _TITLE.fullmatch(place)
    return _Title(found["meta"] or "", found["cut"] or "") if found else None


def _title_at(page: Outline, at: _Title) -> str:
    """Return a title in the page's head without the text that a rule cuts off."""
    head = page.head
    name = titled(head.metas.get(at.meta, "") if at.meta else head.title)
    if name is None:
        return ""
    return without_end(name, at.cut) if at.cut else name.text


def _shown(text: str, element: int = -1) -> Shown | None:
    is_any = len(text) <= LONGEST_TITLE and (text[:1].isalnum() or any(map(str.isalnum, text)))
    return Shown(text, element) if is_any else None


def _headline(sources: PageSources, place: str) -> Read | None:
    found = headline_at(sources.page, place, sources)
    return Read(found.text, " ".join(key_of(found.text)), found.text) if found else None


READERS: Mapping[str, Callable[[PageSources, str], Read | None]] = {
    "datePublished": _date,
    "authors": _authors,
    "headline": _headline,
}
DOUBTS: Mapping[str, Callable[[PageSources, Read], str | None]] = {
    "datePublished": _doubt_of_date,
    "authors": _doubt_of_authors,
    "headline": lambda *_: None,  # see `recipe.headline`, where the site's names are known
}
