"""What the places that give a day say of how likely it is the one that is looked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from scrapy_mainblock.fields.about.choice import Features
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.dates import Day

_MONTH_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])(?=/|-)")
_KEEP_FULL_NAME = frozenset(
    {"json-ld", "property", "time", "time-near", "line-dated", "line-short", "line-text"}
)
"""Kinds of places whose features are named with what stands after the colon."""


class Place:
    """A place of a page that gives a day."""

    def __init__(
        self,
        source: str,
        day: Day,
        raw: str,
        element: int = -1,
        is_line: bool = False,
    ) -> None:
        self.source = source
        """The kind of the place, as named in the weights; a suffix after a colon is more
        specific."""
        self.day, self.raw = day, raw
        self.date = day.day
        self.element = element
        """The element with the day, or the segment if `is_line`; -1 if readers do not see it."""
        self.is_line = is_line

    def is_same(self, other: Place) -> bool:
        """Return whether two places are equal in everything."""
        return (
            self.element == other.element
            and self.is_line == other.is_line
            and self.source == other.source
            and self.raw == other.raw
            and self.day == other.day
        )


def describe(sources: PageSources, known: list[Place]) -> dict[str, Features]:
    """Return the features of each day that is given by some place."""
    found: dict[str, Features] = {}
    for place in known:
        features = found.get(place.date)
        if features is None:
            features = found[place.date] = {}
        kind = place.source.partition(":")[0]
        features[place.source if kind in _KEEP_FULL_NAME else kind] = 1.0
        if place.day.time:
            features["timed"] = 1.0
        if not place.day.is_sure:
            features["unsure"] = 1.0
    months = months_in(sources.url)
    days = sorted(found)
    count = len(days)
    for rank in range(count):
        day = days[rank]
        features = found[day]
        kinds = {name.partition(":")[0] for name in features}
        features["agreement"] = float(min(len(kinds), 6))
        features["only"] = 1.0 if count == 1 else 0.0
        features["earliest"] = 1.0 if rank == 0 else 0.0
        features["latest"] = 1.0 if rank == count - 1 else 0.0
        features["many"] = min(count, 8) / 8
        if months:
            features["month_in_url" if day[:7] in months else "month_not_in_url"] = 1.0
    if count > 1:
        _compare(found, known)
    return found


def months_in(address: str) -> set[str]:
    """Return the months in a URL."""
    address = address[:1000]
    if "/20" not in address and "/19" not in address:
        return set()
    return {f"{month[1]}-{month[2]}" for month in _MONTH_IN_URL.finditer(address)}


def _compare(found: Mapping[str, Features], known: list[Place]) -> None:
    """Set the features of each day that depend on the other days."""
    told = {place.date for place in known if place.source.startswith(("json-ld:dateP", "meta:"))}
    strong = {day for day, features in found.items() if _is_strong_line(features)}
    is_in_url = False
    for features in found.values():
        is_in_url = is_in_url or "url" in features
    for day, features in found.items():
        if told and day not in told:
            features["told_otherwise"] = 1.0
            for one in told:
                if near_days(day, one):
                    features["told_next_day"] = 1.0
                    break
        if is_in_url and "url" not in features:
            features["url_otherwise"] = 1.0
        if len(strong) > (day in strong):
            features["line_otherwise"] = 1.0


def _is_strong_line(features: Features) -> bool:
    for name in features:
        if name.startswith(("line-dated:close", "line-dated:above")):
            return True
    return False


def near_days(one: str, other: str) -> bool:
    """Return whether two days are adjacent, and so may be the same day in different time zones."""
    return abs((date.fromisoformat(one) - date.fromisoformat(other)).days) == 1
