"""Footnotes: a link to a place within the content still leads there.

A link to a place of its own page (``href="#fn1"``) keeps that address, and the place keeps its id,
if both are kept. Any other such link leads to the page, since all addresses are made absolute. Only
names with a digit count, which footnotes have and tables of contents mostly do not: a page that is
shown among others must not give its parts arbitrary names, because scripts find elements by them.

If the element with that name is not written, another one gets the name: the paragraph around a
``<span>``, or the first element in a ``<div>``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import addresses
from scrapy_mainblock.outline.sums import kept_texts
from scrapy_mainblock.page import urls
from scrapy_mainblock.render.addresses import safe_url
from scrapy_mainblock.render.tables import INLINE, KEPT_BLOCK, WHAT

A = CODES["a"]
MOST = 1000
"""Limit on the links of a page that are looked at."""
_TO_PLACE = re.compile(rb"([^#]*)#([A-Za-z_](?=[^0-9]{0,99}[0-9])[A-Za-z0-9_:.-]{0,99})\s*")
"""An address that names a place, with a digit in the name."""
_PLACES, _LINKS = re.compile(rb' id="([^"]*)">'), re.compile(rb'<a href="#([^"]*)"')
"""The places, and the links to places, in clean HTML, where < and > are escaped in text."""


class Notes(NamedTuple):
    """The footnotes of the kept content: their names, and the links that lead to them."""

    names: dict[int, bytes]
    """The id of each element that has one."""
    addresses: dict[bytes, bytes]
    """By the address of a link, as written in the page: the id that the link leads to."""


def notes(rows: Rows, root: int, kept: Sequence[int], links: list[int], base: str | None) -> Notes:
    """Return the places in an element that `links` lead to, as far as they are kept."""
    own_page = _OwnPage(base)
    named = []
    for link, address in zip(links, addresses(rows, links[:MOST]), strict=False):
        name = own_page.place_in(address)
        if name:
            named.append((name, link, address))
    found = Notes({}, {})
    if not named:
        return found
    has_kept = _Kept(rows, kept)
    wanted: dict[str, list[bytes]] = {}
    for name, link, address in named:  # most are permalinks of comments, which are not kept
        if has_kept.has(link):
            wanted.setdefault(name, []).append(address)
    for name, place in _places(rows, root, wanted).items() if wanted else ():
        written = _written(rows, root, place, has_kept)
        if written >= 0:
            own = found.names.setdefault(written, name.encode())
            found.addresses.update(dict.fromkeys(wanted[name], own))
    return found


class _OwnPage:
    """Recognizes the addresses of the page itself."""

    def __init__(self, base: str | None) -> None:
        self._base = (base or "").partition("#")[0]
        self._known = {b"": True}
        """A cache: joining two addresses takes 20 us, and all comments of a page have the same
        one."""

    def place_in(self, address: bytes) -> str:
        """Return the place that an address names in its own page; empty if it names none."""
        found = _TO_PLACE.fullmatch(address)
        if found is None:
            return ""
        page = found[1].strip()
        if page not in self._known:
            self._known[page] = self._is_own(html.unescape(page.decode("utf-8", "replace")))
        return found[2].decode() if self._known[page] else ""

    def _is_own(self, page: str) -> bool:
        if not self._base or not self._may_be_own(page):
            return False
        try:
            return urls.joined(self._base, page) == self._base
        except ValueError:
            return False

    def _may_be_own(self, page: str) -> bool:
        """Return whether an address ends like the page's own, which most do not."""
        if page.startswith("?"):
            return self._base.endswith(page)
        pieces, own = page.split("/")[-2:], self._base.split("/")[-2:]
        if pieces[-1] in {".", ".."}:
            return True
        is_bare = len(pieces) == 1 or pieces[0] in {"", ".", ".."}
        return pieces[-1] == own[-1] and (is_bare or pieces == own)


def _places(rows: Rows, root: int, wanted: Collection[str]) -> dict[str, int]:
    """Return the elements in `root` that have a wanted name, as an id or in ``<a name>``."""
    found: dict[str, int] = {}
    anchors: dict[str, int] = {}
    end = rows.end[root]
    for element in range(root, rows.element_count):
        if rows.start[element] >= end:
            break
        if rows.id_at[element]:
            name = rows.identifier(element)
            if name in wanted:
                found.setdefault(name, element)
        elif rows.tag[element] == A:
            name = rows.attribute(element, b"name") or ""
            if name in wanted:
                anchors.setdefault(name, element)
    return {**anchors, **found}


def _written(rows: Rows, root: int, element: int, kept: _Kept) -> int:
    """Return the element that gets the name in the output; -1 if nothing there is kept."""
    while element >= root:
        what = WHAT[rows.tag[element]]
        is_line = what & INLINE and (rows.tag[element] != A or rows.href_at[element])
        is_block = what & KEPT_BLOCK or FLAGS[rows.tag[element]] & BLOCK
        if (is_line and kept.has(element)) or is_block:
            return element if kept.has(element) else -1
        element = rows.parent[element]
    return -1


class _Kept:
    """Knows which elements have kept text."""

    def __init__(self, rows: Rows, kept: Sequence[int]) -> None:
        self._rows = rows
        self._before = kept_texts(rows, kept)

    def has(self, element: int) -> bool:
        """Return whether an element has kept text."""
        rows = self._rows
        start, end = max(rows.tape_at[element], 0), rows.tape_end[element]
        return end > start and self._before[end] > self._before[start]


def whole(clean: bytes, found: Notes, base: str | None) -> bytes:
    """Return clean HTML in which each link to a place has its place, and each place a link.

    An element that turned out to be empty is not written, and neither is its name.
    """
    places, links = set(_PLACES.findall(clean)), set(_LINKS.findall(clean))
    for name in found.names.values():
        if name not in places:
            url = safe_url(f"#{name.decode()}", base) or ""
            address = html.escape(url).encode()
            clean = clean.replace(b'<a href="#%b"' % name, b'<a href="%b"' % address)
        elif name not in links:
            clean = clean.replace(b' id="%b">' % name, b">")
    return clean
