"""What on a page could be its headline, and what is known of each.

Candidates are the page's headings and every run of parts of the titles that it gives itself. What
is known of one is a handful of named numbers, each of which says one thing: where it stands, which
of the titles it is part of, what would be cut off, how like the others it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import log1p
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core import sites
from scrapy_mainblock.core.text import LINE_TAGS, PARAGRAPH_TAGS, events
from scrapy_mainblock.core.titles import (
    Key,
    Name,
    folded,
    key_of,
    likeness,
    site_test,
    without,
)

LONGEST = 400
"""Characters; longer "headings" are bodies set in large type."""
_MOST_PARTS = 1000  # tags and texts of a heading
_PERMALINK = re.compile(r"\s*[¶#§\U0001f517]$")
"""What documentation puts behind a heading, to link to it."""
_LINE_ENDS = PARAGRAPH_TAGS | LINE_TAGS

Features = dict[str, float]


# --- what the page says of itself ---------------------------------------------------------------


def _content_of(*names: str) -> etree.XPath:
    said = " or ".join(f"@property='{name}' or @name='{name}'" for name in names)
    return etree.XPath(f"string(head/meta[{said}][1]/@content)", smart_strings=False)


_OPEN_GRAPH_TITLE = _content_of("og:title")
_SITE_NAME = _content_of("og:site_name", "application-name")
_ADDRESS = etree.XPath(
    "string((head/link[@rel='canonical']/@href | head/meta[@property='og:url']/@content)[1])",
    smart_strings=False,
)


@dataclass
class Said:
    """The titles that a page gives itself, and what tells the site's name from an article's."""

    root: HtmlElement
    url: str | None
    site_name: str
    title: Name | None = field(init=False)
    open_graph: Name | None = field(init=False)

    def __post_init__(self) -> None:
        self.title = _named(_title(self.root))
        self.open_graph = _named(_OPEN_GRAPH_TITLE(self.root) or _misplaced_title(self.root))

    @cached_property
    def address(self) -> str:
        """The page's URL, by its own words where nobody else says."""
        return self.url or str(_ADDRESS(self.root))

    @cached_property
    def is_site(self) -> Callable[[Key], bool]:
        """Whether a part of a title is the site's name."""
        said = self.site_name or folded(str(_SITE_NAME(self.root)))
        return site_test(sites.host(self.address), said)

    @property
    def names(self) -> Iterator[tuple[str, Name]]:
        """The titles that there are, by what they are called among the features."""
        if self.title:
            yield "title", self.title
        if self.open_graph:
            yield "og", self.open_graph

    @cached_property
    def longest_part(self) -> int:
        """The tokens of the longest part of a title that is not the site's name."""
        parts = (part for _, name in self.names for part in name.parts)
        return max((len(part) for part in parts if part and not self.is_site(part)), default=0)


def _named(text: str) -> Name | None:
    text = folded(text)
    if len(text) > LONGEST:  # a title that is never closed goes on into the page's source
        text = text.partition("<")[0][:LONGEST].strip()
    name = Name(text) if text else None
    return name if name and name.key else None


def _title(root: HtmlElement) -> str:
    found = root.find("head/title")
    if found is None:
        # A picture has a title too, a tag of the same name.
        titles = islice(root.iter("title"), 20)
        found = next((t for t in titles if next(t.iterancestors("svg"), None) is None), None)
    return "" if found is None else found.text or ""


def _misplaced_title(root: HtmlElement) -> str:
    """OpenGraph's title where a stray tag has ended the head too early."""
    for meta in root.iterfind("body/meta"):
        if meta.get("property") == "og:title":
            return meta.get("content") or ""
    return ""


# --- what it shows ------------------------------------------------------------------------------


class Heading(NamedTuple):
    """A heading: its tag (or "named", one by its class), and its place among those of its tag."""

    key: Key
    text: str
    tag: str
    place: int
    element: HtmlElement


def headings(root: HtmlElement, tag: str, most: int) -> list[Heading]:
    """The first headings with a tag that hold a text."""
    return _headings(root.iter(tag), tag, most)


_CALLED_SO = etree.XPath(
    "body//@class[contains(., 'eadline') or contains(., 'itle') or contains(., 'eading')"
    " or contains(., 'eader')]/..",
    smart_strings=False,
)
_NAME_OF_HEADLINE = re.compile(r"headline|title|heading|headertext|story-?head", re.IGNORECASE)
_NAME_OF_OTHERS = re.compile(
    r"site|widget|sub-?(?:title|head)|section|block|side|menu|nav|related|logo|foot|modal|popup",
    re.IGNORECASE,
)
_LONGEST_NAMED = 250


def named_headings(root: HtmlElement, most: int) -> list[Heading]:
    """Elements that are no headings but are called so by their class, as pages of 2005 have it."""
    called = (
        element
        for element in _CALLED_SO(root)
        if element.tag not in {"a", "body", "form", "h1", "h2", "h3", "img", "li", "ul"}
        and _NAME_OF_HEADLINE.search(element.get("class", ""))
    )
    found = _headings(called, "named", most)
    return [heading for heading in found if len(heading.text) <= _LONGEST_NAMED]


