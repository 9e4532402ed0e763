"""When two pages belong to one template: equation 1 of [Wang18], with its threshold."""

from __future__ import annotations

import hashlib
from collections.abc import Set

from scrapy_mainblock.template.structure import Structure

SAME_CLUSTER = 0.82
"""Pages with more than this share of their places in common are one cluster: [Wang18], 4.2."""
MORE_PAGES_THAN = 5
"""A cluster with more pages than this gets a rule: [Wang18], section 4.2."""
HALF_LIKE = 0.5
"""Minimum similarity at which the nearest cluster's rule is tried on a page without a cluster."""


def similarity(a: Set[int], b: Set[int]) -> float:
    """Return [Wang18], equation 1: ``|A ∩ B| / min(|A|, |B|)``.

    Deviates from the paper for two empty pages: they are alike, where the paper divides by zero.
    """
    shared = b.shared_with(a) if isinstance(b, Structure) else len(a & b)
    return overlap(shared, len(a), len(b))


def overlap(shared: int, one: int, other: int) -> float:
    """Return the similarity of two pages by how many places they share, and how many each has."""
    if not one or not other:
        return 1.0 if one == other else 0.0
    return shared / min(one, other)


def cluster_name(structure: Set[int]) -> str:
    """Return the name of the cluster that a page with this structure founds."""
    digest = hashlib.sha256()
    for place in sorted(structure):
        digest.update(place.to_bytes(8, "big"))
    return digest.hexdigest()[:8]
