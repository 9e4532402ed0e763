"""The fields of a page other than its body: values, sources, and the segments that show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.report.inspected import Inspected

LONGEST_FIELD = 2000
"""Maximum characters shown of a field."""
MOST_VALUES = 10
"""Maximum values shown of a field that has several, such as images."""
LONGEST_LINE = 300
"""Maximum characters of a segment that is searched for a field's value."""
_DATES = ("datePublished", "dateModified")
_SEEN = ("authors", "breadcrumbs")
"""Fields whose values appear in the page verbatim, if they appear at all."""


class FieldShown(NamedTuple):
    """One value of a field."""

    name: str
    value: str
    segment: int
    """The segment that shows the value, -1 if none does."""
    source: str
    """Where in the page the value comes from, most telling source first."""
    probability: float


def fields_of(inspected: Inspected) -> Iterator[FieldShown]:
    """Yield each value of the filled fields, the headline first."""
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
    """Return the values of a field as texts; a breadcrumb trail becomes a single text."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [" › ".join(str(one.get("name") or one.get("url") or "") for one in value)]
    if isinstance(value, list):
        return [str(one) for one in value[:MOST_VALUES]]
    return [str(value)]


def _line_of_day(claim: Claim, lines: list[str], title: int) -> int:
    """Return the line that contains the day of a date in any notation, or -1."""
    day = str(claim.value)[:10]
    return _nearest(lines, title, lambda line: any(one.day == day for one in days_in(line)))


def _line_with(text: str, lines: list[str], title: int) -> int:
    """Return the line that equals a text, otherwise the line that contains it, or -1."""
    wanted = _squeezed(text)
    if not wanted:
        return -1
    whole = _nearest(lines, title, lambda line: _squeezed(line) == wanted)
    return whole if whole >= 0 else _nearest(lines, title, lambda line: wanted in _squeezed(line))


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _nearest(lines: list[str], title: int, is_it: Callable[[str], bool]) -> int:
    """Return the matching line nearest to the headline, or -1 if no line matches.

    Comments and teasers may contain the same name or day, but are further away.
    """
    found = (number for number, line in enumerate(lines) if line and is_it(line))
    return min(found, key=lambda number: abs(number - max(title, 0)), default=-1)
