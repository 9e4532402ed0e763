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
_KNOWN: dict[str, tuple[Mapping[str, float], Mapping[str, float]]] = {}
"""By field: the weights of all fields that were read, and of them its own."""


def probability(features: Features, weights: Mapping[str, float]) -> float:
    """How likely a candidate is right, by the weights of its field."""
    logit = weights.get("bias", 0.0)
    for name, value in features.items():
        if value:
            logit += weights.get(name, 0.0) * value
    return 1 / (1 + exp(-max(min(logit, 30.0), -30.0)))


def choose(candidates: Iterable[Claim], least: float) -> Choice:
    """The likeliest candidate, if it is likely enough."""
    found = sorted(candidates, key=lambda one: -one.probability)
    if not found or found[0].probability < least:
        return Choice(None, tuple(found[:MOST_REJECTED]))
    return Choice(found[0], tuple(found[1 : 1 + MOST_REJECTED]))


def weights_of(field: str) -> Mapping[str, float] | None:
    """The shipped weights of a field, by the names of its features; None where they cannot be read.

    In the model's file each stands behind the field's own word: ``authors_several``. What only some
    of the sources say has weights of its own, ``authors-unnamed_several``.
    """
    try:
        shipped = models.weights(
            MODEL, "dates and authors are taken from linked data and metas alone"
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
    """Whether a choice among some of the sources is so likely right that others need no look."""
    return choice.chosen is not None and choice.chosen.probability >= least


def with_others(choice: Choice, others: Choice) -> Choice:
    """A choice, with all that was rejected among more sources, for those who ask why."""
    if choice.chosen is None:
        return others
    known = (*([others.chosen] if others.chosen else []), *others.rejected)
    rejected = tuple(one for one in known if one.value != choice.chosen.value)
    return choice._replace(rejected=rejected[:MOST_REJECTED])


def first_of(found: Sequence[tuple[Any, str, float]]) -> Choice:
    """Candidates whose probability is their source's."""
    candidates = [Claim(value, source, sure) for value, source, sure in found]
    return Choice(candidates[0], tuple(candidates[1:])) if candidates else NOTHING
