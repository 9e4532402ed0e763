"""The metadata and the lines from which fields are read, each parsed once, on first access."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_mainblock.fields.sources.lines import Lines
from scrapy_mainblock.fields.sources.linked_data import LinkedData, Node
from scrapy_mainblock.fields.sources.properties import Properties
from scrapy_mainblock.fields.titles import key_of
from scrapy_mainblock.fields.values.addresses import Base
from scrapy_mainblock.outline.css import Selector, Siblings, find_all
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import among_with_class_part, with_class_part
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.bounded_cache import bounded_cache

PROPERTIES = frozenset(
    "author creator name datepublished datecreated datemodified pubdate published date modified"
    " uploaddate image thumbnailurl description headline inlanguage".split()
)
_PROPERTIES = {name.encode(): name for name in PROPERTIES}
MOST_TIMES = 40
_HEAD = 3000
"""The root element begins within this many bytes."""
_LANG = re.compile(
    rb"<html\s(?:[^>]{0,1500}?\s)?(?:xml:)?lang\s{0,3}=\s{0,3}[\"']?\s?([a-z]{2,3}(?:[-_][a-z]{2,4})*)"
)
"""Matches the source in lowercase."""
LESS, SMALL, H, T, M, L = 0x3C, 0x20, 0x68, 0x74, 0x6D, 0x6C
"""The beginning of a tag, the bit of small letters, and the letters of ``html``."""
_TIME = CODES["time"]
_IN_BYLINES = (
    *(b"uthor", b"yline", b"autor", b"Autor", b"ibutor", b"riter", b"auteur", b"BYLINE"),
    *(b"ournalist", b"redact"),
)
_IN_BREADCRUMBS = (b"readcrumb", b"READCRUMB")
_BYLINES, _BREADCRUMBS = Parts(*_IN_BYLINES), Parts(*_IN_BREADCRUMBS)
_NAMED = Parts(*_IN_BYLINES, *_IN_BREADCRUMBS)
"""Parts of the classes of bylines and of breadcrumbs, which are searched for in one pass."""
_MONTH_FIRST = ("en-us", "en_us")
_NO_DATA = LinkedData(())


class PageSources:
    """The sources of a page's fields; `kept` marks the segments that are content."""

    def __init__(
        self, page: Outline, kept: Sequence[int], title: int, headline: str | None = None
    ) -> None:
        self.page, self.kept, self.title, self.headline = page, kept, title, headline
        self.rows: Rows = page.rows
        self.lines = Lines(page, kept, title)
        self.properties = Properties(page, _PROPERTIES)
        # Not `cached`: a field of the compiled class is read without a look into a dict.
        self._siblings: Siblings | None = None
        self._metas: dict[str, list[str]] | None = None
        self._meta_names: tuple[str, ...] | None = None
        self._linked: LinkedData | None = None
        self._named: list[int] | None = None
        self._times: list[int] | None = None
        self._base: Base | None = None
        self._url: str | None = None
        self._site_name: str | None = None
        self._host: str | None = None
        self._tag_of_language: str | None = None

    @property
    def siblings(self) -> Siblings:
        """The positions of the page's elements among their siblings, for all selectors."""
        if self._siblings is None:
            self._siblings = Siblings(self.rows)
        return self._siblings

    def matching(self, wanted: Selector, most: int) -> list[int]:
        """Return the first elements of the page that match a selector."""
        return find_all(self.rows, wanted, most, self.siblings)

    @property
    def url(self) -> str:
        """The URL of the page, or the one in its metadata if the caller did not give any."""
        if self._url is None:
            page = self.page
            self._url = page.url or page.head.link("canonical") or self.meta("og:url")
        return self._url

    @property
    def metas(self) -> dict[str, list[str]]:
        """The contents of ``<meta>`` elements by name in lowercase."""
        if self._metas is None:
            self._metas = self.page.head.all_metas
        return self._metas

    @property
    def meta_names(self) -> tuple[str, ...]:
        """The names of the ``<meta>`` elements."""
        if self._meta_names is None:
            self._meta_names = tuple(self.metas)
        return self._meta_names

    def meta(self, *names: str) -> str:
        """Return the first content that is not empty, in the order of the names."""
        metas = self.metas
        for name in names:
            for value in metas.get(name, ()):
                if value.strip():
                    return value.strip()
        return ""

    @property
    def linked(self) -> LinkedData:
        """The page's linked data."""
        if self._linked is None:
            self._linked = self._read_linked()
        return self._linked

    def _read_linked(self) -> LinkedData:
        scripts = self.page.head.linked_data
        if not scripts:
            return _NO_DATA
        titles = [key_of(one) for one in (self.headline, self.meta("og:title")) if one]
        return LinkedData(scripts, self.url, titles)

    @property
    def main(self) -> Node:
        """The object of linked data that describes the page."""
        return self.linked.main

    @property
    def bylines(self) -> list[int]:
        """The elements whose class may name a byline or an author."""
        rows = self.rows
        if self._named is None:
            self._named = with_class_part(rows, _NAMED)
        return among_with_class_part(rows, self._named, _BYLINES)

    @property
    def breadcrumbs(self) -> list[int]:
        """The elements whose class may name breadcrumbs.

        If nobody has asked for bylines, these are not searched for.
        """
        rows = self.rows
        if self._named is None:
            return with_class_part(rows, _BREADCRUMBS)
        return among_with_class_part(rows, self._named, _BREADCRUMBS)

    @property
    def times(self) -> list[int]:
        """The page's ``<time>`` elements."""
        if self._times is None:
            self._times = self.rows.with_tag(_TIME, MOST_TIMES)
        return self._times

    @property
    def site_name(self) -> str:
        """The name of the site, as declared by the page."""
        if self._site_name is None:
            self._site_name = self.meta("og:site_name", "application-name")
        return self._site_name

    @property
    def base(self) -> Base:
        """The base of the page's URLs."""
        if self._base is None:
            self._base = Base(self.page.base)
        return self._base

    def absolute(self, address: str) -> str | None:
        """Return an HTTP or HTTPS URL made absolute, or None for any other URL or inline data."""
        return self.base.absolute(address)

    @property
    def host(self) -> str:
        """The host of the page's URL."""
        if self._host is None:
            self._host = sites.host(self.url).removeprefix("www.")
        return self._host

    @property
    def tag_of_language(self) -> str:
        """The language that the page's root element declares, in lowercase."""
        if self._tag_of_language is None:
            self._tag_of_language = _of_root(self.rows) or _of_body(self.rows)
        return self._tag_of_language

    @property
    def is_month_first(self) -> bool:
        """Whether 3/8/2014 means March 8 on this page, as it does only in America."""
        value = self.tag_of_language
        if value.startswith(_MONTH_FIRST):
            return True
        local = self.meta("og:locale").lower()
        if local:
            return local.startswith(_MONTH_FIRST) and not self.host.endswith((".uk", ".au", ".nz"))
        return value in ("", "en") and self.host.endswith((".com", ".org", ".gov", ".edu", ".net"))


