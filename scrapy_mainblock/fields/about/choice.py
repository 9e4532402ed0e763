"""Chooses among the claims for a field, by weights that were fitted on labeled pages.

Each candidate has a feature vector. The weighted sum of its features is the logit of the
probability that the candidate is right. The weights were fitted by logistic regression
(`tools/train_fields.py`), so that the probability of the chosen candidate is calibrated. If the
probability of the best candidate is below `LEAST`, the field stays empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp
from typing import Any

from scrapy_mainblock.judge import models
from scrapy_mainblock.judge.claims import NOTHING, Choice, Claim

Features = dict[str, float]
MODEL = "fields.json"
MOST_REJECTED = 12
LEAST_RIVAL = 0.5
"""Minimum probability at which a second candidate may be right too."""
_new = tuple.__new__
"""Makes a named tuple in a third of the time that its constructor takes, which is not compiled."""
_KNOWN: dict[str, tuple[Mapping[str, float], Mapping[str, float]]] = {}
"""A cache by field: the weights of all fields, and the field's own weights taken from them."""


def claim(value: Any, source: str, probability: float, raw: str = "") -> Claim:
    """Return a claim."""
    return _new(Claim, (value, source, probability, raw))


def chosen(one: Claim) -> Choice:
    """Return the choice of a claim, without others."""
    return _new(Choice, (one, (), ""))


def probability(features: Features, weights: Mapping[str, float]) -> float:
    """Return the probability that a candidate is right, by the weights of its field."""
    logit = weights.get("bias", 0.0)
    for name, value in features.items():
        if value:
            weight = weights.get(name, 0.0)
            logit += weight * value
    return 1 / (1 + exp(-max(min(logit, 30.0), -30.0)))


def choose(candidates: Iterable[Claim], least: float) -> Choice:
    """Return the choice of the most probable candidate, if its probability is at least `least`."""
    found = list(candidates)
    if len(found) > 1:
        found.sort(key=_unlikeliness)
    if not found or found[0].probability < least:
        return Choice(None, tuple(found[:MOST_REJECTED]))
    if len(found) == 1:
        return chosen(found[0])
    return Choice(found[0], tuple(found[1 : 1 + MOST_REJECTED]))


def _unlikeliness(one: Claim) -> float:
    return -one.probability


def weights_of(field: str) -> Mapping[str, float] | None:
    """Return the shipped weights of a field by feature name, or None if they cannot be loaded.

    In the model file each feature name has the field as a prefix: ``authors_several``. A choice
    among only some of the sources has its own weights: ``authors-unnamed_several``.
    """
    try:
        shipped = models.weights(
            MODEL, "dates and authors are taken from linked data and metas only"
        )
    except models.ModelError:
        return None
    known = _KNOWN.get(field)
    if known is None or known[0] is not shipped:
        begin = f"{field}_"
        own = {
            name.removeprefix(begin): one for name, one in shipped.items() if name.startswith(begin)
        }
        known = _KNOWN[field] = (shipped, own)
    return known[1]


def is_sure(choice: Choice, least: float) -> bool:
    """Return whether a choice among some sources is so probable that the others are not needed.

    If a second candidate may be right too, the other sources are needed to tell which one is.
    """
    if choice.chosen is None or choice.chosen.probability < least:
        return False
    for one in choice.rejected:
        if one.probability >= LEAST_RIVAL:
            return False
    return True


def with_others(choice: Choice, others: Choice) -> Choice:
    """Return a choice whose rejected claims are the claims of `others`, made from more sources.

    If the choice is empty, return `others`.
    """
    if choice.chosen is None:
        return others
    known = (*([others.chosen] if others.chosen else []), *others.rejected)
    rejected = tuple(one for one in known if one.value != choice.chosen.value)
    return choice._replace(rejected=rejected[:MOST_REJECTED])


def first_of(candidates: list[Claim]) -> Choice:
    """Return the choice of the first candidate, without the others."""
    return chosen(candidates[0]) if candidates else NOTHING


def first_explained(candidates: list[Claim]) -> Choice:
    """Return the choice of the first candidate, with the others as rejected claims."""
    return Choice(candidates[0], tuple(candidates[1:])) if candidates else NOTHING
