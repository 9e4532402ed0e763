"""The authors of a page: names from linked data, metas, microdata, and bylines near the headline.

A candidate is a set of names; places that give the same set are one candidate. A trained model
chooses among the candidates: linked data often names the site or the account that posted the page,
while the byline names a person.
"""

from __future__ import annotations

import html
import re
from typing import Any

from scrapy_mainblock.fields.about.author_features import MOST_PLACES, Place, describe, with_keys
from scrapy_mainblock.fields.about.choice import (
    choose,
    claim,
    is_sure,
    probability,
    weights_of,
    with_others,
)
from scrapy_mainblock.fields.about.dates import AROUND, OF_REVIEWS
from scrapy_mainblock.fields.sources.lines import Line
from scrapy_mainblock.fields.sources.linked_data import listed, text_of, types_of
from scrapy_mainblock.fields.sources.marks import BYLINE, CLOSE, DAY, NAME
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.titles import letters_of
from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.fields.values.names import (
    begins_like_byline,
    is_organization,
    key_of_name,
    names_in,
)
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim, rounded
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import (
    addresses,
    block_of_segment,
    first_segment_of,
    is_within,
    links_between,
    links_of,
    names_around,
    texts_of,
    with_address_part,
)
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.lazy import cached

_HEADINGS = frozenset(CODES[f"h{level}"] for level in range(1, 7))
LEAST = 0.2
"""Minimum probability of the chosen authors; below it the field stays empty."""
SURE = 0.85
"""Minimum probability of the authors at which the elements with a byline class, which take longest
to read, are skipped. That is so on 49 % of 614 labeled pages, and as many pages are right as when
all places are scored together (with a threshold of .8, one more is wrong)."""
METAS = (
    "author", "article:author", "article:author_name", "og:article:author", "og:author",
    "dc.creator", "dcterms.creator", "dc.contributor", "parsely-author", "sailthru.author", "byl",
    "byline", "creator", "citation_author", "cxenseparse:author", "cxenseparse:recs:author",
    "authors", "article.author", "twitter:creator:name", "shareaholic:article_author_name",
    "rbauthors", "bt:author", "author_name", "vr:author", "dc.author", "article_author",
)  # fmt: skip
_OF_DATA = {"twitter:label1": "twitter:data1", "twitter:label2": "twitter:data2"}
"""Metas that say what another one holds."""
_RANKS = {name: rank for rank, name in enumerate((*METAS, *_OF_DATA))}
_WRITTEN_BY = re.compile(
    r"written|author|by|von|verfasst|geschrieben|écrit|escrito|scritto|autor|автор|auteur|auttore"
    r"|skrev|yazan|撰文|作者|著者|door|napisa", re.IGNORECASE
)  # fmt: skip
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:by-?lines?|author(?:s|-?name|-?link)?|autor|autore|auteur|writer|writtenby"
    r"|journalist|vcard|fn|contributor|credit)", re.IGNORECASE
)  # fmt: skip
_NAMED_OTHER = re.compile(
    r"avatar|bio\b|about|desc|photo|caption|image|img|social|share|twitter|email|related"
    r"|widget|sidebar|footer|count|teaser|card-|recommend|list|box", re.IGNORECASE
)  # fmt: skip
_IN_COMMENT = re.compile(r"comment|reply|reaction|kommentar|" + OF_REVIEWS, re.IGNORECASE)
_OF_REVIEWS = re.compile(OF_REVIEWS)
_ADDRESS_OF_AUTHOR = re.compile(
    rb"/(?:author|authors|autor|autoren|autores|auteur|auteurs|autori|by|people|person|profile|profil|"
    rb"contributor|contributors|writer|writers|journalist|reporter|reporters|staff|user|users|member|team|"
    rb"redaktion|firma|redakteur|columnist|columnists|experts?)[/=:-][^/?#]"
)
"""Matches URLs in lowercase."""
_IN_ADDRESSES = Parts(
    *(b"/auth", b"/auto", b"/aute", b"/peop", b"/pers", b"/prof", b"/cont", b"/writ"),
    *(b"/by/", b"/by=", b"/by:", b"/by-"),  # a part of three bytes would be searched at every byte
    *(b"/jour", b"/repo", b"/staf", b"/user", b"/memb", b"/team", b"/reda", b"/firm", b"/colu"),
    b"/expe",
    ignores_case=True,
)
"""Each match of `_ADDRESS_OF_AUTHOR` begins with one of these."""
_PHOTO = re.compile(
    r"\b(?:photo|foto|image|bild|picture|credit|courtesy|getty|illustration)\b", re.IGNORECASE
)
_NAME_WORD = re.compile(r"(?=[^\W\d_])(?:[^\W\d_][.'’-]?){1,25}")
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[|•·–—]\s*|(?<!\s)\s+[-/]\s+|^\s*-\s*")
"""Separators between a day, a name and a section in one line."""
_SIGNS_BETWEEN = frozenset("|•·–—-/")
"""Each separator contains one of these."""
_MOST_CALLED, _LONGEST, _LONGEST_ADDRESS = 40, 160, 300
_CLOSE, _NEAR = CLOSE, 25


