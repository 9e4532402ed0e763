"""The lines of a page as numbers, against the same with dicts."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.template.learning.lines.page_lines import (
    HASH_MASK,
    TELLING,
    PageLines,
    characters,
    cut_off,
    lines_of,
)

LINES = st.text(max_size=2 * TELLING) | st.sampled_from(
    ["Menu", "é" * (TELLING - 1), "é" * TELLING]
)
PAGES = st.dictionaries(st.sampled_from("abcdef"), st.lists(LINES, max_size=6), max_size=5)


def page_lines(page: Mapping[str, list[str]]) -> PageLines:
    hashes = array("Q", [hash_of(place.encode()) for place in page])
    return lines_of(memoryview(hashes), list(page.values()))


@given(PAGES)
def test_each_place_has_its_distinct_lines_in_order(page: dict[str, list[str]]) -> None:
    found = page_lines(page)
    for number, lines in enumerate(page.values()):
        assert found.texts(number) == list(dict.fromkeys(lines))


@given(PAGES)
def test_long_line_is_the_same_anywhere_and_a_short_one_at_its_place(
    page: dict[str, list[str]],
) -> None:
    found = page_lines(page)
    at_places = [(place, line) for place, lines in page.items() for line in dict.fromkeys(lines)]
    same = [line if len(line) >= TELLING else (place, line) for place, line in at_places]
    first = {key: same.index(key) for key in same}
    assert found.first.tolist() == list(first.values())
    assert found.distinct.tolist() == [found.keys[at] for at in first.values()]
    assert [found.keys[at] for at in range(len(same))] == [found.keys[first[key]] for key in same]
    assert sorted(found.distinct.tolist()) == found.distinct[found.order].tolist()
    assert all(0 <= key <= HASH_MASK for key in found.distinct.tolist())


@given(PAGES)
def test_numbers_of_places_are_above_the_hashes(page: dict[str, list[str]]) -> None:
    found = page_lines(page)
    known = {f"known {number}": number for number in range(7)}
    chains = list(page)
    expected = [
        (7 + place) * (HASH_MASK + 1) + found.keys[line]
        for place in range(len(page))
        for line in range(found.ends[place - 1] if place else 0, found.ends[place])
    ]
    assert found.numbered(chains, dict(known), 1000).tolist() == expected
    assert found.numbered(chains, known, 8).tolist() == expected[: found.ends[0] if page else 0]
    assert list(known.values()) == list(range(8 if page else 7))
    assert found.numbered(chains, known, 8).tolist() == []


@given(st.text(), st.text(), st.integers(0, 9))
def test_characters_are_counted_and_cut_off_in_utf8(before: str, text: str, most: int) -> None:
    octets, start = (before + text).encode(), len(before.encode())
    assert characters(octets, start, len(octets)) == len(text)
    end = cut_off(octets, start, len(octets), most)
    assert octets[start:end].decode() == text[:most]


@pytest.mark.parametrize("page", [{}, {"a": []}])
def test_page_without_lines_has_none(page: dict[str, list[str]]) -> None:
    found = page_lines(page)
    assert (len(found.first), len(found.numbered(list(page), {}, 1000))) == (0, 0)
