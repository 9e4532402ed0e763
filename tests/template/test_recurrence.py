"""The places whose lines recur, against a plain statement of the same."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.template.learning.lines.recurrence import (
    MOSTLY_RECURRING,
    RECURRING,
    PlacesOfLines,
    is_label,
)
from scrapy_mainblock.template.learning.place_tally import Tally

CHAINS = ["div.a > p", "div.b > h2", "table > tr > td", "div.c > dt", "ul > li"]
Line = tuple[int, int, int, int]
"""The number of its place, its pages there, its number, its pages anywhere."""


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[Tally | None], list[Line]]:
    """Return the tallies of `CHAINS` and lines at these places."""
    tallies: list[Tally | None] = []
    for chain in CHAINS:
        tally = Tally(chain)
        tally.pages, tally.lines = draw(st.integers(1, 9)), draw(st.integers(1, 20))
        tally.odds = float(draw(st.integers(-3, 3)))
        tallies.append(tally if draw(st.integers(0, 4)) else None)
    at = st.tuples(st.integers(0, len(CHAINS) - 1), st.integers(0, 6))
    pages = draw(st.dictionaries(at, st.integers(1, 9), max_size=15))
    anywhere: Counter[int] = Counter()
    for (_, line), times in pages.items():
        anywhere[line] += times
    return tallies, [(at, times, line, anywhere[line]) for (at, line), times in pages.items()]


def mean(tally: Tally | None) -> float:
    return float("-inf") if tally is None else tally.odds / tally.pages


def plainly_moving(tallies: list[Tally | None], lines: list[Line]) -> set[str]:
    places_of: defaultdict[int, set[int]] = defaultdict(set)
    for place, _, line, _ in lines:
        places_of[line].add(place)
    found = set()
    for place, tally in enumerate(tallies):
        if tally is None:
            continue
        recurring = shown = repeats = 0
        for at, times, line, anywhere in lines:
            if at != place:
                continue
            repeats += times - 1
            best = max(places_of[line], key=lambda one: (mean(tallies[one]), CHAINS[one]))
            is_at_home = times == 1 and (anywhere == 1 or best == place)
            if not is_at_home and (2 * times < tally.pages or not is_label(CHAINS[place])):
                recurring += 1
                shown += times
        is_moving = recurring >= RECURRING * (tally.lines - repeats)
        if is_moving or shown >= MOSTLY_RECURRING * tally.lines:
            found.add(CHAINS[place])
    return found


@given(clusters())
def test_places_with_recurring_lines_are_those_of_a_plain_count(
    cluster: tuple[list[Tally | None], list[Line]],
) -> None:
    tallies, lines = cluster
    numbers, pages, of_lines, anywhere = ([line[at] for line in lines] for at in range(4))
    found = PlacesOfLines(CHAINS, tallies).moving(
        memoryview(array("q", numbers)),
        memoryview(array("i", pages)),
        memoryview(array("l", of_lines)),
        memoryview(array("i", anywhere)),
        7,
    )
    assert found == plainly_moving(tallies, lines)


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ("div > h2", True),
        ("h2.title", True),
        ("dl > dt", True),
        ("div > table", True),
        ("table[2]", False),
        ("div > p", False),
        ("", False),
    ],
)
def test_place_may_hold_labels_by_its_last_tag(chain: str, *, expected: bool) -> None:
    assert is_label(chain) is expected
