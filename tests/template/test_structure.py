"""The compact set of a template's places."""

from __future__ import annotations

import pickle
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.template.similarity import similarity
from scrapy_mainblock.template.structure import Structure

HASHES = st.frozensets(st.integers(0, (1 << 64) - 1) | st.integers(0, 20), max_size=40)


@given(HASHES, HASHES)
def test_structure_is_the_same_set(places: frozenset[int], others: frozenset[int]) -> None:
    structure = Structure(places)
    assert structure == places
    assert list(structure) == sorted(places)
    assert len(structure) == len(places)
    assert (structure == others) == (places == others)
    assert structure.shared_with(others) == len(places & others)
    assert all((one in structure) == (one in places) for one in others)
    assert similarity(others, structure) == similarity(others, places)
    table = structure.table()
    assert all((table.find(one) >= 0) == (one in places) for one in places | others)


def test_equal_structures_are_interchangeable() -> None:
    one, other = Structure([3, 1, 2]), Structure(frozenset({1, 2, 3}))
    assert {one} == {other}
    assert pickle.loads(pickle.dumps(one)) == other
    assert Structure.of(one) is one
    assert repr(one) == "Structure([1, 2, 3])"


@pytest.mark.parametrize("other", ["1", None, 1.5])
def test_other_values_are_not_in_it(other: object) -> None:
    assert other not in Structure([1])


@given(HASHES, HASHES)
def test_structure_of_a_page_is_that_of_its_places(
    places: frozenset[int], others: frozenset[int]
) -> None:
    structure = Structure.of_page(memoryview(array("Q", places)))
    assert structure == Structure(places)
    assert list(structure) == sorted(places)
    assert structure.shared_with(Structure(others)) == len(places & others)
