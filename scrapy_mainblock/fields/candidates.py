"""The candidates for the headline of a page, and the features of each.

Candidates are the page's headings and every run of parts of its titles. A candidate has a handful
of named features, each of which states one fact: where the candidate stands, which title it is part
of, what would be cut off, how similar it is to the other candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log1p
from typing import NamedTuple
from urllib.parse import unquote

from scrapy_mainblock.fields.headings import (
    Heading,
    Headings,
    called_headings,
    emphasized_lines,
)
from scrapy_mainblock.fields.line_position import TextPositions
from scrapy_mainblock.fields.page_titles import LONGEST, PageTitles
from scrapy_mainblock.fields.titles import Key, Name, Run, key_of, without
from scrapy_mainblock.page import urls

Features = dict[str, float]
_NAME_OF_HEADLINE = re.compile(r"headline|title|heading|headertext|story-?head", re.IGNORECASE)
_NAME_OF_OTHERS = re.compile(
    r"site|widget|sub-?(?:title|head)|section|block|side|menu|nav|related|logo|foot|modal|popup",
    re.IGNORECASE,
)


class Candidate(NamedTuple):
    """A text that could be the headline."""

    text: str
    features: Features


class Candidates(NamedTuple):
    """All candidates for the headline of a page, those that are headings first."""

    all: list[Candidate]
    is_named: bool
    """Whether the page shows a part of its titles that is longer than the name of a section."""


def candidates(titles: PageTitles, shown: Headings) -> Candidates:
    """Return the candidates of a page.

    If the page shows none of its titles, headings by class and by typography are added to `shown`.
    """
    known = {heading.key for heading in shown.found}
    lines = TextPositions(titles.page)
    # With an Open Graph title and a first-level heading, searching the text is not worth its time.
    is_told = shown.any_of("h1") and titles.open_graph
    stand_alone = set() if is_told else _standing_alone(titles, lines) - known
    is_found = _is_found(titles, known | stand_alone) or is_told
    if not is_found:
        for element in called_headings(titles.page):
            shown.add("named", element)
        for element in emphasized_lines(titles.page):
            shown.add("line", element)
    found = list(_Described(titles, shown, stand_alone, None if is_found else lines))
    if titles.names_of_site:
        found = [one for one in found if key_of(one.text) not in titles.names_of_site] or found
    return Candidates(found, bool(is_found))


_MOST_OF_SECTION = 3  # tokens


def is_section(key: Key) -> bool:
    """Return whether a title is short enough for the name of a section."""
    return len(key) <= _MOST_OF_SECTION


SENTENCE_ENDS = (".", "\u3002")


def _standing_alone(titles: PageTitles, lines: TextPositions) -> set[Key]:
    """Return the titles and parts of titles that stand alone between two tags."""
    return {
        key
        for _, name in titles.named
        for key, run in name.runs.items()
        if lines.has(run.text) and not titles.is_site(key)
    }


def _is_found(titles: PageTitles, shown: set[Key]) -> bool:
    """Return whether the page shows a part of a title that may be a headline.

    Short parts do not count: the name of a section also stands in menus.
    """
    return any(
        key in shown and not is_section(key) and not titles.is_site(key)
        for _, name in titles.named
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


class _Described:
    """An iterable over the candidates of a page, each with its features."""

    def __init__(
        self,
        titles: PageTitles,
        shown: Headings,
        stand_alone: set[Key],
        lines: TextPositions | None,
    ) -> None:
        self._titles, self._stand_alone, self._lines = titles, stand_alone, lines
        self._shown = {heading.key: heading for heading in reversed(shown.found)}
        self._h1s = {heading.key for heading in shown.found if heading.kind == "h1"}
        self._clean = {kind: without(name, titles.is_site) for kind, name in titles.named}
        self._slug = _slug(titles.address)
        self._is_home = bool(titles.address) and not self._slug

    def __iter__(self) -> Iterator[Candidate]:
        texts = {key: heading.text for key, heading in reversed(self._shown.items())}
        for _, name in self._titles.named:
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
        elif key in self._stand_alone:
            about["stands"] = 1.0
        if self._lines:
            self._as_line(about, self._first_text(heading.element) if heading else text, text)
        for kind, name in self._titles.named:
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
        longest = self._titles.longest_part
        if longest:
            about["of_longest"] = min(len(key) / longest, 1.5)
        if self._titles.is_site(key):  # the usual title of a home page
            about["site_at_home" if self._is_home else "site"] = 1.0
        if self._slug:
            words = set(key)
            about["in_address"] = len(words & self._slug) / len(words)

    def _is_lower_part(self, key: Key) -> bool:
        """Return whether a part of a title is a heading, but not one of the first level."""
        return key not in self._h1s and any(key in name.runs for _, name in self._titles.named)

    def _as_line(self, about: Features, line: str, text: str) -> None:
        """Add the position of a text, for pages that show none of their titles."""
        around = self._lines.around(line) if self._lines else None
        if around:
            about["text_follows"], about["text_before"] = around
        if text.endswith(SENTENCE_ENDS):
            about["sentence"] = 1.0

    def _as_heading(self, about: Features, heading: Heading) -> None:
        rows, element = self._titles.page.rows, heading.element
        about[heading.kind] = 1.0
        if heading.place == 0:
            about[f"first_{heading.kind}"] = 1.0
        if heading.kind == "h1" and len(self._h1s) == 1:
            about["only_h1"] = 1.0
        around = rows.names_around(element)
        if rows.has_link(element):
            around.add("a")
        for name, tags in _AROUND.items():
            if not tags.isdisjoint(around):
                about[name] = 1.0
        called = f"{rows.classes(element)} {rows.identifier(element)}"
        if len(called) > 1:
            if _NAME_OF_HEADLINE.search(called):
                about["called_title"] = 1.0
            if _NAME_OF_OTHERS.search(called):
                about["called_other"] = 1.0
        if rows.attribute(element, b"itemprop") in {"headline", "name"}:
            about["itemprop"] = 1.0

    def _first_text(self, element: int) -> str:
        rows = self._titles.page.rows
        texts = rows.texts_in(rows.tape_at[element], rows.tape_end[element])
        return next(filter(None, (text.strip() for text in texts)), "")

    def _as_part(self, about: Features, kind: str, name: Name, key: Key) -> None:
        """Add the features of a candidate as a part of one of the titles."""
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
        is_site = self._titles.is_site
        inside = name.parts[run.first : run.last + 1] if run.joins else ()
        if any(map(is_site, inside)):
            about[f"{kind}_keeps_site"] = 1.0
        outside = name.parts[: run.first] + name.parts[run.last + 1 :]
        dropped = sum([len(part) for part in outside if not is_site(part)])
        about[f"{kind}_drops"] = dropped / len(name.key)

    def _beside_h1(self, about: Features, key: Key) -> None:
        """Add how the Open Graph title resembles a different heading: one contains the other."""
        if any(_holds(other, key) for other in self._h1s):
            about["og_in_h1"] = 1.0
        elif any(_holds(key, other) for other in self._h1s):
            about["h1_in_og"] = 1.0


def _place_of(run: Run, last: int) -> str:
    if run.first == 0:
        return "whole" if run.last == last else "first"
    return "last" if run.last == last else "mid"


def _holds(key: Key, other: Key) -> bool:
    return f" {' '.join(other)} " in f" {' '.join(key)} "


def _slug(address: str) -> frozenset[str]:
    """Return the words in the path of a URL."""
    try:
        path = urls.split(address).path
    except ValueError:
        return frozenset()
    return frozenset(_SLUG.findall(unquote(path[:LONGEST], errors="replace").lower()))
