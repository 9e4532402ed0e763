"""The headings of a page, and elements that are headings only by their class or typography."""

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
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.selectors import with_class_part

MOST = {"h1": 5, "h2": 4, "h3": 3, "named": 8, "line": 8}
"""Maximum number of headings of each kind."""
MOST_HEADINGS = 20
"""Maximum number of first-level headings that are read, including those without text."""
_HEADINGS = frozenset({"h1", "h2", "h3"})
_PERMALINK = ("¶", "#", "§", "\U0001f517")
"""Marks that documentation tools put after a heading, as a link to it."""
_CALLED = Parts(b"eadline", b"itle", b"eading", b"eader")
_NAME_OF_HEADLINE = re.compile(r"headline|title|heading|headertext|story-?head", re.IGNORECASE)
_NOT_CALLED = frozenset({"a", "body", "form", "h1", "h2", "h3", "img", "li", "ul"})
_LONGEST_NAMED, _MOST_CALLED = 250, 100
_EMPHASIZED = ("b", "big", "font", "h4", "strong")
_MOST_EMPHASIZED = 60
_FARTHEST = 200
"""Maximum number of tags and texts that are examined to find the end of a line."""
_IMG = CODES["img"]


class Heading(NamedTuple):
    """A heading, and its position among the headings of its kind.

    The kind is the name of its tag, or "named" if it is a heading only by its class, or "line" if
    it is one only by its typography.
    """

    key: Key
    text: str
    kind: str
    place: int
    element: int


class Headings:
    """The first headings of each kind on a page. Each heading is read when it is added."""

    def __init__(self, page: Outline) -> None:
        self.page = page
        self.found: list[Heading] = []
        self._counts = dict.fromkeys(MOST, 0)

    def add(self, kind: str, element: int) -> Heading | None:
        """Add an element as a heading of a kind and return the heading.

        Return None if there are enough headings of this kind, or if the element has no text or too
        much.
        """
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
        """Return whether a heading of a kind has been added."""
        return self._counts[kind] > 0


def shown_text(page: Outline, element: int) -> str:
    """Return the visible text of a heading, or an empty string if it is too long for a heading."""
    text = folded(page.rows.line_of(element, LONGEST))
    return text[:-1].rstrip() if text.endswith(_PERMALINK) else text


def called_headings(page: Outline) -> Iterator[int]:
    """Yield the elements that are headings only by their class, as on pages from 2005."""
    rows = page.rows
    for element in islice(with_class_part(rows, _CALLED), _MOST_CALLED):
        if rows.name(element) not in _NOT_CALLED:
            if _NAME_OF_HEADLINE.search(rows.classes(element)):
                yield element


def emphasized_lines(page: Outline) -> Iterator[int]:
    """Yield the lines in bold or large letters: the headlines of pages without heading elements.

    Pages from 2005 have the title of their article as ``<p><b>Rain in May</b></p>``, or as a table
    cell. Of nested elements only the outermost is yielded.
    """
    rows = page.rows
    found = sorted(one for tag in _EMPHASIZED for one in rows.with_tag(CODES[tag]))
    behind = -1
    for element in found[:_MOST_EMPHASIZED]:
        if rows.tape_at[element] >= behind and _is_line(page, element):
            behind = rows.tape_end[element]
            yield element


def _is_line(page: Outline, element: int) -> bool:
    """Return whether the element stands alone between two block boundaries or line breaks."""
    rows = page.rows
    start, end = rows.tape_at[element], rows.tape_end[element]
    if start < 0:
        return False
    return FLAGS[rows.tag[element]] & BLOCK != 0 or (
        _ends_line(page, start - 1, -1) and _ends_line(page, end, 1)
    )


def _ends_line(page: Outline, place: int, step: int) -> bool:
    """Return whether no text stands between a position on the tape and the next end of a line."""
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
