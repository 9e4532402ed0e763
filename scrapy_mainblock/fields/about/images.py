"""The main picture of a page, and all pictures that its content shows or its metadata names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from scrapy_mainblock.fields.about.choice import first_explained, first_of
from scrapy_mainblock.fields.sources.linked_data import listed
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.sources.pictures import IMG, shown_address
from scrapy_mainblock.fields.values.pictures import (
    is_placeholder,
    last_part,
    marks_of,
    name_of,
    plain,
)
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim
from scrapy_mainblock.outline.css import first_behind
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.selectors import has_class_part_around, is_seen
from scrapy_mainblock.page.lazy import cached

MOST = 50
"""Maximum number of pictures that are listed for a page."""
_MOST_READ = 500
"""Maximum number of pictures of a page that are examined."""
_METAS = (
    "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    "sailthru.image.full", "parsely-image-url",
)  # fmt: skip
_LINKED = ("image", "thumbnailUrl", "primaryImageOfPage")
_BOTH, _SHOWN, _NAMED, _LOGO = 0.95, 0.85, 0.8, 0.2
"""Probability that a picture is the main one: if it leads the content and is named in the metadata,
if it only leads the content, if it is only named, and if it is a logo."""
_TOP = 4
"""The article's leading pictures stand before this many segments of content. With one, the pictures
of galleries and those after a summary are missed; with eight, pictures of other stories are
taken."""
_ABOVE = 40
"""How many pictures above the content are searched for one that is named in the metadata."""
_SMALL = 150
"""Minimum width in pixels; a narrower picture is an icon or a portrait."""
_WIDTH = re.compile(r"[?&;/_-](?:im)?w(?:idth)?=?(\d{2,4})(?!\d)")
_PORTRAIT = Parts(
    *(b"headshot", b"head-shot", b"author", b"avatar", b"byline", b"by-line", b"profile"),
    *(b"portrait", b"autor", b"journalist", b"writer", b"logo", b"icon", b"emoji", b"badge"),
    *(b"sponsor", b"advert"),
    ignores_case=True,
)
"""Parts of class and file names of portraits of authors and of other small pictures."""
_AROUND = 3
"""How many elements, from a picture outward, have their classes compared with a portrait's."""


class _Picture:
    """A picture, the place that names it, and its element if the page shows it."""

    __slots__ = ("_is_placeholder", "_marks", "_name", "_plain", "element", "source", "url")

    def __init__(self, url: str, source: str, element: int = -1) -> None:
        self.url, self.source, self.element = url, source, element
        self._marks: list[str] | None = None
        self._is_placeholder: bool | None = None
        self._name = self._plain = ""

    @property
    def name(self) -> str:
        """The part of its URL that is the same in all sizes."""
        if not self._name:
            self._name = name_of(self.url)
        return self._name

    @property
    def is_placeholder(self) -> bool:
        """Whether it is a logo, or stands in for a missing picture."""
        if self._is_placeholder is None:
            self._is_placeholder = is_placeholder(self.url)
        return self._is_placeholder

    def is_like(self, other: _Picture, address: str) -> bool:
        """Return whether either URL has a mark of the other: they may be sizes of one picture."""
        return self._has_any(other.marks(address)) or other._has_any(self.marks(address))

    def marks(self, address: str) -> list[str]:
        """Return the marks in the picture's file name, except those that are in the page's URL."""
        if self._marks is None:
            found = marks_of(last_part(self.url))
            self._marks = [mark for mark in found if mark not in address]
        return self._marks

    def _has_any(self, marks: list[str]) -> bool:
        self._plain = self._plain or plain(self.url)
        # Most marks are not in the URL at all; testing that is faster than splitting the URL.
        for mark in marks:
            if mark in self._plain and mark in marks_of(self.url):
                return True
        return False


_UNREAD = _Picture("", "")
"""Placeholder for a picture that has not been read yet."""


