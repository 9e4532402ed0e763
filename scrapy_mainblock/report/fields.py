"""The fields of a page beside its body: their values, where they come from, where they are seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.report.inspected import Inspected

LONGEST_FIELD = 2000
"""Characters shown of a field."""
MOST_VALUES = 10
"""Shown of a field that has many, such as pictures."""
LONGEST_LINE = 300
"""Characters of a part that may be the one that a field stands in."""
_DATES = ("datePublished", "dateModified")
_SEEN = ("authors", "breadcrumbs")
"""What stands in the page word for word, where it is shown at all."""


class FieldShown(NamedTuple):
    """One value of a field."""

    name: str
    value: str
    segment: int
    """The part of the page that shows it, -1 where none does."""
    source: str
    """Where the page says it, most telling first."""
    probability: float


def fields_of(inspected: Inspected) -> Iterator[FieldShown]:
    """The fields that are filled, the headline first."""
    lines = [text if len(text) <= LONGEST_LINE else "" for text in inspected.page.texts]
    title = _line_with(inspected.headline, lines, 0) if inspected.headline else -1
    for name, choice in inspected.claims.items():
        claim = choice.chosen
        if claim is None:
            continue
        for value in _values(claim.value):
            segment = title if name == "headline" else -1
            if name in _DATES:
                segment = _line_of_day(claim, lines, title)
            elif name in _SEEN:
                segment = _line_with(value, lines, title)
            yield FieldShown(name, value[:LONGEST_FIELD], segment, claim.source, claim.probability)


def _values(value: Any) -> list[str]:
    """The values of a field as texts; a trail of crumbs is one."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [" › ".join(str(one.get("name") or one.get("url") or "") for one in value)]
    if isinstance(value, list):
        return [str(one) for one in value[:MOST_VALUES]]
    return [str(value)]


def _line_of_day(claim: Claim, lines: list[str], title: int) -> int:
    """The line that has the day of a date, however it is written there."""
    day = str(claim.value)[:10]
    return _nearest(lines, title, lambda line: any(one.day == day for one in days_in(line)))


def _line_with(text: str, lines: list[str], title: int) -> int:
    """The line that has a text: as a whole, or else among others."""
    wanted = _squeezed(text)
    if not wanted:
        return -1
    whole = _nearest(lines, title, lambda line: _squeezed(line) == wanted)
    return whole if whole >= 0 else _nearest(lines, title, lambda line: wanted in _squeezed(line))


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _nearest(lines: list[str], title: int, is_it: Callable[[str], bool]) -> int:
    """Of the lines that fit the one nearest to the headline, -1 where there is none.

    The same name or day stands in comments and teasers as well, and these are further away.
    """
    found = (number for number, line in enumerate(lines) if line and is_it(line))
    return min(found, key=lambda number: abs(number - max(title, 0)), default=-1)
