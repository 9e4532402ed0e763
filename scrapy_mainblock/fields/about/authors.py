"""The authors of a page: names from linked data, metas, microdata, and bylines near the headline.

A candidate is a set of names; places that give the same set are one candidate. A trained model
chooses among the candidates: linked data often names the site or the account that posted the page,
while the byline names a person.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from scrapy_mainblock.fields.about.choice import (
    Features,
    choose,
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
from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.fields.values.names import (
    LONGEST_NAME,
    begins_like_byline,
    is_organization,
    key_of_name,
    names_in,
)
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.layout import TEXT
from scrapy_mainblock.outline.selectors import (
    Parts,
    addresses,
    links_in,
    names_around,
    with_class_part,
)
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.lazy import cached

_HEADINGS = frozenset(CODES[f"h{level}"] for level in range(1, 7))
MOST_PLACES = 40
"""Maximum number of places of a page that are scored; pages with comments name many people."""
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
_RANKS = {name: rank for rank, name in enumerate(METAS)}
_WRITTEN_BY = re.compile(
    r"written|author|by|von|verfasst|geschrieben|écrit|escrito|scritto|autor|автор|auteur|auttore"
    r"|skrev|yazan|撰文|作者|著者|door|napisa", re.IGNORECASE
)  # fmt: skip
_CALLED = Parts(
    b"uthor", b"yline", b"utor", b"riter", b"auteur", b"BYLINE", b"ournalist", b"redact"
)
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
_PHOTO = re.compile(
    r"\b(?:photo|foto|image|bild|picture|credit|courtesy|getty|illustration)\b", re.IGNORECASE
)
_NAME_WORD = re.compile(r"(?=[^\W\d_])(?:[^\W\d_][.'’-]?){1,25}")
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[|•·–—]\s*|(?<!\s)\s+[-/]\s+|^\s*-\s*")
"""Separators between a day, a name and a section in one line."""
_MOST_CALLED, _LONGEST, _LONGEST_ADDRESS = 40, 160, 300
_CLOSE, _NEAR = CLOSE, 25
_PREFIXED = re.compile(r"(?i)^(?:mr|mrs|ms|dr|prof)\b\.?")


class Place(NamedTuple):
    """A place of a page that gives names of authors."""

    source: str
    names: tuple[str, ...]
    raw: str
    element: int = -1
    """The element with the names, or the segment if `is_line`; -1 if readers do not see it."""
    is_line: bool = False


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
        return [*_linked(self._sources), *_metas(self._sources), *_properties(self._sources)]

    @cached
    def _shown(self) -> list[Place]:
        return [*_links(self._sources), *_lines(self._sources)]

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


def _chosen(sources: PageSources, some: Sequence[Place], field: str) -> Choice:
    if not some:
        return NOTHING
    known = with_keys(some)
    weights = weights_of(field)
    if weights is None:
        return choose((_simply(one) for one, _ in known), LEAST)
    found = []
    for names, features in describe(sources, known).items():
        its = [one for one, key in known if key == names]
        where = ",".join(dict.fromkeys(one.source for one in its))
        sure = round(probability(features, weights), 4)
        found.append(Claim(list(its[0].names), where, sure, its[0].raw))
    return choose(found, LEAST)


def with_keys(some: Sequence[Place]) -> list[tuple[Place, frozenset[str]]]:
    """Return the places that are scored, each with its names without case and accents."""
    return [(one, keys_of(one.names)) for one in some[:MOST_PLACES]]


def _simply(place: Place) -> Claim:
    is_told = place.source.startswith("json-ld:")
    return Claim(list(place.names), place.source, 0.8 if is_told else 0.1, place.raw)


def keys_of(names: tuple[str, ...]) -> frozenset[str]:
    """Return names without case and accents."""
    return frozenset(map(key_of_name, names))


# --- the places ---------------------------------------------------------------------------------


def _place(source: str, raw: str, segment: int = -1) -> Iterator[Place]:
    names = names_in(raw)
    if names:
        yield Place(source, names, raw.strip()[:200], segment, is_line=segment >= 0)


def _linked(sources: PageSources) -> Iterator[Place]:
    if not sources.linked.nodes:
        return
    main = sources.main
    for key in ("author", "creator"):
        yield from of_node(sources, f"json-ld:{key}", main.get(key))
    for node, _, is_other in sources.linked.nodes:
        if node is not main and not is_other and "author" in node:
            yield from of_node(sources, "json-ld-beside:author", node["author"])
    people = [text_of(one) for one in sources.linked.of_type("person")]
    if len(set(people)) == 1:
        yield from _place("json-ld:Person", people[0])


def of_node(sources: PageSources, source: str, value: Any) -> Iterator[Place]:
    """Yield the authors in a value of linked data.

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
                found += [n for n in names_in(html.unescape(text)) if n not in found]
    if found:
        if "organization" in kinds or "newsmediaorganization" in kinds:
            source += "-organization"
        yield Place(source, tuple(found), ", ".join(found))