class Authors:
    """The authors of a page, as a list of names."""

    def __init__(self, sources: PageSources) -> None:
        self._sources = sources

    @cached
    def without_class_places(self) -> list[Place]:
        """The places that give authors, except elements that are found only by their class."""
        return [*self._machine_readable, *self._shown]

    @cached
    def places(self) -> list[Place]:
        """All places that give authors."""
        return [*self._machine_readable, *_named_elements(self._sources), *self._shown]

    @cached
    def _machine_readable(self) -> list[Place]:
        found: list[Place] = []
        _add_linked(found, self._sources)
        _add_metas(found, self._sources)
        _add_properties(found, self._sources)
        return found

    @cached
    def _shown(self) -> list[Place]:
        found: list[Place] = []
        _add_links(found, self._sources)
        _add_lines(found, self._sources)
        return found

    @cached
    def chosen(self) -> Choice:
        """The choice of the authors."""
        if not self._machine_readable:  # a byline alone hardly ever reaches SURE
            return self.from_all_places
        choice = _chosen(self._sources, self.without_class_places, "authors-unnamed")
        return choice if is_sure(choice, SURE) and _are_people(choice) else self.from_all_places

    @cached
    def from_all_places(self) -> Choice:
        """The choice of the authors with all places scored together."""
        return _chosen(self._sources, self.places, "authors")

    @property
    def explained(self) -> Choice:
        """The choice of the authors, with all other names on the page as rejected claims."""
        return with_others(self.chosen, self.from_all_places)


def _are_people(choice: Choice) -> bool:
    """Return whether all chosen authors are people.

    If one is an organization, the byline may still name a person.
    """
    return choice.chosen is not None and not any(map(is_organization, choice.chosen.value))


def _chosen(sources: PageSources, some: list[Place], field: str) -> Choice:
    if not some:
        return NOTHING
    weights = weights_of(field)
    if weights is None:
        return choose([_simply(one) for one in some[:MOST_PLACES]], LEAST)
    known = with_keys(some)
    found = []
    for key, features in describe(sources, known).items():
        first, where = None, ""
        for place, its_key in known:
            if its_key == key:
                if first is None:
                    first, where = place, place.source
                else:
                    where = _sources_of(known, key)
                    break
        if first is not None:
            sure = rounded(probability(features, weights))
            found.append(claim(list(first.names), where, sure, first.raw))
    return choose(found, LEAST)


def _sources_of(known: list[tuple[Place, frozenset[str]]], key: frozenset[str]) -> str:
    """Return the sources of the places with a key, joined by commas."""
    return ",".join(dict.fromkeys([place.source for place, other in known if other == key]))


def _simply(place: Place) -> Claim:
    is_told = place.source.startswith("json-ld:")
    return claim(list(place.names), place.source, 0.8 if is_told else 0.1, place.raw)


# --- the places ---------------------------------------------------------------------------------


def _add(found: list[Place], source: str, raw: str, segment: int = -1) -> None:
    """Append the place of the names in a text, if there are any."""
    names = names_in(raw)
    if names:
        found.append(Place(source, names, raw.strip()[:200], segment, segment >= 0))


def _add_linked(found: list[Place], sources: PageSources) -> None:
    linked = sources.linked
    if not linked.nodes:
        return
    main = linked.main
    for key in ("author", "creator"):
        found += of_node(sources, f"json-ld:{key}", main.get(key))
    for node, _, is_other in linked.nodes:
        if node is not main and not is_other and "author" in node:
            found += of_node(sources, "json-ld-beside:author", node["author"])
    people = [text_of(one) for one in linked.of_type("person")]
    if len(set(people)) == 1:
        _add(found, "json-ld:Person", people[0])


