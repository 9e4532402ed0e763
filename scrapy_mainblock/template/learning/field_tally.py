"""Finds the right place for a field, from all pages of a cluster together.

Each page gives the value at each of its places, and how likely that value is right, from the page
alone. If its places disagree, a page alone may choose the wrong one; the right place of a cluster
is the one whose values are likely on most pages. A "last updated" of today is the same on all
pages: a place whose value hardly changes, while those of other places do, is not about the page.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter, deque
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.template.field_rules import FieldRule

KEPT_PAGES = 24
"""Maximum number of pages kept, the latest ones."""
LEAST_PAGES = 4
"""Minimum number of pages that have the place."""
LEAST_SHARE = 0.5
"""Minimum share of pages that have the place, among those on which some place gives a likely value;
the other pages are read by themselves."""
LEAST_AGREEING = 0.9
"""Minimum share of the pages that have the place on which its value is the one that the page alone
would choose. On the others, the page has a choice that similar pages do not have."""
LEAST_LIKELY = 0.5
"""Minimum mean probability of its values."""
LEAST_AFTER_CONSTANT = 0.15
"""The same if a constant was passed over: a place that gives a different name on page after page is
better evidence than any single page has."""
LEAST_DIFFERENT = 0.5
"""Minimum number of distinct values, as a share of those that the pages alone choose."""
LEAST_VARIED = {"headline": 0.6}
"""Minimum number of distinct values, as a share of the pages that have the place: many pages share
a day or an author, but few share a headline."""
MOST_SHARE, LEAST_CONSTANT = 0.5, 4
"""A value that this share of the pages choose, and at least `LEAST_CONSTANT` of them, is a constant
that does not describe a single page."""
SURE_OF_CONSTANT = 0.9
"""A constant is accepted if its mean probability is greater: the only author of a blog."""
AS_GOOD = 0.03
"""Places whose worth differs by at most this are equal; one with a time of day goes first."""


class ReadAt(NamedTuple):
    """What one page has at a place, as numbers."""

    place: str
    value: int
    """The same number for the same day, or for the same names."""
    raw: int
    """The same number for the same text."""
    likely: float
    """The probability that it is right, from the page alone."""
    is_exact: bool
    """Whether it has a time of day."""


class FieldSeen(NamedTuple):
    """What one page has for a field."""

    field: str
    chosen: int
    """The value chosen by the page alone; 0 if there is none."""
    at: tuple[ReadAt, ...]


class PlaceTally(NamedTuple):
    """The pages that have a place, summed up."""

    pages: int
    likely: float
    """The mean probability that its values are right."""
    agreeing: int
    """How many pages have the value there that the page alone chooses."""
    exact: int
    values: int
    """The number of distinct values."""


class PackedField:
    """What one page has for a field, in rows of numbers, which take a fifth of the memory."""

    __slots__ = ("chosen", "field", "is_exact", "likely", "places", "raws", "values")

    def __init__(self, seen: FieldSeen) -> None:
        self.field = sys.intern(seen.field)
        self.chosen = seen.chosen
        places, values, raws, likely, is_exact = zip(*seen.at, strict=True) if seen.at else [()] * 5
        self.places = tuple(map(sys.intern, places))
        self.values, self.raws = array("I", values), array("I", raws)
        self.likely, self.is_exact = array("d", likely), bytes(is_exact)

    def __len__(self) -> int:
        return 1 + len(self.places)

    def unpacked(self) -> FieldSeen:
        """Return what the page has for the field."""
        is_exact = map(bool, self.is_exact)
        rows = zip(self.places, self.values, self.raws, self.likely, is_exact, strict=True)
        return FieldSeen(self.field, self.chosen, tuple(map(ReadAt._make, rows)))


class FieldTally:
    """The latest pages of a cluster, with what they have for one field."""

    def __init__(self, name: str = "") -> None:
        self._pages: deque[PackedField] = deque()
        self.size = 0
        """The number of entries kept, which determines the memory used."""
        self._least_varied = LEAST_VARIED.get(name, 0.0)

    def add(self, seen: PackedField) -> None:
        """Add one more page."""
        self._pages.append(seen)
        self.size += len(seen)
        if len(self._pages) > KEPT_PAGES:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self.size -= len(self._pages.popleft())

    @property
    def pages(self) -> int:
        """How many pages are kept."""
        return len(self._pages)

    def thin(self) -> None:
        """Forget the older half of the pages."""
        for _ in range(len(self._pages) // 2):
            self._forget_oldest()

    def best(self, least_pages: int) -> tuple[str, PlaceTally] | None:
        """Return the place that is right, or None if none is sure enough."""
        all_pages = [one.unpacked() for one in self._pages]
        pages = _without_constants(all_pages)
        least = LEAST_LIKELY if pages == all_pages else LEAST_AFTER_CONSTANT
        filled = [page.chosen for page in pages if page.chosen]
        good = [
            (place, tally)
            for place, tally in _tallies(pages).items()
            if tally.pages >= max(least_pages, LEAST_SHARE * len(filled))
            and tally.agreeing >= LEAST_AGREEING * tally.pages
            and tally.likely >= least
            and tally.values > 1
            and tally.values >= LEAST_DIFFERENT * len(set(filled))
            and tally.values >= self._least_varied * tally.pages
        ]
        if not good:
            return None
        worth = {place: tally.likely * tally.pages / len(pages) for place, tally in good}
        equal = [one for one in good if worth[one[0]] >= max(worth.values()) - AS_GOOD]
        return max(equal, key=lambda one: (2 * one[1].exact > one[1].pages, worth[one[0]]))


def _without_constants(pages: list[FieldSeen]) -> list[FieldSeen]:
    """Return the pages, each without the value that most of them choose but are not sure of.

    A publisher may be named as the author of all pages, or the date be "updated today". A page
    alone believes it, but the pages together know better. The remaining values become more likely
    by it.
    """
    counts = Counter(page.chosen for page in pages if page.chosen)
    constant, times = next(iter(counts.most_common(1)), (0, 0))
    if times < max(LEAST_CONSTANT, MOST_SHARE * len(pages)):
        return pages
    sure = [one.likely for page in pages for one in page.at if one.value == constant]
    if sum(sure) > SURE_OF_CONSTANT * len(sure):
        return pages
    return [_without(page, constant) for page in pages]


def _without(page: FieldSeen, value: int) -> FieldSeen:
    out = max((one.likely for one in page.at if one.value == value), default=0.0)
    left = tuple(
        one._replace(likely=min(one.likely / (1 - out), 1.0))
        for one in page.at
        if one.value != value
    )
    best = max(left, key=lambda one: one.likely, default=None)
    return FieldSeen(page.field, best.value if best else 0, left)


def _tallies(pages: Iterable[FieldSeen]) -> dict[str, PlaceTally]:
    """Return the tally of each place that the pages have."""
    by_place: dict[str, list[tuple[ReadAt, int]]] = {}
    for page in pages:
        for one in page.at:
            by_place.setdefault(one.place, []).append((one, page.chosen))
    return {
        place: PlaceTally(
            len(some),
            sum(one.likely for one, _ in some) / len(some),
            sum(one.value == chosen for one, chosen in some),
            sum(one.is_exact for one, _ in some),
            len({one.value for one, _ in some}),
        )
        for place, some in by_place.items()
    }


@dataclass
class FieldsTally:
    """What the pages of a cluster have for each of their fields."""

    fields: dict[str, FieldTally] = field(default_factory=dict)

    def add(self, seen: Iterable[PackedField]) -> None:
        """Add one more page."""
        for one in seen:
            if one.field not in self.fields:
                self.fields[one.field] = FieldTally(one.field)
            self.fields[one.field].add(one)

    @property
    def size(self) -> int:
        """The number of entries kept, which determines the memory used."""
        return sum(one.size for one in self.fields.values())

    def thin(self) -> None:
        """Forget the older half of the pages of each field."""
        for one in self.fields.values():
            one.thin()

    def forget(self, name: str) -> None:
        """Forget the evidence for a field, whose place has changed."""
        self.fields.pop(name, None)

    def rules(self, only: Container[str] | None = None) -> tuple[FieldRule, ...]:
        """Return a rule for each field that was looked for; its place is empty if none is right.

        With `only`, leave out the fields that are not in it.
        """
        return tuple(
            rule_of(name, tally)
            for name, tally in sorted(self.fields.items())
            if only is None or name in only
        )


def rule_of(name: str, tally: FieldTally, least_pages: int = LEAST_PAGES) -> FieldRule:
    """Return the rule for a field, given its pages."""
    best = tally.best(least_pages)
    if best is None:
        return FieldRule(name, "", probability=0.0, pages=tally.pages)
    place, at = best
    return FieldRule(name, place, probability=round(at.likely, 4), pages=at.pages)