class Pictures:
    """The pictures of a page."""

    def __init__(self, sources: PageSources) -> None:
        self._sources = sources
        self._read: dict[int, _Picture | None] = {}
        """By element: the main picture and the list of all pictures read the same ones."""

    @cached
    def main(self) -> Choice:
        """The choice of the main picture."""
        return first_of(claim for _, claim in self._candidates())

    @property
    def main_explained(self) -> Choice:
        """The choice of the main picture, with the other candidates as rejected claims."""
        unique: dict[str, Claim] = {}
        for one, claim in self._candidates():
            unique.setdefault(one.name, claim)
        return first_explained(iter(unique.values()))

    def _candidates(self) -> Iterator[tuple[_Picture, Claim]]:
        """Yield candidates for the main picture, best first: a shown one is preferred to a crop.

        The pictures that metadata names for social networks are often crops, or were drawn only for
        them. So the best is the first leading picture of the content that is also named, or else
        the first leading picture. A named picture further up takes precedence over an unnamed one.
        """
        all_named = _named(self._sources)
        named = [one for one in all_named if not one.is_placeholder]
        start, top, _ = self._content
        leading: list[_Picture] = []
        at_head = self._leading(start, top, leading)
        if named:
            best = self._named_and_shown(named, at_head, _BOTH)
            if best is None:
                above = self._shown(0, start, _ABOVE, _marks_of_named(named))
                best = self._named_and_shown(named, above, _NAMED)
            if best is not None:
                yield best
        else:
            next(at_head, None)
        yield from ((one, Claim(one.url, one.source, _SHOWN)) for one in leading[:1])
        yield from ((one, Claim(one.url, one.source, _NAMED)) for one in named)
        logos = (one for one in all_named if one.is_placeholder)
        yield from ((one, Claim(one.url, one.source, _LOGO)) for one in logos)

    @property
    def all(self) -> Choice:
        """The main picture, followed by those of the content in page order."""
        main = self.main.chosen
        found = [main.value] if main else []
        start, _, end = self._content
        rows = self._sources.page.rows
        for one in self._shown(start, end):
            if is_seen(rows, one.element) and one.url not in found and not one.is_placeholder:
                found.append(one.url)
                if len(found) == MOST:
                    break
        sure = main.probability if main else _SHOWN
        return Choice(Claim(found, "content", sure)) if found else NOTHING

    @cached
    def _content(self) -> tuple[int, int, int]:
        """The source positions of the content's start, of the end of its top, and of its end."""
        sources = self._sources
        first, last = sources.lines.span
        if first < 0:
            return 0, 0, 0
        kept, top = bytes(sources.kept), first
        for _ in range(_TOP - 1):
            top = max(kept.find(1, top + 1), top)
        if 0 <= sources.title < first:
            first = sources.title
        rows = sources.page.rows
        return rows.source_of(first)[0], rows.source_of(top)[0], rows.source_of(last)[0]

    @cached
    def _elements(self) -> list[int]:
        return self._sources.page.rows.with_tag(IMG, _MOST_READ)

    def _shown(
        self, start: int, end: int, most: int = _MOST_READ, parts: Collection[str] = ()
    ) -> Iterator[_Picture]:
        """Yield the pictures in a part of the source, only the last `most` of them.

        With `parts`, yield only pictures whose URL contains one of these.
        """
        rows, elements = self._sources.page.rows, self._elements
        behind = first_behind(rows, elements, end)
        first = max(min(first_behind(rows, elements, start), behind), behind - most)
        for element in elements[first:behind]:
            found = self._read.get(element, _UNREAD)
            if found is _UNREAD:
                address = shown_address(rows, element)
                if address and parts and not any(map(plain(address).__contains__, parts)):
                    continue  # making the URL absolute takes as long as finding it
                url = self._sources.absolute(address) if address else None
                found = self._read[element] = _Picture(url, "content", element) if url else None
            if found is not None:
                yield found

    def _leading(self, start: int, end: int, into: list[_Picture]) -> Iterator[_Picture]:
        """Yield the pictures at the top of the content, and append each to `into`."""
        for one in self._shown(start, end):
            if not _is_small(self._sources, one):
                into.append(one)
                yield one

    def _named_and_shown(
        self, named: list[_Picture], shown: Iterable[_Picture], probability: float
    ) -> tuple[_Picture, Claim] | None:
        """Return the first shown picture that is also named, perhaps in another size, and a claim.

        If both have the same name, the named one is returned.
        """
        address = ""
        by_name: dict[str, _Picture] = {}
        for one in shown:
            if not by_name:
                address = self._sources.url.lower()
                for other in named:
                    by_name.setdefault(other.name, other)
            same = by_name.get(one.name)
            if same is not None:
                return same, Claim(same.url, f"{same.source},{one.source}", probability)
            for other in by_name.values():
                if one.is_like(other, address):
                    return one, Claim(one.url, f"{other.source},{one.source}", probability)
        return None


# --- pictures named in the metadata -------------------------------------------------------------


def _named(sources: PageSources) -> list[_Picture]:
    """Return the pictures in the metadata, each with the first place that names it."""
    found: dict[str, _Picture] = {}
    for places in (_addresses, _of_properties):
        for address, source in places(sources):
            url = sources.absolute(address) if address not in found else None
            if url:
                found[address] = _Picture(url, source)
        if found:
            break
    return list(found.values())


def _addresses(sources: PageSources) -> Iterator[tuple[str, str]]:
    for name in _METAS:
        for content in sources.metas.get(name, ())[:3]:
            yield content.strip(), f"meta:{name}"
    for key in _LINKED:
        for one in listed(sources.main.get(key))[:4]:
            yield _address_of(sources, one), f"json-ld:{key}"
    yield sources.page.head.link("image_src"), "link:image_src"


def _of_properties(sources: PageSources) -> Iterator[tuple[str, str]]:
    """Yield the pictures in microdata: pictures that are shown, or that the head also names."""
    for name in ("image", "thumbnailurl"):
        for element in sources.properties.of(name)[:3]:
            yield sources.properties.value(element), f"property:{name}"


def _address_of(sources: PageSources, value: Any) -> str:
    value = sources.linked.resolved(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        if isinstance(value, list):
            value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


# --- pictures on the page -----------------------------------------------------------------------


def _marks_of_named(named: Iterable[_Picture]) -> set[str]:
    """Return strings for a quick test: a named picture has at least one of them in its URL."""
    return {
        part
        for one in named
        for part in (
            one.name.rpartition("/")[2],
            *marks_of(one.url),
        )  # a relative URL may lack the path
    }


def _is_small(sources: PageSources, one: _Picture) -> bool:
    """Return whether a picture is an icon, a logo, or the portrait of an author."""
    rows = sources.page.rows
    for width in (rows.attribute(one.element, b"width") or "", *_WIDTH.findall(one.url)):
        if width.isdecimal() and len(width) < 6 and int(width) < _SMALL:
            return True
    name = last_part(one.url)
    if one.is_placeholder or name[-4:].lower() == ".gif":
        return True
    if _PORTRAIT.are_in(name.encode("utf-8", "replace")):
        return True
    return has_class_part_around(rows, one.element, _AROUND, _PORTRAIT)
