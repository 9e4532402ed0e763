"""The hash table of numbers does what a dictionary does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.outline.buffers.hashing import Numbers

KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20), max_size=60)


@given(KEYS)
def test_each_new_key_gets_the_next_number(keys: list[int]) -> None:
    known: dict[int, int] = {}
    table = Numbers(len(keys))
    for key in keys:
        assert table.number(key) == known.setdefault(key, len(known))
    assert table.count == len(known)
    assert [table.find(key) for key in keys] == [known[key] for key in keys]


@given(KEYS, KEYS)
def test_the_first_number_given_to_a_key_stays(keys: list[int], others: list[int]) -> None:
    known: dict[int, int] = {}
    table = Numbers(len(keys))
    for number, key in enumerate(keys):
        table.put(key, number)
        known.setdefault(key, number)
    for key in keys + others:
        assert table.find(key) == known.get(key, -1)
