"""The choice among the claims for a field by weights that were fitted on labelled pages.

Each candidate is described by named numbers; their weighted sum is the logit of how likely it is
right, fitted by logistic regression (`tools/train_fields.py`), so that the probability of what is
chosen is calibrated. A field whose best candidate is less likely than `LEAST` is left empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp
from typing import Any

from scrapy_mainblock.judge import models
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim

Features = dict[str, float]
MODEL = "fields.json"
MOST_REJECTED = 12


def probability(features: Features, weights: Mapping[str, float], prefix: str) -> float:
    """How likely a candidate is right."""
    logit = weights.get(f"{prefix}bias", 0.0)
    for name, value in features.items():
        logit += weights.get(prefix + name, 0.0) * value
    return 1 / (1 + exp(-max(min(logit, 30.0), -30.0)))


def choose(candidates: Iterable[Claim], least: float) -> Choice:
    """The likeliest candidate, if it is likely enough."""
    found = sorted(candidates, key=lambda one: -one.probability)
    if not found or found[0].probability < least:
        return Choice(None, tuple(found[:MOST_REJECTED]))
    return Choice(found[0], tuple(found[1 : 1 + MOST_REJECTED]))


def weights_of(field: str) -> Mapping[str, float] | None:
    """The shipped weights of a field, None where they cannot be read."""
    try:
        return models.weights(MODEL, f"{field} is taken from linked data and metas alone")
    except models.ModelError:
        return None


def first_of(found: Sequence[tuple[Any, str, float]]) -> Choice:
    """Candidates whose probability is their source's."""
    candidates = [Claim(value, source, sure) for value, source, sure in found]
    return Choice(candidates[0], tuple(candidates[1:])) if candidates else NOTHING
