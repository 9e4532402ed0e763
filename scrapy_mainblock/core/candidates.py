"""What on a page could be its headline, and what is known of each.

Candidates are the page's headings and every run of parts of the titles that it gives itself. What
is known of one is a handful of named numbers, each of which says one thing: where it stands, which
of the titles it is part of, what would be cut off, how like the others it is.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from math import log1p
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core import sites
from scrapy_mainblock.core.emphasis import emphasized_lines
from scrapy_mainblock.core.lazily import lazily
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.standing import LONGEST, Standing
from scrapy_mainblock.core.survey import MOST_HEADINGS, MOST_TITLES
from scrapy_mainblock.core.tags import LINE_TAGS, PARAGRAPH_TAGS
from scrapy_mainblock.core.text import events
from scrapy_mainblock.core.titles import (
    Key,
    Name,
    Run,
    folded,
    key_of,
    site_test,
    without,
)

if TYPE_CHECKING:
    from scrapy_mainblock.core.native.survey import Survey

_searching, _surveying = compiled("search"), compiled("survey")

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


_LINKED_DATA = etree.XPath(
    "descendant::script[@type='application/ld+json']/text()[contains(., '\"headline\"')]",
    smart_strings=False,
)
_LINKED_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.){1,400}")')


class Said:
    """The titles that a page gives itself, and what tells the site's name from an article's.

    Each is looked for when it is first asked for: most headings are confirmed by the first.
    """

    def __init__(
        self,
        root: HtmlElement,
        url: str | None = None,
        names: Collection[str] = (),
        survey: Survey | None = None,
    ) -> None:
        self.root = root
        self._url = url
        self._survey = survey
        """What was found already of what is asked here, if somebody has looked."""
        self.told = _keys(tuple(names))
        """What is known to be a name, and no headline."""

    @property
    def headings(self) -> Iterable[HtmlElement]:
        """The first headings of the first level."""
        if self._survey is not None:
            return self._survey.headings
        return islice(self.root.iter("h1"), MOST_HEADINGS)

    @lazily
    def open_graph(self) -> Name | None:
        """OpenGraph's title."""
        if self._survey is not None:
            return _named(self._survey.open_graph or "")
        return _named(_OPEN_GRAPH_TITLE(self.root) or _misplaced_title(self.root))

    @lazily
    def title(self) -> Name | None:
        """What the `<title>` holds."""
        return _named(_title(self.root) if self._survey is None else self._survey.title or "")

    @lazily
    def linked_headline(self) -> str:
        """The headline in the page's linked data, empty where there is none."""
        data = _LINKED_DATA(self.root) if self._survey is None else self._survey.linked
        return _linked_headline(data)

    @lazily
    def linked(self) -> Key:
        """The same as a key."""
        return key_of(self.linked_headline)

    @lazily
    def address(self) -> str:
        """The page's URL, by its own words where nobody else says."""
        if self._url or self._survey is None:
            return self._url or str(_ADDRESS(self.root))
        return self._survey.address or ""

    @lazily
    def is_site(self) -> Callable[[Key], bool]:
        """Whether a part of a title is the site's name."""
        said = str(_SITE_NAME(self.root)) if self._survey is None else self._survey.site_name
        return site_test(sites.host(self.address), folded(said or ""), self.told)

    @property
    def names(self) -> Iterator[tuple[str, Name]]:
        """The titles that there are, by what they are called among the features."""
        if self.title:
            yield "title", self.title
        if self.open_graph:
            yield "og", self.open_graph

    @lazily
    def longest_part(self) -> int:
        """The tokens of the longest part of a title that is not the site's name."""
        parts = (part for _, name in self.names for part in name.parts)
        return max((len(part) for part in parts if part and not self.is_site(part)), default=0)


@lru_cache(maxsize=256)
def _keys(names: tuple[str, ...]) -> frozenset[Key]:
    return frozenset(map(key_of, names)) - {()}


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
        titles = islice(root.iter("title"), MOST_TITLES)
        found = next((t for t in titles if next(t.iterancestors("svg"), None) is None), None)
    return "" if found is None else found.text or ""


