"""The dates on which a page was published and last modified.

Each place that may hold a date gives a day; places that give the same day are one candidate. The
page's own linked data is nearly always right, unless it dates the template. A line below the
headline is right unless it says "updated". The date of a comment or of a teaser is never right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scrapy_mainblock.fields.about.choice import (
    choose,
    claim,
    is_sure,
    probability,
    weights_of,
    with_others,
)
from scrapy_mainblock.fields.about.day_features import Place, describe
from scrapy_mainblock.fields.sources.lines import Line, Lines, has_any_name_part_around
from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.marks import DAY, NAMED_CHANGE, SAYS_CHANGE
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.sources.scripts import first_value
from scrapy_mainblock.fields.titles import letters_of
from scrapy_mainblock.fields.values.dates import Day, days_on, first_day_on
from scrapy_mainblock.fields.values.words import IN_NAMES, OF_CHANGE, OF_PUBLICATION
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim, rounded
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import names_around, segment_of_first_text
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.lazy import cached

LEAST = 0.25
"""Minimum probability of the chosen date; below it the field stays empty. It is set so that hardly
one in ten of the dates shown is wrong among those that no machine-readable place supports."""

SURE = 0.9
"""Minimum probability of a machine-readable date at which the page's lines are not read. On 61 % of
1,619 labeled pages they are not read for the publication date, and on 94 % of 487 not for the
modification date. Each is right on .002 more pages, and wrong on .001 and .002 less, than when all
places are scored together (with thresholds of .8 or .95 the sum over both dates is lower)."""

NO_TIME = "T00:00:00Z"
META_PUBLISHED = (
    "article:published_time", "og:article:published_time", "og:published_time",
    "article:published", "datepublished", "date_published", "parsely-pub-date", "sailthru.date",
    "publish-date", "publish_date", "publishdate", "published_date", "publication_date",
    "published-date", "article.published", "article_date_original", "originalpublicationdate",
    "cxenseparse:recs:publishtime", "cxenseparse:publishtime", "shareaholic:article_published_time",
    "rnews:datepublished", "bt:pubdate", "citation_publication_date", "citation_date",
    "citation_online_date", "weibo:article:create_at", "displaydate", "publisheddate",
    "published", "published_at", "pub_date", "article:post_date", "vr:published_time",
    "last-published",
)  # fmt: skip
META_DATE = (
    "date", "pubdate", "dc.date", "dc.date.issued", "dc.date.created", "dc.created", "dc.issued",
    "dcterms.date", "dcterms.created", "dcterms.issued", "dcterms.available", "creation_date",
    "created", "release_date", "time", "ptime", "article:created_time", "og:release_date",
    "sdate", "date.created", "article.created", "timestamp", "video:release_date",
    "prism.publicationdate", "pubdate_ts", "gsa-pubdate", "posted",
)  # fmt: skip
META_MODIFIED = (
    "article:modified_time", "og:updated_time", "og:modified_time", "article:modified",
    "datemodified", "date_modified", "dcterms.modified", "dc.date.modified", "dc.modified",
    "lastmod", "last-modified", "last_modified", "modified", "article.updated", "updated_time",
    "last-updated", "lastupdate", "rnews:datemodified", "article:updated_time", "revised",
    "date.modified", "modified_date", "bt:moddate", "updated", "utime",
)  # fmt: skip


_RANKS_PUBLISHED = {
    name: (rank, source)
    for rank, (source, name) in enumerate(
        [*(("meta", name) for name in META_PUBLISHED), *(("meta-date", name) for name in META_DATE)]
    )
}
_RANKS_MODIFIED = {name: (rank, "meta-modified") for rank, name in enumerate(META_MODIFIED)}
_PROPERTIES_PUBLISHED = (
    *("datepublished", "pubdate", "published", "datecreated", "uploaddate", "date"),
)
_PROPERTIES_MODIFIED = ("datemodified", "modified")


_NAMED_DATE = re.compile(r"dat[eu]|time|publi|posted|meta|byline|stamp|fecha|zeit|info|heure|tid")
_NAMED_OTHER = re.compile(
    r"comment|related|sidebar|widget|footer|recent|teaser|more-|popular|event|archive|calendar"
    r"|recommend|reply|list"
)
OF_REVIEWS = (
    r"\b(?:(?:customer|user|buyer|guest|product)-?)?reviews\b"
    r"|\b(?:customer|user|buyer|guest)-?review\b"
    r"|\breview-?(?:author|body|card|content|date|header|info|item|list|meta|text|time)"
)
"""Class and id names of readers' reviews, in lowercase. They do not match a page that is a review
itself."""
_IN_COMMENT = re.compile(
    r"(?:^|\s)comments?(?:$|\s|-body|-list|-meta|-content|-item)|commentlist"
    r"|" + OF_REVIEWS
)
_CLOSE, _LATE = 6, 20
AROUND = 5
"""How many elements, from a date or a name outward, have their class and id names examined."""
_IN_URL = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_.-]?)([01]\d)\2([0-3]\d)(?!\d)|"
                     r"/((?:19|20)\d\d)[/-](1[0-2]|[1-9])[/-]([12]?\d|3[01])(?!\d)")  # fmt: skip
_DAY_FIRST_IN_URL = re.compile(r"(?<!\d)([0-3]\d)[-_.]([01]\d)[-_.](20\d\d)(?!\d)")
_MOST_COUNTED = 3
_LINKED_PUBLISHED, _LINKED_MODIFIED = (
    ("datePublished", "dateCreated", "uploadDate"),
    ("dateModified",),
)


class Dates:
    """The dates of a page: machine-readable places first, and the lines only if they are needed."""

    def __init__(self, sources: PageSources) -> None:
        self._sources = sources

    @cached
    def machine_readable(self) -> list[Place]:
        """The machine-readable places, including those of the modification date."""
        return [*self._machine_readable_published, *self.machine_readable_changes]

    @cached
    def _machine_readable_published(self) -> list[Place]:
        return _machine_readable(self._sources)

    @cached
    def machine_readable_changes(self) -> list[Place]:
        """The machine-readable places of the modification date."""
        return _machine_changes(self._sources)

    @cached
    def _seen(self) -> list[Place]:
        """The places in ``<time>`` elements and lines."""
        return _read_shown(self._sources, False)

    @cached
    def changes(self) -> list[Place]:
        """The places that give the modification date.

        If the ``<time>`` elements and the lines have not been read yet, only those that mention a
        modification are read.
        """
        seen = vars(self).get("_seen")
        if seen is None:
            seen = _read_shown(self._sources, True)
        seen_changes = [place for place in seen if "modified" in place.source]
        return [*self.machine_readable_changes, *seen_changes]

    @cached
    def places(self) -> list[Place]:
        """All places that may give the publication date, and those of the modification date."""
        found = [*self._machine_readable_published, *self._seen]
        found += [one for one in self.changes if not _is_among(one, found)]
        return found or _scripts(self._sources)

    @cached
    def published(self) -> Choice:
        """The choice of the publication date."""
        if not self._machine_readable_published:
            return self.from_all_places
        machine = _chosen(self._sources, self.machine_readable, "published-machine")
        return machine if is_sure(machine, SURE) and _has_time(machine) else self.from_all_places

    @cached
    def from_all_places(self) -> Choice:
        """The choice of the publication date with all places scored together."""
        return _chosen(self._sources, self.places, "published")

    @property
    def published_explained(self) -> Choice:
        """The choice of the publication date, with all other dates of the page as rejected ones."""
        return with_others(self.published, self.from_all_places)

    def modified(self, published: Callable[[], Choice]) -> Choice:
        """Return the choice of the modification date, which is not before the publication date.

        `published` is called only if a place gives a modification date.
        """
        choice = _chosen(self._sources, self.machine_readable_changes, "modified-machine")
        if not is_sure(choice, SURE):
            choice = _chosen(self._sources, self.changes, "modified")
        first = published().chosen if choice.chosen else None
        if choice.chosen and first and choice.chosen.value[:10] < first.value[:10]:
            return Choice(None, (choice.chosen, *choice.rejected))
        return choice


def _is_among(one: Place, places: list[Place]) -> bool:
    for other in places:
        if one is other or one.is_same(other):
            return True
    return False


def _has_time(choice: Choice) -> bool:
    """Return whether the chosen date has a time; if not, a line may give one."""
    return choice.chosen is not None and not choice.chosen.value.endswith(NO_TIME)


def _chosen(sources: PageSources, known: list[Place], field: str) -> Choice:
    if not known:
        return NOTHING
    weights = weights_of(field)
    if weights is None:
        return choose([_simply(one) for one in known], LEAST)
    found = []
    for day, features in describe(sources, known).items():
        best, where, count = None, "", 0
        for one in known:
            if one.date == day:
                count += 1
                if best is None:
                    best, where = one, one.source
                elif _exactness(one) > _exactness(best):
                    best = one
        if best is None:
            continue
        if count > 1:
            where = ",".join(dict.fromkeys([one.source for one in known if one.date == day]))
        sure = rounded(probability(features, weights))
        found.append(claim(best.day.as_utc(), where, sure, best.raw))
    return choose(found, LEAST)


def _simply(place: Place) -> Claim:
    is_told = place.source.startswith(("json-ld:datePublished", "meta:article"))
    return claim(place.day.as_utc(), place.source, 0.8 if is_told else 0.1, place.raw)


def _exactness(place: Place) -> int:
    """Return how exact a day is: by its time, then by the time's zone."""
    return (2 if place.day.time else 0) + (place.day.zone is not None)


