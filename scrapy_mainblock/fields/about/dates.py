"""The dates on which a page was published and last modified.

Each place that may hold a date gives a day; places that give the same day are one candidate. The
page's own linked data is nearly always right, unless it dates the template. A line below the
headline is right unless it says "updated". The date of a comment or of a teaser is never right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from scrapy_mainblock.fields.about.choice import (
    Features,
    choose,
    is_sure,
    probability,
    weights_of,
    with_others,
)
from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.lines import Line, has_any_name_part_around
from scrapy_mainblock.fields.sources.marks import DAY, NAMED_CHANGE, SAYS_CHANGE
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.dates import Day, days_in, first_day
from scrapy_mainblock.fields.values.words import IN_NAMES, OF_CHANGE, OF_PUBLICATION
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim
from scrapy_mainblock.outline.parts import Parts
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


_RANKS_PUBLISHED, _RANKS_DATE, _RANKS_MODIFIED = (
    {name: rank for rank, name in enumerate(names)}
    for names in (META_PUBLISHED, META_DATE, META_MODIFIED)
)


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
_MONTH_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])(?=/|-)")
_IN_SCRIPT = (
    (Parts(b"ublish"), (b"ublished", b"ublish")),
    (
        Parts(b"pubDate", b"pub_date", b"created"),
        (b"pubDate", b"pub_date", b"createdAt", b"created_at"),
    ),
)
"""Keys, with the parts of them that are searched for first: one pass of `Parts` takes less time
than one `bytes.find` over a page without the key."""
_SCRIPT_VALUE = re.compile(
    rb"[A-Za-z_]{0,12}[\"']?\s{0,3}[:=,]\s{0,3}[\"']([0-9][^\"']{7,40})[\"']"
)
_MOST_LOOKS = 30
_MOST_COUNTED = 3


class Place(NamedTuple):
    """A place of a page that gives a day."""

    source: str
    """The kind of the place, as named in the weights; a suffix after a colon is more specific."""
    day: Day
    raw: str
    element: int = -1
    """The element with the day, or the segment if `is_line`; -1 if readers do not see it."""
    is_line: bool = False


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
        return list(_machine_readable(self._sources))

    @cached
    def machine_readable_changes(self) -> list[Place]:
        """The machine-readable places of the modification date."""
        return list(_machine_readable_changes(self._sources))

    @cached
    def _seen(self) -> list[Place]:
        """The places in ``<time>`` elements and lines."""
        return [*_times(self._sources), *_lines(self._sources)]

    @cached
    def changes(self) -> list[Place]:
        """The places that give the modification date.

        If the ``<time>`` elements and the lines have not been read yet, only those that mention a
        modification are read.
        """
        seen = self.__dict__.get("_seen")
        if seen is None:
            seen = [
                *_times(self._sources, changes_only=True),
                *_lines(self._sources, changes_only=True),
            ]
        seen_changes = [place for place in seen if "modified" in place.source]
        return [*self.machine_readable_changes, *seen_changes]

    @cached
    def places(self) -> list[Place]:
        """All places that may give the publication date, and those of the modification date."""
        found = [*self._machine_readable_published, *self._seen]
        found += [one for one in self.changes if one not in found]
        return found or list(_scripts(self._sources))

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


def _has_time(choice: Choice) -> bool:
    """Return whether the chosen date has a time; if not, a line may give one."""
    return choice.chosen is not None and not choice.chosen.value.endswith(NO_TIME)


def _chosen(sources: PageSources, known: list[Place], field: str) -> Choice:
    if not known:
        return NOTHING
    weights = weights_of(field)
    if weights is None:
        return choose((_simply(one) for one in known), LEAST)
    found = []
    for day, features in describe(sources, known).items():
        its = [one for one in known if one.day.day == day]
        best, where = its[0], its[0].source
        if len(its) > 1:
            best = max(its, key=_exactness)
            where = ",".join(dict.fromkeys([one.source for one in its]))
        sure = probability(features, weights)
        found.append(Claim(best.day.as_utc(), where, round(sure, 4), best.raw))
    return choose(found, LEAST)


def _simply(place: Place) -> Claim:
    is_told = place.source.startswith(("json-ld:datePublished", "meta:article"))
    return Claim(place.day.as_utc(), place.source, 0.8 if is_told else 0.1, place.raw)


def _exactness(place: Place) -> tuple[bool, bool]:
    return bool(place.day.time), place.day.zone is not None


# --- the places ---------------------------------------------------------------------------------


def _machine_readable(sources: PageSources) -> Iterator[Place]:
    """Yield the machine-readable places of the publication date, and the days in the URL."""
    yield from _linked(sources, ("datePublished", "dateCreated", "uploadDate"))
    yield from _metas(sources, "meta", _RANKS_PUBLISHED)
    yield from _metas(sources, "meta-date", _RANKS_DATE)
    properties = sources.properties
    for name in _PROPERTIES_PUBLISHED if properties.all else ():
        for element in properties.of(name)[:_MOST_COUNTED]:
            yield from _place(sources, f"property:{name}", properties.value(element))
    yield from in_address(sources)


def _machine_readable_changes(sources: PageSources) -> Iterator[Place]:
    """Yield the machine-readable places of the modification date."""
    yield from _linked(sources, ("dateModified",))
    yield from _metas(sources, "meta-modified", _RANKS_MODIFIED)
    properties = sources.properties
    for name in _PROPERTIES_MODIFIED if properties.all else ():
        for element in properties.of(name)[:_MOST_COUNTED]:
            yield from _place(sources, "property-modified", properties.value(element))


def _place(sources: PageSources, source: str, raw: str) -> Iterator[Place]:
    day = first_day(raw, month_first=sources.is_month_first) if raw else None
    if day:
        yield Place(source, day, raw.strip()[:200])


def _linked(sources: PageSources, keys: tuple[str, ...]) -> Iterator[Place]:
    if not sources.linked.nodes:
        return
    main = sources.main
    for key in keys:
        yield from _place(sources, f"json-ld:{key}", text_of(main.get(key)))
    for node, _, is_other in sources.linked.nodes:
        if node is not main:
            for key in keys:
                if key in node:
                    kind = "json-ld-other" if is_other else "json-ld-beside"
                    yield from _place(sources, f"{kind}:{key}", text_of(node[key]))


def _metas(sources: PageSources, source: str, ranks: Mapping[str, int]) -> Iterator[Place]:
    """Yield the days in the metas with some names, in the order of `ranks`."""
    metas = sources.metas
    # A page has few of the possible names, and fewer metas than there are names.
    for name in sorted(metas.keys() & ranks.keys(), key=ranks.__getitem__):
        for content in metas[name][:_MOST_COUNTED]:
            yield from _place(sources, f"{source}:{name}", content)


def _times(sources: PageSources, *, changes_only: bool = False) -> Iterator[Place]:
    rows = sources.page.rows
    if changes_only and not has_any_name_part_around(rows, sources.times, AROUND, IN_NAMES):
        return
    first, last = sources.lines.span
    anchor = sources.title if sources.title >= 0 else first
    for count, element in enumerate(sources.times):
        names = names_around(rows, element, AROUND)
        named = _named(names)
        if named.comment or (changes_only and not (named.updated or "modif" in names)):
            continue
        raw = rows.attribute(element, b"datetime") or rows.line_of(element, 100)
        day = first_day(raw, month_first=sources.is_month_first) if raw else None
        if day is None:
            continue
        segment = segment_of_first_text(rows, element)
        kind = "time"
        if named.other or ("article" in names.split() and segment > last):
            kind = "time-other"
        elif named.updated or "modif" in names:
            kind = "time-modified"
        elif segment >= 0 and anchor >= 0 and -_CLOSE <= segment - anchor <= _LATE:
            kind = "time-near"
        if rows.attribute(element, b"pubdate") is not None:
            kind = "time-pubdate"
        which = "first" if count == 0 else "later"
        yield Place(f"{kind}:{which}", day, raw.strip()[:200], element)


def in_address(sources: PageSources) -> Iterator[Place]:
    """Yield the days in the page's URL."""
    address = sources.url[:1000]
    if "20" not in address and "19" not in address:
        return
    european = _DAY_FIRST_IN_URL.search(address)
    if european:
        yield from _place(sources, "url", "{2}-{1}-{0}".format(*european.groups()))
    found = _IN_URL.search(address)
    if found:
        year, month, day = (found[1], found[3], found[4]) if found[1] else found.group(5, 6, 7)
        yield from _place(sources, "url", f"{year}-{int(month):02}-{int(day):02}")


