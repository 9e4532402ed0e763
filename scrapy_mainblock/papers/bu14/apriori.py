"""Apriori (Agrawal and Srikant 1994): every set of items that is frequent among transactions.

[Bu14], section 3.3, step 5. Knows sets of items, not what they stand for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

ItemSet = tuple[str, ...]


def frequent_sets(
    transactions: Iterable[frozenset[str]], items: Sequence[str], support: float
) -> list[list[ItemSet]]:
    """L1, L2, ...: the item sets of each size whose support is greater than `support` (table 8).

    Sets are written, and stand, in the order of `items`. Levels end with the last that has any.
    """
    # Six features make few different transactions out of any number of lines.
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
    """Sets of one item more, all of whose subsets of the present size are frequent."""
    known = set(frequent)
    joined = (
        (*one, other[-1]) for one, other in combinations(frequent, 2) if one[:-1] == other[:-1]
    )
    return [c for c in joined if known.issuperset(combinations(c, len(c) - 1))]
