"""Which place is right for a field, by the pages of a cluster together.

Each page says what each of its places gives, and how likely that is by the page alone. A page alone
errs where its places disagree; that one of them is the pages' own shows in that it is likely on
most of them. A "last updated" of today is the same on all; a place that hardly changes while others
do is none of a page's.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.template.field_rules import FieldRule

KEPT_PAGES = 24
"""Pages kept, the latest."""
LEAST_PAGES = 4
"""Pages that have the place."""
LEAST_SHARE = 0.5
"""Of the pages on which some place gives a likely value, those that have this one: the others are
read by themselves."""
LEAST_AGREEING = 0.9
"""Of the pages that have it, those on which it says what the page alone would choose. On the others
the page has a choice that its like do not have."""
LEAST_LIKELY = 0.5
"""How likely its values are, on average."""
LEAST_AFTER_CONSTANT = 0.15
"""The same where a constant was passed over: that a place names somebody else on page after page
says more than it does to any of them."""
LEAST_DIFFERENT = 0.5
"""Different values of it, as a share of those that the pages by themselves choose."""
LEAST_VARIED = {"headline": 0.6}
"""Different values of it, as a share of the pages that have it: many pages are of one day or one
author, and few have one headline."""
MOST_SHARE, LEAST_CONSTANT = 0.5, 4
"""A value that so many of the pages choose, and four of them, is none of a page's,"""
SURE_OF_CONSTANT = 0.9
"""unless they are surer of it than this, as of who writes a blog alone."""
AS_GOOD = 0.03
"""Places whose values are likely to within this are equals; one with a time of day goes first."""


class ReadAt(NamedTuple):
    """What one page has at a place, as numbers."""

    place: str
    value: int
    """For the same day, or the same names, the same."""
    raw: int
    """For the same text."""
    likely: float
    """How likely it is right, by the page alone."""
    is_exact: bool
    """Whether it has a time of day."""


class FieldSeen(NamedTuple):
    """What one page says of a field."""

    field: str
    chosen: int
    """What is chosen by the page alone; 0 for nothing."""
    at: tuple[ReadAt, ...]


class PlaceTally(NamedTuple):
    """The pages that have a place."""

    pages: int
    likely: float
    """How likely its values are right, on average."""
    agreeing: int
    """How many of them say what the page chooses."""
    exact: int
    values: int
    """How many different ones there are."""


class FieldTally:
    """What the pages of a cluster say of one field together: the latest ones."""

    def __init__(self, name: str = "") -> None:
        self._pages: deque[FieldSeen] = deque(maxlen=KEPT_PAGES)
        self._least_varied = LEAST_VARIED.get(name, 0.0)

    def add(self, seen: FieldSeen) -> None:
        """One more page."""
        self._pages.append(seen)

    @property
    def pages(self) -> int:
        """How many are kept."""
        return len(self._pages)

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        return sum(1 + len(page.at) for page in self._pages)

    def thin(self) -> None:
        """Forget the older half."""
        for _ in range(len(self._pages) // 2):
            self._pages.popleft()

    def best(self, least_pages: int) -> tuple[str, PlaceTally] | None:
        """The place that is right, None where none is surely enough."""
        pages = self._without_constants()
        least = LEAST_LIKELY if pages == list(self._pages) else LEAST_AFTER_CONSTANT
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

    def _without_constants(self) -> list[FieldSeen]:
        """The pages, each without the value that most of them choose, and are not sure of.

        A publisher who is the author of all pages, an "updated today": pages by themselves believe
        it, but together they know better. What is left is the likelier for that.
        """
        counts = Counter(page.chosen for page in self._pages if page.chosen)
        constant, times = next(iter(counts.most_common(1)), (0, 0))
        if times < max(LEAST_CONSTANT, MOST_SHARE * self.pages):
            return list(self._pages)
        sure = [one.likely for page in self._pages for one in page.at if one.value == constant]
        if sum(sure) > SURE_OF_CONSTANT * len(sure):
            return list(self._pages)
        return [_without(page, constant) for page in self._pages]


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
    """What the pages say of each of their places."""
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
    """What the pages of a cluster say of their fields."""

    fields: dict[str, FieldTally] = field(default_factory=dict)

    def add(self, seen: Iterable[FieldSeen]) -> None:
        """One more page."""
        for one in seen:
            self.fields.setdefault(one.field, FieldTally(one.field)).add(one)

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        return sum(one.size for one in self.fields.values())

    def thin(self) -> None:
        """Forget what few pages have."""
        for one in self.fields.values():
            one.thin()

    def forget(self, name: str) -> None:
        """Count the pages of a field anew: its place is not what it was."""
        self.fields.pop(name, None)

    def rules(self) -> tuple[FieldRule, ...]:
        """The place of each field that pages were asked for; an empty one where none is right."""
        return tuple(rule_of(name, tally) for name, tally in sorted(self.fields.items()))


def rule_of(name: str, tally: FieldTally, least_pages: int = LEAST_PAGES) -> FieldRule:
    """The rule for a field that follows from its pages."""
    best = tally.best(least_pages)
    if best is None:
        return FieldRule(name, "", probability=0.0, pages=tally.pages)
    place, at = best
    return FieldRule(name, place, probability=round(at.likely, 4), pages=at.pages)