def _lines(sources: PageSources, *, changes_only: bool = False) -> Iterator[Place]:
    lines = sources.lines
    if not lines.marks & (SAYS_CHANGE | NAMED_CHANGE if changes_only else DAY):
        return
    for line in lines.marked:
        if not line.marks & DAY or (changes_only and not _may_mention_change(sources, line)):
            continue
        days = days_in(line.text, month_first=sources.is_month_first)
        if not days:
            continue
        named = _named(sources.lines.names(line.segment))
        if named.comment:
            continue
        begin = 0
        for day in days[:3]:
            label = line.text[begin : day.start]
            begin = day.end
            kind = _kind_of_line(line, label, named, day)
            yield Place(kind, day, line.text[:200], line.segment, is_line=True)


def _may_mention_change(sources: PageSources, line: Line) -> bool:
    if line.marks & SAYS_CHANGE and OF_CHANGE.are_in(line.text):
        return True
    if not line.marks & NAMED_CHANGE:
        return False
    named = _named(sources.lines.names(line.segment))
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


def _scripts(sources: PageSources) -> Iterator[Place]:
    """Yield the first day in the page's scripts; used only if no other place gives a day."""
    source = sources.page.rows.source
    for parts, keys in _IN_SCRIPT:
        for key in keys if parts.are_in(source) else ():
            at = source.find(key)
            for _ in range(_MOST_LOOKS):
                if at < 0:
                    break
                found = _SCRIPT_VALUE.match(source, at + len(key))
                if found:
                    yield from _place(sources, "script", found[1].decode("utf-8", "replace"))
                    return
                at = source.find(key, at + 1)