def _headings(elements: Iterable[HtmlElement], tag: str, most: int) -> list[Heading]:
    found: list[Heading] = []
    for element in islice(elements, 2 * most):
        text = shown_text(element)
        key = key_of(text)
        if key:
            found.append(Heading(key, text, tag, len(found), element))
            if len(found) == most:
                break
    return found


def shown_text(heading: HtmlElement) -> str:
    """What a reader sees of a heading; nothing, of one that holds half the page."""
    if not len(heading):
        text = folded(heading.text or "")
        return _PERMALINK.sub("", text) if len(text) <= LONGEST else ""
    pieces: list[str] = []
    length = 0
    for number, event in enumerate(events(heading)):
        length += len(event.text.strip())
        if number > _MOST_PARTS or length > LONGEST:
            return ""  # an unclosed heading holds the rest of its page
        pieces.append(" " if event.tag in _LINE_ENDS else event.text)
    return _PERMALINK.sub("", folded("".join(pieces)))


# --- candidates and what is known of them -------------------------------------------------------

MOST_H1, MOST_H2, MOST_H3, MOST_NAMED = 5, 4, 3, 8


class Candidate(NamedTuple):
    """A text that could be the headline."""

    text: str
    features: Features


def candidates(said: Said, h1s: list[Heading]) -> list[Candidate]:
    """All candidates of a page, those that are shown first."""
    root = said.root
    shown = [*h1s, *headings(root, "h2", MOST_H2), *headings(root, "h3", MOST_H3)]
    lines = _Lines(root, said, shown)
    if not h1s and not lines.any_part:
        shown += named_headings(root, MOST_NAMED)
    return list(_Described(said, shown, lines))


_TEXTS = etree.XPath("body//text()", smart_strings=False)
_EDGE = "\x01"  # in no text of a page


class _Lines:
    """Which parts of the titles the page shows, as a heading or as a text of their own."""

    def __init__(self, root: HtmlElement, said: Said, shown: list[Heading]) -> None:
        self._headings = {heading.key for heading in shown}
        self._texts: str | None = None
        self._root = root
        self._known: dict[Key, bool] = {}
        singles = [
            run
            for _, name in said.names
            for run in name.runs.items()
            if run[1].first == run[1].last and not said.is_site(run[0])
        ]
        seen = [len(key) for key, run in singles if self.shows(key, run.text)]
        self.any_part = bool(seen)
        self.longest = max(seen, default=0)

    def shows(self, key: Key, text: str) -> bool:
        return key in self._headings or self.stands(key, text)

    def stands(self, key: Key, text: str) -> bool:
        """Whether a text is all that stands between two tags."""
        if key not in self._known:
            if self._texts is None:
                self._texts = _EDGE.join(("", *_TEXTS(self._root), ""))
            self._known[key] = len(text) > 3 and self._finds(text)
        return self._known[key]

    def _finds(self, text: str) -> bool:
        texts = self._texts or ""
        at = texts.find(text)
        for _ in range(10):
            if at < 0:
                return False
            before = texts[max(at - 60, 0) : at].rstrip()
            behind = texts[at + len(text) : at + len(text) + 60].lstrip()
            if before.endswith(_EDGE) and behind.startswith(_EDGE):
                return True
            at = texts.find(text, at + 1)
        return False


_AROUND = {
    "in_link": {"a"},
    "in_nav": {"nav", "footer", "aside"},
    "in_header": {"header"},
    "in_article": {"article", "main"},
    "in_list": {"li", "form", "table"},
}
_SLUG = re.compile(r"[^\W_]+")