def _misplaced_title(root: HtmlElement) -> str:
    """OpenGraph's title where a stray tag has ended the head too early."""
    for meta in root.iterfind("body/meta"):
        if meta.get("property") == "og:title":
            return meta.get("content") or ""
    return ""


def _linked_headline(linked: Iterable[str]) -> str:
    for data in linked:
        found = _LINKED_HEADLINE.search(data)
        if found:
            try:
                return folded(html.unescape(json.loads(found[1], strict=False)))
            except ValueError:
                pass
    return ""


# --- what it shows ------------------------------------------------------------------------------


class Heading(NamedTuple):
    """A heading, and its place among those of its tag.

    The tag is "named" where it is a heading by its class, "line" where by its type.
    """

    key: Key
    text: str
    tag: str
    place: int
    element: HtmlElement


MOST = {"h1": 5, "h2": 4, "h3": 3, "named": 8, "line": 8}
"""Headings of each tag that are looked at."""


_HEADINGS = frozenset({"h1", "h2", "h3"})


class Headings:
    """The headings of a page by tag, the first of each; read when they are added."""

    def __init__(self) -> None:
        self.found: list[Heading] = []
        self._counts = dict.fromkeys(MOST, 0)

    def add(self, tag: str, element: HtmlElement) -> Heading | None:
        """The heading, if it holds a text and is one of the first of its tag."""
        place = self._counts[tag]
        if place >= MOST[tag]:
            return None
        text = shown_text(element)
        key = key_of(text)
        if not key or (tag not in _HEADINGS and len(text) > _LONGEST_NAMED):
            return None
        self._counts[tag] += 1
        heading = Heading(key, text, tag, place, element)
        self.found.append(heading)
        return heading

    def add_first(self, root: HtmlElement, tag: str) -> None:
        """Add the first headings with a tag."""
        for element in islice(root.iter(tag), 2 * MOST[tag]):
            self.add(tag, element)

    def any_of(self, tag: str) -> bool:
        """Whether there is one with this tag."""
        return self._counts[tag] > 0


# "@class[...]/.." takes a fifth less time, but is quadratic on a page of 100,000 classes.
_CALLED_SO = etree.XPath(
    "body//*[@class[contains(., 'eadline') or contains(., 'itle') or contains(., 'eading')"
    " or contains(., 'eader')]]",
    smart_strings=False,
)
_NAME_OF_HEADLINE = re.compile(r"headline|title|heading|headertext|story-?head", re.IGNORECASE)
_NAME_OF_OTHERS = re.compile(
    r"site|widget|sub-?(?:title|head)|section|block|side|menu|nav|related|logo|foot|modal|popup",
    re.IGNORECASE,
)
_NOT_CALLED = frozenset({"a", "body", "form", "h1", "h2", "h3", "img", "li", "ul"})
_LONGEST_NAMED, _MOST_CALLED = 250, 100


def called_headings(root: HtmlElement) -> Iterator[HtmlElement]:
    """Elements that are no headings but are called so by their class, as pages of 2005 have it."""
    for element in islice(_CALLED_SO(root), _MOST_CALLED):
        if element.tag not in _NOT_CALLED and _NAME_OF_HEADLINE.search(element.get("class", "")):
            yield element


def shown_text(heading: HtmlElement) -> str:
    """What a reader sees of a heading; nothing, of one that holds half the page."""
    if not len(heading):
        text = folded(heading.text or "")
        return _PERMALINK.sub("", text) if len(text) <= LONGEST else ""
    if _surveying is not None:
        text = _surveying.shown_text(heading, _MOST_PARTS, LONGEST)
        if text is not None:
            return _PERMALINK.sub("", folded(text))
    pieces: list[str] = []
    length = 0
    for number, event in enumerate(events(heading)):
        length += len(event.text.strip())
        if number > _MOST_PARTS or length > LONGEST:
            return ""  # an unclosed heading holds the rest of its page
        pieces.append(" " if event.tag in _LINE_ENDS else event.text)
    return _PERMALINK.sub("", folded("".join(pieces)))


