"""From feature values to sets of fuzzy regions ([Bu14], section 3.3, steps 1 to 4).

An *item* is a feature in one of its regions, written as the paper does: ``A.Middle``, ``B.High'``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrapy_mainblock.papers.bu14 import equations as bu14

Features = Sequence[float]
"""The values A to F of a line."""

Spreads = Sequence[bu14.Spread]
"""MIN, Mean and MAX of A to F."""

FuzzySet = dict[str, float]
"""Membership by item; items of no membership are left out, as the paper prints them."""


def items_of(variant: bu14.Variant) -> tuple[str, ...]:
    """Every item there is, in the order of the paper's tables."""
    return tuple(
        f"{feature}.{region}"
        for feature, regions in bu14.REGIONS[variant].items()
        for region in regions
    )


def fuzzy_set(features: Features, spreads: Spreads, variant: bu14.Variant) -> FuzzySet:
    """Step 1: a line's values as memberships (table 4)."""
    found: FuzzySet = {}
    for feature, value, spread in zip(bu14.FEATURES, features, spreads, strict=True):
        regions = bu14.REGIONS[variant][feature]
        degrees = bu14.memberships(value, spread, feature, variant)
        for region, degree in zip(regions, degrees, strict=True):
            if degree > 0:
                found[f"{feature}.{region}"] = degree
    return found


def cardinalities(fuzzy_sets: Iterable[FuzzySet], variant: bu14.Variant) -> dict[str, float]:
    """Step 2: the scalar cardinality of every region over the topical lines (table 5)."""
    counts = dict.fromkeys(items_of(variant), 0.0)
    for fuzzy in fuzzy_sets:
        for item, degree in fuzzy.items():
            counts[item] += degree
    return counts


def frequent_regions(counts: Mapping[str, float]) -> tuple[str, ...]:
    """Step 3: of each feature the region with the greatest cardinality (table 6).

    Of two that are equal, the first: the paper does not say.
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
    """Step 4: a line's frequent regions, less those below the significance (table 7)."""
    return frozenset(item for item in regions if fuzzy.get(item, 0.0) >= significance)
