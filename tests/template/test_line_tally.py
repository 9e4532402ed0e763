"""Array-based counts of the lines of a cluster's pages."""

from __future__ import annotations

from array import array
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.template.learning.lines import line_tally
from scrapy_mainblock.template.learning.lines.line_counts import Counts
from scrapy_mainblock.template.learning.lines.line_tally import LineTally, without_rare
from scrapy_mainblock.template.learning.lines.page_lines import TELLING, PageLines, lines_of

Page = dict[str, list[str]]

LINES = st.sampled_from(["Menu", "Contact", "Read more"]) | st.integers(0, 30).map(
    "This is the sentence of number {}, and it is long.".format
)
PAGES = st.lists(
    st.dictionaries(
        st.sampled_from("abcdef"), st.lists(LINES, min_size=1, max_size=8, unique=True), max_size=5
    ),
    max_size=20,
)


class Plain:
    """A reference implementation of the same tally with dictionaries."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.pages: Counter[object] = Counter()
        self.standing: dict[tuple[str, object], int] = {}
        self.repeated: set[str] = set()

    def add(self, page: Page) -> None:
        on_page: dict[object, str] = {}
        for place, lines in page.items():
            for line in lines:
                key = line if len(line) >= TELLING else (place, line)
                on_page[key] = line
                self.standing[place, key] = self.standing.get((place, key), 0) + 1
        self.pages.update(list(on_page))
        if len(self.standing) > self.most:
            self.standing = without_rare(
                self.standing, {k: self.pages[k[1]] for k in self.standing}
            )
            kept = {key for _, key in self.standing}
            self.pages = Counter({key: n for key, n in self.pages.items() if key in kept})


def lines_in(page: Page) -> PageLines:
    hashes = array("Q", [hash_of(place.encode()) for place in page])
    return lines_of(memoryview(hashes), list(page.values()))


def tally_of(pages: list[Page]) -> LineTally:
    tally = LineTally()
    for page in pages:
        tally.add(list(page), lines_in(page))
    return tally


def standing_in(tally: LineTally) -> list[tuple[str, int, int]]:
    """Return the lines at each place: the place, the line's hash, its number of pages there."""
    found = tally.standing()
    names = [found.places[number] for number in found.numbers.tolist()]
    return list(zip(names, found.keys.tolist(), found.pages.tolist(), strict=True))


@pytest.mark.parametrize("most", [12, 10_000])
@given(pages=PAGES)
@settings(max_examples=60)
def test_tally_equals_the_reference_also_after_eviction(most: int, pages: list[Page]) -> None:
    plain = Plain(most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_tally, "MOST_LINES", most)
        tally = tally_of(pages)
    for page in pages:
        plain.add(page)
    standing = standing_in(tally)
    keys = sorted({key for _, key, _ in standing})
    assert sorted(tally.lines_of(np.array(keys, np.int64))[1]) == sorted(plain.pages.values())
    stood = Counter((place, pages) for place, _, pages in standing)
    assert stood == Counter((place, pages) for (place, _), pages in plain.standing.items())


def test_text_of_a_long_line_is_kept_from_its_second_page() -> None:
    long, short = "A sentence that is long enough to tell.", "Menu"
    tally = tally_of([{"a": [long]}, {"b": [long]}, {"a": [short]}, {"b": [short]}])
    assert list(tally.repeated.values()) == [long]


def test_memory_is_bounded_for_many_places_and_lines() -> None:
    tally = tally_of([{f"place {n}": [f"line {n}.{m}" for m in range(50)]} for n in range(300)])
    assert len(standing_in(tally)) <= line_tally.MOST_LINES
    assert len(tally._numbers) <= line_tally.MOST_LINES


numbers = st.integers(-(2**62), 2**62) | st.integers(-5, 20)


@given(st.lists(st.lists(numbers, unique=True, max_size=20), max_size=12))
def test_counts_are_sorted_and_record_first_occurrence(pages: list[list[int]]) -> None:
    counts: Counter[int] = Counter()
    tally = Counts()
    for page in pages:
        counts.update(page)
        twice = tally.add(np.array(page, dtype=np.int64))
        assert [page[at] for at in twice] == [number for number in page if counts[number] == 2]
    assert tally.keys.tolist() == sorted(counts)
    assert tally.counts.tolist() == [counts[number] for number in sorted(counts)]
    first = list(counts)
    order = np.argsort(tally.since, kind="stable")
    assert tally.keys[order].tolist() == first
    assert (
        tally.counts[tally.indexes_of(tally.keys[::2])].tolist()
        == [counts[number] for number in sorted(counts)][::2]
    )


def test_number_of_places_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_tally, "_MOST_PLACES", 5)
    tally = LineTally()
    page = {str(place): ["line"] for place in range(9)}
    tally.add(list(page), lines_in(page))
    assert len(standing_in(tally)) == 5
