"""Apriori (Agrawal and Srikant 1994): a search for all frequent item sets among transactions.

[Bu14], section 3.3, step 5. This module does not know what the items represent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

ItemSet = tuple[str, ...]


def frequent_sets(
    transactions: Iterable[frozenset[str]], items: Sequence[str], support: float
) -> list[list[ItemSet]]:
    """Return L1, L2, ...: the item sets of each size whose support exceeds `support` (table 8).

    Items within a set, and the sets of a level, follow the order of `items`. Empty levels are left
    out.
    """
    # With six features, any number of lines yields only a few distinct transactions.
    counted = Counter(transactions)
    enough = support * counted.total()
    levels: list[list[ItemSet]] = []
    candidates: list[ItemSet] = [(item,) for item in items]
    while frequent := [c for c in candidates if _occurrences(c, counted) > enough]:
        levels.append(frequent)
        candidates = _joined(frequent)
    return levels


def _occurrences(candidate: ItemSet, counted: Counter[frozenset[str]]) -> int:
    wanted = frozenset(candidate)
    return sum(count for transaction, count in counted.items() if wanted <= transaction)


def _joined(frequent: Sequence[ItemSet]) -> list[ItemSet]:
    """Return the sets with one more item of which all subsets with one item less are frequent."""
    known = set(frequent)
    joined = (
        (*one, other[-1]) for one, other in combinations(frequent, 2) if one[:-1] == other[:-1]
    )
    return [c for c in joined if known.issuperset(combinations(c, len(c) - 1))]