# --- the places ---------------------------------------------------------------------------------


def _machine_readable(sources: PageSources) -> list[Place]:
    """Return the machine-readable places of the publication date, and the days in the URL."""
    found: list[Place] = []
    _add_linked(found, sources, _LINKED_PUBLISHED)
    _add_metas(found, sources, _metas_published(sources.meta_names))
    properties = sources.properties
    if properties.all:
        for name in _PROPERTIES_PUBLISHED:
            for element in properties.of(name)[:_MOST_COUNTED]:
                _add(found, sources, f"property:{name}", properties.value(element))
    found += in_address(sources)
    return found


def _machine_changes(sources: PageSources) -> list[Place]:
    """Return the machine-readable places of the modification date."""
    found: list[Place] = []
    _add_linked(found, sources, _LINKED_MODIFIED)
    _add_metas(found, sources, _metas_modified(sources.meta_names))
    properties = sources.properties
    if properties.all:
        for name in _PROPERTIES_MODIFIED:
            for element in properties.of(name)[:_MOST_COUNTED]:
                _add(found, sources, "property-modified", properties.value(element))
    return found


def _add(found: list[Place], sources: PageSources, source: str, raw: str) -> None:
    """Append the place of the first day in a value, if there is one."""
    day = first_day_on(raw, sources) if raw else None
    if day is not None:
        found.append(Place(source, day, raw.strip()[:200]))


