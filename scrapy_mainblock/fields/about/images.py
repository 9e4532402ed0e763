"""The main picture of a page, and all pictures that its content shows or its metadata names."""

from __future__ import annotations

import re
from typing import Any

from scrapy_mainblock.fields.about.choice import chosen, claim
from scrapy_mainblock.fields.sources.linked_data import LinkedData, listed
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.sources.pictures import IMG, shown_address
from scrapy_mainblock.fields.values.addresses import Base
from scrapy_mainblock.fields.values.pictures import (
    is_placeholder,
    last_part,
    marks_of,
    may_tell_width,
    name_of,
    plain,
)
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim
from scrapy_mainblock.outline.css import first_behind
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import has_class_part_around, is_seen

MOST = 50
"""Maximum number of pictures that are listed for a page."""
_MOST_READ = 500
"""Maximum number of pictures of a page that are examined."""
_METAS = (
    "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    "sailthru.image.full", "parsely-image-url",
)  # fmt: skip
_PROPERTIES = ("image", "thumbnailurl")
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


class Picture:
    """A picture, the place that names it, and its element if the page shows it."""

    def __init__(self, url: str, source: str, element: int = -1) -> None:
        self.url, self.source, self.element = url, source, element
        self.is_placeholder = is_placeholder(url)
        """Whether it is a logo, or stands in for a missing picture."""
        self._marks: list[str] | None = None
        self._name = self._plain = ""

    def name(self) -> str:
        """Return the part of its URL that is the same in all sizes."""
        if not self._name:
            self._name = name_of(self.url)
        return self._name

    def is_like(self, other: Picture, address: str) -> bool:
        """Return whether either URL has a mark of the other: they may be sizes of one picture."""
        return self.has_any(other.marks(address)) or other.has_any(self.marks(address))

    def marks(self, address: str) -> list[str]:
        """Return the marks in the picture's file name, except those that are in the page's URL."""
        if self._marks is None:
            found = marks_of(last_part(self.url))
            self._marks = [mark for mark in found if mark not in address]
        return self._marks

    def has_any(self, marks: list[str]) -> bool:
        """Return whether its URL has one of some marks."""
        if not self._plain:
            self._plain = plain(self.url)
        # Most marks are not in the URL at all; testing that is faster than splitting the URL.
        for mark in marks:
            if mark in self._plain and mark in marks_of(self.url):
                return True
        return False


