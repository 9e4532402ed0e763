"""The main picture of a page, and all that it shows in its content or names for machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from scrapy_mainblock.fields.about.choice import first_of
from scrapy_mainblock.fields.sources.linked_data import listed
from scrapy_mainblock.fields.sources.pictures import IMG, picture_address
from scrapy_mainblock.fields.sources.properties import ancestors
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.fields.values.pictures import (
    is_placeholder,
    last_part,
    marks_of,
    name_of,
)
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim

MOST = 50
"""Pictures of a page that are listed."""
_MOST_READ = 500
"""Pictures of a page that are looked at."""
_METAS = (
    "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    "sailthru.image.full", "parsely-image-url",
)  # fmt: skip
_LINKED = ("image", "thumbnailUrl", "primaryImageOfPage")
_NAMED_AND_SHOWN, _SHOWN, _NAMED, _LOGO = 0.95, 0.85, 0.8, 0.2
"""How likely a picture is the main one that leads the content and is named for machines, that only
does the one, that only does the other, and one that is a logo."""
_TOP = 4
"""Segments of content before which the pictures stand that lead the article. One: those of
galleries and behind a summary are missed; eight: pictures of other stories are taken."""
_ABOVE = 40
"""Pictures above the content among which one that is named is looked for."""
_SMALL = 150
"""Pixels of width below which a picture is an icon or a portrait."""
_WIDTH = re.compile(r"[?&;/_-](?:im)?w(?:idth)?=?(\d{2,4})(?!\d)")
_PORTRAIT = re.compile(
    r"head-?shot|author|avatar|by-?line|profile|portrait|autor|journalist|writer|logo|icon|emoji"
    r"|badge|sponsor|advert",
    re.IGNORECASE,
)
"""What designers call pictures of authors, and other small ones."""
_DRAWN = re.compile(r"\.svg(?:$|[?#])", re.IGNORECASE)


class _Picture(NamedTuple):
    url: str
    source: str
    element: int = -1

    def claim(self, probability: float) -> Claim:
        return Claim(self.url, self.source, probability)


def main_image(said: Said) -> Choice:
    """The picture that stands for the page: one that it shows, rather than a cut-out of it.

    Pictures that are named for social networks often are cut-outs, or drawn for them alone. So of
    the pictures that lead the content that one is taken which is named too, or else the first; and
    where none leads it, the one that is named, as the page shows it elsewhere.
    """
    all_named = list(_named(said))
    named = [one for one in all_named if not is_placeholder(one.url)]
    content = _content(said)
    leading = [one for one in _shown(said, content.start, content.top) if not _is_small(said, one)]
    found = list(_named_and_shown(said, named, leading, _NAMED_AND_SHOWN))
    if named and not found:
        above = list(_shown(said, 0, content.start))[-_ABOVE:]
        found += _named_and_shown(said, named, above, _NAMED)
    found += [one.claim(_SHOWN) for one in leading[:1]]
    found += [one.claim(_NAMED) for one in named]
    found += [one.claim(_LOGO) for one in all_named if one not in named]
    by_name = {name_of(one.value): one for one in reversed(found)}
    claims = tuple(one for one in found if by_name[name_of(one.value)] is one)
    return Choice(claims[0], claims[1:]) if claims else NOTHING


def images(said: Said, main: Claim | None) -> Choice:
    """The main picture, and those of the content in the order of the page."""
    found = [main.value] if main else []
    content = _content(said)
    for one in _shown(said, content.start, content.end):
        is_seen = said.page.rows.tape_at[one.element] >= 0
        if is_seen and one.url not in found and not is_placeholder(one.url):
            found.append(one.url)
            if len(found) == MOST:
                break
    sure = main.probability if main else _SHOWN
    return first_of([(found, "content", sure)] if found else [])


# --- what is named for machines -----------------------------------------------------------------


def _named(said: Said) -> Iterator[_Picture]:
    for address, source in _addresses(said):
        url = said.absolute(address)
        if url:
            yield _Picture(url, source)


def _addresses(said: Said) -> Iterator[tuple[str, str]]:
    for name in _METAS:
        for content in said.metas.get(name, ())[:3]:
            yield content.strip(), f"meta:{name}"
    for key in _LINKED:
        for one in listed(said.main.get(key))[:4]:
            yield _address_of(said, one), f"json-ld:{key}"
    yield said.page.head.link("image_src"), "link:image_src"
    for name in ("image", "thumbnailurl"):
        for element in said.properties.of(name)[:3]:
            yield said.properties.value(element), f"property:{name}"


def _address_of(said: Said, value: Any) -> str:
    value = said.linked.resolved(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        if isinstance(value, list):
            value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


# --- what is shown ------------------------------------------------------------------------------


class _Content(NamedTuple):
    """Where in the source the content begins, where what leads it ends, and all of it."""

    start: int
    top: int
    end: int


def _content(said: Said) -> _Content:
    rows, kept = said.page.rows, bytes(said.kept)
    first, last = said.lines.span
    if first < 0:
        return _Content(0, 0, 0)
    top = first
    for _ in range(_TOP - 1):
        top = max(kept.find(1, top + 1), top)
    if 0 <= said.title < first:
        first = said.title
    return _Content(*(rows.source_of(segment)[0] for segment in (first, top, last)))


def _shown(said: Said, start: int, end: int) -> Iterator[_Picture]:
    """The pictures in a part of the source."""
    rows = said.page.rows
    for element in rows.with_tag(IMG, _MOST_READ):
        if start <= rows.start[element] < end:
            address = picture_address(rows, element)
            if address and not address.startswith("data:") and not _DRAWN.search(address):
                url = said.absolute(address)
                if url:
                    yield _Picture(url, "content", element)


def _is_small(said: Said, one: _Picture) -> bool:
    """Whether a picture is an icon, a logo, or the portrait of an author."""
    rows = said.page.rows
    widths = [rows.attribute(one.element, b"width") or "", *_WIDTH.findall(one.url)]
    if any(width.isdecimal() and len(width) < 6 and int(width) < _SMALL for width in widths):
        return True
    name = last_part(one.url)
    if is_placeholder(one.url) or _PORTRAIT.search(name) or name.lower().endswith(".gif"):
        return True
    around = islice(ancestors(rows, one.element), 3)
    return any(_PORTRAIT.search(rows.classes(element)) for element in around)


def _named_and_shown(
    said: Said, named: list[_Picture], shown: list[_Picture], probability: float
) -> Iterator[Claim]:
    """The first of the pictures shown that is named too, maybe in another size."""
    if not named or not shown:
        return
    address = said.url.lower()
    names = [name_of(one.url) for one in named]
    marks = [_marks(one, address) for one in named]
    for one in shown:
        source = f"{{}},{one.source}"
        name = name_of(one.url)
        if name in names:
            same = named[names.index(name)]
            yield Claim(same.url, source.format(same.source), probability)
            return
        own, of_name = _marks(one, address)
        for other, (others, of_other_name) in zip(named, marks, strict=True):
            if not (of_name.isdisjoint(others) and own.isdisjoint(of_other_name)):
                yield Claim(one.url, source.format(other.source), probability)
                return


def _marks(one: _Picture, address: str) -> tuple[set[str], set[str]]:
    """The marks of a picture, and those in its name; not the number of the page."""
    found = {mark for mark in marks_of(one.url) if mark not in address}
    return found, found & marks_of(last_part(one.url))