def _add_linked(found: list[Place], sources: PageSources, keys: tuple[str, ...]) -> None:
    linked = sources.linked
    if not linked.nodes:
        return
    main = linked.main
    for key in keys:
        _add(found, sources, f"json-ld:{key}", text_of(main.get(key)))
    for node, _, is_other in linked.nodes:
        if node is not main:
            for key in keys:
                if key in node:
                    kind = "json-ld-other" if is_other else "json-ld-beside"
                    _add(found, sources, f"{kind}:{key}", text_of(node[key]))


def _add_metas(
    found: list[Place], sources: PageSources, which: tuple[tuple[str, str], ...]
) -> None:
    """Append the days in some metas, each of which has a source and a name."""
    for source, name in which:
        for content in sources.metas[name][:_MOST_COUNTED]:
            _add(found, sources, f"{source}:{name}", content)


@bounded_cache(most=64, longest=1500, measure=letters_of)
def _metas_published(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the sources and names of those metas that may give the publication date, in order."""
    return _ranked(names, _RANKS_PUBLISHED)


@bounded_cache(most=64, longest=1500, measure=letters_of)
def _metas_modified(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the sources and names of those metas that may give the modification date, in order."""
    return _ranked(names, _RANKS_MODIFIED)


def _ranked(
    names: tuple[str, ...], ranks: Mapping[str, tuple[int, str]]
) -> tuple[tuple[str, str], ...]:
    # All pages of a template have the same names, so that they are sorted only once.
    known = sorted((*ranks[name], name) for name in names if name in ranks)
    return tuple((source, name) for _, source, name in known)


def _read_shown(sources: PageSources, changes_only: bool) -> list[Place]:
    """Return the places in ``<time>`` elements and lines."""
    found: list[Place] = []
    rows = sources.rows
    times = sources.times
    if times:
        if not changes_only or has_any_name_part_around(rows, times, AROUND, IN_NAMES):
            _add_times(found, sources, rows, times, changes_only)
    lines = sources.lines
    if lines.all_marks & (SAYS_CHANGE | NAMED_CHANGE if changes_only else DAY):
        _add_lines(found, sources, lines, changes_only)
    return found


def _add_times(
    found: list[Place],
    sources: PageSources,
    rows: Rows,
    times: list[int],
    changes_only: bool,
) -> None:
    first, last = sources.lines.first, sources.lines.last
    anchor: int = sources.title if sources.title >= 0 else first
    count = -1
    for element in times:
        count += 1
        names = names_around(rows, element, AROUND)
        named = _named(names)
        if named.comment or (changes_only and not (named.updated or "modif" in names)):
            continue
        raw = rows.attribute(element, b"datetime") or rows.line_of(element, 100)
        day = first_day_on(raw, sources) if raw else None
        if day is None:
            continue
        segment = segment_of_first_text(rows, element)
        kind = "time"
        if named.other or (segment > last and "article" in names.split()):
            kind = "time-other"
        elif named.updated or "modif" in names:
            kind = "time-modified"
        elif segment >= 0 and anchor >= 0 and -_CLOSE <= segment - anchor <= _LATE:
            kind = "time-near"
        if rows.attribute(element, b"pubdate") is not None:
            kind = "time-pubdate"
        which = "first" if count == 0 else "later"
        found.append(Place(f"{kind}:{which}", day, raw.strip()[:200], element))


def in_address(sources: PageSources) -> list[Place]:
    """Return the days in the page's URL."""
    address: str = sources.url[:1000]
    found: list[Place] = []
    if "20" not in address and "19" not in address:
        return found
    if "-20" in address or "_20" in address or ".20" in address:
        european = _DAY_FIRST_IN_URL.search(address)
        if european:
            _add(found, sources, "url", "{2}-{1}-{0}".format(*european.groups()))
    parts = _IN_URL.search(address)
    if parts:
        year, month, day = (parts[1], parts[3], parts[4]) if parts[1] else parts.group(5, 6, 7)
        _add(found, sources, "url", f"{year}-{int(month):02}-{int(day):02}")
    return found


def _add_lines(
    found: list[Place],
    sources: PageSources,
    lines: Lines,
    changes_only: bool,
) -> None:
    for line in lines.marked:
        if not line.marks & DAY or (changes_only and not _may_mention_change(lines, line)):
            continue
        days = days_on(line.text, sources)
        if not days:
            continue
        named = _named(lines.names(line.segment))
        if named.comment:
            continue
        begin = 0
        for day in days[:3]:
            label = line.text[begin : day.start]
            begin = day.end
            kind = _kind_of_line(line, label, named, day)
            found.append(Place(kind, day, line.text[:200], line.segment, True))


def _may_mention_change(lines: Lines, line: Line) -> bool:
    if line.marks & SAYS_CHANGE and OF_CHANGE.are_in(line.text):
        return True
    if not line.marks & NAMED_CHANGE:
        return False
    named = _named(lines.names(line.segment))
    return named.updated or named.modified


class _Named(NamedTuple):
    """What the class and id names around a place imply."""

    comment: bool
    other: bool
    dated: bool
    updated: bool
    modified: bool


@bounded_cache(most=512, longest=1000)
def _named(names: str) -> _Named:
    """Return what class and id names imply; cached, as all pages of a template share them."""
    return _Named(
        bool(_IN_COMMENT.search(names)),
        bool(_NAMED_OTHER.search(names)),
        bool(_NAMED_DATE.search(names)),
        "updated" in names,
        "modified" in names,
    )


def _kind_of_line(line: Line, label: str, named: _Named, day: Day) -> str:
    """Return the kind of a line with a day, by its position and by the words around the day."""
    if named.updated or named.modified:
        return "line-modified"
    if label and line.marks & SAYS_CHANGE and OF_CHANGE.are_in(label[-40:]):
        return "line-modified"
    if named.other and not line.is_kept:
        return "line-other"
    where = "behind" if line.is_behind else "close" if -_CLOSE <= line.place <= _CLOSE else "near"
    if line.place < 0 and not line.is_behind:
        where = "above" if line.place >= -_CLOSE else "far-above"
    if named.dated or (label and OF_PUBLICATION.are_in(label[-40:])):
        kind = "dated"
    elif len(line.text) - (day.end - day.start) < 30:
        kind = "short"
    else:
        kind = "text"
    return f"line-{kind}:{where}{'-kept' if line.is_kept else ''}"


def _scripts(sources: PageSources) -> list[Place]:
    """Return the first day in the page's scripts; used only if no other place gives a day."""
    found: list[Place] = []
    value = first_value(sources.rows.source)
    if value is not None:
        _add(found, sources, "script", value.decode("utf-8", "replace"))
    return found
