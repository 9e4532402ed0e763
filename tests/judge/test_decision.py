"""Decisions filled at once, and the probabilities in them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainblock.judge.claims import NOTHING, rounded
from scrapy_mainblock.judge.decision import Decision, decision_with


def test_decision_filled_at_once_is_that_of_the_constructor() -> None:
    found = decision_with(method="rule", kept=b"\1", reason="odd")
    assert found == Decision("rule", kept=b"\1", reason="odd")
    assert found.fields is not decision_with(method="rule").fields
    choice = {"headline": NOTHING}
    assert decision_with(method="rule", fields=choice).fields is choice
    with pytest.raises(AttributeError):
        found.reason = None  # type: ignore[misc]


@given(st.floats(0, 1))
@example(0.0)
@example(1.0)
@example(0.99995)
@example(0.00005)
def test_rounded_probability_is_that_of_round(probability: float) -> None:
    found = rounded(probability)
    assert abs(found - probability) <= 0.00005 + 1e-12
    assert found == round(found, 4)
    if abs(probability * 10_000 % 1 - 0.5) > 1e-6:  # exactly between two, either is right
        assert found == round(probability, 4)