def _metas(sources: PageSources) -> Iterator[Place]:
    metas = sources.metas
    for name in sorted(metas.keys() & _RANKS.keys(), key=_RANKS.__getitem__):
        contents = [one for one in metas[name] if one.strip() and "://" not in one]
        if name == "citation_author":
            contents = [" ".join(reversed(one.split(", ", 1))) for one in contents]
        found: list[str] = []
        for content in contents[:20]:
            found += [one for one in names_in(content) if one not in found]
        if found:
            yield Place(f"meta:{name}", tuple(found), ", ".join(contents)[:200])
    for label, data in (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2")):
        if label in metas and _WRITTEN_BY.search(sources.meta(label)):
            yield from _place("meta:twitter:data", sources.meta(data))


def _properties(sources: PageSources) -> Iterator[Place]:
    rows, properties = sources.page.rows, sources.properties
    elements = properties.of("author")[:12] or properties.of("creator")[:4]
    found: dict[str, list[str]] = {}
    raws: dict[str, str] = {}
    last = sources.lines.span[1]
    for element in elements:
        inner = properties.inside(element, "name")
        raw = properties.value(inner[0] if inner else element)
        if "://" in raw:
            raw = " ".join(rows.line_of(element, _LONGEST).split())
        source = "property:author" if rows.name(element) != "a" or inner else "property:author-link"
        if rows.tape_at[element] >= 0 and rows.start[element] > _end_of(sources, last):
            source += "-behind"
        names = found.setdefault(source, [])
        names += [one for one in names_in(raw) if key_of_name(one) not in map(key_of_name, names)]
        raws.setdefault(source, raw)
    for source, names in found.items():
        if names:
            yield Place(source, tuple(names), raws[source][:200])


def _end_of(sources: PageSources, last: int) -> int:
    return sources.page.rows.source_of(last)[1] if last >= 0 else 1 << 60


def _named_elements(sources: PageSources) -> Iterator[Place]:
    """Yield the names in elements whose class marks them as a byline or an author."""
    rows = sources.page.rows
    first, last = sources.lines.span
    anchor = sources.title if sources.title >= 0 else first
    behind = -1
    for element in with_class_part(rows, _CALLED)[:_MOST_CALLED]:
        if rows.tape_at[element] < behind or not _is_named(rows.classes(element)):
            continue
        around = names_around(rows, element, AROUND)
        if _is_comment(around):
            continue
        text = " ".join(rows.line_of(element, _LONGEST).split())
        segment = _first_segment(sources, element)
        where = _where(around, segment, anchor, last)
        linked = [" ".join(one.split()) for one in _texts_of_links(sources, element)]
        both = [name for one in linked for name in names_in(one)]
        if both:
            raw = ", ".join(linked)[:200]
            yield Place(f"class-link:{where}", tuple(dict.fromkeys(both)), raw, element)
        names = names_in(text)
        if not names:
            continue
        behind = rows.tape_end[element]
        yield Place(f"class:{where}", names, text, element)
        texts = rows.texts_in(rows.tape_at[element], rows.tape_end[element], 6)
        for one in texts:
            first_names = names_in(" ".join(one.split()))
            if first_names:
                if first_names != names:
                    yield Place(f"class-first:{where}", first_names, one.strip()[:200])
                break


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


def _texts_of_links(sources: PageSources, element: int) -> list[str]:
    rows = sources.page.rows
    links = links_in(rows, rows.tape_at[element], rows.tape_end[element])
    return [rows.line_of(link, _LONGEST) for link in links[:8]]


def _links(sources: PageSources) -> Iterator[Place]:
    """Yield the names in links near the headline that lead to the page of an author."""
    rows = sources.page.rows
    first, last = sources.lines.extent
    if first < 0:
        return
    start, end = rows.segment_at[first], rows.segment_to[last]
    found: list[str] = []
    of_first = -1
    links = links_in(rows, start - 3, end)
    their_addresses = addresses(rows, links, _LONGEST_ADDRESS)
    # Most pages have none, so all URLs are searched at once. A match never extends across the "#".
    if not _ADDRESS_OF_AUTHOR.search(b"#".join(their_addresses).lower()):
        return
    for element, address in zip(links, their_addresses, strict=True):
        if _ADDRESS_OF_AUTHOR.search(address.lower()):
            text = " ".join(rows.line_of(element, _LONGEST).split())
            found += [one for one in names_in(text) if one not in found]
            of_first = element if found and of_first < 0 else of_first
    if found:
        yield Place("link:author", tuple(found), ", ".join(found), of_first)
        yield Place("link:first-author", tuple(found[:1]), found[0])


def _where(around: str, segment: int, anchor: int, last: int) -> str:
    if anchor < 0 or segment < 0:
        return "somewhere"
    if segment > last >= 0:
        return "behind"
    distance = abs(segment - anchor)
    if _is_other(around):
        return "other-close" if distance <= _CLOSE else "other"
    return "close" if distance <= _CLOSE else "near" if distance <= _NEAR else "far"


def _first_segment(sources: PageSources, element: int) -> int:
    rows = sources.page.rows
    for place in range(max(rows.tape_at[element], 0), rows.tape_end[element]):
        event = rows.tape[place]
        if event & 3 == TEXT and rows.text_segment[event >> 2] >= 0:
            return rows.text_segment[event >> 2]
    return -1


def _lines(sources: PageSources) -> Iterator[Place]:
    """Yield the names in lines that begin like a byline, are only a name, or also have a day."""
    last = sources.lines.span[1]
    for line in sources.lines.marked:
        text = line.text
        if len(text) > _LONGEST or text == sources.headline:
            continue
        is_close = -_CLOSE <= line.place <= _CLOSE
        if line.marks & BYLINE and begins_like_byline(text):
            if _is_of_review(sources.lines.names(line.segment)):
                continue
            where = "behind" if line.is_behind else "close" if is_close else "near"
            kind = "line-photo" if _PHOTO.search(text) else "line"
            source = f"{kind}:{where}{'-kept' if line.is_kept else ''}"
            yield from _place(source, text, line.segment)
        elif line.marks & NAME and 0 < line.place <= _CLOSE and _is_like_name(text):
            yield from _name_alone(sources, line)
        elif line.segment == last and not line.is_linked and _is_like_name(text):
            yield from _place("line-last", text, line.segment)
        elif is_close and line.marks & DAY:
            yield from _beside_day(line)


def _name_alone(sources: PageSources, line: Line) -> Iterator[Place]:
    """Yield the name in a line that is only a name and not a heading."""
    rows = sources.page.rows
    block = rows.block_element[rows.segment_block[line.segment]]
    if line.is_linked:
        yield from _place("line-link", line.text, line.segment)
    elif rows.tag[block] not in _HEADINGS:
        source = "line-name:kept" if line.is_kept else "line-name:apart"
        yield from _place(source, line.text, line.segment)


def _beside_day(line: Line) -> Iterator[Place]:
    """Yield the names in a line that also has a day: ``11.12.2019 - Anna Berg``."""
    days = days_in(line.text)
    if not days:
        return
    begin, pieces = 0, []
    for day in days:
        pieces.append(line.text[begin : day.start])
        begin = day.end
    pieces.append(line.text[begin:])
    for piece in pieces:
        for part in _BETWEEN.split(piece):
            text = part.strip(" ,:")
            if begins_like_byline(text):
                yield from _place("line-dated:byline", text, line.segment)
            elif _is_like_name(text):
                yield from _place("line-dated:name", text, line.segment)


def _is_like_name(text: str) -> bool:
    words = text.split()
    return 2 <= len(words) <= 4 and all(
        word[0].isupper() and _NAME_WORD.fullmatch(word) for word in words
    )


# --- the features of each set -------------------------------------------------------------------


def describe(
    sources: PageSources, known: Sequence[tuple[Place, frozenset[str]]]
) -> dict[frozenset[str], Features]:
    """Return the features of each set of names; `known` are the places with their `keys_of`."""
    found: dict[frozenset[str], Features] = {}
    names: dict[frozenset[str], tuple[str, ...]] = {}
    seen: set[str] = set()
    for place, key in known:
        features = found.setdefault(key, {})
        names.setdefault(key, place.names)
        kind = place.source
        if kind.startswith("meta:") and kind not in ("meta:author", "meta:article:author"):
            kind = "meta:other"
        features[kind] = 1.0
        first = f"first_{kind.partition(':')[0]}"
        if first not in seen:
            seen.add(first)
            features[first] = 1.0
    told = {key for key in found if "json-ld:author" in found[key]}
    shown = {key for key in found if any(map(_is_shown, found[key]))}
    people = {
        key for key in shown if _two_words(names[key]) and not is_organization(" ".join(names[key]))
    }
    singles = [name for key in found if len(key) == 1 for name in key]
    has_several = len(singles) < len(found)
    _mark_extensions(found, singles)
    site = key_of_name(sources.site_name)
    host = key_of_name(sources.host.partition(".")[0])
    for key, features in found.items():
        _looks(features, names[key], key, site, host)
        kinds = {name.partition(":")[0] for name in features if ":" in name}
        features["agreement"] = float(min(len(kinds), 5))
        features["many"] = min(len(found), 8) / 8
        if has_several:
            _mark(
                features,
                ("part_of_other", any(key < other for other in found)),
                ("holds_other", any(key > other for other in found)),
            )
        _mark(
            features,
            ("only", len(found) == 1),
            ("linked_otherwise", bool(told) and key not in told),
            ("shown_otherwise", bool(shown - {key})),
            ("person_otherwise", bool(people - {key})),
        )
    return found


def _mark(features: Features, *conditions: tuple[str, bool]) -> None:
    """Set the features whose conditions are met to 1; the others are left out, which means 0."""
    for name, is_met in conditions:
        if is_met:
            features[name] = 1.0


def _mark_extensions(found: Mapping[frozenset[str], Features], singles: Sequence[str]) -> None:
    """Mark the names that extend another name, and the extended ones: Anna Berg, Anna."""
    for whole, part in permutations(singles, 2):
        if len(whole) > len(part) and (whole.startswith(part) or whole.endswith(part)):
            found[frozenset({whole})]["completes"] = 1.0
            found[frozenset({part})]["completed"] = 1.0


def _is_shown(name: str) -> bool:
    return name.startswith(("line:close", "class:close", "property:author"))


def _two_words(names: tuple[str, ...]) -> bool:
    return all(2 <= len(name.split()) <= 4 for name in names)


def _looks(
    features: Features, names: tuple[str, ...], key: frozenset[str], site: str, host: str
) -> None:
    looks = [_look_of(name) for name in names]
    words = [one.words for one in looks]
    features["names"] = min(len(names), 5) / 5
    _mark(
        features,
        ("several", len(names) > 1),
        ("one_word", min(words) == 1),
        ("long", max(words) > 4),
        ("two_words", all(count in (2, 3) for count in words)),
        ("capitals", all(one.is_capitalized for one in looks)),
        ("all_caps", all(one.is_all_caps for one in looks)),
        ("lower", any(one.is_lower for one in looks)),
        ("organization", any(one.is_organization for one in looks)),
        ("digit", any(one.has_digit for one in looks)),
        ("is_site", bool(site) and site in key),
        ("like_host", len(host) > 3 and host in key),
        ("in_site", bool(site) and any(len(o) > 4 and (o in site or site in o) for o in key)),
    )


class _Look(NamedTuple):
    """The features of a name's appearance."""

    words: int
    """The number of words, without "Dr." or a similar prefix."""
    is_capitalized: bool
    is_all_caps: bool
    is_lower: bool
    is_organization: bool
    has_digit: bool


@bounded_cache(most=512, longest=LONGEST_NAME)
def _look_of(name: str) -> _Look:
    """Return the features of a name's appearance.

    The function is cached: a site has few authors, and a page names each of them in several places.
    """
    long_words = [word for word in name.split() if len(word) > 3]
    return _Look(
        len(_PREFIXED.sub("", name).split()),
        bool(long_words) and all(word[0].isupper() or not word[0].isascii() for word in long_words),
        name.isupper() and len(name) > 3,
        name.islower(),
        is_organization(name),
        any(map(str.isdigit, name)),
    )
