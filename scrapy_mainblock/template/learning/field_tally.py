"""Which place is right for a field, by the pages of a cluster together.

Each page says what each of its places gives, and how likely that is by the page alone. A page alone
errs where its places disagree; that one of them is the pages' own shows in that it is likely on
most of them. A "last updated" of today is the same on all; a place that hardly changes while others
do is none of a page's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.learning.line_tally import without_rare

MOST_PLACES = 80
"""Places kept of a cluster for a field; when full, what was seen once makes room."""
MOST_VALUES = 64
"""Different values that are counted of a place; more need not be told from each other."""
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
LEAST_DIFFERENT = 0.5
"""Different values of it, as a share of those that the pages by themselves choose."""
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


@dataclass(slots=True)
class PlaceTally:
    """The pages that have a place."""

    pages: int = 0
    likely: float = 0.0
    """The sum over the pages."""
    agreeing: int = 0
    exact: int = 0
    values: set[int] = field(default_factory=set)

    @property
    def probability(self) -> float:
        """How likely its values are right, on average."""
        return self.likely / self.pages


@dataclass
class FieldTally:
    """What the pages of a cluster say of one field together."""

    pages: int = 0
    filled: int = 0
    """Those for which something is chosen."""
    chosen: set[int] = field(default_factory=set)
    """The different values of these."""
    places: dict[str, PlaceTally] = field(default_factory=dict)

    def add(self, seen: FieldSeen) -> None:
        """One more page."""
        self.pages += 1
        if seen.chosen:
            self.filled += 1
            _add(self.chosen, seen.chosen)
        for one in seen.at:
            tally = self.places.get(one.place)
            if tally is None:
                tally = self.places[sys.intern(one.place)] = PlaceTally()
            tally.pages += 1
            tally.likely += one.likely
            tally.agreeing += one.value == seen.chosen
            tally.exact += one.is_exact
            _add(tally.values, one.value)
        if len(self.places) > MOST_PLACES:
            self.thin()

    @property
    def size(self) -> int:
        """Entries kept: what memory grows with."""
        return len(self.chosen) + sum(1 + len(one.values) for one in self.places.values())

    def thin(self) -> None:
        """Forget the places of few pages."""
        self.places = without_rare(self.places, {c: one.pages for c, one in self.places.items()})

    def best(self, least_pages: int = LEAST_PAGES) -> tuple[str, PlaceTally] | None:
        """The place that is right, None where none is surely enough."""
        good = [
            (place, tally)
            for place, tally in self.places.items()
            if self._is_good(tally, least_pages)
        ]
        if not good:
            return None
        most = max(self._worth(tally) for _, tally in good)
        equal = [one for one in good if self._worth(one[1]) >= most - AS_GOOD]
        return max(equal, key=lambda one: (2 * one[1].exact > one[1].pages, self._worth(one[1])))

    def _worth(self, tally: PlaceTally) -> float:
        """How much of the cluster's pages it gets right, probably."""
        return tally.likely / max(self.filled, tally.pages)

    def _is_good(self, tally: PlaceTally, least_pages: int) -> bool:
        return (
            tally.pages >= max(least_pages, LEAST_SHARE * self.filled)
            and tally.agreeing >= LEAST_AGREEING * tally.pages
            and tally.probability >= LEAST_LIKELY
            and len(tally.values) > 1
            and len(tally.values) >= LEAST_DIFFERENT * len(self.chosen)
        )


def _add(values: set[int], one: int) -> None:
    if len(values) < MOST_VALUES:
        values.add(one)


@dataclass
class FieldsTally:
    """What the pages of a cluster say of their fields."""

    fields: dict[str, FieldTally] = field(default_factory=dict)

    def add(self, seen: Iterable[FieldSeen]) -> None:
        """One more page."""
        for one in seen:
            self.fields.setdefault(one.field, FieldTally()).add(one)

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
    return FieldRule(name, place, probability=round(at.probability, 4), pages=at.pages)