def of_node(sources: PageSources, source: str, value: Any) -> list[Place]:
    """Return the authors in a value of linked data, as one place.

    If one of them is an organization, the name of the source has the suffix ``-organization``.
    """
    found: list[str] = []
    kinds: set[str] = set()
    for one in listed(value):
        author = sources.linked.resolved(one)
        if isinstance(author, dict):
            kinds |= types_of(author)
            author = author.get("name")
        for text in listed(author):
            if isinstance(text, str):
                _add_new(found, names_in(html.unescape(text)))
    if not found:
        return []
    if "organization" in kinds or "newsmediaorganization" in kinds:
        source += "-organization"
    return [Place(source, tuple(found), ", ".join(found))]


def _add_new(found: list[str], names: tuple[str, ...]) -> None:
    """Append the names that are not yet there."""
    found += [one for one in names if one not in found]


def _add_metas(places: list[Place], sources: PageSources) -> None:
    metas = sources.metas
    for name in _metas_with_authors(sources.meta_names):
        if name in _OF_DATA:
            label, data = name, _OF_DATA[name]
            if _WRITTEN_BY.search(sources.meta(label)):
                _add(places, "meta:twitter:data", sources.meta(data))
            continue
        contents = [one for one in metas[name] if one.strip() and "://" not in one]
        if name == "citation_author":
            contents = [" ".join(reversed(one.split(", ", 1))) for one in contents]
        found: list[str] = []
        for content in contents[:20]:
            _add_new(found, names_in(content))
        if found:
            places.append(Place(f"meta:{name}", tuple(found), ", ".join(contents)[:200]))


