"""The headings of a page, and what is a heading by its class or its type alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from scrapy_mainblock.fields.page_titles import LONGEST
from scrapy_mainblock.fields.titles import Key, folded, key_of
from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS
from scrapy_mainblock.outline.layout import EMPTY, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import Parts, called

MOST = {"h1": 5, "h2": 4, "h3": 3, "named": 8, "line": 8}
"""Headings of each kind that are looked at."""
MOST_HEADINGS = 20
"""First-level headings that are read, those without a text among them."""
_HEADINGS = frozenset({"h1", "h2", "h3"})
_PERMALINK = ("¶", "#", "§", "\U0001f517")
"""What documentation puts behind a heading, to link to it."""
_CALLED = Parts(b"eadline", b"itle", b"eading", b"eader")
_NAME_OF_HEADLINE = re.compile(r"headline|title|heading|headertext|story-?head", re.IGNORECASE)
_NOT_CALLED = frozenset({"a", "body", "form", "h1", "h2", "h3", "img", "li", "ul"})
_LONGEST_NAMED, _MOST_CALLED = 250, 100
_EMPHASIZED = ("b", "big", "font", "h4", "strong")
_MOST_EMPHASIZED = 60
_FARTHEST = 200
"""Tags and texts that are looked at for the end of a line."""
_IMG = CODES["img"]


class Heading(NamedTuple):
    """A heading, and its place among those of its kind.

    The kind is its tag, "named" where it is a heading by its class, "line" where by its type.
    """

    key: Key
    text: str
    kind: str
    place: int
    element: int


class Headings:
    """The headings of a page by kind, the first of each; read when they are added."""

    def __init__(self, page: Outline) -> None:
        self.page = page
        self.found: list[Heading] = []
        self._counts = dict.fromkeys(MOST, 0)

    def add(self, kind: str, element: int) -> Heading | None:
        """The heading, if it holds a text and is one of the first of its kind."""
        place = self._counts[kind]
        if place >= MOST[kind]:
            return None
        text = shown_text(self.page, element)
        key = key_of(text)
        if not key or (kind not in _HEADINGS and len(text) > _LONGEST_NAMED):
            return None
        self._counts[kind] += 1
        heading = Heading(key, text, kind, place, element)
        self.found.append(heading)
        return heading

    def add_first(self, tag: str) -> None:
        """Add the first headings with a tag."""
        for element in self.page.rows.with_tag(CODES[tag], 2 * MOST[tag]):
            self.add(tag, element)

    def any_of(self, kind: str) -> bool:
        """Whether there is one of a kind."""
        return self._counts[kind] > 0


def shown_text(page: Outline, element: int) -> str:
    """What a reader sees of a heading; nothing, of one that holds half the page."""
    text = folded(page.rows.line_of(element, LONGEST))
    return text[:-1].rstrip() if text.endswith(_PERMALINK) else text


def called_headings(page: Outline) -> Iterator[int]:
    """Elements that are no headings but are called so by their class, as pages of 2005 have it."""
    rows = page.rows
    for element in islice(called(rows, _CALLED), _MOST_CALLED):
        if rows.name(element) not in _NOT_CALLED:
            if _NAME_OF_HEADLINE.search(rows.classes(element)):
                yield element


def emphasized_lines(page: Outline) -> Iterator[int]:
    """Lines set in bold or large letters: what was a headline before there were headings.

    Pages of 2005 have their article's title as ``<p><b>Rain in May</b></p>``, or as a cell of a
    table. Of elements in each other the outermost is given.
    """
    rows = page.rows
    found = sorted(one for tag in _EMPHASIZED for one in rows.with_tag(CODES[tag]))
    behind = -1
    for element in found[:_MOST_EMPHASIZED]:
        if rows.tape_at[element] >= behind and _is_line(page, element):
            behind = rows.tape_end[element]
            yield element


def _is_line(page: Outline, element: int) -> bool:
    """Whether nothing else stands between the ends of blocks, or line breaks, around it."""
    rows = page.rows
    start, end = rows.tape_at[element], rows.tape_end[element]
    if start < 0:
        return False
    return FLAGS[rows.tag[element]] & BLOCK != 0 or (
        _ends_line(page, start - 1, -1) and _ends_line(page, end, 1)
    )


def _ends_line(page: Outline, place: int, step: int) -> bool:
    """Whether there is no text from a place of the tape to the next end of a line."""
    rows = page.rows
    for _ in range(_FARTHEST):
        if not 0 <= place < len(rows.tape):
            return True
        event = rows.tape[place]
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            if rows.text_chars[number]:
                return False
        elif FLAGS[rows.tag[number]] & BLOCK:
            return True
        elif kind == EMPTY and rows.tag[number] != _IMG:
            return False
        place += step
    return False
