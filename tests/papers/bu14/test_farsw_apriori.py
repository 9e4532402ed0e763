"""Apriori finds the same sets as an exhaustive search."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.bu14.apriori import frequent_sets

ITEMS = "abcde"

transactions = st.lists(st.frozensets(st.sampled_from(ITEMS)), max_size=12)
supports = st.sampled_from([0.0, 0.2, 0.5, 0.8])


def exhaustive_search(found, support):
    levels = [
        [
            chosen
            for chosen in combinations(ITEMS, size)
            if sum(set(chosen) <= each for each in found) > support * len(found)
        ]
        for size in range(1, len(ITEMS) + 1)
    ]
    return [level for level in levels if level]


@given(transactions, supports)
def test_apriori_finds_exactly_the_frequent_sets(found, support):
    assert frequent_sets(found, ITEMS, support) == exhaustive_search(found, support)


@given(transactions, supports)
def test_every_subset_of_a_frequent_set_is_frequent(found, support):
    levels = frequent_sets(found, ITEMS, support)
    for smaller, larger in pairwise(levels):
        assert all(part in smaller for each in larger for part in combinations(each, len(each) - 1))


def test_the_support_must_be_exceeded():
    half = [frozenset("a"), frozenset("b")]
    assert frequent_sets(half, "ab", 0.5) == []
    assert frequent_sets(half, "ab", 0.4) == [[("a",), ("b",)]]


def test_no_transactions_have_no_frequent_sets():
    assert frequent_sets([], "ab", 0.5) == []
