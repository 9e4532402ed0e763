"""The main picture of a page, and all that it shows in its content or names for machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from scrapy_mainblock.fields.about.choice import first_of
from scrapy_mainblock.fields.sources.linked_data import listed
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.judge.claims import Choice, Claim
from scrapy_mainblock.outline.html.tags import CODES

MOST = 50
"""Pictures of a page that are listed."""
_IMG = CODES["img"]
_MOST_READ = 500
"""Pictures of a page that are looked at."""
_METAS = (
    "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src",
    "sailthru.image.full", "parsely-image-url",
)  # fmt: skip
_META, _LINKED, _LESS, _SHOWN = 1.0, 0.7, 0.3, 1.2
"""Votes of the sources. What is shown first is the main picture unless metas and linked data agree
on another; pictures for social networks often are cut-outs, or drawn for them alone."""
_ALL = 3.2
_OF_PLACEHOLDER = 0.25
"""What the vote for a logo or a picture by default is worth."""
_TOP = 4
"""Segments of content before which the first picture shown is one that leads the article."""
_SMALL = 150
"""Pixels of width below which a picture is an icon or a portrait."""
_SHORTEST_NAME = 6
_ENDING = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)$|\.(?:jpe?g|png|webp)(?=\.)")
_SIZE = re.compile(
    r"[-_.]?(?:\d{2,4}x\d{2,4}|v?\d{1,2}_\d{1,2}_\d{3,4}|w\d{3,4}(?:_h\d{3,4})?|scaled)$"
)
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:logos?|favicon|sprite|blank|spacer|pixel|placeholder|default[_-]?(?:image|img|og|share)"
    r"|no[_-]?image|avatar|gravatar|icon|1x1|transparent|loading)(?=[/_.-]|\d|$)|^data:",
    re.IGNORECASE,
)
_DRAWN = re.compile(r"\.svg(?:$|[?#])", re.IGNORECASE)
_LAZY = (b"data-src", b"data-lazy-src", b"data-original", b"src")


def main_image(said: Said) -> Choice:
    """The picture that stands for the page.

    Each source has a vote; addresses that end in the same name are sizes of one picture.
    """
    votes: dict[str, float] = {}
    first: dict[str, tuple[Any, str]] = {}
    voted: set[tuple[str, str]] = set()
    for address, source, weight in _candidates(said):
        url = said.absolute(address)
        if not url:
            continue
        name = name_of(url)
        kind = source.partition(":")[0]
        if (kind, name) in voted:
            continue
        voted.add((kind, name))
        worth = _OF_PLACEHOLDER if _PLACEHOLDER.search(url.partition("?")[0]) else 1.0
        votes[name] = votes.get(name, 0.0) + worth * weight
        first.setdefault(name, (url, source))
    ranked = sorted(votes, key=lambda name: -votes[name])
    return first_of([(*first[name], round(votes[name] / _ALL, 4)) for name in ranked])


def name_of(url: str) -> str:
    """What is the same of a picture in all its sizes: the end of its path, without its ending."""
    path = unquote(urlsplit(url).path, errors="replace").rstrip("/").lower()
    name = _ENDING.sub("", path.rpartition("/")[2])
    name = _SIZE.sub("", name)
    return name if len(name) >= _SHORTEST_NAME else path


def images(said: Said, main: Claim | None) -> Choice:
    """The main picture, and those of the content in the order of the page."""
    found = [main.value] if main else []
    for address in _shown(said):
        url = said.absolute(address)
        if url and url not in found and not _PLACEHOLDER.search(url.partition("?")[0]):
            found.append(url)
            if len(found) == MOST:
                break
    sure = main.probability if main else _SHOWN / _ALL
    return first_of([(found, "content", sure)] if found else [])


def _candidates(said: Said) -> Iterator[tuple[str, str, float]]:
    for name in _METAS:
        for content in said.metas.get(name, ())[:3]:
            yield content.strip(), f"meta:{name}", _META
    for key in ("image", "thumbnailUrl", "primaryImageOfPage"):
        for one in listed(said.main.get(key))[:4]:
            yield _address_of(said, one), f"json-ld:{key}", _LINKED
    address = said.page.head.link("image_src")
    if address:
        yield address, "link:image_src", _LESS
    for name in ("image", "thumbnailurl"):
        for element in said.properties.of(name)[:3]:
            yield said.properties.value(element), f"property:{name}", _LESS
    shown = list(islice(_shown(said, to_segment=_TOP), 1))
    if shown:
        yield shown[0], "content", _SHOWN


def _address_of(said: Said, value: Any) -> str:
    value = said.linked.resolved(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        if isinstance(value, list):
            value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


def _shown(said: Said, to_segment: int = 1 << 30) -> Iterator[str]:
    """The addresses of the pictures between the headline and the end of the content."""
    rows = said.page.rows
    first, last = said.lines.span
    if first < 0:
        return
    kept = [number for number in range(first, last + 1) if said.kept[number]][:to_segment]
    if 0 <= said.title < first:
        first = said.title
    start, end = rows.segment_at[first], rows.segment_to[kept[-1]]
    for element in rows.with_tag(_IMG, _MOST_READ):
        if start <= rows.tape_at[element] < end:
            address = _source_of(said, element)
            if address:
                yield address


def _source_of(said: Said, element: int) -> str:
    rows = said.page.rows
    width = rows.attribute(element, b"width") or ""
    if width.isdecimal() and len(width) < 6 and int(width) < _SMALL:
        return ""
    for name in _LAZY:
        address = rows.attribute(element, name)
        if address and not address.startswith("data:") and not _DRAWN.search(address):
            return address.strip()
    return ""