def _of_body(rows: Rows) -> str:
    """Return the language that the body declares, or an empty string."""
    value = rows.attribute(rows.body, b"lang")
    return value.strip().lower()[:20] if value else ""


def _of_root(rows: Rows) -> str:
    """Return the language in the first tag of a root element that has one, or an empty string."""
    source = rows.source
    end = min(len(source), _HEAD)
    at = _root_at(source, 0, end)
    if at < 0:
        return ""
    behind = source.find(b">", at, end)
    tag = source[at : behind if behind >= 0 else end - 1].lower()
    # Without the word in the first tag, there may be others in conditional comments.
    if b"lang" not in tag and _root_at(source, at + 1, end) < 0:
        return ""
    found = _in_tag(tag) if behind >= 0 else ""
    if not found:
        anywhere = _LANG.search(source[:end].lower(), at)
        found = anywhere[1].decode("ascii") if anywhere else ""
    return found


@bounded_cache(most=64, longest=500)
def _in_tag(tag: bytes) -> str:
    """Return the language in a tag in lower case; cached, as all pages of a template share it."""
    found = _LANG.search(tag)
    return found[1].decode("ascii") if found else ""


def _root_at(octets: bytes, start: int, end: int) -> int:
    """Return where the first tag of a root element begins in a slice of some bytes, or -1."""
    for at in range(start, end - 4):
        if octets[at] == LESS and octets[at + 1] | SMALL == H and octets[at + 2] | SMALL == T:
            if octets[at + 3] | SMALL == M and octets[at + 4] | SMALL == L:
                return at
    return -1