# --- candidates and what is known of them -------------------------------------------------------


class Candidate(NamedTuple):
    """A text that could be the headline."""

    text: str
    features: Features


class Candidates(NamedTuple):
    """All that could be the headline of a page, what is shown first."""

    all: list[Candidate]
    is_named: bool
    """Whether a part of the page's titles, longer than a section's name, is shown."""


def candidates(said: Said, shown: Headings) -> Candidates:
    """The candidates of a page; its headings are given, and those added that no tag tells."""
    known = {heading.key for heading in shown.found}
    standing = Standing(said.root)
    # Where there are OpenGraph's title and a heading, the text is not worth the search.
    is_told = shown.any_of("h1") and said.open_graph
    lines = set() if is_told else _standing(said, standing) - known
    is_found = _is_found(said, known | lines) or is_told
    if not is_found:
        for element in called_headings(said.root):
            shown.add("named", element)
        for element in emphasized_lines(said.root):
            shown.add("line", element)
    found = list(_Described(said, shown, lines, None if is_found else standing))
    if said.told:
        found = [one for one in found if key_of(one.text) not in said.told] or found
    return Candidates(found, bool(is_found))


_MOST_OF_SECTION = 3  # tokens


def is_section(key: Key) -> bool:
    """Whether a title may be a section's name, by its length."""
    return len(key) <= _MOST_OF_SECTION


SENTENCE_ENDS = (".", "\u3002")


def _standing(said: Said, standing: Standing) -> set[Key]:
    """The titles, and parts of them, that are all that stands between two tags."""
    return {
        key
        for _, name in said.names
        for key, run in name.runs.items()
        if standing.stands(run.text) and not said.is_site(key)
    }


def _is_found(said: Said, shown: set[Key]) -> bool:
    """Whether a part of a title that may be a headline is shown; a section's name is in menus."""
    return any(
        key in shown and not is_section(key) and not said.is_site(key)
        for _, name in said.names
        for key in name.runs
    )


_AROUND = {
    "in_link": {"a"},
    "in_nav": {"nav", "footer", "aside"},
    "in_header": {"header"},
    "in_article": {"article", "main"},
    "in_list": {"li", "form", "table"},
}
_SLUG = re.compile(r"[^\W_]+")


def tags_around(element: HtmlElement) -> set[Any]:
    """The tags of the elements around one, at least those that are asked for here."""
    if _searching is not None:
        found: set[Any] = _searching.tags_around(element)
        return found
    return {above.tag for above in element.iterancestors()}