class Pictures:
    """The pictures of a page."""

    def __init__(self, sources: PageSources) -> None:
        self._sources = sources
        self._rows: Rows = sources.rows
        self._read: dict[int, Picture | None] = {}
        """By element: the main picture and the list of all pictures read the same ones."""
        self._elements: list[int] | None = None
        self._base_of_page: Base | None = None
        self._start = self._top = self._end = -1
        """The source positions of the content's start, of the end of its top, and of its end."""
        self._main: Choice | None = None
        self._leading: Picture | None = None

    @property
    def main(self) -> Choice:
        """The choice of the main picture."""
        if self._main is None:
            found = self._candidates(True)
            self._main = chosen(found[0][1]) if found else NOTHING
        return self._main

    @property
    def main_explained(self) -> Choice:
        """The choice of the main picture, with the other candidates as rejected claims."""
        unique: dict[str, Claim] = {}
        for one, its_claim in self._candidates(False):
            unique.setdefault(one.name(), its_claim)
        found = tuple(unique.values())
        return Choice(found[0], found[1:]) if found else NOTHING

    def _candidates(self, only_first: bool) -> list[tuple[Picture, Claim]]:
        """Return candidates for the main picture, best first: a shown one is preferred to a crop.

        The pictures that metadata names for social networks are often crops, or were drawn only for
        them. So the best is the first leading picture of the content that is also named, or else
        the first leading picture. A named picture further up takes precedence over an unnamed one.
        """
        found: list[tuple[Picture, Claim]] = []
        all_named = self._named()
        named = [one for one in all_named if not one.is_placeholder]
        self._find_content()
        best = self._named_and_shown(named, self._start, self._top, _MOST_READ, True)
        if best is None and named:
            best = self._named_and_shown(named, 0, self._start, _ABOVE, False)
        if best is not None:
            found.append(best)
            if only_first:
                return found
        one = self._leading
        if one is not None:
            found.append((one, claim(one.url, one.source, _SHOWN)))
        found += [(one, claim(one.url, one.source, _NAMED)) for one in named]
        logos = [one for one in all_named if one.is_placeholder]
        found += [(one, claim(one.url, one.source, _LOGO)) for one in logos]
        return found

    def _named_and_shown(
        self,
        named: list[Picture],
        start: int,
        end: int,
        most: int,
        is_top: bool,
    ) -> tuple[Picture, Claim] | None:
        """Return the first shown picture that is also named, perhaps in another size, and a claim.

        If both have the same name, the named one is returned. With `is_top`, small pictures are
        skipped, and the first of the others is the leading one.
        """
        address = ""
        by_name: dict[str, Picture] = {}
        parts: list[str] = [] if is_top else marks_of_named(named)
        for element in self._between(start, end, most):
            one = self._picture(element, parts)
            if one is None or (is_top and self._is_small(one)):
                continue
            if is_top and self._leading is None:
                self._leading = one
            if not named:
                break
            if not by_name:
                address = self._sources.url.lower()
                for other in named:
                    by_name.setdefault(other.name(), other)
            same = by_name.get(one.name())
            if same is not None:
                both = f"{same.source},{one.source}"
                return same, claim(same.url, both, _BOTH if is_top else _NAMED)
            for other in by_name.values():
                if one.is_like(other, address):
                    both = f"{other.source},{one.source}"
                    return one, claim(one.url, both, _BOTH if is_top else _NAMED)
        return None

    @property
    def all(self) -> Choice:
        """The main picture, followed by those of the content in page order."""
        main = self.main.chosen
        found: list[str] = [main.value] if main else []
        self._find_content()
        for element in self._between(self._start, self._end, _MOST_READ):
            if not is_seen(self._rows, element):
                continue
            one = self._picture(element, [])
            if one is not None and one.url not in found and not one.is_placeholder:
                found.append(one.url)
                if len(found) == MOST:
                    break
        sure = main.probability if main else _SHOWN
        return chosen(claim(found, "content", sure)) if found else NOTHING

    def _find_content(self) -> None:
        """Find where the content begins, where its top ends, and where it ends itself."""
        if self._start >= 0:
            return
        sources, rows = self._sources, self._rows
        lines = sources.lines
        first, last = lines.first, lines.last
        if first < 0:
            self._start = self._top = self._end = 0
            return
        kept = lines.kept
        top, more = first, _TOP - 1
        for segment in range(first + 1, last + 1):
            if not more:
                break
            if kept[segment] == 1:
                top = segment
                more -= 1
        first = min(first, sources.title) if sources.title >= 0 else first
        self._start, self._top = start_of(rows, first), start_of(rows, top)
        self._end = start_of(rows, last)

    def _between(self, start: int, end: int, most: int) -> list[int]:
        """Return the picture elements in a part of the source, only the last `most` of them."""
        if self._elements is None:
            self._elements = self._rows.with_tag(IMG, _MOST_READ)
        elements = self._elements
        behind = first_behind(self._rows, elements, end)
        first = max(min(first_behind(self._rows, elements, start), behind), behind - most)
        return elements[first:behind]

    def _picture(self, element: int, parts: list[str]) -> Picture | None:
        """Return the picture that an element shows, or None.

        With `parts`, return it only if its URL contains one of these.
        """
        if element in self._read:
            return self._read[element]
        address = shown_address(self._rows, element)
        if address and parts and not holds_any(plain(address), parts):
            return None  # making the URL absolute takes as long as finding it
        url = self._base().absolute(address) if address else None
        found = Picture(url, "content", element) if url else None
        self._read[element] = found
        return found

    def _base(self) -> Base:
        if self._base_of_page is None:
            self._base_of_page = self._sources.base
        return self._base_of_page

    def _is_small(self, one: Picture) -> bool:
        """Return whether a picture is an icon, a logo, or the portrait of an author."""
        rows = self._rows
        if is_narrow(rows.attribute(one.element, b"width") or ""):
            return True
        if may_tell_width(one.url):
            for width in _WIDTH.findall(one.url):
                if is_narrow(width):
                    return True
        name = last_part(one.url)
        if one.is_placeholder or name[-4:].lower() == ".gif":
            return True
        if _PORTRAIT.are_in(name.encode("utf-8", "replace")):
            return True
        return has_class_part_around(rows, one.element, _AROUND, _PORTRAIT)

    # --- pictures named in the metadata ---------------------------------------------------------

    def _named(self) -> list[Picture]:
        """Return the pictures in the metadata, each with the first place that names it."""
        found: dict[str, Picture] = {}
        sources = self._sources
        metas: dict[str, list[str]] = sources.metas
        for name in _METAS:
            if name in metas:
                for content in metas[name][:3]:
                    self._add(found, content.strip(), f"meta:{name}")
        linked = sources.linked
        if linked.nodes:
            for key in _LINKED:
                for one in listed(linked.main.get(key))[:4]:
                    self._add(found, _address_of(linked, one), f"json-ld:{key}")
        self._add(found, sources.page.head.link("image_src"), "link:image_src")
        if not found:  # microdata is of pictures that are shown, or that the head also names
            self._add_properties(found)
        return list(found.values())

    def _add_properties(self, found: dict[str, Picture]) -> None:
        properties = self._sources.properties
        if properties.all:
            for name in _PROPERTIES:
                for element in properties.of(name)[:3]:
                    self._add(found, properties.value(element), f"property:{name}")

    def _add(self, found: dict[str, Picture], address: str, source: str) -> None:
        if address and address not in found:
            url = self._base().absolute(address)
            if url is not None:
                found[address] = Picture(url, source)


def _address_of(linked: LinkedData, value: Any) -> str:
    value = linked.resolved(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        if isinstance(value, list):
            value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


def marks_of_named(named: list[Picture]) -> list[str]:
    """Return strings for a quick test: a named picture has at least one of them in its URL."""
    found: list[str] = []
    for one in named:
        found.append(one.name().rpartition("/")[2])  # a relative URL may lack the path
        found += marks_of(one.url)
    return found


def holds_any(text: str, parts: list[str]) -> bool:
    """Return whether a text contains one of some parts."""
    for part in parts:
        if part in text:
            return True
    return False


def is_narrow(width: str) -> bool:
    """Return whether a text is a small width in pixels."""
    return width.isdecimal() and len(width) < 6 and int(width) < _SMALL


def start_of(rows: Rows, segment: int) -> int:
    """Return where the first text of a segment begins in the source."""
    return rows.text_start[rows.tape[rows.segment_at[segment]] >> 2]
