"""Microdata and RDFa: elements that declare which property of the page they hold.

The scan has recorded where their attributes stand. The values are read on demand.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import ancestors
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.lazy import cached

MOST = 400
"""Maximum number of properties of a page that are examined."""
LONGEST, _LONGEST_NAME = 1000, 60
_DEEPEST = 12
_OF_OTHERS = ("comment", "review", "usercomments", "answer")
_CONTENT = {"meta": b"content", "time": b"datetime", "link": b"href", "a": b"", "img": b"src"}


class Properties:
    """The properties of a page by name."""

    def __init__(self, page: Outline, names: Mapping[bytes, str]) -> None:
        """Store the `names` of the properties to find, by their bytes in the source."""
        self._rows = page.rows
        self._names = names

    @cached
    def all(self) -> dict[str, list[int]]:
        """The elements that hold each property."""
        return elements_by_property(self._rows, self._names)

    def of(self, name: str) -> list[int]:
        """Return the elements that hold a property, except those of comments and other items."""
        return [one for one in self.all.get(name, ()) if not self._is_of_other(one)]

    def _is_of_other(self, element: int) -> bool:
        """Return whether an element belongs to a comment, which has its own author and date."""
        around = ancestors(self._rows, element, _DEEPEST)
        if not self._other_items.isdisjoint(around):
            return True
        classes = " ".join([self._rows.classes(one) for one in around]).lower()
        return "comment" in classes and ("comments" in classes or "comment" in classes.split())

    @cached
    def _other_items(self) -> frozenset[int]:
        """The microdata items that are comments, reviews or answers."""
        rows = self._rows
        return frozenset(
            rows.element_at(start)
            for start, end in rows.item_types
            if rows.value(start, end).lower().rpartition("/")[2] in _OF_OTHERS
        )

    def value(self, element: int) -> str:
        """Return the value that an element gives for its property."""
        return value_of(self._rows, element)

    def inside(self, outer: int, name: str) -> list[int]:
        """Return the elements with a property inside another element."""
        rows = self._rows
        start, end = rows.start[outer], rows.end[outer]
        return [one for one in self.all.get(name, ()) if start < rows.start[one] < end]


def elements_by_property(rows: Rows, names: Mapping[bytes, str]) -> dict[str, list[int]]:
    """Return the elements that hold each of some properties, given by their bytes."""
    found: dict[str, list[int]] = {}
    source = rows.source
    for start, end in rows.properties[:MOST]:
        if end - start > _LONGEST_NAME:
            continue
        for word in _words_of(source[start:end]):
            name = names.get(word)
            if name is not None:
                element = rows.element_at(start)
                if element >= 0:
                    found.setdefault(name, []).append(element)
    return found


@bounded_cache(most=512, longest=_LONGEST_NAME)
def _words_of(value: bytes) -> list[bytes]:
    """Return the words of an attribute in lower case, without the prefixes of vocabularies.

    The function is cached: nearly all pages have the same few.
    """
    return [word.rpartition(b":")[2] for word in value.lower().split()]


def value_of(rows: Rows, element: int) -> str:
    """Return the value of an element: its machine-readable attribute, else its text."""
    attribute = _CONTENT.get(rows.name(element))
    for name in (attribute, b"content", b"datetime"):
        if name:
            value = rows.attribute(element, name)
            if value and value.strip():
                return value.strip()[:LONGEST]
    return " ".join(rows.line_of(element, LONGEST).split())