class _Described:
    """The candidates of a page, one by one, each with what is known of it."""

    def __init__(
        self, said: Said, shown: Headings, lines: set[Key], standing: Standing | None
    ) -> None:
        self._said, self._lines, self._standing = said, lines, standing
        self._shown = {heading.key: heading for heading in reversed(shown.found)}
        self._h1s = {heading.key for heading in shown.found if heading.tag == "h1"}
        self._clean = {kind: without(name, said.is_site) for kind, name in said.names}
        self._slug = _slug(said.address)
        self._is_home = bool(said.address) and not self._slug

    def __iter__(self) -> Iterator[Candidate]:
        texts = {key: heading.text for key, heading in reversed(self._shown.items())}
        for _, name in self._said.names:
            for key, run in name.runs.items():
                texts.setdefault(key, run.text)
        for key, text in texts.items():
            yield Candidate(text, self._of(key, text))

    def _of(self, key: Key, text: str) -> Features:
        about: Features = {}
        heading = self._shown.get(key)
        if heading:
            self._as_heading(about, heading)
            if self._is_lower_part(key):
                about["lower_part"] = 1.0
        elif key in self._lines:
            about["stands"] = 1.0
        if self._standing:
            self._as_line(about, _first_text(heading.element) if heading else text, text)
        for kind, name in self._said.names:
            self._as_part(about, kind, name, key)
        if key in self._h1s:
            if any(f"{kind}_clean" in about for kind in self._clean):
                about["h1_clean"] = 1.0
        elif "og_clean" in about:
            self._beside_h1(about, key)
        self._measured(about, key)
        return about

    def _measured(self, about: Features, key: Key) -> None:
        about["size"] = min(log1p(len(key)), 3.0)
        longest = self._said.longest_part
        if longest:
            about["of_longest"] = min(len(key) / longest, 1.5)
        if self._said.is_site(key):  # which is what a home page is called
            about["site_at_home" if self._is_home else "site"] = 1.0
        if self._slug:
            words = set(key)
            about["in_address"] = len(words & self._slug) / len(words)

    def _is_lower_part(self, key: Key) -> bool:
        """Whether a part of a title is a heading, but none of the first level."""
        return key not in self._h1s and any(key in name.runs for _, name in self._said.names)

    def _as_line(self, about: Features, line: str, text: str) -> None:
        """Where a text stands that no title of the page speaks for."""
        around = self._standing.around(line) if self._standing else None
        if around:
            about["text_follows"], about["text_before"] = around
        if text.endswith(SENTENCE_ENDS):
            about["sentence"] = 1.0

    def _as_heading(self, about: Features, heading: Heading) -> None:
        element = heading.element
        about[heading.tag] = 1.0
        if heading.place == 0:
            about[f"first_{heading.tag}"] = 1.0
        if heading.tag == "h1" and len(self._h1s) == 1:
            about["only_h1"] = 1.0
        around = tags_around(element)
        if len(element) and next(element.iter("a"), None) is not None:
            around.add("a")
        for name, tags in _AROUND.items():
            if not tags.isdisjoint(around):
                about[name] = 1.0
        called = f"{element.get('class', '')} {element.get('id', '')}"
        if len(called) > 1:
            if _NAME_OF_HEADLINE.search(called):
                about["called_title"] = 1.0
            if _NAME_OF_OTHERS.search(called):
                about["called_other"] = 1.0
        if element.get("itemprop") in {"headline", "name"}:
            about["itemprop"] = 1.0

    def _as_part(self, about: Features, kind: str, name: Name, key: Key) -> None:
        """What a candidate is in one of the titles."""
        if self._clean[kind] == key:
            about[f"{kind}_clean"] = 1.0
        run = name.runs.get(key)
        if run is None:
            about[f"{kind}_not"] = 1.0
            return
        about[f"{kind}_{_place_of(run, len(name.parts) - 1)}"] = 1.0
        for cut in run.cuts:
            about[f"{kind}_cut_{cut}"] = 1.0
        for join in run.joins:
            about[f"{kind}_joins_{join}"] = 1.0
        is_site = self._said.is_site
        inside = name.parts[run.first : run.last + 1] if run.joins else ()
        if any(is_site(part) for part in inside):
            about[f"{kind}_keeps_site"] = 1.0
        outside = (*name.parts[: run.first], *name.parts[run.last + 1 :])
        dropped = sum(len(part) for part in outside if not is_site(part))
        about[f"{kind}_drops"] = dropped / len(name.key)

    def _beside_h1(self, about: Features, key: Key) -> None:
        """How OpenGraph's title is like a heading that it is not: one of them has more to it."""
        if any(_holds(other, key) for other in self._h1s):
            about["og_in_h1"] = 1.0
        elif any(_holds(key, other) for other in self._h1s):
            about["h1_in_og"] = 1.0


def _place_of(run: Run, last: int) -> str:
    if run.first == 0:
        return "whole" if run.last == last else "first"
    return "last" if run.last == last else "mid"


def _first_text(element: HtmlElement) -> str:
    texts = (text.strip() for text in islice(element.itertext(), _MOST_PARTS))
    return next(filter(None, texts), "")


def _holds(key: Key, other: Key) -> bool:
    return f" {' '.join(other)} " in f" {' '.join(key)} "


def _slug(address: str) -> frozenset[str]:
    """The words of an address behind its host."""
    try:
        path = urlsplit(address).path
    except ValueError:
        return frozenset()
    return frozenset(_SLUG.findall(unquote(path[:LONGEST], errors="replace").lower()))
