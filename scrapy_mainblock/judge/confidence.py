"""The probability that what is kept of a page is right: that its F1 is at least 0.9.

A small forest computes it from the page's judgement, for the kept segments and for those left out.
It was trained on pages judged by models that had not seen them (`tools/train_content.py`). It
accepts any choice of segments, so that what a rule keeps of a page can be checked against the
page's own judgement too.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, log, log1p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.judge import models
from scrapy_mainblock.judge.content.choice import Bools
from scrapy_mainblock.judge.features.summary import NEARLY_NONE, STEPS, Summary
from scrapy_mainblock.judge.judgement import Judgement
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.judge.page_type import TYPES

_SUREST = 0.98
_A_MANUAL = 0.25  # from this probability of documentation, pages surely belong to a manual

RIGHT = 0.9
"""An item is right if its F1 is at least this."""


def model() -> Forest:
    """Return the shipped model."""
    return models.forest("confidence.json", names())


def confidence(judgement: Judgement, kept: Bools) -> float:
    """Return the probability that it is right to keep these segments; 0 if none is kept."""
    if not np.count_nonzero(kept):
        return 0.0
    return float(model().probability(describe(judgement, kept)[:, None])[0])


class RulePage(NamedTuple):
    """What is known about a page whose content was found by a rule."""

    confidence: float
    """The mean probability that the pages it was learned from would have been right alone."""
    agreement: float
    """The share of those pages that voted for the rule's block."""
    documentation: float
    """How likely those pages are documentation, on average; rules often keep too little of it."""
    left: float
    """The share of the block's text that was left out."""
    unknown_left: float
    """The text that this page's own judgement left out, at places that the rule does not know, as a
    share of that text and the kept text together."""


def by_rule(page: RulePage) -> float:
    """Return the probability that what a rule keeps is right; without a model, the agreement."""
    try:
        without = "a rule's probability is the share of its pages that agree"
        weights = models.weights_of("rule.json", OF_RULE, without)
    except models.ModelError:
        return page.agreement
    odds = 0.0
    for weight, value in zip(weights, _numbers(page), strict=True):
        odds += weight * value
    return 1 / (1 + exp(-odds))


OF_RULE = (
    *("one", "confidence", "agreement", "documentation", "left", "unknown_left"),
    *("left_though_sure", "left_of_manual"),
)


def rule_numbers(page: RulePage) -> dict[str, float]:
    """Return the page as named features, which a model weighs (`tools/train_rules.py`).

    Leaving out much is normal where the pages alone are unsure, for example if the block contains
    the whole page. It is a bad sign where the pages alone would have been right, and in a manual.
    """
    return dict(zip(OF_RULE, _numbers(page), strict=True))


def _numbers(page: RulePage) -> tuple[float, ...]:
    confidence, agreement, documentation, left, unknown_left = page
    sure = min(max(confidence, 1 - _SUREST), _SUREST)
    odds = log(sure / (1 - sure))
    of_manual = left * min(documentation / _A_MANUAL, 1.0)
    return 1.0, odds, agreement, documentation, left, unknown_left, left * odds, of_manual


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """Return the names of the features that `describe` returns."""
    return (
        *(f"page_is_{kind}" for kind in TYPES),
        *(f"text_from_{step}" for step in STEPS),
        "best_expected_f1",
        "best_cut",
        "expected_precision",
        "expected_recall",
        "expected_f1",
        "kept_share",
        "kept_text",
        "page_text",
        "segments",
        "kept_segments",
        "kept_runs",
        "unsure_kept",
        "unsure_left",
        "surest",
        "mean_of_kept_segments",
    )


def describe(judgement: Judgement, kept: Bools) -> npt.NDArray[np.float32]:
    """Return the features of a page and of what is kept of it."""
    found = Summary(judgement.probability, judgement.sizes, kept)
    text, content = found.text + NEARLY_NONE, found.content + NEARLY_NONE
    kept_text = found.kept_text + NEARLY_NONE
    return np.array(
        [
            *judgement.types.tolist(),
            *found.distribution()[: len(STEPS)],
            *judgement.expected,
            found.kept_content / kept_text,
            found.kept_content / content,
            2 * found.kept_content / (kept_text + content),
            kept_text / text,
            log1p(kept_text),
            log1p(text),
            log1p(len(kept)),
            found.kept_segments,
            found.kept_runs,
            found.unsure_kept / kept_text,
            found.unsure_left / kept_text,
            found.surest,
            found.kept_likely / max(found.kept_segments, 1),
        ],
        np.float32,
    )