# --- the features of each day -------------------------------------------------------------------


def describe(sources: PageSources, known: list[Place]) -> dict[str, Features]:
    """Return the features of each day that is given by some place."""
    found: dict[str, Features] = {}
    for place in known:
        features = found.setdefault(place.day.day, {})
        kind = place.source.partition(":")[0]
        features[place.source if _keeps_full_name(kind) else kind] = 1.0
        if place.day.time:
            features["timed"] = 1.0
        if not place.day.is_sure:
            features["unsure"] = 1.0
    days = sorted(found)
    months = {f"{m[1]}-{m[2]}" for m in _MONTH_IN_URL.finditer(sources.url[:1000])}
    for rank, day in enumerate(days):
        features = found[day]
        kinds = {name.partition(":")[0] for name in features}
        features["agreement"] = float(min(len(kinds), 6))
        features["only"] = float(len(days) == 1)
        features["earliest"] = float(rank == 0)
        features["latest"] = float(rank == len(days) - 1)
        features["many"] = min(len(days), 8) / 8
        if months:
            features["month_in_url" if day[:7] in months else "month_not_in_url"] = 1.0
    if len(days) > 1:
        _compare(found, known)
    return found


def _compare(found: Mapping[str, Features], known: list[Place]) -> None:
    """Set the features of each day that depend on the other days."""
    told = {place.day.day for place in known if place.source.startswith(("json-ld:dateP", "meta:"))}
    for day, features in found.items():
        if told and day not in told:
            features["told_otherwise"] = 1.0
            if any(near_days(day, one) for one in told):
                features["told_next_day"] = 1.0
        if "url" not in features and any("url" in other for other in found.values()):
            features["url_otherwise"] = 1.0
        if any(_is_strong_line(other) for one, other in found.items() if one != day):
            features["line_otherwise"] = 1.0


def _keeps_full_name(kind: str) -> bool:
    return kind in (
        "json-ld",
        "property",
        "time",
        "time-near",
        "line-dated",
        "line-short",
        "line-text",
    )


def _is_strong_line(features: Features) -> bool:
    return any(name.startswith(("line-dated:close", "line-dated:above")) for name in features)


def near_days(one: str, other: str) -> bool:
    """Return whether two days are adjacent, and so may be the same day in different time zones."""
    return abs((date.fromisoformat(one) - date.fromisoformat(other)).days) == 1
