"""Conversion of feature values to sets of fuzzy regions ([Bu14], section 3.3, steps 1 to 4).

An *item* is a feature in one of its regions, written as in the paper: ``A.Middle``, ``B.High'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrapy_mainblock.papers.bu14 import equations as bu14

Features = Sequence[float]
"""The values of features A to F of a line."""

Spreads = Sequence[bu14.Spread]
"""MIN, Mean and MAX of features A to F."""

FuzzySet = dict[str, float]
"""Membership by item; items with membership 0 are left out, as in the paper."""


def items_of(variant: bu14.Variant) -> tuple[str, ...]:
    """Return all items, in the order of the paper's tables."""
    return tuple(
        f"{feature}.{region}"
        for feature, regions in bu14.REGIONS[variant].items()
        for region in regions
    )


def fuzzy_set(features: Features, spreads: Spreads, variant: bu14.Variant) -> FuzzySet:
    """Return the memberships of a line's values (step 1, table 4)."""
    found: FuzzySet = {}
    for feature, value, spread in zip(bu14.FEATURES, features, spreads, strict=True):
        regions = bu14.REGIONS[variant][feature]
        degrees = bu14.memberships(value, spread, feature, variant)
        for region, degree in zip(regions, degrees, strict=True):
            if degree > 0:
                found[f"{feature}.{region}"] = degree
    return found


def cardinalities(fuzzy_sets: Iterable[FuzzySet], variant: bu14.Variant) -> dict[str, float]:
    """Return the scalar cardinality of every region over the topical lines (step 2, table 5)."""
    counts = dict.fromkeys(items_of(variant), 0.0)
    for fuzzy in fuzzy_sets:
        for item, degree in fuzzy.items():
            counts[item] += degree
    return counts


def frequent_regions(counts: Mapping[str, float]) -> tuple[str, ...]:
    """Return the region of each feature with the greatest cardinality (step 3, table 6).

    Of regions with equal cardinality, use the first; the paper does not specify this case.
    """
    best: dict[str, str] = {}
    for item, count in counts.items():
        feature = item[0]
        if feature not in best or count > counts[best[feature]]:
            best[feature] = item
    return tuple(best.values())


def transaction(
    fuzzy: FuzzySet, regions: Iterable[str], significance: float = bu14.SIGNIFICANCE
) -> frozenset[str]:
    """Return a line's frequent regions with at least the significance (step 4, table 7)."""
    return frozenset(item for item in regions if fuzzy.get(item, 0.0) >= significance)