@bounded_cache(most=64, longest=1500, measure=letters_of)
def _metas_with_authors(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of those metas that may give an author, in the order of `METAS`."""
    return tuple(sorted((name for name in names if name in _RANKS), key=_RANKS.__getitem__))


def _add_properties(places: list[Place], sources: PageSources) -> None:
    properties = sources.properties
    if not properties.all:
        return
    rows = sources.rows
    elements = properties.of("author")[:12] or properties.of("creator")[:4]
    found: dict[str, list[str]] = {}
    raws: dict[str, str] = {}
    last = sources.lines.last
    for element in elements:
        inner = properties.inside(element, "name")
        raw = properties.value(inner[0] if inner else element)
        if "://" in raw:
            raw = " ".join(rows.line_of(element, _LONGEST).split())
        source = "property:author" if rows.name(element) != "a" or inner else "property:author-link"
        if rows.tape_at[element] >= 0 and rows.start[element] > _end_of(sources, last):
            source += "-behind"
        names = found.setdefault(source, [])
        known = {key_of_name(one) for one in names}
        names += [one for one in names_in(raw) if key_of_name(one) not in known]
        raws.setdefault(source, raw)
    for source, names in found.items():
        if names:
            places.append(Place(source, tuple(names), raws[source][:200]))


def _end_of(sources: PageSources, last: int) -> int:
    return sources.rows.source_of(last)[1] if last >= 0 else 1 << 60


def _named_elements(sources: PageSources) -> list[Place]:
    """Return the names in elements whose class marks them as a byline or an author."""
    found: list[Place] = []
    rows = sources.rows
    bylines = sources.bylines
    if not bylines:
        return found
    first, last = sources.lines.first, sources.lines.last
    anchor: int = sources.title if sources.title >= 0 else first
    outer = -1
    for element in bylines[:_MOST_CALLED]:
        if outer >= 0 and is_within(rows, element, outer):
            continue
        if not _is_named(rows.classes(element)):
            continue
        around = names_around(rows, element, AROUND)
        if _is_comment(around):
            continue
        text = " ".join(rows.line_of(element, _LONGEST).split())
        segment = first_segment_of(rows, element)
        where = _where(around, segment, anchor, last)
        linked = _names_of_links(rows, element, where)
        if linked is not None:
            found.append(linked)
        names = names_in(text)
        if not names:
            continue
        outer = element
        found.append(Place(f"class:{where}", names, text, element))
        _add_first_names(found, rows, element, names, where)
    return found


def _add_first_names(
    found: list[Place], rows: Rows, element: int, names: tuple[str, ...], where: str
) -> None:
    """Append the names in the first text of an element that has any, if they are not all."""
    for one in texts_of(rows, element, 6):
        first_names = names_in(" ".join(one.split()))
        if first_names:
            if first_names != names:
                found.append(Place(f"class-first:{where}", first_names, one.strip()[:200]))
            break


def _names_of_links(rows: Rows, element: int, where: str) -> Place | None:
    """Return the names in the links of an element, or None if there are none."""
    texts: list[str] = []
    names: list[str] = []
    for link in links_of(rows, element)[:8]:
        text = " ".join(rows.line_of(link, _LONGEST).split())
        texts.append(text)
        names += names_in(text)
    if not names:
        return None
    return Place(
        f"class-link:{where}", tuple(dict.fromkeys(names)), ", ".join(texts)[:200], element
    )


@bounded_cache(most=512, longest=500)
def _is_named(classes: str) -> bool:
    return _NAMED.search(classes) is not None


@bounded_cache(most=512, longest=500)
def _is_comment(around: str) -> bool:
    return _IN_COMMENT.search(around) is not None


@bounded_cache(most=512, longest=500)
def _is_of_review(around: str) -> bool:
    return _OF_REVIEWS.search(around) is not None


@bounded_cache(most=512, longest=500)
def _is_other(around: str) -> bool:
    return _NAMED_OTHER.search(around) is not None


def _add_links(places: list[Place], sources: PageSources) -> None:
    """Append the names in links near the headline that lead to the page of an author."""
    rows = sources.rows
    first, last = sources.lines.extent
    if first < 0:
        return
    links = links_between(rows, first, last, 3)
    links = with_address_part(rows, links, _IN_ADDRESSES, _LONGEST_ADDRESS)
    if not links:
        return
    found: list[str] = []
    of_first = -1
    for element, address in zip(links, addresses(rows, links, _LONGEST_ADDRESS), strict=True):
        if _ADDRESS_OF_AUTHOR.search(address.lower()):
            _add_new(found, names_in(" ".join(rows.line_of(element, _LONGEST).split())))
            of_first = element if found and of_first < 0 else of_first
    if found:
        places.append(Place("link:author", tuple(found), ", ".join(found), of_first))
        places.append(Place("link:first-author", (found[0],), found[0]))


def _where(around: str, segment: int, anchor: int, last: int) -> str:
    if anchor < 0 or segment < 0:
        return "somewhere"
    if segment > last >= 0:
        return "behind"
    distance = abs(segment - anchor)
    if _is_other(around):
        return "other-close" if distance <= _CLOSE else "other"
    return "close" if distance <= _CLOSE else "near" if distance <= _NEAR else "far"


def _add_lines(found: list[Place], sources: PageSources) -> None:
    """Append the names in lines that begin like a byline, are only a name, or also have a day."""
    lines = sources.lines
    last = lines.last
    for line in lines.marked:
        text = line.text
        if len(text) > _LONGEST or text == sources.headline:
            continue
        is_close = -_CLOSE <= line.place <= _CLOSE
        if line.marks & BYLINE and begins_like_byline(text):
            if _is_of_review(lines.names(line.segment)):
                continue
            where = "behind" if line.is_behind else "close" if is_close else "near"
            kind = "line-photo" if _PHOTO.search(text) else "line"
            source = f"{kind}:{where}-kept" if line.is_kept else f"{kind}:{where}"
            _add(found, source, text, line.segment)
        elif line.marks & NAME and 0 < line.place <= _CLOSE and _is_like_name(text):
            _add_name_alone(found, sources.rows, line)
        elif line.segment == last and not line.is_linked and _is_like_name(text):
            _add(found, "line-last", text, line.segment)
        elif is_close and line.marks & DAY:
            _add_beside_day(found, line)


def _add_name_alone(found: list[Place], rows: Rows, line: Line) -> None:
    """Append the name in a line that is only a name and not a heading."""
    if line.is_linked:
        _add(found, "line-link", line.text, line.segment)
    elif rows.tag[block_of_segment(rows, line.segment)] not in _HEADINGS:
        source = "line-name:kept" if line.is_kept else "line-name:apart"
        _add(found, source, line.text, line.segment)


def _add_beside_day(found: list[Place], line: Line) -> None:
    """Append the names in a line that also has a day: ``11.12.2019 - Anna Berg``."""
    days = days_in(line.text)
    if not days:
        return
    begin, pieces = 0, []
    for day in days:
        pieces.append(line.text[begin : day.start])
        begin = day.end
    pieces.append(line.text[begin:])
    for piece in pieces:
        parts = [piece] if _SIGNS_BETWEEN.isdisjoint(piece) else _BETWEEN.split(piece)
        for part in parts:
            text = part.strip(" ,:")
            if not text:
                continue
            if begins_like_byline(text):
                _add(found, "line-dated:byline", text, line.segment)
            elif _is_like_name(text):
                _add(found, "line-dated:name", text, line.segment)


def _is_like_name(text: str) -> bool:
    words = text.split()
    if not 2 <= len(words) <= 4:
        return False
    for word in words:
        if not word[0].isupper() or not _NAME_WORD.fullmatch(word):
            return False
    return True