class _Described:
    """The candidates of a page, one by one, each with what is known of it."""

    def __init__(self, said: Said, shown: list[Heading], lines: _Lines) -> None:
        self._said, self._lines = said, lines
        self._shown: dict[Key, list[Heading]] = {}
        for heading in shown:
            self._shown.setdefault(heading.key, []).append(heading)
        self._h1s = {heading.key for heading in shown if heading.tag == "h1"}
        self._clean = {kind: without(name, said.is_site) for kind, name in said.names}
        self._slug = _slug(said.address)

    def __iter__(self) -> Iterator[Candidate]:
        done: set[Key] = set()
        for key, alike in self._shown.items():
            done.add(key)
            yield Candidate(alike[0].text, self._of(key, alike[0].text, alike))
        for _, name in self._said.names:
            for key, run in name.runs.items():
                if key not in done:
                    done.add(key)
                    yield Candidate(run.text, self._of(key, run.text, []))

    def _of(self, key: Key, text: str, alike: list[Heading]) -> Features:
        about: Features = {}
        if alike:
            self._as_heading(about, alike)
            about["like_titles"] = max(
                (likeness(key, clean) for clean in self._clean.values()), default=0.0
            )
        else:
            if self._lines.stands(key, text):
                about["stands"] = 1.0
        about["like_h1"] = max((likeness(key, other) for other in self._h1s), default=0.0)
        in_any = False
        for kind, name in self._said.names:
            in_any |= self._as_part(about, kind, name, key)
        self._as_title(about, key, is_heading=bool(alike))
        self._as_words(about, key, text, in_any=in_any)
        return about

    def _as_heading(self, about: Features, alike: list[Heading]) -> None:
        first = alike[0]
        about[first.tag] = 1.0
        if first.place == 0:
            about[f"first_{first.tag}"] = 1.0
        if first.tag == "h1" and len(self._h1s) == 1:
            about["only_h1"] = 1.0
        around: set[Any] = {element.tag for element in first.element.iterancestors()}
        if len(first.element) and first.element.find(".//a") is not None:
            around.add("a")
        for name, tags in _AROUND.items():
            if not tags.isdisjoint(around):
                about[name] = 1.0
        called = f"{first.element.get('class', '')} {first.element.get('id', '')}"
        if len(called) > 1:
            if _NAME_OF_HEADLINE.search(called):
                about["called_title"] = 1.0
            if _NAME_OF_OTHERS.search(called):
                about["called_other"] = 1.0
        if first.element.get("itemprop") in {"headline", "name"}:
            about["itemprop"] = 1.0
        about["alike"] = float(min(len(alike), 4) - 1)

    def _as_part(self, about: Features, kind: str, name: Name, key: Key) -> bool:
        """What a candidate is in one of the titles; whether it is anything."""
        run = name.runs.get(key)
        if run is None:
            about[f"{kind}_not"] = 1.0
            about[f"{kind}_like"] = likeness(key, name.key)
            return False
        last = len(name.parts) - 1
        whole = run.first == 0 and run.last == last
        place = (
            "whole"
            if whole
            else "first"
            if run.first == 0
            else "last"
            if run.last == last
            else "mid"
        )
        about[f"{kind}_{place}"] = 1.0
        for cut in run.cuts:
            about[f"{kind}_cut_{cut}"] = 1.0
        for join in run.joins:
            about[f"{kind}_joins_{join}"] = 1.0
        inside, outside = _inside_and_outside(name, run.first, run.last)
        is_site = self._said.is_site
        if len(inside) > 1 and any(is_site(part) for part in inside):
            about[f"{kind}_keeps_site"] = 1.0
        dropped = sum(len(part) for part in outside if not is_site(part))
        about[f"{kind}_drops"] = dropped / len(name.key)
        return True

    def _as_title(self, about: Features, key: Key, *, is_heading: bool) -> None:
        """What the titles say of a candidate together."""
        by = [kind for kind, clean in self._clean.items() if clean == key]
        for kind in by:
            about[f"{kind}_clean"] = 1.0
        if len(by) == 2:
            about["both_clean"] = 1.0
        if by and is_heading:
            about["shown_clean"] = 1.0
            if key in self._h1s:
                about["h1_clean"] = 1.0
        if "og" in by and key not in self._h1s:
            if any(_holds(other, key) for other in self._h1s):
                about["og_in_h1"] = 1.0
            elif any(_holds(key, other) for other in self._h1s):
                about["h1_in_og"] = 1.0

    def _as_words(self, about: Features, key: Key, text: str, *, in_any: bool) -> None:
        words, longest, size = set(key), self._said.longest_part, len(key)
        if self._slug:
            common = len(words & self._slug)
            about["in_address"] = common / len(words)
            about["of_address"] = common / len(self._slug)
        if longest:
            about["of_longest"] = min(size / longest, 1.5)
        if in_any and size < self._lines.longest:
            about["longer_shown"] = 1.0
        if in_any and size == self._lines.longest:
            about["longest_shown"] = 1.0
        if self._said.is_site(key):
            about["site"] = 1.0
            if longest:
                about["site_not_alone"] = 1.0
        about["size"] = min(log1p(size), 3.0)
        for limit in (1, 2):
            if size == limit:
                about[f"size_{limit}"] = 1.0
        for limit in (20, 30):
            if size > limit:
                about[f"size_over_{limit}"] = 1.0
        if text.endswith(("...", "…")):
            about["cut_off"] = 1.0
        if text.endswith(":"):
            about["colon"] = 1.0


def _inside_and_outside(name: Name, first: int, last: int) -> tuple[list[Key], list[Key]]:
    inside = [part for part in name.parts[first : last + 1] if part]
    outside = [part for part in (*name.parts[:first], *name.parts[last + 1 :]) if part]
    return inside, outside


def _holds(key: Key, other: Key) -> bool:
    return f" {' '.join(other)} " in f" {' '.join(key)} "


def _slug(address: str) -> frozenset[str]:
    """The words of an address behind its host."""
    try:
        path = urlsplit(address).path
    except ValueError:
        return frozenset()
    return frozenset(_SLUG.findall(unquote(path[:LONGEST], errors="replace").lower()))
